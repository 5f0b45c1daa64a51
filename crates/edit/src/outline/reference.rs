//! The fields of a record → the records that it points to by their uuids, outside of what was said.

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::wire::Fields;
use steno_transcript::{Kind, understood};

/// Where a record points.
#[derive(Debug, Default)]
pub(crate) struct Pointers {
    /// By a field that is there for this: what it names should be there.
    pub(crate) named: Vec<String>,
    /// By any other string that looks like a uuid, and may be that of a record.
    pub(crate) possible: Vec<String>,
    /// What a compaction says that it preserves.
    pub(crate) preserved: Option<Preserves>,
}

/// What a compaction preserves, as it says it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Preserves {
    Messages {
        anchor: Option<String>,
        uuids: Vec<String>,
    },
    /// From one record up to another.
    Segment {
        anchor: Option<String>,
        head: Option<String>,
        tail: Option<String>,
    },
}

impl Preserves {
    /// Roughly how much memory it takes, in bytes.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Self::Messages { uuids, .. } => uuids.iter().map(|uuid| uuid.len() as u64 + 48).sum(),
            Self::Segment { .. } => 0,
        }
    }
}

/// Where the fields of a record point, apart from its parents.
pub(crate) fn pointers(kind: &Kind, fields: &Fields<'_>) -> Pointers {
    let mut pointers = Pointers::default();
    let is_history = matches!(kind, Kind::FileHistorySnapshot | Kind::FileHistoryDelta);
    for (name, value) in fields.iter() {
        match name {
            // Said, or an id of its own.
            "message" | "toolUseResult" | "content" | "uuid" | "parentUuid" | "logicalParentUuid"
            | "sessionId" | "session_id" | "promptId" | "requestId" => {}
            "leafUuid" | "sourceToolAssistantUUID" => pointers.named.extend(string(value)),
            "messageId" if is_history => pointers.named.extend(string(value)),
            "snapshot" if is_history => pointers.named.extend(message_of_snapshot(value)),
            "compactMetadata" => pointers.preserve(value),
            _ => pointers.possible.extend(uuids(value.get())),
        }
    }
    pointers
}

impl Pointers {
    fn preserve(&mut self, metadata: &RawValue) {
        let metadata: Value = understood(metadata).unwrap_or_default();
        self.preserved = kept(&metadata);
        for part in ["preservedMessages", "preservedSegment"].map(|part| metadata.get(part)) {
            let part = part.and_then(Value::as_object);
            self.named.extend(part.into_iter().flat_map(|part| part.values()).flat_map(strings));
        }
    }
}

/// Messages that are listed go before a segment.
fn kept(metadata: &Value) -> Option<Preserves> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let messages = &metadata["preservedMessages"];
    if messages.is_object() {
        let uuids = strings(&messages["uuids"]).collect();
        return Some(Preserves::Messages { anchor: text(&messages["anchorUuid"]), uuids });
    }
    let segment = metadata["preservedSegment"].as_object()?;
    let end = |name: &str| segment.get(name).and_then(text);
    Some(Preserves::Segment { anchor: end("anchorUuid"), head: end("headUuid"), tail: end("tailUuid") })
}

/// A string, or the strings of a list.
fn strings(value: &Value) -> impl Iterator<Item = String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    value.as_str().into_iter().chain(list.iter().filter_map(Value::as_str)).map(str::to_owned)
}

fn string(value: &RawValue) -> Option<String> {
    value.get().starts_with('"').then(|| understood(value))?
}

fn message_of_snapshot(snapshot: &RawValue) -> Option<String> {
    let fields: Fields<'_> = serde_json::from_str(snapshot.get()).ok()?;
    fields.get("messageId").and_then(string)
}

/// The strings in some JSON that are wholly a uuid.
fn uuids(json: &str) -> impl Iterator<Item = String> {
    let mut before = "";
    let mut parts = json.split('"').peekable();
    std::iter::from_fn(move || {
        loop {
            let part = parts.next()?;
            let is_key = parts.peek().is_some_and(|behind| behind.trim_start().starts_with(':'));
            let is_whole = !before.ends_with('\\') && is_uuid(part) && !is_key;
            before = part;
            if is_whole {
                return Some(part.to_owned());
            }
        }
    })
}

/// Whether a text has the shape of a uuid.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests;
