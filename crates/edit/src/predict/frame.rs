//! What the newest client puts around the report of a task in the background.
//!
//! The words are its own, and change with its version. But its log of requests has what was sent: where a report is
//! there and in a record, what is around it is known.

use std::collections::HashSet;

use serde_json::Value;
use steno_transcript::{Kind, Record};

use super::block;
use super::link::RawRecord;

/// How a frame begins.
const START: &str = "<system-reminder>\n[SYSTEM NOTIFICATION";
const END: &str = "\n</system-reminder>";
const TAG: &str = "system-reminder";
/// How a report begins.
const REPORT: &str = "<task-notification>";

/// What the origin of a report says where the frame is known to be this one.
const SEEN: [&str; 3] = ["kind", "producer", "runId"];

/// Frames around reports, as far as a file has them.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// What was sent before a report, and the report.
    sent: Vec<(String, String)>,
    recorded: HashSet<String>,
    /// Of the records that either came from.
    pub(super) bytes: u64,
}

impl Frames {
    /// Takes note of what was sent, and of reports in records.
    pub(super) fn observe(&mut self, record: &Record<'_>) {
        if !record.json.contains("task-notification") {
            return;
        }
        self.bytes += record.json.len() as u64;
        match record.kind() {
            Kind::ApiRequestBlob => {
                self.sent.extend(texts_sent(record).iter().filter_map(|text| parted(text)))
            }
            Kind::User => self.recorded.extend(RawRecord::read(record).and_then(|link| report(&link))),
            _ => {}
        }
    }

    /// What precedes a report. What was drained into a turn of the user's has another frame, and no record.
    pub(super) fn lead(&self) -> Option<&str> {
        let known = self.sent.iter().rev().find(|(_, report)| self.recorded.contains(report));
        known.map(|(lead, _)| lead.as_str())
    }
}

/// Whether a record is the report of a task; with anything more to it, its frame may be of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notification {
    Plain,
    Special,
}

impl Notification {
    pub(super) fn read(origin: &Value) -> Option<Self> {
        let is_notification = origin.get("kind").is_some_and(|kind| kind == "task-notification");
        let is_seen = |name: &String| SEEN.contains(&name.as_str());
        let is_plain = origin.as_object().is_some_and(|origin| origin.keys().all(is_seen));
        is_notification.then_some(if is_plain { Self::Plain } else { Self::Special })
    }
}

/// What is sent of a report: its texts as one, in the frame.
pub(super) fn framed(content: Vec<Value>, lead: &str) -> Vec<Value> {
    let (texts, rest): (Vec<Value>, Vec<Value>) = content.into_iter().partition(block::is_text);
    let text = joined(&texts);
    let is_framed = text.starts_with(lead) && text.ends_with(END);
    let text = if is_framed { text } else { format!("{lead}{}{END}", without_ends(&text)) };
    std::iter::once(block::text(text)).chain(rest).collect()
}

/// Whether a report is there as it is sent.
pub(super) fn is_framed(content: &[Value]) -> bool {
    content.iter().any(|block| block::words(block).starts_with(START))
}

fn joined(texts: &[Value]) -> String {
    texts.iter().map(block::words).collect::<Vec<_>>().join("\n")
}

fn texts_sent(record: &Record<'_>) -> Vec<String> {
    let Some(fields) = record.fields() else { return Vec::new() };
    let message = fields.iter().find(|(name, _)| *name == "message");
    let message: Value =
        message.and_then(|(_, raw)| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    match message.get("content") {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(blocks)) => blocks.iter().map(|block| block::words(block).to_owned()).collect(),
        _ => Vec::new(),
    }
}

/// A text as it was sent → what precedes the report, and the report.
fn parted(text: &str) -> Option<(String, String)> {
    let text = text.strip_suffix('\n').unwrap_or(text).strip_suffix(END)?;
    let (lead, report) = text.split_at(text.find(REPORT).filter(|_| text.starts_with(START))?);
    Some((lead.to_owned(), report.to_owned()))
}

/// What a record reports, as it is sent.
fn report(link: &RawRecord) -> Option<String> {
    let field = |name: &str| link.field(name)?.ok();
    Notification::read(&field("origin")?).filter(|kind| *kind == Notification::Plain)?;
    let texts = match field("message")?.get_mut("content").map(Value::take)? {
        Value::String(text) => text,
        Value::Array(blocks) => joined(&blocks.into_iter().filter(block::is_text).collect::<Vec<_>>()),
        _ => return None,
    };
    Some(without_ends(&texts))
}

/// A report cannot end its frame: closing tags are spelled out.
fn without_ends(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        safe.push_str(before);
        let end = closing(tag);
        safe.push_str(if end.is_some() { "&lt;/system-reminder&gt;" } else { "<" });
        rest = tag.get(end.unwrap_or(1)..).unwrap_or_default();
    }
    safe + rest
}

/// How long the closing tag is that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('<')?.trim_start().strip_prefix('/')?.trim_start();
    let name = rest.get(..TAG.len()).filter(|name| name.eq_ignore_ascii_case(TAG))?;
    let rest = rest.get(name.len()..)?.trim_start().strip_prefix('>')?;
    Some(text.len() - rest.len())
}
