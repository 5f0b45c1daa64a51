//! Outlines of small sessions → what keeps a client from resuming them.

use serde_json::{Value, json};

use super::*;
use crate::outline::tests::sample::*;

fn found(records: &[Value]) -> Vec<(Rule, Severity, Option<u64>)> {
    let findings = check(&outline(records), SESSION);
    findings.into_iter().map(|finding| (finding.rule, finding.severity, finding.line)).collect()
}

fn straight() -> Vec<Value> {
    vec![
        prompt("p", ""),
        call("c1", "p", "m1", "t1"),
        call("c2", "c1", "m1", "t2"),
        result("r1", "c2", "t1"),
        result("r2", "r1", "t2"),
        answer("a", "r2", "m2"),
    ]
}

/// The same with one record replaced.
fn but(place: usize, record: Value) -> Vec<Value> {
    let mut records = straight();
    records[place] = record;
    records
}

#[test]
fn a_straight_session_is_as_it_has_to_be() {
    assert_eq!(found(&straight()), []);
    let compacted = [prompt("p", ""), boundary("x"), summary("s", "x"), answer("a", "s", "m")];
    assert_eq!(found(&compacted), []);
}

#[test]
fn a_session_needs_a_name_and_something_that_was_said() {
    let findings = check(&Outline::default(), "mine");
    let rules: Vec<_> = findings.iter().map(|finding| (finding.rule, finding.severity)).collect();
    assert_eq!(rules, [(Rule::Conversation, Severity::Error), (Rule::Name, Severity::Error)]);
    let beside = found(&[with(prompt("p", ""), "isSidechain", json!(true))]);
    assert_eq!(beside, [(Rule::Conversation, Severity::Error, None)]);
}

#[test]
fn lines_that_clients_skip_are_named() {
    let text = |record: Value| with(record, "sessionId", json!(SESSION)).to_string();
    let good = with(answer("a", "", "m"), "timestamp", json!("2026-01-01T00:00:00Z"));
    let mode = text(json!({"type": "mode"}));
    let file = format!("{}\nnonsense\n{mode}{mode}\n\n{{\"type\":\"us", text(good.clone()));
    let rules: Vec<_> = check(&surveyed(&file), SESSION)
        .into_iter()
        .map(|finding| (finding.rule, finding.severity, finding.line, finding.count))
        .collect();
    let warning = |rule, line, count| (rule, Severity::Warning, Some(line), count);
    assert_eq!(rules, [warning(Rule::Lines, 2, 1), warning(Rule::Lines, 3, 2), warning(Rule::Tail, 5, 1)]);
    let open = check(&surveyed(&text(good)), SESSION);
    assert!(matches!(&open[..], [finding] if finding.rule == Rule::Tail));
}

#[test]
fn parents_have_to_be_there() {
    let warning = |line| (Rule::Chain, Severity::Warning, Some(line));
    let lost = found(&but(1, call("c1", "gone", "m1", "t1")));
    assert_eq!(lost[0], (Rule::Chain, Severity::Error, Some(2)));
    let mut aside = straight();
    aside.insert(0, with(prompt("x", "gone"), "isSidechain", json!(true)));
    assert_eq!(found(&aside), [warning(1)]);
    assert_eq!(found(&but(0, prompt("p", "a")))[0], (Rule::Chain, Severity::Error, Some(1)));
    aside[0] = with(prompt("x", "x"), "isSidechain", json!(true));
    assert_eq!(found(&aside), [warning(1)]);
}

#[test]
fn calls_and_results_have_to_match() {
    let lost = found(&but(4, result("r2", "r1", "t9")));
    assert_eq!(lost, [(Rule::Pairs, Severity::Error, Some(5)), (Rule::Pairs, Severity::Warning, Some(3))]);
    let twice = found(&but(4, result("r2", "r1", "t1")));
    assert_eq!(twice[0], (Rule::Pairs, Severity::Error, Some(5)));
    let mut late = but(3, call("r1", "c2", "m9", "t3"));
    late.truncate(5);
    assert_eq!(found(&late)[0], (Rule::Pairs, Severity::Error, Some(5)));
}

