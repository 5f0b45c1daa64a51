//! A plan carried out on a file, under the old ids: what the real writer does, without its care for bytes.

use std::ops::ControlFlow;

use serde_json::{Value, json};

use crate::outline::{NodeId, Outline, Rereading};
use crate::plan::{Change, Compaction, Parent, Plan};

pub(super) const SUMMARY: &str = "the-summary";

pub(super) fn written(bytes: &[u8], outline: &Outline, plan: &Plan) -> Vec<u8> {
    let mut records = Vec::new();
    let mut reading = Rereading::new(outline);
    steno_transcript::read(bytes, |piece| {
        let Some(id) = reading.node(&piece) else { return ControlFlow::Continue(()) };
        if let Some(compaction) = plan.compaction.as_ref().filter(|compaction| compaction.before == Some(id))
        {
            records.extend(boundary(compaction));
        }
        if plan.is_kept(id) {
            let json = match &piece.shape {
                steno_transcript::Shape::Record(record) => record.json,
                _ => panic!("kept what is no record"),
            };
            let mut record: Value = serde_json::from_str(json).unwrap();
            if let Some(change) = plan.changes.get(&id) {
                apply(&mut record, outline, change);
            }
            records.push(record);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    if let Some(compaction) = plan.compaction.as_ref().filter(|compaction| compaction.before.is_none()) {
        records.extend(boundary(compaction));
    }
    if let Some(leaf) = plan.named_leaf {
        let uuid = uuid(outline, leaf.node);
        let mut record = json!({"type": "last-prompt", "leafUuid": uuid, "sessionId": "s"});
        if leaf.is_explicit {
            record["explicit"] = json!(true);
        }
        records.push(record);
    }
    super::lines(&records)
}

fn uuid(outline: &Outline, node: NodeId) -> &str {
    outline.text(outline.node(node).unwrap().uuid.unwrap())
}

fn boundary(compaction: &Compaction) -> [Value; 2] {
    let time = compaction.time.unwrap();
    let later = time + jiff::SignedDuration::from_millis(1);
    [
        json!({"type": "system", "subtype": "compact_boundary", "uuid": "the-boundary", "parentUuid": null,
            "timestamp": time.to_string(), "isSidechain": false, "compactMetadata": {"trigger": "manual"}}),
        json!({"type": "user", "uuid": SUMMARY, "parentUuid": "the-boundary", "timestamp": later.to_string(),
            "isSidechain": false, "isCompactSummary": true,
            "message": {"role": "user", "content": compaction.summary}}),
    ]
}

fn apply(record: &mut Value, outline: &Outline, change: &Change) {
    match change.parent {
        Some(Parent::Root) => record["parentUuid"] = Value::Null,
        Some(Parent::Node(parent)) => record["parentUuid"] = json!(uuid(outline, parent)),
        Some(Parent::Summary) => record["parentUuid"] = json!(SUMMARY),
        None => {}
    }
    let content = match record.get_mut("message") {
        Some(Value::Object(message)) => message.get_mut("content"),
        message => message,
    };
    if let Some(content) = content.and_then(Value::as_array_mut).filter(|_| !change.without.is_empty()) {
        let mut place = 0;
        content.retain(|_| {
            place += 1;
            !change.without.contains(&(place - 1))
        });
        assert!(!content.is_empty(), "a record without blocks");
    }
    if let Some(time) = change.time {
        record["timestamp"] = json!(time.to_string());
    }
    if let Some(leaf) = change.leaf {
        record["leafUuid"] = json!(uuid(outline, leaf));
    }
    if change.drops_logical_parent {
        record["logicalParentUuid"] = Value::Null;
    }
    if change.drops_source {
        record.as_object_mut().unwrap().remove("sourceToolAssistantUUID");
    }
    if let Some(reason) = record.pointer_mut("/message/stop_reason").filter(|_| change.ends_turn) {
        *reason = json!("end_turn");
    }
    if let Some(preserved) = &change.preserved {
        preserve(&mut record["compactMetadata"], outline, preserved);
    }
}

fn preserve(metadata: &mut Value, outline: &Outline, preserved: &[NodeId]) {
    let metadata = metadata.as_object_mut().unwrap();
    let uuids: Vec<&str> = preserved.iter().map(|node| uuid(outline, *node)).collect();
    let (Some(first), Some(last)) = (uuids.first(), uuids.last()) else {
        return metadata.retain(|key, _| !key.starts_with("preserved"));
    };
    if let Some(segment) = metadata.get_mut("preservedSegment") {
        (segment["headUuid"], segment["tailUuid"]) = (json!(first), json!(last));
    }
    if let Some(messages) = metadata.get_mut("preservedMessages") {
        messages["uuids"] = json!(uuids);
    }
}
