//! Plans, made of sessions and carried out in the plainest way, so that what they promise can be looked at.

mod cutting;
mod joining;
mod properties;
mod stripping;
mod written;

use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::*;
use crate::outline::OutlineBuilder;

/// The outline of a file.
fn survey(bytes: &[u8]) -> Outline {
    let mut builder = OutlineBuilder::default();
    steno_transcript::read(bytes, |piece| {
        builder.observe(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    builder.finish()
}

fn lines(records: &[Value]) -> Vec<u8> {
    records.iter().flat_map(|record| format!("{record}\n").into_bytes()).collect()
}

/// A record under `uuid`, a second after the one before it.
fn record(kind: &str, uuid: &str, parent: Option<&str>, second: u32) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": false, "sessionId": "s",
        "timestamp": format!("2026-01-02T03:{:02}:{:02}.000Z", second / 60, second % 60)})
}

fn with(mut record: Value, key: &str, value: Value) -> Value {
    record[key] = value;
    record
}

fn user(uuid: &str, parent: Option<&str>, second: u32, content: Value) -> Value {
    with(record("user", uuid, parent, second), "message", json!({"role": "user", "content": content}))
}

fn assistant(uuid: &str, parent: Option<&str>, second: u32, message: &str, content: Value) -> Value {
    let body = json!({"id": message, "role": "assistant", "stop_reason": "tool_use", "content": content});
    with(record("assistant", uuid, parent, second), "message", body)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn thinking() -> Value {
    json!({"type": "thinking", "thinking": "hm", "signature": "x"})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "one\ntwo\nthree\nfour"})
}

/// Turns that each ask, think, call, get an answer and say something: five records.
fn session(turns: u32) -> Vec<Value> {
    let mut records: Vec<Value> = Vec::new();
    for turn in 0..turns {
        let id = |part: &str| format!("{part}-{turn:04}");
        let before = turn.checked_sub(1).map(|turn| format!("said-{turn:04}"));
        let at = turn * 10;
        records.extend([
            user(&id("asked"), before.as_deref(), at, json!("please")),
            assistant(&id("thought"), Some(&id("asked")), at + 1, &id("m"), json!([thinking()])),
            assistant(&id("called"), Some(&id("thought")), at + 2, &id("m"), json!([call(&id("t"))])),
            user(&id("result"), Some(&id("called")), at + 3, json!([result(&id("t"))])),
            assistant(&id("said"), Some(&id("result")), at + 4, &id("n"), json!([text("done")])),
        ]);
    }
    records
}

/// The uuids of the line.
fn line(outline: &Outline, plan: &Plan) -> Vec<String> {
    let nodes = plan.line.iter().filter_map(|node| outline.node(*node)?.uuid);
    nodes.map(|uuid| outline.text(uuid).to_owned()).collect()
}

fn node(outline: &Outline, uuid: &str) -> NodeId {
    outline.find(uuid).and_then(|id| outline.bearer(id)).unwrap()
}

fn planned(records: &[Value], options: &CloneOptions) -> (Outline, Plan) {
    let outline = survey(&lines(records));
    let plan = plan(&outline, options).unwrap();
    (outline, plan)
}

fn dropped(outline: &Outline, plan: &Plan) -> Vec<String> {
    let nodes = outline.iter().filter(|(id, _)| !plan.is_kept(*id));
    nodes.map(|(_, node)| node.uuid.map_or("", |uuid| outline.text(uuid)).to_owned()).collect()
}
