//! Boundary: compactions, their summaries, and the phases between them.

use serde_json::json;
use steno_conversation::Conversation;
use steno_conversation::model::{ChunkBody, CompactChunk};
use steno_testkit::{Compaction, Era, Session, Usage};

use crate::passes::explaining::explain;
use crate::passes::words::{outline, warned};

fn answer(session: Session, context: u64) -> Session {
    let usage = Usage { input: context - 100, output: 100, ..Usage::NOTHING };
    session.assistant(|message| message.text("done").usage(usage))
}

fn compactions(conversation: &Conversation) -> Vec<&CompactChunk> {
    let compactions = conversation.chunks.iter().filter_map(|chunk| match &chunk.body {
        ChunkBody::Compact(compact) => Some(compact),
        _ => None,
    });
    compactions.collect()
}

fn phases(conversation: &Conversation) -> Vec<(u64, u64, i64)> {
    conversation
        .phases
        .iter()
        .map(|phase| (phase.start_tokens, phase.end_tokens, phase.contribution))
        .collect()
}

#[test]
fn a_compaction_is_one_chunk_with_its_summary_in_every_era() {
    for era in Era::ALL {
        let session = answer(Session::numbered(1).era(era).user("go"), 50_000)
            .compact("auto", 50_000, 4000, "We did things.")
            .user("on");
        let shown = explain(&answer(session, 6000));
        let post = (era == Era::V2_1_325).then_some(4000);
        assert_eq!(
            outline(&shown.chunks),
            [
                "user: go".to_owned(),
                "ai: text done".to_owned(),
                format!("compact auto Some(50000) {post:?}"),
                "user: on".to_owned(),
                "ai: text done".to_owned(),
            ],
            "{era:?}"
        );
        assert!(compactions(&shown)[0].summary.ends_with("We did things."), "{era:?}");
        assert_eq!(shown.chunks[2].records.len(), 2, "{era:?}");
        assert_eq!((shown.profile.turns, shown.branches.len()), (2, 1), "{era:?}");
        assert!(warned(&shown).is_empty(), "{era:?}");
    }
}

#[test]
fn a_phase_adds_its_end_less_what_the_compaction_before_left() {
    let session = answer(Session::numbered(1).user("one"), 90_000).compact("auto", 100_000, 10_000, "s");
    let session = answer(session.user("two"), 70_000).compact("manual", 80_000, 15_000, "s");
    let shown = explain(&answer(session.user("three"), 40_000));
    assert_eq!(phases(&shown), [(0, 100_000, 100_000), (10_000, 80_000, 70_000), (15_000, 40_000, 25_000)]);
    let boundaries: Vec<bool> = shown.phases.iter().map(|phase| phase.boundary.is_some()).collect();
    assert_eq!(boundaries, [true, true, false]);
}

#[test]
fn where_the_client_does_not_say_what_was_left_the_next_request_does() {
    let session = answer(Session::numbered(1).era(Era::V2_1_56).user("one"), 90_000)
        .compact("auto", 100_000, None, "s");
    let session = answer(session.user("two"), 12_000);
    let shown = explain(&answer(session.user("three"), 20_000));
    // What the first request read is what the compaction left; its answer is new.
    assert_eq!(phases(&shown), [(0, 100_000, 100_000), (11_900, 20_000, 8100)]);
}

#[test]
fn a_compaction_may_leave_more_than_it_found() {
    let session = answer(Session::numbered(1).user("one"), 1800).compact("manual", 1887, 2872, "s");
    let shown = explain(&answer(session.user("two"), 2000));
    assert_eq!(phases(&shown), [(0, 1887, 1887), (2872, 2000, -872)]);
}

#[test]
fn a_session_without_a_compaction_is_one_phase() {
    let shown = explain(&answer(Session::numbered(1).user("one"), 1800));
    assert_eq!(phases(&shown), [(0, 1800, 1800)]);
    assert!(explain(&Session::numbered(1).user("one")).phases.is_empty());
}

#[test]
fn the_summary_may_stand_some_records_behind_its_boundary() {
    let boundary = json!({
        "type": "system", "subtype": "compact_boundary", "uuid": null, "timestamp": null,
        "compactMetadata": {"trigger": "auto", "preTokens": 9},
    });
    let summary = json!({
        "type": "user", "uuid": null, "timestamp": null, "isCompactSummary": true,
        "message": {"role": "user", "content": "so far"},
    });
    let session = Session::numbered(1)
        .user("go")
        .linked(boundary)
        .attachment("date", json!({"date": "2026-11-15"}))
        .caveat()
        .slash_command("compact", "")
        .local_command_stdout("Compacted")
        .linked(summary);
    let shown = explain(&session);
    assert_eq!(
        outline(&shown.chunks),
        ["user: go", "compact auto Some(9) None", "user: /compact", "system local_command: Compacted"]
    );
    assert_eq!(compactions(&shown)[0].summary, "so far");
}

#[test]
fn a_summary_without_a_boundary_is_a_compaction_of_its_own() {
    let summary = json!({
        "type": "user", "uuid": null, "timestamp": null, "isCompactSummary": true,
        "message": {"role": "user", "content": "so far"},
    });
    let shown = explain(&answer(Session::numbered(1).linked(summary), 500));
    assert_eq!(outline(&shown.chunks), ["compact - None None", "ai: text done"]);
    assert_eq!(compactions(&shown)[0].summary, "so far");
}

#[test]
fn a_boundary_whose_logical_parent_is_gone_hides_nothing_before_it() {
    let boundary = json!({
        "type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": null,
        "logicalParentUuid": "gone", "compactMetadata": {"trigger": "manual", "preTokens": 9},
    });
    let session = answer(Session::numbered(1).user("before"), 500).record(&boundary);
    let session = session.leaf(Some(steno_transcript::RecordId::new("b"))).user("after");
    assert_eq!(
        outline(&explain(&session).chunks),
        ["user: before", "ai: text done", "compact manual Some(9) None", "user: after"]
    );
}

#[test]
fn preserved_messages_are_shown_once_where_they_stood() {
    let session = answer(Session::numbered(1).user("before"), 500).compact_with(&Compaction {
        trigger: "auto".into(),
        pre_tokens: 500,
        post_tokens: Some(100),
        summary: "s".into(),
        preserved: 2,
    });
    assert_eq!(
        outline(&explain(&session.user("after")).chunks),
        ["user: before", "ai: text done", "compact auto Some(500) Some(100)", "user: after"]
    );
}

#[test]
fn a_rewind_across_a_compaction_leaves_the_compaction_behind() {
    let session = answer(Session::numbered(1).user("one"), 500);
    let session = answer(session.user("two"), 900).compact("auto", 900, 100, "s");
    let session = answer(session.user("three"), 300);
    let shown = explain(&answer(session.rewind_to(1).user("instead"), 700));
    assert_eq!(outline(&shown.chunks), ["user: one", "ai: text done", "user: instead", "ai: text done"]);
    assert_eq!(phases(&shown), [(0, 700, 700)]);
}
