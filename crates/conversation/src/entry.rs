//! A record → the fields and texts that the passes need, owned.

use jiff::Timestamp;
use serde_json::value::RawValue;
use steno_transcript::content;
use steno_transcript::wire::{self, Envelope};
use steno_transcript::{Kind, Record, RecordId, Text, Troubles, understood};

use crate::beside::{self, Beside};
use crate::block::{self, Block};
use crate::model::RecordRef;
use crate::note;
use crate::prompt::{self, Spoken};
use crate::scope::Scope;
use crate::time;
use crate::usage::{self, MessageKey, Usage};

/// One record of the transcript, as the passes see it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) at: RecordRef,
    pub(crate) kind: Kind,
    /// The subtype of a record that has one; of a queue operation, the operation.
    pub(crate) subtype: Option<String>,
    pub(crate) parent: Option<RecordId>,
    pub(crate) logical_parent: Option<RecordId>,
    pub(crate) timestamp: Option<Timestamp>,
    pub(crate) session_id: Option<String>,
    pub(crate) is_sidechain: bool,
    pub(crate) is_meta: bool,
    pub(crate) is_compact_summary: bool,
    pub(crate) is_api_error: bool,
    /// Typed while the agent worked.
    pub(crate) is_queued: bool,
    pub(crate) key: Option<MessageKey>,
    pub(crate) model: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) beside: Vec<Beside>,
    pub(crate) blocks: Vec<Block>,
    /// Of each block of a message, whose blocks other records may repeat.
    pub(crate) fingerprints: Vec<u64>,
    /// The indices of blocks that earlier records of the message hold as well, and that were taken out of this one.
    pub(crate) repeated: Vec<usize>,
    /// Those of them with more content than before.
    pub(crate) fuller: Vec<usize>,
    /// The text of a record without blocks, if the scope wants it.
    pub(crate) note: Option<String>,
    pub(crate) tool_use_result: Option<Box<RawValue>>,
    /// The user's words when rejecting a tool call.
    pub(crate) user_feedback: Option<String>,
    pub(crate) compact: Option<CompactMetadata>,
    /// The leaf of the last prompt, if the user chose it by a rewind.
    pub(crate) chosen_leaf: Option<RecordId>,
}

/// Whether a person speaks in a record, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speech {
    /// A prompt: it starts a turn.
    Prompt,
    Slash,
    /// A `!` command.
    Shell,
    None,
}

/// The metadata of a compaction.
#[derive(Debug, Default)]
pub(crate) struct CompactMetadata {
    pub(crate) trigger: Option<String>,
    pub(crate) pre_tokens: Option<u64>,
    pub(crate) post_tokens: Option<u64>,
}

impl Entry {
    pub(crate) fn new(index: usize, record: &Record<'_>, scope: Scope, troubles: &mut Troubles) -> Self {
        let envelope = &record.envelope;
        let kind = record.kind();
        let is_message = matches!(kind, Kind::User | Kind::Assistant);
        let message = record.message().filter(|_| is_message);
        let key = message.and_then(|message| MessageKey::of(record, message));
        let repeatable = message.filter(|_| key.is_some()).map(|message| message.content.0.as_slice());
        let id = |text: &Option<Text<'_>>| text.as_deref().map(RecordId::from);
        Self {
            at: RecordRef { uuid: id(&envelope.uuid), line: record.place.line, index },
            subtype: envelope.subtype.as_deref().or(envelope.operation.as_deref()).map(str::to_owned),
            parent: id(&envelope.parent_uuid),
            logical_parent: id(&envelope.logical_parent_uuid),
            timestamp: envelope.timestamp.as_deref().and_then(time::parse),
            session_id: envelope.session_id.as_deref().map(str::to_owned),
            is_sidechain: envelope.is_sidechain.0,
            is_meta: envelope.is_meta.0,
            is_compact_summary: envelope.is_compact_summary.0,
            is_api_error: envelope.is_api_error.0,
            is_queued: envelope.prompt_source.as_deref() == Some("queued"),
            key,
            model: message.and_then(|message| message.model.as_deref()).map(str::to_owned),
            usage: message.map(usage::of_message).unwrap_or_default(),
            beside: message.map(beside::of_message).unwrap_or_default(),
            blocks: blocks(&kind, record, scope, troubles),
            fingerprints: repeatable.unwrap_or_default().iter().map(block::fingerprint).collect(),
            repeated: Vec::new(),
            fuller: Vec::new(),
            note: note::of(&kind, record, scope),
            tool_use_result: envelope.tool_use_result.filter(|_| is_message).map(ToOwned::to_owned),
            user_feedback: envelope.user_feedback.as_deref().map(str::to_owned),
            compact: compact(envelope, troubles),
            chosen_leaf: chosen_leaf(&kind, envelope),
            kind,
        }
        .with_queued_prompt(envelope, scope, troubles)
    }

