//! Records as short as a test needs them, and what is surveyed of them.

use std::ops::ControlFlow;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::outline::{NodeId, Outline, OutlineBuilder};

/// The session that all records belong to.
pub(crate) const SESSION: &str = "5e000000-0000-4000-8000-000000000001";

/// Surveys some text.
pub(crate) fn surveyed(text: &str) -> Outline {
    let mut builder = OutlineBuilder::default();
    let observe = |piece: steno_transcript::Piece<'_>| {
        builder.observe(&piece);
        ControlFlow::Continue(())
    };
    steno_transcript::read(text.as_bytes(), observe).unwrap();
    builder.finish()
}

/// Surveys records, each a second later than the one before unless it says when it is.
pub(crate) fn outline(records: &[Value]) -> Outline {
    let mut text = String::new();
    for (second, record) in records.iter().enumerate() {
        let mut record = record.clone();
        let time = format!("2026-01-01T00:{:02}:{:02}.000Z", second / 60, second % 60);
        let fields = record.as_object_mut().unwrap();
        fields.entry("timestamp").or_insert(json!(time));
        fields.entry("sessionId").or_insert(json!(SESSION));
        text.push_str(&format!("{record}\n"));
    }
    surveyed(&text)
}

/// The uuids of some nodes.
pub(crate) fn names(outline: &Outline, nodes: &[NodeId]) -> Vec<String> {
    let uuid = |node: &NodeId| outline.node(*node).and_then(|node| node.uuid);
    nodes.iter().map(|node| uuid(node).map_or("", |id| outline.text(id)).to_owned()).collect()
}

/// A record of any type; without a parent where that is empty.
pub(crate) fn record(kind: &str, uuid: &str, parent: &str) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": (!parent.is_empty()).then_some(parent)})
}

pub(crate) fn with(mut record: Value, field: &str, value: Value) -> Value {
    record[field] = value;
    record
}

pub(crate) fn prompt(uuid: &str, parent: &str) -> Value {
    with(record("user", uuid, parent), "message", json!({"role": "user", "content": "do it"}))
}

fn said(uuid: &str, parent: &str, message: &str, block: Value) -> Value {
    let message = json!({"role": "assistant", "id": message, "content": [block]});
    with(record("assistant", uuid, parent), "message", message)
}

pub(crate) fn answer(uuid: &str, parent: &str, message: &str) -> Value {
    said(uuid, parent, message, json!({"type": "text", "text": "done"}))
}

pub(crate) fn call(uuid: &str, parent: &str, message: &str, tool: &str) -> Value {
    said(uuid, parent, message, json!({"type": "tool_use", "id": tool, "name": "Bash", "input": {}}))
}

pub(crate) fn result(uuid: &str, parent: &str, tool: &str) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": tool, "content": "ok"});
    with(record("user", uuid, parent), "message", json!({"role": "user", "content": [block]}))
}

pub(crate) fn boundary(uuid: &str) -> Value {
    with(record("system", uuid, ""), "subtype", json!("compact_boundary"))
}

/// A boundary that preserves some records behind `anchor`.
pub(crate) fn preserving(uuid: &str, anchor: &str, uuids: &[&str]) -> Value {
    let messages = json!({"anchorUuid": anchor, "uuids": uuids});
    with(boundary(uuid), "compactMetadata", json!({"preservedMessages": messages}))
}

pub(crate) fn summary(uuid: &str, parent: &str) -> Value {
    with(prompt(uuid, parent), "isCompactSummary", json!(true))
}

pub(crate) fn leaf(uuid: &str) -> Value {
    json!({"type": "last-prompt", "leafUuid": uuid})
}

/// A record that may be anything and point anywhere.
pub(crate) fn any_record() -> impl Strategy<Value = Value> {
    let name = |prefix: char| (0..12_u8).prop_map(move |number| format!("{prefix}{number}"));
    let parent = prop_oneof![1 => Just(String::new()), 6 => name('u')];
    (0..13_u8, name('u'), parent, name('m'), name('t'), any::<(bool, bool)>(), 0..20_u8).prop_map(
        |(kind, uuid, parent, message, tool, (is_sidechain, is_chosen), second)| {
            let record = match kind {
                0 => prompt(&uuid, &parent),
                1 => answer(&uuid, &parent, &message),
                2 | 3 => call(&uuid, &parent, &message, &tool),
                4 | 5 => result(&uuid, &parent, &tool),
                6 => record("system", &uuid, &parent),
                7 => record("attachment", &uuid, &parent),
                8 => record("progress", &uuid, &parent),
                9 if is_chosen => {
                    preserving(&uuid, if parent.is_empty() { "u0" } else { &parent }, &["u1", "u2", "u3"])
                }
                9 => boundary(&uuid),
                10 => record("novel", &uuid, &parent),
                11 => {
                    let segment = json!({"anchorUuid": "u0", "headUuid": "u1", "tailUuid": parent});
                    with(boundary(&uuid), "compactMetadata", json!({"preservedSegment": segment}))
                }
                _ => with(with(leaf(&uuid), "explicit", json!(is_chosen)), "rewound", json!(is_sidechain)),
            };
            let time =
                if second == 0 { json!(null) } else { json!(format!("2026-01-01T00:00:{second:02}Z")) };
            with(with(record, "isSidechain", json!(is_sidechain && is_chosen)), "timestamp", time)
        },
    )
}
