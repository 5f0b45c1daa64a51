//! Where the line ends and begins.

use super::*;
use crate::options::Compress;

fn cut(cut: Cut) -> CloneOptions {
    CloneOptions { cut: Some(cut), ..CloneOptions::default() }
}

#[test]
fn the_first_turns_stay() {
    let mut records = session(3);
    records.insert(0, json!({"type": "custom-title", "customTitle": "x"}));
    records.push(json!({"type": "mode", "mode": "normal"}));
    let (outline, plan) = planned(&records, &cut(Cut::First(2)));
    assert_eq!((plan.line.len(), plan.turns), (10, (3, 2)));
    assert!(plan.is_kept(NodeId(0)) && !plan.is_kept(NodeId(16)));
    assert_eq!(line(&outline, &plan).last().unwrap(), "said-0001");
    assert_eq!(planned(&records, &cut(Cut::First(9))).1.line.len(), 15);
}

#[test]
fn the_last_turns_stay_and_start_anew() {
    let (outline, plan) = planned(&session(3), &cut(Cut::Last(1)));
    assert_eq!((plan.line.len(), plan.turns), (5, (3, 1)));
    assert_eq!(plan.changes[&node(&outline, "asked-0002")].parent, Some(Parent::Root));
    assert_eq!(plan.counts.dropped, 10);
}

#[test]
fn a_cut_at_a_call_keeps_its_result() {
    let records = session(2);
    for name in ["called-0000", "#3", "3"] {
        let (outline, plan) = planned(&records, &cut(Cut::At(name.into())));
        assert_eq!(line(&outline, &plan), ["asked-0000", "thought-0000", "called-0000", "result-0000"]);
    }
}

#[test]
fn a_cut_needs_a_record_that_is_there() {
    let outline = survey(&lines(&session(2)));
    let refused = |name: &str| plan(&outline, &cut(Cut::At(name.into()))).unwrap_err();
    assert_eq!(refused("said"), Refusal::AmbiguousRecord("said".into()));
    for name in ["sai", "nothing", "#99", "#x", "#", ""] {
        assert_eq!(refused(name), Refusal::UnknownRecord(name.into()));
    }
    assert!(plan(&outline, &cut(Cut::At("said-0001".into()))).is_ok());
    assert_eq!(plan(&outline, &cut(Cut::First(0))).unwrap_err(), Refusal::NothingLeft);
    assert_eq!(plan(&outline, &cut(Cut::Last(0))).unwrap_err(), Refusal::NothingLeft);
    assert_eq!(plan(&Outline::default(), &CloneOptions::default()).unwrap_err(), Refusal::Nothing);
}

#[test]
fn an_abandoned_branch_can_be_taken_up() {
    let mut records = session(2);
    records.push(user("again", Some("said-0000"), 40, json!("another way")));
    records.push(assistant("other", Some("again"), 41, "o", json!([text("fine")])));
    let (outline, whole) = planned(&records, &CloneOptions::default());
    assert_eq!(line(&outline, &whole).last().unwrap(), "other");
    assert!(dropped(&outline, &whole).is_empty());
    let (outline, plan) = planned(&records, &cut(Cut::At("said-0001".into())));
    assert_eq!(line(&outline, &plan).len(), 10);
    assert_eq!(dropped(&outline, &plan), ["again", "other"]);
}

fn compress(keep_turns: usize) -> CloneOptions {
    let now = "2026-02-02T00:00:00Z".parse().unwrap();
    CloneOptions {
        compress: Some(Compress { keep_turns, summary: "so far".into(), now }),
        ..CloneOptions::default()
    }
}

#[test]
fn what_is_compressed_makes_room_for_a_summary() {
    let (outline, plan) = planned(&session(3), &compress(1));
    let compaction = plan.compaction.as_ref().unwrap();
    let first = node(&outline, "asked-0002");
    assert_eq!((compaction.before, compaction.like), (Some(first), Some(first)));
    assert_eq!(compaction.time, Some("2026-01-02T03:00:19.998Z".parse().unwrap()));
    assert_eq!(plan.changes[&first].parent, Some(Parent::Summary));
    assert_eq!((plan.summarised.len(), plan.line.len(), plan.named_leaf), (10, 5, None));
    assert_eq!(summarised(&outline, None, 1).unwrap(), plan.summarised);
    assert!(compaction.tokens_after < compaction.tokens_before);
    assert_eq!(plan.after.total, compaction.tokens_after);
}

#[test]
fn everything_may_be_compressed_but_not_nothing() {
    let (_, plan) = planned(&session(2), &compress(0));
    let compaction = plan.compaction.unwrap();
    assert!(plan.line.is_empty() && compaction.before.is_none() && compaction.like.is_some());
    assert_eq!(compaction.time, Some("2026-02-02T00:00:00Z".parse().unwrap()));
    let outline = survey(&lines(&session(2)));
    assert_eq!(super::plan(&outline, &compress(2)).unwrap_err(), Refusal::TooFewTurns(2));
    assert_eq!(summarised(&outline, None, 5).unwrap_err(), Refusal::TooFewTurns(2));
    assert_eq!(summarised(&outline, Some(&Cut::First(1)), 0).unwrap().len(), 5);
}

#[test]
fn a_compaction_is_like_a_record_that_stands_before_it() {
    let queued = json!({"type": "queued_command", "prompt": "and this", "commandMode": "prompt"});
    let mut records = session(1);
    records.push(with(record("attachment", "queued", Some("said-0000"), 20), "attachment", queued));
    records.push(assistant("answer", Some("queued"), 21, "a", json!([text("done")])));
    let now = "2027-01-01T00:00:00Z".parse().unwrap();
    let compress = Compress { keep_turns: 1, summary: "so far".into(), now };
    let (outline, plan) =
        planned(&records, &CloneOptions { compress: Some(compress), ..CloneOptions::default() });
    let compaction = plan.compaction.unwrap();
    assert_eq!(compaction.before, Some(node(&outline, "queued")));
    assert_eq!(compaction.like, Some(node(&outline, "said-0000")));
}
