//! A record of a file → the fields that a message is made of.

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::{Kind, Record, Troubles, wire};

/// Everything of a record that a message could be made of.
const KEPT: [&str; 8] =
    ["message", "attachment", "rendered", "renderedRole", "origin", "isVirtual", "isDisplayOnly", "content"];

/// What an outline does not know of a record.
#[derive(Debug)]
pub(super) struct RawRecord {
    pub(super) has_structured_result: bool,
    pub(super) is_local_command: bool,
    /// The type of an attachment.
    pub(super) attachment: Option<Box<str>>,
    fields: Vec<(&'static str, Box<RawValue>)>,
}

impl RawRecord {
    /// None where no message can be made of it.
    pub(super) fn read(record: &Record<'_>) -> Option<Self> {
        let envelope = &record.envelope;
        let is_sent = matches!(record.kind(), Kind::User | Kind::Assistant | Kind::Attachment | Kind::System);
        is_sent.then(|| Self {
            has_structured_result: envelope.tool_use_result.is_some_and(is_truthy),
            is_local_command: envelope.subtype.as_deref() == Some("local_command"),
            attachment: envelope.attachment.and_then(attachment),
            fields: fields(record),
        })
    }

    /// How many bytes of the record it holds.
    pub(super) fn bytes(&self) -> u64 {
        self.fields.iter().map(|(_, raw)| raw.get().len() as u64).sum()
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

fn attachment(attachment: &RawValue) -> Option<Box<str>> {
    let attachment: wire::Attachment<'_> = wire::read(attachment.get(), &mut Troubles::default())?;
    attachment.kind.as_deref().map(Box::from)
}

fn fields(record: &Record<'_>) -> Vec<(&'static str, Box<RawValue>)> {
    let fields = record.fields();
    let kept = fields.iter().flat_map(wire::Fields::iter).filter_map(|(name, raw)| {
        let name = KEPT.iter().find(|kept| **kept == name)?;
        Some((*name, raw.to_owned()))
    });
    kept.collect()
}
