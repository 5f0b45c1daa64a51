//! What the plan says of a record → which of its fields and blocks change, under their old names.

use jiff::Timestamp;
use serde_json::value::RawValue;
use steno_transcript::Record;
use steno_transcript::patch::{Limit, Reshape};
use steno_transcript::wire::Fields;

use super::{CloneWriter, spelled, summary_of};
use crate::outline::NodeId;
use crate::plan::{Change, Parent};

impl CloneWriter<'_> {
    pub(super) fn reshape<'c>(&self, change: &'c Change, record: &Record<'_>) -> Reshape<'c> {
        Reshape {
            set: self.set(change, record),
            removed: removed(change),
            without: &change.without,
            limit: change.truncation.map(|limit| Limit { lines: limit.lines, characters: limit.characters }),
            without_images: change.without_images,
            ends_turn: change.ends_turn,
        }
    }

    fn set(&self, change: &Change, record: &Record<'_>) -> Vec<(&'static str, String)> {
        let metadata = || record.envelope.compact_metadata;
        let preserved = change.preserved.as_ref();
        [
            change.parent.map(|parent| ("parentUuid", self.parent(parent))),
            change.drops_logical_parent.then(|| ("logicalParentUuid", "null".to_owned())),
            change.time.map(|time| ("timestamp", spelled(&moment(time)))),
            change.leaf.map(|leaf| ("leafUuid", self.uuid(leaf))),
            change.lists_content.then(|| ("message", self.listed(record))),
            preserved.zip(metadata()).map(|(nodes, old)| ("compactMetadata", self.metadata(old, nodes))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn parent(&self, parent: Parent) -> String {
        match parent {
            Parent::Root => "null".to_owned(),
            Parent::Node(node) => self.uuid(node),
            Parent::Summary => spelled(&summary_of(self.identity)),
        }
    }

    /// The message with its content as a list.
    fn listed(&self, record: &Record<'_>) -> String {
        let Some(message) = record.fields().and_then(|fields| fields.get("message")) else {
            return "null".to_owned();
        };
        match message.get().as_bytes().first() {
            Some(b'{') => self.each(message, |name, value| match name {
                "content" => Some(as_list(value.get())),
                _ => Some(value.get().to_owned()),
            }),
            _ => format!("{{\"role\":\"{}\",\"content\":{}}}", record.kind().name(), as_list(message.get())),
        }
    }

    /// The old uuid of a record.
    fn uuid(&self, node: NodeId) -> String {
        let uuid = self.outline.node(node).and_then(|node| node.uuid);
        uuid.map_or_else(|| "null".to_owned(), |uuid| spelled(self.outline.text(uuid)))
    }

    /// What a boundary says of itself, preserving no more than these.
    fn metadata(&self, old: &RawValue, preserved: &[NodeId]) -> String {
        self.each(old, |name, value| match name {
            "preservedMessages" | "preservedSegment" if preserved.is_empty() => None,
            "preservedMessages" => Some(self.each(value, |name, value| match name {
                "uuids" | "allUuids" => Some(self.list(preserved)),
                _ => Some(value.get().to_owned()),
            })),
            "preservedSegment" => Some(self.each(value, |name, value| match name {
                "headUuid" => preserved.first().map(|node| self.uuid(*node)),
                "tailUuid" => preserved.last().map(|node| self.uuid(*node)),
                _ => Some(value.get().to_owned()),
            })),
            _ => Some(value.get().to_owned()),
        })
    }

    fn list(&self, nodes: &[NodeId]) -> String {
        let uuids: Vec<_> = nodes.iter().map(|node| self.uuid(*node)).collect();
        format!("[{}]", uuids.join(","))
    }

    /// An object with other values; anything else stays.
    fn each(&self, object: &RawValue, new: impl Fn(&str, &RawValue) -> Option<String>) -> String {
        let Ok(fields) = serde_json::from_str::<Fields<'_>>(object.get()) else {
            return object.get().to_owned();
        };
        let fields = fields.iter().filter_map(|(name, value)| {
            let value = new(name, value)?;
            Some(format!("{}:{value}", spelled(name)))
        });
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }
}

fn removed(change: &Change) -> Vec<&'static str> {
    let result = ["toolUseResult", "mcpMeta", "sourceToolUseID"];
    let mut removed = if change.drops_result { result.to_vec() } else { Vec::new() };
    removed.extend(change.drops_request.then_some("requestRef"));
    removed.extend(change.drops_source.then_some("sourceToolAssistantUUID"));
    removed
}

/// A time as the client writes it.
pub(super) fn moment(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A text or a block as a list of blocks.
fn as_list(content: &str) -> String {
    match content.as_bytes().first() {
        Some(b'"') => format!("[{{\"type\":\"text\",\"text\":{content}}}]"),
        Some(b'{') => format!("[{content}]"),
        _ => content.to_owned(),
    }
}