#[test]
fn no_two_calls_have_one_id() {
    let mut records = straight();
    records.extend([call("c3", "a", "m3", "t1"), result("r3", "c3", "t1"), answer("b", "r3", "m4")]);
    assert_eq!(found(&records), [(Rule::Pairs, Severity::Error, Some(7))]);
    let snapshot = found(&but(2, call("c2", "c1", "m1", "t1")));
    assert!(!snapshot.contains(&(Rule::Pairs, Severity::Error, Some(3))), "one call, repeated");
}

#[test]
fn older_clients_lose_parallel_calls_that_fork() {
    let forked = found(&but(4, result("r2", "c2", "t2")));
    assert_eq!(forked, [(Rule::Line, Severity::Warning, Some(5))]);
    let mut bridged = straight();
    bridged.insert(1, record("progress", "x", "p"));
    bridged[2] = call("c1", "x", "m1", "t1");
    assert_eq!(found(&bridged), [(Rule::Line, Severity::Warning, Some(3))]);
}

#[test]
fn the_leaf_is_the_latest() {
    let mut records = straight();
    records.insert(0, with(prompt("x", ""), "timestamp", json!("2026-02-01T00:00:00Z")));
    let times = (Rule::Times, Severity::Warning, Some(1));
    assert_eq!(found(&records), [times, (Rule::Roots, Severity::Info, Some(2))]);
    let timeless = found(&but(0, with(prompt("p", ""), "timestamp", json!(null))));
    assert_eq!(timeless, [(Rule::Times, Severity::Warning, Some(1))]);
}

#[test]
fn ids_are_the_sessions_own_and_each_stands_once() {
    let foreign = found(&but(0, with(prompt("p", ""), "sessionId", json!("other"))));
    assert_eq!(foreign, [(Rule::SessionIds, Severity::Warning, Some(1))]);
    let mut again = straight();
    again.insert(1, prompt("p", ""));
    assert_eq!(found(&again)[0], (Rule::UniqueIds, Severity::Warning, Some(2)));
}

#[test]
fn what_is_named_has_to_be_there() {
    let mut records = straight();
    records.push(leaf("gone"));
    records.push(json!({"type": "summary", "summary": "A title", "leafUuid": "gone"}));
    records.push(json!({"type": "file-history-snapshot", "messageId": "gone"}));
    let expected = [
        (Rule::References, Severity::Warning, Some(9)),
        (Rule::Leaf, Severity::Warning, Some(7)),
        (Rule::References, Severity::Info, Some(8)),
    ];
    assert_eq!(found(&records), expected);
}

#[test]
fn a_compaction_has_its_summary_and_what_it_preserves() {
    let bare = [prompt("p", ""), boundary("x"), answer("a", "x", "m")];
    assert_eq!(found(&bare), [(Rule::Compaction, Severity::Warning, Some(2))]);
    let lost = [prompt("p", ""), preserving("x", "s", &["gone"]), summary("s", "x"), answer("a", "s", "m")];
    assert!(found(&lost).contains(&(Rule::Compaction, Severity::Warning, Some(2))));
}

#[test]
fn the_end_is_said() {
    let info = |line| [(Rule::End, Severity::Info, Some(line))];
    assert_eq!(found(&straight()[..5]), info(5));
    assert_eq!(found(&[prompt("p", "")]), info(1));
}

#[test]
fn an_assistants_message_is_a_list_of_blocks() {
    let odd = with(answer("a", "r2", "m2"), "message", json!({"role": "assistant", "content": "done"}));
    assert_eq!(found(&but(5, odd)), [(Rule::Messages, Severity::Error, Some(6))]);
}
