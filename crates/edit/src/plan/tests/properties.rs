//! The promises of a plan, for sessions that mix everything and for records that point anywhere.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use steno_testkit::{Rng, random_session};

use super::written::{SUMMARY, written};
use super::*;
use crate::options::{Compress, Preset, Strip, Tools};
use crate::outline::Id;
use crate::resumed_line;

/// One of everything that can be wished.
fn wishes(turns: usize) -> Vec<CloneOptions> {
    let cut = |cut| CloneOptions { cut: Some(cut), ..CloneOptions::default() };
    let strip = |strip| CloneOptions { strip, ..CloneOptions::default() };
    let now = "2027-01-01T00:00:00Z".parse().unwrap();
    let compress = |keep_turns| Compress { keep_turns, summary: "so far".into(), now };
    let shorten = Tools { removes: false, truncation: Truncation::of_lines(1), ..Tools::NONE };
    vec![
        CloneOptions::default(),
        cut(Cut::First(turns)),
        cut(Cut::Last(turns)),
        strip(Strip { tools: Some(Tools::NONE), ..Strip::default() }),
        strip(Strip { tools: Some(Tools { keep_recent: turns, ..Tools::NONE }), ..Strip::default() }),
        strip(Strip { tools: Some(shorten), ..Strip::default() }),
        strip(Strip { thinking: true, ..Strip::default() }),
        strip(Strip { images: true, ..Strip::default() }),
        strip(Preset::Heavy.strip()),
        strip(Preset::Extreme.strip()),
        CloneOptions { compress: Some(compress(turns)), ..CloneOptions::default() },
        CloneOptions {
            compress: Some(compress(0)),
            strip: Preset::Extreme.strip(),
            ..cut(Cut::First(turns))
        },
    ]
}

fn uuids(outline: &Outline, nodes: &[NodeId]) -> Vec<String> {
    nodes.iter().map(|id| outline.text(outline.node(*id).unwrap().uuid.unwrap()).to_owned()).collect()
}

/// The line of what was written is the planned one, and its records are linked one to the next. Where the rest of the
/// file is kept, a client may find parts of messages that it missed when they were entangled: false then.
fn assert_line(outline: &Outline, plan: &Plan, again: &Outline, options: &CloneOptions) -> bool {
    let mut expected = uuids(outline, &plan.line);
    if plan.compaction.is_some() {
        expected.splice(0..0, ["the-boundary".to_owned(), SUMMARY.to_owned()]);
    }
    let resumed = uuids(again, &resumed_line(again));
    if options.cut.is_some() || options.compress.is_some() {
        assert_eq!(resumed, expected, "{options:?}");
    }
    let mut rest = resumed.iter();
    assert!(expected.iter().all(|uuid| rest.any(|found| found == uuid)), "{resumed:?} {expected:?}");
    let mut before = None;
    for uuid in &expected {
        let node = again.node(node(again, uuid)).unwrap();
        assert_eq!(node.parent, before);
        before = node.uuid;
    }
    assert_latest(again, node(again, expected.last().unwrap()));
    resumed == expected
}

fn assert_latest(again: &Outline, leaf: NodeId) {
    let time = again.node(leaf).unwrap().time;
    for (_, node) in again.iter().filter(|(id, node)| *id != leaf && node.is_chained() && !node.is_sidechain)
    {
        assert!(node.time < time || time.is_none(), "{node:?}");
    }
}

/// No half is left: not in the file, and not on the line.
fn assert_pairs(again: &Outline, line: &[String]) {
    let mut halves: HashMap<&str, [usize; 2]> = HashMap::new();
    for block in again.nodes.iter().flat_map(|node| &node.blocks) {
        let Some(tool) = block.tool else { continue };
        let half = usize::from(block.kind.is_result());
        halves.entry(again.text(tool)).or_default()[half] += 1;
    }
    assert!(halves.values().all(|halves| halves[0] > 0 && halves[1] > 0), "{halves:?}");
    let mut open = HashSet::new();
    for block in line.iter().flat_map(|uuid| &again.node(node(again, uuid)).unwrap().blocks) {
        let Some(tool) = block.tool else { continue };
        let is_right = if block.kind.is_call() { open.insert(tool) } else { open.remove(&tool) };
        assert!(is_right, "{}", again.text(tool));
    }
    assert!(open.is_empty());
}

/// Every way up ends at a root, and nothing points to what is not there.
fn assert_rooted(again: &Outline) {
    for (id, node) in again.iter() {
        assert!(node.uuid.is_none_or(|uuid| again.bearer(uuid) == Some(id)), "two of one uuid");
        let mut at = node;
        let mut steps = 0;
        while let Some(parent) = at.parent {
            at = again.bearer(parent).and_then(|id| again.node(id)).expect("a parent that is there");
            steps += 1;
            assert!(steps <= again.nodes.len(), "a ring");
        }
        assert!(node.logical_parent.is_none_or(|id| again.bearer(id).is_some()));
        // The client's own boundaries name records that it never wrote, beside those that it preserves.
        let named: Vec<Id> = match &node.preserved {
            Some(preserved) => preserved.anchor.iter().chain(&preserved.uuids).copied().collect(),
            None => node.references.clone(),
        };
        assert!(named.iter().all(|id| again.bearer(*id).is_some()), "{node:?}");
    }
}

