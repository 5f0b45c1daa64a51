//! What has to go because something else is not there, and how the rest is joined.

use super::written::written;
use super::*;
use crate::resumed_line;

#[test]
fn what_is_no_record_goes_and_of_several_under_one_uuid_the_last_stays() {
    let records = session(1);
    let mut bytes = b"\nnot a record\n".to_vec();
    bytes.extend(lines(&records));
    bytes.extend(lines(&records[4..]));
    bytes.extend(br#"{"type":"user","uuid":"torn"#);
    let outline = survey(&bytes);
    let plan = plan(&outline, &CloneOptions::default()).unwrap();
    let kept: Vec<u32> = outline.iter().filter(|(id, _)| plan.is_kept(*id)).map(|(id, _)| id.0).collect();
    assert_eq!(kept, [1, 2, 3, 4, 6]);
    assert_eq!(plan.counts, Counts { kept: 5, dropped: 1, changed: 0 });
}

#[test]
fn only_a_link_takes_the_place_of_a_link() {
    for kind in ["novel", "summary", "progress"] {
        let mut records = session(1);
        records.push(with(record(kind, "said-0000", Some("asked-0000"), 20), "leafUuid", json!("said-0000")));
        let (outline, plan) = planned(&records, &CloneOptions::default());
        assert_eq!(line(&outline, &plan).last().unwrap(), "said-0000", "{kind}");
        assert_eq!(plan.is_kept(NodeId(5)), kind != "progress", "{kind}");
        let mut turned = records.clone();
        turned.rotate_right(1);
        let (outline, plan) = planned(&turned, &CloneOptions::default());
        assert_eq!(line(&outline, &plan).last().unwrap(), "said-0000", "{kind}");
    }
}

#[test]
fn a_session_at_work_ends_before_the_call_that_is_not_answered() {
    let mut records = session(2);
    records.truncate(8);
    let (outline, plan) = planned(&records, &CloneOptions::default());
    assert_eq!(line(&outline, &plan).last().unwrap(), "asked-0001");
    assert_eq!(dropped(&outline, &plan), ["thought-0001", "called-0001"]);
}

#[test]
fn halves_go_wherever_they_stand() {
    let mut records = session(1);
    records.push(user("lost", Some("said-0000"), 20, json!([result("nobody")])));
    records.push(user("left", Some("said-0000"), 21, json!("left")));
    records.push(assistant("half", Some("left"), 22, "h", json!([text("wait"), call("open")])));
    records.push(user("end", Some("said-0000"), 30, json!("end")));
    let (outline, plan) = planned(&records, &CloneOptions::default());
    assert_eq!(dropped(&outline, &plan), ["lost"]);
    let half = &plan.changes[&node(&outline, "half")];
    assert_eq!((&half.without[..], half.ends_turn), (&[1][..], true));
}

#[test]
fn a_title_of_another_session_goes_and_a_leaf_that_is_gone_moves_up() {
    let mut records = session(2);
    records.truncate(8);
    records.push(json!({"type": "summary", "summary": "x", "leafUuid": "elsewhere"}));
    records.push(json!({"type": "summary", "summary": "x", "leafUuid": "said-0000"}));
    records.push(json!({"type": "last-prompt", "lastPrompt": "x", "leafUuid": "called-0001"}));
    records.push(json!({"type": "last-prompt", "lastPrompt": "x"}));
    records.push(json!({"type": "file-history-snapshot", "messageId": "elsewhere", "snapshot": {}}));
    let (outline, plan) = planned(&records, &CloneOptions::default());
    let kept: Vec<bool> = (8..13).map(|id| plan.is_kept(NodeId(id))).collect();
    assert_eq!(kept, [false, true, true, true, false]);
    assert_eq!(plan.changes[&NodeId(10)].leaf, Some(node(&outline, "asked-0001")));
}

#[test]
fn what_points_to_a_record_that_goes_no_longer_does() {
    let mut records = session(1);
    records[3]["sourceToolAssistantUUID"] = json!("elsewhere");
    let mut boundary = with(record("system", "cut", None, 20), "subtype", json!("compact_boundary"));
    boundary["logicalParentUuid"] = json!("elsewhere");
    records.push(boundary);
    records.push(with(user("sum", Some("cut"), 21, json!("so far")), "isCompactSummary", json!(true)));
    records.push(user("on", Some("sum"), 22, json!("go on")));
    let (outline, plan) = planned(&records, &CloneOptions::default());
    assert!(plan.changes[&node(&outline, "result-0000")].drops_source);
    assert!(plan.changes[&node(&outline, "cut")].drops_logical_parent);
    assert_eq!(line(&outline, &plan), ["cut", "sum", "on"]);
    assert!(dropped(&outline, &plan).is_empty());
}

#[test]
fn a_compaction_preserves_what_is_left() {
    let mut records = session(1);
    let mut boundary = with(record("system", "cut", None, 20), "subtype", json!("compact_boundary"));
    let kept = json!({"anchorUuid": "sum", "uuids": ["thought-0000", "called-0000", "said-0000"]});
    boundary["compactMetadata"] = json!({"trigger": "auto", "preservedMessages": kept});
    records.push(boundary);
    records.push(with(user("sum", Some("cut"), 21, json!("so far")), "isCompactSummary", json!(true)));
    records.push(user("on", Some("sum"), 22, json!("go on")));
    let (outline, plan) = planned(&records, &CloneOptions::default());
    assert_eq!(line(&outline, &plan), ["cut", "sum", "said-0000", "on"]);
    let change = &plan.changes[&node(&outline, "cut")];
    assert_eq!(change.preserved, Some(vec![node(&outline, "said-0000")]));
    let on = plan.changes[&node(&outline, "on")].clone();
    assert_eq!(on.parent, Some(Parent::Node(node(&outline, "said-0000"))));
}

#[test]
fn the_leaf_is_the_latest_and_every_message_has_a_time() {
    let mut records = session(2);
    records[2].as_object_mut().unwrap().remove("timestamp");
    records.push(user("aside", Some("asked-0000"), 90, json!("left")));
    records.push(json!({"type": "last-prompt", "leafUuid": "said-0001", "explicit": true}));
    let (outline, plan) = planned(&records, &CloneOptions::default());
    let time = |uuid| plan.changes[&node(&outline, uuid)].time.unwrap().to_string();
    assert_eq!(time("called-0000"), "2026-01-02T03:00:01Z");
    assert_eq!(time("said-0001"), "2026-01-02T03:01:30.001Z");
    assert_eq!(plan.named_leaf, None);
}

#[test]
fn a_leaf_that_no_longer_stands_last_is_named() {
    let records = [
        user("a", None, 0, json!("both")),
        assistant("b", Some("a"), 1, "m", json!([call("t1")])),
        assistant("c", Some("b"), 2, "m", json!([call("t2")])),
        user("e", Some("c"), 3, json!([result("t2")])),
        user("d", Some("b"), 4, json!([result("t1")])),
    ];
    let bytes = lines(&records);
    let (outline, plan) = planned(&records, &CloneOptions::default());
    assert_eq!(line(&outline, &plan), ["a", "b", "c", "d", "e"]);
    assert_eq!(plan.named_leaf, Some(NamedLeaf { node: node(&outline, "e"), is_explicit: false }));
    let again = survey(&written(&bytes, &outline, &plan));
    let line: Vec<&str> =
        resumed_line(&again).iter().map(|id| again.text(again.node(*id).unwrap().uuid.unwrap())).collect();
    assert_eq!(line, ["a", "b", "c", "d", "e"]);
}

#[test]
fn rings_are_opened() {
    let mut records = session(1);
    records.extend([
        user("x", Some("y"), 50, json!("x")),
        user("y", Some("z"), 51, json!("y")),
        user("z", Some("x"), 52, json!("z")),
        user("self", Some("self"), 53, json!("self")),
        user("end", Some("said-0000"), 60, json!("end")),
    ]);
    let (outline, plan) = planned(&records, &CloneOptions::default());
    let roots = plan.changes.values().filter(|change| change.parent == Some(Parent::Root)).count();
    assert_eq!((roots, line(&outline, &plan).len()), (2, 6));
}

#[test]
fn a_file_beside_the_session_stays_as_it_is() {
    let mut records = session(1);
    for record in &mut records {
        record["isSidechain"] = json!(true);
    }
    records[0]["parentUuid"] = json!("of the session");
    let outline = survey(&lines(&records));
    assert_eq!(plan(&outline, &CloneOptions::default()).unwrap_err(), Refusal::Nothing);
    let plan = beside(&outline);
    assert_eq!((plan.counts.kept, plan.counts.dropped, plan.line.len()), (5, 0, 0));
}
