//! A record → what the passes need of it, owned.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;
use steno_transcript::content;
use steno_transcript::wire::{self, Envelope};
use steno_transcript::{Kind, MessageId, Record, RecordId, Text, ToolId, Troubles, understood};

use crate::block::{self, Block};
use crate::model::RecordRef;
use crate::prompt::{self, Spoken};
use crate::time;
use crate::usage::{self, MessageKey, Usage};

/// One record of the transcript, understood.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) at: RecordRef,
    pub(crate) kind: Kind,
    /// The kind within the type; of a queue operation, which one it is.
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
    pub(crate) message_id: Option<MessageId>,
    pub(crate) model: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) blocks: Vec<Block>,
    pub(crate) tool_use_result: Option<Box<RawValue>>,
    pub(crate) source_tool: Option<ToolId>,
    /// What the user said when rejecting a tool call.
    pub(crate) user_feedback: Option<String>,
    pub(crate) compact: Option<CompactMetadata>,
    /// The last prompt's leaf that the user chose himself.
    pub(crate) chosen_leaf: Option<RecordId>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CompactMetadata {
    pub(crate) trigger: Option<String>,
    pub(crate) pre_tokens: Option<u64>,
    pub(crate) post_tokens: Option<u64>,
}

impl Entry {
    pub(crate) fn new(index: usize, record: &Record<'_>, troubles: &mut Troubles) -> Self {
        let envelope = &record.envelope;
        let kind = record.kind();
        let is_message = matches!(kind, Kind::User | Kind::Assistant);
        let message = record.message().filter(|_| is_message);
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
            key: message.and_then(|message| MessageKey::of(record, message)),
            message_id: message.and_then(|message| message.id.as_deref()).map(MessageId::from),
            model: message.and_then(|message| message.model.as_deref()).map(str::to_owned),
            usage: message.map(usage::of_message).unwrap_or_default(),
            blocks: blocks(&kind, record, troubles),
            tool_use_result: envelope.tool_use_result.filter(|_| is_message).map(ToOwned::to_owned),
            source_tool: envelope.source_tool.as_deref().map(ToolId::from),
            user_feedback: envelope.user_feedback.as_deref().map(str::to_owned),
            compact: compact(envelope),
            chosen_leaf: chosen_leaf(&kind, envelope),
            kind,
        }
        .with_queued_prompt(envelope, troubles)
    }

    /// From 2.1.98 a prompt typed while the agent works may exist as an attachment only.
    fn with_queued_prompt(mut self, envelope: &Envelope<'_>, troubles: &mut Troubles) -> Self {
        if self.kind == Kind::Attachment
            && let Some(prompt) = queued_prompt(envelope, troubles)
        {
            self.is_queued = true;
            self.blocks = block::owned(&prompt, troubles);
        }
        self
    }

    /// Moves the entry out, leaving one that says nothing.
    pub(crate) fn take(&mut self) -> Self {
        Self {
            at: self.at.clone(),
            kind: self.kind.clone(),
            subtype: self.subtype.take(),
            parent: self.parent.clone(),
            logical_parent: self.logical_parent.clone(),
            session_id: self.session_id.clone(),
            message_id: self.message_id.clone(),
            model: self.model.take(),
            blocks: std::mem::take(&mut self.blocks),
            tool_use_result: self.tool_use_result.take(),
            source_tool: self.source_tool.take(),
            user_feedback: self.user_feedback.take(),
            compact: self.compact.take(),
            chosen_leaf: self.chosen_leaf.take(),
            ..*self
        }
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

    /// All of its text blocks that say something, context left out.
    pub(crate) fn text(&self) -> String {
        let texts = self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(prompt::without_context(text)),
            _ => None,
        });
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// Whether a person typed this: it starts a turn.
    pub(crate) fn is_real_prompt(&self) -> bool {
        if self.kind == Kind::Attachment {
            return self.is_queued;
        }
        let may_be =
            self.kind == Kind::User && !self.is_meta && !self.is_compact_summary && !self.has_tool_result();
        may_be
            && is_prompt_text(&self.text(), self.blocks.iter().any(|block| matches!(block, Block::Media(_))))
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

/// The prompt of an attachment that is one.
pub(crate) fn queued_prompt<'a>(
    envelope: &Envelope<'a>,
    troubles: &mut Troubles,
) -> Option<Vec<content::Block<'a>>> {
    let attachment = wire::read::<wire::Attachment>(envelope.attachment?.get(), troubles)?;
    let is_prompt = attachment.kind.as_deref() == Some("queued_command")
        && attachment.command_mode.as_deref().is_none_or(|mode| mode == "prompt");
    let blocks = content::blocks(attachment.prompt.filter(|_| is_prompt), troubles);
    // Background tasks report through the same queue.
    let is_typed = !blocks.iter().any(|block| {
        matches!(block, content::Block::Text(text)
        if !matches!(prompt::classify(&text.get()), Spoken::Prompt(_)))
    });
    (!blocks.is_empty() && is_typed).then_some(blocks)
}

fn blocks(kind: &Kind, record: &Record<'_>, troubles: &mut Troubles) -> Vec<Block> {
    let envelope = &record.envelope;
    match kind {
        Kind::User | Kind::Assistant => block::owned(&record.blocks(troubles), troubles),
        Kind::System if envelope.content.is_none() => {
            error_text(envelope).map(Block::Text).into_iter().collect()
        }
        Kind::QueueOperation if envelope.operation.as_deref() != Some("enqueue") => Vec::new(),
        Kind::System | Kind::QueueOperation => {
            block::owned(&content::blocks(envelope.content, troubles), troubles)
        }
        _ => Vec::new(),
    }
}

/// What an API error says, wherever it says it.
fn error_text(envelope: &Envelope<'_>) -> Option<String> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct ApiError {
        formatted: Option<String>,
        message: Option<String>,
        cause: Cause,
        status: Option<u16>,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Cause {
        code: Option<String>,
    }
    let raw = envelope.error?;
    let error: ApiError = match understood(raw) {
        Some(error) => error,
        None => return understood(raw),
    };
    let status = error.status.map(|status| format!("HTTP status {status}"));
    error.formatted.or(error.message).or(error.cause.code).or(status)
}

fn compact(envelope: &Envelope<'_>) -> Option<CompactMetadata> {
    let raw = envelope.compact_metadata?;
    Some(understood(raw).unwrap_or_default())
}

fn chosen_leaf(kind: &Kind, envelope: &Envelope<'_>) -> Option<RecordId> {
    let is_chosen = *kind == Kind::LastPrompt && (envelope.explicit.0 || envelope.rewound.0);
    envelope.leaf_uuid.as_deref().filter(|_| is_chosen).map(RecordId::from)
}