    /// From 2.1.98 a prompt typed while the agent works may exist as an attachment only; so may the report of a
    /// background task.
    fn with_queued_prompt(mut self, envelope: &Envelope<'_>, scope: Scope, troubles: &mut Troubles) -> Self {
        if self.kind == Kind::Attachment
            && let Some(queued) = queued_command(envelope, troubles)
        {
            self.is_queued = queued.is_prompt();
            self.blocks = block::owned(&queued.blocks, scope, troubles);
        }
        self
    }

    /// Moves the entry out, and leaves one without texts in its place.
    pub(crate) fn take(&mut self) -> Self {
        Self {
            at: self.at.clone(),
            kind: self.kind.clone(),
            subtype: self.subtype.take(),
            parent: self.parent.clone(),
            logical_parent: self.logical_parent.clone(),
            session_id: self.session_id.clone(),
            model: self.model.take(),
            beside: std::mem::take(&mut self.beside),
            blocks: std::mem::take(&mut self.blocks),
            fingerprints: std::mem::take(&mut self.fingerprints),
            repeated: std::mem::take(&mut self.repeated),
            fuller: std::mem::take(&mut self.fuller),
            note: self.note.take(),
            tool_use_result: self.tool_use_result.take(),
            user_feedback: self.user_feedback.take(),
            compact: self.compact.take(),
            chosen_leaf: self.chosen_leaf.take(),
            ..*self
        }
    }

    /// The length of its texts.
    pub(crate) fn bytes(&self) -> u64 {
        let texts = [&self.note, &self.user_feedback].into_iter().flatten().map(String::len);
        let structured = self.tool_use_result.as_ref().map(|raw| raw.get().len());
        let said: usize = self.blocks.iter().map(Block::bytes).chain(texts).chain(structured).sum();
        said as u64
    }

    pub(crate) fn is_boundary(&self) -> bool {
        self.kind == Kind::System && self.subtype.as_deref() == Some("compact_boundary")
    }

    pub(crate) fn is_message(&self) -> bool {
        matches!(self.kind, Kind::User | Kind::Assistant)
    }

    pub(crate) fn has_tool_result(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::ToolResult { .. }))
    }

    /// The text blocks, joined, without the context around prompts.
    pub(crate) fn text(&self) -> String {
        let texts = self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(prompt::without_context(text)),
            _ => None,
        });
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// The text blocks, joined, as the record has them.
    pub(crate) fn raw_text(&self) -> String {
        let texts = self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }

    pub(crate) fn has_media(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Media(_)))
    }

    /// Whether the client wrote it in the agent's name.
    pub(crate) fn is_synthetic(&self) -> bool {
        self.model.as_deref() == Some("<synthetic>")
    }

    /// Whether a person speaks here, and how.
    pub(crate) fn speech(&self) -> Speech {
        if self.is_real_prompt() {
            return Speech::Prompt;
        }
        if self.kind != Kind::User || self.is_meta {
            return Speech::None;
        }
        match prompt::classify(&self.text()) {
            Spoken::SlashCommand { .. } => Speech::Slash,
            Spoken::BashInput(_) => Speech::Shell,
            _ => Speech::None,
        }
    }

    /// Whether the client asks here to implement an accepted plan.
    pub(crate) fn implements_plan(&self) -> bool {
        matches!(prompt::classify(&self.text()), Spoken::ImplementPlan(_))
    }

    /// Whether a person typed this: it starts a turn.
    pub(crate) fn is_real_prompt(&self) -> bool {
        if self.kind == Kind::Attachment {
            return self.is_queued;
        }
        let may_be =
            self.kind == Kind::User && !self.is_meta && !self.is_compact_summary && !self.has_tool_result();
        may_be && is_prompt_text(&self.text(), self.has_media())
    }
}

