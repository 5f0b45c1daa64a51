//! Outlines of small and of hostile sessions → the line that a client takes up.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::outline::tests::sample::*;

fn resumed(records: &[Value]) -> String {
    let outline = outline(records);
    names(&outline, &resumed_line(&outline)).join(" ")
}

fn up_to(records: &[Value], uuid: &str) -> String {
    let outline = outline(records);
    let leaf = outline.find(uuid).and_then(|id| outline.bearer(id)).unwrap();
    names(&outline, &line_to(&outline, leaf)).join(" ")
}

/// Two calls of one message, each result on its own call, as clients write them.
fn parallel() -> Vec<Value> {
    vec![
        prompt("p", ""),
        call("c1", "p", "m1", "t1"),
        call("c2", "c1", "m1", "t2"),
        result("r2", "c2", "t2"),
        result("r1", "c1", "t1"),
        answer("a", "r1", "m2"),
    ]
}

#[test]
fn the_line_leads_from_the_leaf_to_the_root() {
    let records =
        [prompt("p", ""), answer("left", "p", "m1"), answer("a", "p", "m2"), record("system", "s", "a")];
    assert_eq!(resumed(&records), "p a s");
    assert_eq!(up_to(&records, "left"), "p left");
}

#[test]
fn parallel_calls_are_laid_in_line() {
    assert_eq!(resumed(&parallel()), "p c1 c2 r1 r2 a");
}

#[test]
fn a_line_to_a_call_has_the_results_of_its_message() {
    assert_eq!(up_to(&parallel(), "c1"), "p c1 c2 r1 r2");
    let mut straight = parallel();
    straight[3] = result("r2", "r1", "t2");
    straight[4] = result("r1", "c2", "t1");
    straight[5] = answer("a", "r2", "m2");
    for uuid in ["c1", "c2", "r1", "r2"] {
        assert_eq!(up_to(&straight, uuid), "p c1 c2 r1 r2");
    }
}

#[test]
fn progress_is_bridged() {
    let records =
        [prompt("p", ""), record("progress", "x", "p"), record("progress", "y", "x"), answer("a", "y", "m")];
    assert_eq!(resumed(&records), "p a");
}

#[test]
fn sidechains_are_no_leaves() {
    let beside = with(prompt("x", ""), "isSidechain", json!(true));
    assert_eq!(resumed(&[prompt("p", ""), beside.clone()]), "p");
    assert_eq!(resumed(&[beside]), "");
}

#[test]
fn the_last_prompt_names_the_leaf_until_more_is_said() {
    let said = [prompt("p", ""), answer("a", "p", "m1"), prompt("q", "a"), answer("b", "q", "m2")];
    let ending = |end: &[Value]| resumed(&[&said[..], end].concat());
    let chosen = |uuid: &str, how: &str| with(leaf(uuid), how, json!(true));
    assert_eq!(ending(&[leaf("a")]), "p a q b");
    assert_eq!(ending(&[leaf("gone")]), "p a q b");
    assert_eq!(ending(&[chosen("a", "explicit")]), "p a");
    // It says how the leaf came about, and binds nobody.
    assert_eq!(ending(&[chosen("a", "rewound")]), "p a q b");
    assert_eq!(ending(&[chosen("a", "explicit"), prompt("c", "a")]), "p a c");
    assert_eq!(ending(&[leaf("b"), prompt("c", "a")]), "p a q b");
    assert_eq!(ending(&[json!({"type": "last-prompt", "leafUuid": null, "explicit": true})]), "");
}

#[test]
fn a_compaction_is_a_beginning() {
    let records = [
        prompt("p", ""),
        answer("a", "p", "m1"),
        leaf("a"),
        boundary("x"),
        summary("s", "x"),
        answer("b", "s", "m2"),
        answer("old", "p", "m3"),
    ];
    assert_eq!(resumed(&records[..6]), "x s b");
    assert_eq!(up_to(&records, "a"), "p a");
    assert_eq!(up_to(&records, "old"), "p old");
}

#[test]
fn what_a_compaction_preserves_stands_behind_its_summary() {
    let records = |preserved: &[&str]| {
        [
            prompt("p", ""),
            answer("a", "p", "m1"),
            prompt("q", "a"),
            preserving("x", "s", preserved),
            summary("s", "x"),
            answer("b", "s", "m2"),
        ]
    };
    assert_eq!(resumed(&records(&["a", "q"])), "x s a q b");
    assert_eq!(resumed(&records(&["a", "gone"])), "x s b");
    assert_eq!(up_to(&records(&["a", "q"]), "q"), "p a q");
}

#[test]
fn a_gap_is_bridged_by_time() {
    let at =
        |record: Value, time: &str| with(record, "timestamp", json!(format!("2026-01-01T00:00:{time}Z")));
    let records = [
        at(prompt("p", ""), "01"),
        at(answer("late", "p", "m1"), "09"),
        at(answer("a", "p", "m2"), "02"),
        at(prompt("q", "gone"), "05"),
    ];
    assert_eq!(resumed(&records), "p a q");
}

#[test]
fn circles_end() {
    assert_eq!(resumed(&[prompt("p", "p")]), "p");
    assert_eq!(resumed(&[prompt("p", "a"), answer("a", "p", "m")]), "p a");
}

proptest! {
    #[test]
    fn whatever_the_links_a_line_ends_and_holds_each_record_once(records in prop::collection::vec(any_record(), 0..40)) {
        let outline = outline(&records);
        prop_assert_eq!(outline.nodes.len(), records.len());
        let lines = outline.iter().map(|(place, _)| line_to(&outline, place));
        for line in lines.chain([resumed_line(&outline)]) {
            let mut once = line.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), line.len());
            prop_assert!(line.iter().all(|node| outline.nodes[node.0 as usize].is_link()));
        }
        let findings = crate::check::check(&outline, SESSION);
        prop_assert!(findings.windows(2).all(|pair| pair[0].severity >= pair[1].severity));
    }
}
