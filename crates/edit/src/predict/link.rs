//! A record of a file → what decides whether a client takes it up, and the fields that it would send.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::content::Block;
use steno_transcript::wire::{self, Envelope};
use steno_transcript::{Kind, Place, Record, Troubles};

/// Everything of a record that a message could be made of.
const KEPT: [&str; 8] =
    ["message", "attachment", "rendered", "renderedRole", "origin", "isVirtual", "isDisplayOnly", "content"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkKind {
    User,
    Assistant,
    Attachment,
    System,
    Progress,
}

/// A record that others can hang on.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) place: Place,
    pub(super) kind: LinkKind,
    pub(super) subtype: Option<Box<str>>,
    /// Empty where it has none: old clients take such a record up, others cannot hang on it.
    pub(super) uuid: Box<str>,
    pub(super) parent: Option<Box<str>>,
    pub(super) timestamp: Box<str>,
    pub(super) time: Option<Timestamp>,
    pub(super) is_sidechain: bool,
    pub(super) is_meta: bool,
    pub(super) is_compact_summary: bool,
    pub(super) is_api_error: bool,
    pub(super) has_structured_result: bool,
    pub(super) has_result: bool,
    /// Of an assistant's record: the message that it is a part of.
    pub(super) message: Option<Box<str>>,
    /// The type of an attachment.
    pub(super) attachment: Option<Box<str>>,
    pub(super) preserved: Option<Preserved>,
    fields: Vec<(&'static str, Box<RawValue>)>,
}

/// What a compaction leaves in place: by name, or as a stretch from a head to a tail.
#[derive(Debug)]
pub(super) enum Preserved {
    Messages(Messages),
    Segment(Segment),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Messages {
    #[serde(default)]
    pub(super) anchor_uuid: Option<String>,
    #[serde(default)]
    pub(super) uuids: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Segment {
    pub(super) anchor_uuid: Option<String>,
    pub(super) head_uuid: Option<String>,
    pub(super) tail_uuid: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    #[serde(default)]
    preserved_messages: Option<Messages>,
    #[serde(default)]
    preserved_segment: Option<Segment>,
}

impl Link {
    pub(super) fn read(record: &Record<'_>) -> Option<Self> {
        let envelope = &record.envelope;
        let kind = match record.kind() {
            Kind::User => LinkKind::User,
            Kind::Assistant => LinkKind::Assistant,
            Kind::Attachment => LinkKind::Attachment,
            Kind::System => LinkKind::System,
            Kind::Progress => LinkKind::Progress,
            _ => return None,
        };
        let owned = |text: &Option<steno_transcript::Text<'_>>| text.as_deref().map(Box::from);
        let timestamp = envelope.timestamp.as_deref().unwrap_or_default();
        Some(Self {
            place: record.place,
            kind,
            subtype: owned(&envelope.subtype),
            uuid: owned(&envelope.uuid).unwrap_or_default(),
            parent: owned(&envelope.parent_uuid).filter(|parent| !parent.is_empty()),
            timestamp: timestamp.into(),
            time: timestamp.parse().ok(),
            is_sidechain: envelope.is_sidechain.0,
            is_meta: envelope.is_meta.0,
            is_compact_summary: envelope.is_compact_summary.0,
            is_api_error: envelope.is_api_error.0,
            has_structured_result: envelope.tool_use_result.is_some_and(is_truthy),
            has_result: kind == LinkKind::User && has_result(record),
            message: record.message().and_then(|message| owned(&message.id)),
            attachment: attachment(envelope),
            preserved: preserved(envelope),
            fields: fields(record, kind),
        })
    }

    pub(super) fn is_boundary(&self) -> bool {
        self.kind == LinkKind::System && self.subtype.as_deref() == Some("compact_boundary")
    }

    /// What a conversation is made of.
    pub(super) fn is_spoken(&self) -> bool {
        matches!(self.kind, LinkKind::User | LinkKind::Assistant)
    }

    /// None where it is absent; an error where it cannot be read.
    pub(super) fn field(&self, name: &str) -> Option<serde_json::Result<Value>> {
        let (_, raw) = self.fields.iter().rev().find(|(kept, _)| *kept == name)?;
        Some(serde_json::from_str(raw.get()))
    }
}

/// As JavaScript sees it.
fn is_truthy(value: &RawValue) -> bool {
    !matches!(value.get(), "null" | "false" | "0" | "\"\"")
}

fn has_result(record: &Record<'_>) -> bool {
    let blocks = record.blocks(&mut Troubles::default());
    blocks.iter().any(|block| matches!(block, Block::ToolResult(result) if result.kind == "tool_result"))
}

fn attachment(envelope: &Envelope<'_>) -> Option<Box<str>> {
    let attachment: wire::Attachment<'_> = wire::read(envelope.attachment?.get(), &mut Troubles::default())?;
    attachment.kind.as_deref().map(Box::from)
}

fn preserved(envelope: &Envelope<'_>) -> Option<Preserved> {
    let metadata: Metadata = serde_json::from_str(envelope.compact_metadata?.get()).ok()?;
    let messages = metadata.preserved_messages.map(Preserved::Messages);
    messages.or(metadata.preserved_segment.map(Preserved::Segment))
}

fn fields(record: &Record<'_>, kind: LinkKind) -> Vec<(&'static str, Box<RawValue>)> {
    if kind == LinkKind::Progress {
        return Vec::new();
    }
    let Some(fields) = record.fields() else {
        return Vec::new();
    };
    let kept = fields
        .iter()
        .filter_map(|(name, raw)| Some((*KEPT.iter().find(|kept| **kept == name)?, raw.to_owned())));
    kept.collect()
}