/// Whether a person typed the text of a record: it starts a turn.
pub fn is_prompt(record: &Record<'_>, troubles: &mut Troubles) -> bool {
    let envelope = &record.envelope;
    match record.kind() {
        Kind::Attachment => queued_command(envelope, troubles).is_some_and(|queued| queued.is_prompt()),
        Kind::User if !envelope.is_meta.0 && !envelope.is_compact_summary.0 => {
            let blocks = record.blocks(troubles);
            let has_result = blocks.iter().any(|block| matches!(block, content::Block::ToolResult(_)));
            !has_result && is_prompt_text(&spoken(&blocks), has_media(&blocks))
        }
        _ => false,
    }
}

/// Whether a user's text, context left out, is a prompt.
pub(crate) fn is_prompt_text(text: &str, has_image: bool) -> bool {
    match prompt::classify(text) {
        Spoken::Prompt(_) | Spoken::ImplementPlan(_) => true,
        Spoken::Noise => text.is_empty() && has_image,
        _ => false,
    }
}

/// A text that waited in the queue, and is recorded as an attachment.
#[derive(Debug)]
pub struct Queued<'a> {
    pub blocks: Vec<content::Block<'a>>,
    is_typed: bool,
}

impl Queued<'_> {
    pub fn is_prompt(&self) -> bool {
        self.is_typed && is_prompt_text(&spoken(&self.blocks), has_media(&self.blocks))
    }
}

/// The text that waited in the queue, if the attachment is one.
pub fn queued_command<'a>(envelope: &Envelope<'a>, troubles: &mut Troubles) -> Option<Queued<'a>> {
    let attachment = wire::read::<wire::Attachment>(envelope.attachment?.get(), troubles)?;
    let is_queued = attachment.kind.as_deref() == Some("queued_command");
    let blocks = content::blocks(attachment.prompt.filter(|_| is_queued), troubles);
    let is_typed = attachment.command_mode.as_deref().is_none_or(|mode| mode == "prompt");
    (!blocks.is_empty()).then_some(Queued { blocks, is_typed })
}

/// The text blocks, joined, without the context around prompts.
pub(crate) fn spoken(blocks: &[content::Block<'_>]) -> String {
    let texts = blocks.iter().filter_map(|block| match block {
        content::Block::Text(text) => Some(prompt::without_context(&text.get()).to_owned()),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

pub(crate) fn has_media(blocks: &[content::Block<'_>]) -> bool {
    blocks.iter().any(|block| matches!(block, content::Block::Image(_) | content::Block::Document(_)))
}

fn blocks(kind: &Kind, record: &Record<'_>, scope: Scope, troubles: &mut Troubles) -> Vec<Block> {
    let envelope = &record.envelope;
    match kind {
        Kind::User | Kind::Assistant => block::owned(&record.blocks(troubles), scope, troubles),
        Kind::System if envelope.content.is_none() => {
            error_text(envelope, troubles).map(Block::Text).into_iter().collect()
        }
        Kind::QueueOperation if envelope.operation.as_deref() != Some("enqueue") => Vec::new(),
        Kind::System | Kind::QueueOperation => {
            block::owned(&content::blocks(envelope.content, troubles), scope, troubles)
        }
        _ => Vec::new(),
    }
}

/// The text of an API error, from whichever field has it.
pub fn error_text(envelope: &Envelope<'_>, troubles: &mut Troubles) -> Option<String> {
    let raw = envelope.error?;
    let Some(error) = wire::read::<wire::ApiError>(raw.get(), troubles) else { return understood(raw) };
    let cause = error.cause.and_then(|raw| wire::read::<wire::ApiErrorCause>(raw.get(), troubles));
    let cause = cause.unwrap_or_default();
    let said = error.formatted.or(error.message).or(cause.code).or(cause.message);
    let status = || error.status.map(|status| format!("HTTP status {}", status.0));
    said.map(|said| said.0.into_owned()).or_else(status)
}

fn compact(envelope: &Envelope<'_>, troubles: &mut Troubles) -> Option<CompactMetadata> {
    let metadata = wire::read::<wire::CompactMetadata>(envelope.compact_metadata?.get(), troubles)?;
    Some(CompactMetadata {
        trigger: metadata.trigger.map(|trigger| trigger.0.into_owned()),
        pre_tokens: metadata.pre_tokens.map(|count| count.0),
        post_tokens: metadata.post_tokens.map(|count| count.0),
    })
}

fn chosen_leaf(kind: &Kind, envelope: &Envelope<'_>) -> Option<RecordId> {
    let is_chosen = *kind == Kind::LastPrompt && (envelope.explicit.0 || envelope.rewound.0);
    envelope.leaf_uuid.as_deref().filter(|_| is_chosen).map(RecordId::from)
}
