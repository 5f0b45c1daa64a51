//! Each fault once, and every shape of a healthy session without one.

use std::ops::ControlFlow;

use serde_json::json;
use steno_testkit::{Compaction, Era, Session, ToolResult, random_session};
use steno_transcript::RecordId;

use super::*;

fn inspect(bytes: &[u8]) -> Vec<Fault> {
    let mut inspector = Inspector::default();
    steno_transcript::read(bytes, |piece| {
        inspector.observe(&piece, piece.troubles);
        ControlFlow::Continue(())
    })
    .unwrap();
    inspector.finish()
}

/// Kind, first line and count of each.
fn faults(session: &Session) -> Vec<(&'static str, u64, u64)> {
    let found = inspect(session.bytes());
    found.into_iter().map(|fault| (fault.kind, fault.line, fault.count)).collect()
}

fn healthy(what: &str, session: &Session) {
    let built = session.build();
    for (path, bytes) in built.files() {
        if path.ends_with(".jsonl") {
            assert_eq!(inspect(&bytes), [], "{what}: {path}");
        }
    }
}

fn ask(session: Session) -> Session {
    session.user("go").assistant(|message| message.tool_use("Bash", json!({"command": "ls"})))
}

fn say(session: Session) -> Session {
    session.assistant(|message| message.text("Done."))
}

#[test]
fn sessions_of_every_era_are_healthy() {
    for era in Era::ALL {
        let new = || Session::numbered(1).era(era);
        let name = |what: &str| format!("{what} of {era:?}");
        healthy(&name("turns"), &new().turns(5));
        healthy(&name("rewind"), &new().turns(3).rewind_to(1).turns(2));
        healthy(&name("rewind to the beginning"), &new().turns(2).rewind_to(0).turns(1));
        healthy(&name("compaction"), &new().turns(2).compact("auto", 9, 3, "So far.").turns(2));
        let preserved = Compaction {
            trigger: "manual".into(),
            pre_tokens: 9,
            post_tokens: Some(3),
            summary: "So far.".into(),
            preserved: 2,
        };
        healthy(
            &name("preserved"),
            &new().turns(2).compact_with(&preserved).turns(1).compact_with(&preserved),
        );
        healthy(&name("microcompaction"), &new().turns(2).microcompact(9, 3).turns(1));
        healthy(&name("fork"), &Session::numbered(2).fork_of(&new().turns(2)).turns(1));
        let agents = |session: Session| session.agents(2, |_, agent| agent.steps(|steps| steps.turns(1)));
        healthy(&name("agents"), &agents(new().turns(1)).turns(1).warm_up());
        healthy(
            &name("plans"),
            &new().turns(1).plan("# Plan").reject_plan("no").plan("# Plan").approve_plan(),
        );
        healthy(&name("queue"), &say(ask(new()).queued_prompt("more").answer("a")));
        healthy(&name("interruption"), &ask(new()).answer_error("no").interrupt_tool().turns(1));
        healthy(
            &name("commands"),
            &new().caveat().slash_command("clear", "").bash_command("ls", "a", "").turns(1),
        );
    }
}

#[test]
fn what_is_written_again_is_the_same() {
    healthy("a replay", &Session::numbered(1).turns(1).repeat_last().turns(1));
    let first = Session::numbered(1).turns(1);
    let replayed = first.bytes().to_vec();
    healthy("a compaction's replay", &first.raw(replayed).turns(1));
}

#[test]
fn a_call_at_the_end_or_before_a_compaction_is_no_fault() {
    healthy("running", &ask(Session::numbered(1).turns(1)));
    let parallel = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({})).tool_use("Read", json!({})));
    healthy("half answered", &parallel.answer("a"));
    let compacted = ask(Session::numbered(1)).compact("auto", 9, 3, "So far.");
    healthy("compacted while it ran", &say(compacted.user("on")));
}

#[test]
fn lines_that_cannot_be_read_are_counted_with_the_first_place() {
    let session = Session::numbered(1).user("a").garbage().user("b").garbage().blank_line().user("c");
    assert_eq!(faults(&session.torn()), [("not-json", 2, 2), ("blank-line", 5, 1), ("torn-line", 6, 1)]);
    let glued = Session::numbered(1).user("a").glue().user("b");
    assert_eq!(faults(&glued), [("glued-objects", 1, 1)]);
}

#[test]
fn a_parent_that_is_nowhere_breaks_the_chain_only_where_the_conversation_passes() {
    let gone = || Some(RecordId::from("0b5f8a52-0000-4000-8000-00000000dead"));
    let cut = Session::numbered(1).user("a").leaf(gone()).user("b").user("c");
    assert_eq!(faults(&cut), [("broken-chain", 2, 1)]);
    let beside = Session::numbered(1).user("a");
    let leaf = beside.made().records.last().cloned();
    let beside = beside.leaf(gone()).user("b").user("c").leaf(leaf).user("d");
    assert_eq!(faults(&beside), [("missing-parent", 2, 1)]);
    healthy("a file that goes on from another", &Session::numbered(1).leaf(gone()).user("a").user("b"));
}

#[test]
fn parents_in_a_circle() {
    let record = |uuid: &str, parent: &str| json!({"type": "user", "uuid": uuid, "parentUuid": parent, "timestamp": "2026-11-01T10:00:00Z"});
    let circle = Session::numbered(1).record(&record("a", "c")).record(&record("b", "a"));
    assert_eq!(faults(&circle.clone().record(&record("c", "b"))), [("parent-cycle", 1, 1)]);
    assert_eq!(faults(&circle.record(&record("c", "c"))), [("parent-cycle", 3, 1)]);
    let later = Session::numbered(1).record(&record("b", "a")).record(&json!({"type": "user", "uuid": "a"}));
    healthy("a parent behind its child", &later);
}

#[test]
fn one_uuid_for_two_records() {
    let record = |time: &str| json!({"type": "user", "uuid": "a", "timestamp": time});
    let session = Session::numbered(1).record(&record("2026-11-01T10:00:00Z"));
    healthy("the same again", &session.clone().record(&record("2026-11-01T10:00:00Z")));
    assert_eq!(faults(&session.record(&record("2026-11-01T10:00:01Z"))), [("duplicate-uuid", 2, 1)]);
}

#[test]
fn halves_of_tools() {
    assert_eq!(faults(&say(ask(Session::numbered(1)))), [("tool-without-result", 2, 1)]);
    assert_eq!(faults(&ask(Session::numbered(1)).user("never mind")), [("tool-without-result", 2, 1)]);
    let session = say(Session::numbered(1).user("go")).tool_result("toolu_gone", "a");
    assert_eq!(faults(&session), [("result-without-tool", 3, 1)]);
    let carried = Session::numbered(1).tool_result("toolu_before", "a");
    healthy("a file that goes on after a call", &say(carried));
    let media = say(ask(Session::numbered(1)).answer_with(ToolResult::image("QUJD")));
    healthy("a picture as the result", &media);
}

#[test]
fn whatever_comes_it_ends() {
    for seed in 1..=60 {
        let _ = inspect(random_session(seed, 40).bytes());
    }
}