fn assert_again(again: &Outline, options: &CloneOptions) {
    let plan = plan(again, options).unwrap();
    assert_eq!(plan.counts.dropped, 0);
    assert!(plan.changes.values().all(|change| change.without.is_empty() && change.parent.is_none()));
    assert!(plan.changes.values().all(|change| change.time.is_none() && !change.ends_turn));
}

fn check(bytes: &[u8], turns: usize) {
    let outline = survey(bytes);
    for options in wishes(turns) {
        let Ok(plan) = plan(&outline, &options) else { continue };
        assert_eq!(plan.kept.len(), outline.nodes.len());
        assert_eq!(
            plan.counts.kept + plan.counts.dropped,
            outline.nodes.iter().filter(|n| n.kind.is_some()).count() as u64
        );
        assert!(plan.changes.keys().all(|id| plan.is_kept(*id)));
        let again = survey(&written(bytes, &outline, &plan));
        assert_rooted(&again);
        assert_pairs(&again, &uuids(&outline, &plan.line));
        let is_same = assert_line(&outline, &plan, &again, &options);
        if is_same && options.cut.is_none() && options.compress.is_none() {
            assert_again(&again, &options);
        }
    }
    for (_, node) in outline.iter().filter(|(_, node)| node.uuid.is_some()).take(6) {
        let uuid = outline.text(node.uuid.unwrap());
        let options = CloneOptions { cut: Some(Cut::At(uuid.into())), ..CloneOptions::default() };
        let Ok(plan) = plan(&outline, &options) else { continue };
        let again = survey(&written(bytes, &outline, &plan));
        assert_rooted(&again);
        assert_pairs(&again, &uuids(&outline, &plan.line));
        assert_line(&outline, &plan, &again, &options);
    }
}

/// Records that point to each other as they like.
fn hostile(seed: u64, size: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut records = Vec::new();
    for _ in 0..size {
        let mut any = |prefix: &str, of: u64| format!("{prefix}{}", rng.below(of));
        let (uuid, parent, tool, message) =
            (any("u", size), any("u", size + 2), any("t", 4), any("m", size / 2 + 1));
        let second = u32::try_from(rng.below(120)).unwrap();
        let parent = Some(&*parent).filter(|_| rng.chance(90));
        let mut record = match rng.below(12) {
            0 | 1 => user(&uuid, parent, second, json!("hello")),
            2 | 3 => assistant(&uuid, parent, second, &message, json!([call(&tool)])),
            4 => assistant(&uuid, parent, second, &message, json!([thinking(), text("x"), call(&tool)])),
            5 | 6 => user(&uuid, parent, second, json!([result(&tool), text("y")])),
            7 => record("attachment", &uuid, parent, second),
            8 => with(record("system", &uuid, None, second), "subtype", json!("compact_boundary")),
            9 => record("progress", &uuid, parent, second),
            10 => json!({"type": "last-prompt", "leafUuid": uuid, "explicit": rng.chance(50)}),
            _ => assistant(&uuid, parent, second, &message, json!([text("said")])),
        };
        if rng.chance(10) && record.get("uuid").is_some() {
            record["isSidechain"] = json!(true);
        }
        if record["subtype"] == "compact_boundary" && rng.chance(50) {
            let mut any = || format!("u{}", rng.below(size));
            let kept = json!({"anchorUuid": any(), "uuids": [any(), any()]});
            record["compactMetadata"] = json!({"preservedMessages": kept});
        }
        records.push(record);
    }
    lines(&records)
}

/// A plan for each options, or a refusal: nothing else.
fn survive(bytes: &[u8], turns: usize) {
    let outline = survey(bytes);
    for options in wishes(turns) {
        if let Ok(plan) = plan(&outline, &options) {
            let again = survey(&written(bytes, &outline, &plan));
            assert_rooted(&again);
            assert_pairs(&again, &uuids(&outline, &plan.line));
        }
    }
    beside(&outline);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn plans_keep_their_promises(seed in any::<u64>(), size in 1_usize..45, turns in 0_usize..6) {
        check(&random_session(seed, size).build().bytes, turns);
    }

    #[test]
    fn records_may_point_anywhere(seed in any::<u64>(), size in 1_u64..40, turns in 0_usize..4) {
        survive(&hostile(seed, size), turns);
    }
}

#[test]
fn plans_of_real_sessions_keep_them_too() {
    for path in steno_testkit::real_transcripts().unwrap_or_default() {
        let bytes = steno_testkit::transcript_bytes(&path);
        if bytes.len() < 4_000_000 {
            println!("{}", path.display());
            check(&bytes, 3);
        }
    }
}
