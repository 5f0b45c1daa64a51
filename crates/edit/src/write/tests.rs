//! Plans by hand, carried out on lines of every kind.

mod corpus;
mod properties;

use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::*;
use crate::estimate::Estimate;
use crate::options::Truncation;
use crate::outline::OutlineBuilder;
use crate::plan::{Change, Compaction, Counts, Parent};

const OLD: &str = "0a000000-0000-4000-8000-000000000001";
const NEW: &str = "0b000000-0000-4000-8000-000000000002";
const A: &str = "0a000000-0000-4000-8000-00000000000a";
const B: &str = "0a000000-0000-4000-8000-00000000000b";

fn identity() -> Identity {
    Identity::new(vec![OLD.to_owned()], NEW)
}

fn survey(file: &[u8]) -> Outline {
    let mut builder = OutlineBuilder::default();
    steno_transcript::read(file, |piece| {
        builder.observe(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    builder.finish()
}

/// Everything stays as it is.
fn whole(outline: &Outline) -> Plan {
    Plan {
        kept: vec![true; outline.nodes.len()],
        changes: Default::default(),
        compaction: None,
        line: Vec::new(),
        summarised: Vec::new(),
        named_leaf: None,
        counts: Counts::default(),
        before: Estimate::default(),
        after: Estimate::default(),
        turns: (0, 0),
        calls: Vec::new(),
    }
}

/// The new file, by a plan that is changed first.
fn written(file: &[u8], change: impl FnOnce(&mut Plan)) -> Vec<u8> {
    let outline = survey(file);
    let mut plan = whole(&outline);
    change(&mut plan);
    let identity = identity();
    let mut writer = CloneWriter::new(&outline, &plan, &identity);
    let mut new = Vec::new();
    steno_transcript::read(file, |piece| {
        new.extend_from_slice(&writer.piece(&piece));
        ControlFlow::Continue(())
    })
    .unwrap();
    new.extend(writer.end());
    assert!(writer.is_in_step());
    new
}

/// The one record of a file, by a plan that changes it.
fn changed(record: &Value, change: Change) -> Value {
    let file = format!("{record}\n");
    let new = written(file.as_bytes(), |plan| drop(plan.changes.insert(NodeId(0), change)));
    serde_json::from_slice(&new).unwrap()
}

fn new(old: &str) -> String {
    identity().uuid(old)
}

#[test]
fn a_uuid_is_a_random_one_by_its_looks_and_the_same_each_time() {
    let uuid = new("a");
    assert_eq!(
        (uuid.len(), uuid.as_bytes()[14], uuid == new("a"), uuid == new("b")),
        (36, b'4', true, false)
    );
    assert!(crate::outline::is_uuid(&uuid) && "89ab".contains(&uuid[19..20]), "{uuid}");
}

#[test]
fn only_names_change_in_a_line_that_is_kept() {
    let line = format!(
        "{{ \"uuid\" : \"{A}\",\"parentUuid\":\"{B}\", \"sessionId\":\"alias\",\"x\":1.50,\"promptId\":\"p\",\
         \"message\":{{\"id\":\"{A}\",\"content\":\"{OLD} {A} /p/{OLD}/tool-results/a\\/b \\u00e9\"}},\"of\":\"{OLD}\",\"toolUseID\":\"{A}\",\"requestRef\":\"{B}\"}}\r\n"
    );
    let expected = format!(
        "{{ \"uuid\" : \"{}\",\"parentUuid\":\"{}\", \"sessionId\":\"{NEW}\",\"x\":1.50,\"promptId\":\"{}\",\
         \"message\":{{\"id\":\"{A}\",\"content\":\"{OLD} {A} /p/{NEW}/tool-results/a\\/b \\u00e9\"}},\"of\":\"{NEW}\",\"toolUseID\":\"{}\",\"requestRef\":\"{B}\"}}\r\n",
        new(A),
        new(B),
        new("p"),
        new(A)
    );
    assert_eq!(String::from_utf8(written(line.as_bytes(), |_| {})).unwrap(), expected);
}

#[test]
fn a_word_is_no_name_because_a_record_is_called_so() {
    let line = format!("{{\"uuid\":\"cli\",\"parentUuid\":\"cli\",\"entrypoint\":\"cli\",\"of\":\"{A}\"}}\n");
    let expected = format!(
        "{{\"uuid\":\"{0}\",\"parentUuid\":\"{0}\",\"entrypoint\":\"cli\",\"of\":\"{A}\"}}\n",
        new("cli")
    );
    assert_eq!(String::from_utf8(written(line.as_bytes(), |_| {})).unwrap(), expected);
}

#[test]
fn what_needs_nothing_is_lent() {
    let line = b"{\"type\":\"novel\",\"a\":[1, 2]}\n";
    let (outline, identity) = (survey(line), identity());
    let plan = whole(&outline);
    let mut writer = CloneWriter::new(&outline, &plan, &identity);
    steno_transcript::read(&line[..], |piece| {
        assert!(matches!(writer.piece(&piece), Cow::Borrowed(bytes) if bytes == line));
        ControlFlow::Continue(())
    })
    .unwrap();
}

#[test]
fn every_record_has_a_line_and_nothing_else_has() {
    let file =
        b"\xef\xbb\xbf{\"a\":1}\n\n \0{\"b\":2} {\"c\":\"\xff\"}\r\nno json\n[1]\n{\"d\":4} \n{\"e\":5}";
    assert_eq!(written(file, |_| {}), b"{\"a\":1}\n{\"b\":2}\n{\"c\":\"\xff\"}\r\n{\"d\":4}\n{\"e\":5}\n");
    let torn = b"{\"a\":1}\n{\"b\":";
    assert_eq!(written(torn, |_| {}), b"{\"a\":1}\n");
    let dropped = written(b"{\"a\":1}\n{\"b\":2}\n", |plan| plan.kept[0] = false);
    assert_eq!(dropped, b"{\"b\":2}\n");
}

#[test]
fn what_was_written_after_the_outline_is_left_out() {
    assert_eq!(written(b"{\"a\":1}\n{\"b\":2}\n", |plan| plan.kept.truncate(1)), b"{\"a\":1}\n");
}

#[test]
fn fields_are_set_and_removed() {
    let record = json!({"type": "user", "uuid": A, "requestRef": B, "sourceToolAssistantUUID": B, "toolUseResult": 1,
        "logicalParentUuid": B, "leafUuid": B});
    let change = Change {
        parent: Some(Parent::Node(NodeId(0))),
        time: Some("2026-01-02T03:04:05.6789Z".parse().unwrap()),
        drops_request: true,
        drops_source: true,
        drops_result: true,
        drops_logical_parent: true,
        leaf: Some(NodeId(0)),
        ..Change::default()
    };
    let expected = json!({"parentUuid": new(A), "timestamp": "2026-01-02T03:04:05.678Z", "type": "user",
        "uuid": new(A), "logicalParentUuid": null, "leafUuid": new(A)});
    assert_eq!(changed(&record, change), expected);
    let root = Change { parent: Some(Parent::Root), ..Change::default() };
    assert_eq!(changed(&json!({"parentUuid": A}), root), json!({"parentUuid": null}));
}

#[test]
fn blocks_results_images_and_the_reason_to_stop_change() {
    let image = json!({"type": "image", "source": {"data": "a"}});
    let record = json!({"message": {"stop_reason": "tool_use", "content": [
        {"type": "text", "text": "a\nb"}, image, {"type": "tool_use"}, {"type": "tool_result", "content": "a\nb"}]},
        "toolUseResult": {"stdout": "a\nb"}});
    let change = Change {
        without: vec![2],
        truncation: Some(Truncation { lines: 1, characters: 9 }),
        without_images: true,
        ends_turn: true,
        ..Change::default()
    };
    let expected = json!({"message": {"stop_reason": "end_turn", "content": [
        {"type": "text", "text": "a\nb"}, {"type": "text", "text": "[image removed]"},
        {"type": "tool_result", "content": "a…"}]}, "toolUseResult": {"stdout": "a…"}});
    assert_eq!(changed(&record, change), expected);
}

#[test]
fn a_boundary_preserves_what_is_left() {
    let record = |uuids: &[&str]| {
        json!({"uuid": A, "compactMetadata": {"trigger": "auto", "preTokens": 1,
            "preservedSegment": {"headUuid": uuids[0], "anchorUuid": uuids[1], "tailUuid": uuids[uuids.len() - 1]},
            "preservedMessages": {"anchorUuid": uuids[1], "uuids": uuids, "allUuids": uuids}}})
    };
    let left = |nodes: Vec<NodeId>| Change { preserved: Some(nodes), ..Change::default() };
    let old = record(&[B, B, A]);
    assert_eq!(
        changed(&old, left(vec![])),
        json!({"uuid": new(A), "compactMetadata": {"trigger": "auto", "preTokens": 1}})
    );
    let mut expected = record(&[&new(A), &new(B)]);
    expected["uuid"] = new(A).into();
    expected["compactMetadata"]["preservedSegment"]["tailUuid"] = new(A).into();
    expected["compactMetadata"]["preservedMessages"]["uuids"] = json!([new(A)]);
    expected["compactMetadata"]["preservedMessages"]["allUuids"] = json!([new(A)]);
    assert_eq!(changed(&old, left(vec![NodeId(0)])), expected);
}

fn compaction(before: Option<NodeId>, like: Option<NodeId>) -> Compaction {
    let time = Some("2026-01-02T03:04:05Z".parse().unwrap());
    Compaction { before, like, summary: "a \"b\"\n".to_owned(), time, tokens_before: 9, tokens_after: 3 }
}

fn records(file: &[u8]) -> Vec<Value> {
    file.split_inclusive(|byte| *byte == b'\n').map(|line| serde_json::from_slice(line).unwrap()).collect()
}

#[test]
fn a_compaction_stands_before_what_follows_it() {
    let file = format!(
        "{}\n\n{}\n",
        json!({"uuid": A, "cwd": "/a\u{e9}", "version": "2"}),
        json!({"uuid": B, "parentUuid": A})
    );
    let new_file = written(file.as_bytes(), |plan| {
        plan.kept[0] = false;
        plan.compaction = Some(compaction(Some(NodeId(1)), Some(NodeId(0))));
        let change = Change { parent: Some(Parent::Summary), ..Change::default() };
        plan.changes.insert(NodeId(1), change);
    });
    let [boundary, summary, last] = &records(&new_file)[..] else { panic!("three records") };
    assert_eq!(boundary["compactMetadata"], json!({"trigger": "manual", "preTokens": 9, "postTokens": 3}));
    assert_eq!((&boundary["parentUuid"], &boundary["subtype"]), (&Value::Null, &json!("compact_boundary")));
    assert_eq!((&boundary["cwd"], &boundary["version"]), (&json!("/a\u{e9}"), &json!("2")));
    assert_eq!((&boundary["sessionId"], &summary["sessionId"]), (&json!(NEW), &json!(NEW)));
    assert_eq!(boundary["timestamp"], "2026-01-02T03:04:05.000Z");
    assert_eq!(summary["timestamp"], "2026-01-02T03:04:05.001Z");
    assert_eq!(summary["message"], json!({"role": "user", "content": "a \"b\"\n"}));
    assert_eq!((&summary["parentUuid"], &summary["isCompactSummary"]), (&boundary["uuid"], &json!(true)));
    assert_eq!((&last["parentUuid"], &last["uuid"]), (&summary["uuid"], &json!(new(B))));
}

#[test]
fn the_end_may_have_a_compaction_and_the_name_of_the_leaf() {
    let file = format!(
        "{}\n{}\n",
        json!({"uuid": A}),
        json!({"type": "last-prompt", "lastPrompt": "é", "leafUuid": A})
    );
    let new_file = written(file.as_bytes(), |plan| {
        plan.compaction = Some(compaction(None, None));
        plan.named_leaf = Some(NamedLeaf { node: NodeId(0), is_explicit: true });
    });
    let records = records(&new_file);
    assert_eq!(records.len(), 5);
    let expected = json!({"type": "last-prompt", "lastPrompt": "é", "leafUuid": new(A), "explicit": true, "sessionId": NEW});
    assert_eq!(records[4], expected);
}

#[test]
fn a_key_that_stands_twice_changes_twice() {
    let file =
        format!("{{\"uuid\":\"{A}\",\"uuid\":\"{B}\",\"sessionId\":\"{OLD}\",\"session\\u0049d\":7}}\n");
    let expected = format!(
        "{{\"uuid\":\"{}\",\"uuid\":\"{}\",\"sessionId\":\"{NEW}\",\"session\\u0049d\":\"{NEW}\"}}\n",
        new(A),
        new(B)
    );
    assert_eq!(String::from_utf8(written(file.as_bytes(), |_| {})).unwrap(), expected);
}

#[test]
fn other_files_have_the_same_names() {
    let line =
        format!("{{\"uuid\":\"{A}\",\"sessionId\":\"{OLD}\",\"agentId\":\"a1\",\"parentUuid\":null}}\n");
    let expected = line.replace(A, &new(A)).replace(OLD, NEW);
    assert_eq!(identity().relabel(line.as_bytes(), true).as_ref(), expected.as_bytes());
    assert_eq!(identity().relabel(b"garbage\n", false).as_ref(), b"garbage\n");
    let document = format!("{{\n  \"sessionId\": \"{OLD}\",\n  \"toolUseId\": \"toolu_1\"\n}}");
    assert_eq!(
        identity().relabel_document(document.as_bytes()).as_ref(),
        document.replace(OLD, NEW).as_bytes()
    );
    let todo = format!("[{{\"content\":\"{OLD}\",\"id\":\"1\"}}]");
    assert_eq!(identity().relabel_document(todo.as_bytes()).as_ref(), todo.as_bytes(), "it was said");
}
