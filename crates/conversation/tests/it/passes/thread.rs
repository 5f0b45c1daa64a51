//! Thread: which line is shown, and what a rewind left behind.

use serde_json::json;
use steno_conversation::Conversation;
use steno_testkit::{Era, Session};
use steno_transcript::RecordId;

use crate::passes::explaining::explain;
use crate::passes::words::{outline, warned};

fn turn(session: Session, prompt: &str, answer: &str) -> Session {
    session.user(prompt).assistant(|message| message.text(answer))
}

/// For each branch: is it active, and how many messages has it?
fn branches(conversation: &Conversation) -> Vec<(bool, u64)> {
    conversation.branches.iter().map(|branch| (branch.active, branch.messages)).collect()
}

#[test]
fn parallel_tools_fork_the_tree_and_all_of_them_are_shown() {
    for era in Era::ALL {
        let session = Session::numbered(1)
            .era(era)
            .user("go")
            .assistant(|message| {
                message
                    .tool_use("Bash", json!({"command": "a"}))
                    .tool_use("Bash", json!({"command": "b"}))
                    .tool_use("Bash", json!({"command": "c"}))
            })
            .answer("1")
            .answer("2")
            .answer("3")
            .assistant(|message| message.text("all three"))
            .user("more")
            .assistant(|message| message.text("yes"));
        let shown = explain(&session);
        assert_eq!(
            outline(&shown.chunks),
            ["user: go", "ai: Bash → 1, Bash → 2, Bash → 3, text all three", "user: more", "ai: text yes"],
            "{era:?}"
        );
        assert_eq!(branches(&shown), [(true, 8)], "{era:?}");
    }
}

#[test]
fn a_rewind_leaves_a_branch_behind() {
    for era in Era::ALL {
        let session = turn(Session::numbered(1).era(era), "one", "1");
        let fork = session.made().last_record().clone();
        let session = turn(session, "two", "2");
        let abandoned = session.made().last_record().clone();
        let session = turn(session.rewind_to(1), "two, better", "2b");
        let shown = explain(&session);
        assert_eq!(
            outline(&shown.chunks),
            ["user: one", "ai: text 1", "user: two, better", "ai: text 2b"],
            "{era:?}"
        );
        assert_eq!(branches(&shown), [(true, 4), (false, 2)], "{era:?}");
        let [active, left] = &*shown.branches else { panic!("{era:?}") };
        assert_eq!(active.leaf.uuid.as_ref(), Some(session.made().last_record()), "{era:?}");
        assert_eq!(left.leaf.uuid.as_ref(), Some(&abandoned), "{era:?}");
        assert_eq!(left.forked_at.as_ref().and_then(|at| at.uuid.as_ref()), Some(&fork), "{era:?}");
        assert_eq!(active.forked_at, left.forked_at, "{era:?}");
    }
}

#[test]
fn a_rewind_to_the_very_first_prompt_shares_nothing() {
    for era in Era::ALL {
        let session = turn(Session::numbered(1).era(era), "wrong", "no");
        let session = turn(session.rewind_to(0), "right", "yes");
        let shown = explain(&session);
        assert_eq!(outline(&shown.chunks), ["user: right", "ai: text yes"], "{era:?}");
        assert_eq!(branches(&shown), [(true, 2), (false, 2)], "{era:?}");
        assert_eq!(shown.branches[1].forked_at, None, "{era:?}");
    }
}

#[test]
fn several_rewinds_leave_several_branches() {
    let session = turn(Session::numbered(1), "one", "1");
    let session = turn(session, "two", "2");
    let session = turn(session.rewind_to(1), "two again", "2b");
    let session = turn(session, "three", "3");
    let session = turn(session.rewind_to(3), "three again", "3b");
    let shown = explain(&session);
    assert_eq!(
        outline(&shown.chunks),
        ["user: one", "ai: text 1", "user: two again", "ai: text 2b", "user: three again", "ai: text 3b"]
    );
    assert_eq!(branches(&shown), [(true, 6), (false, 2), (false, 2)]);
}

#[test]
fn going_back_to_an_older_branch_makes_it_the_line_again() {
    let session = turn(Session::numbered(1), "one", "1");
    let session = turn(session, "two", "2");
    let old = session.made().last_record().clone();
    let session = turn(session.rewind_to(1), "other", "o");
    let session = turn(session.leaf(Some(old)), "after two", "t");
    assert_eq!(
        outline(&explain(&session).chunks),
        ["user: one", "ai: text 1", "user: two", "ai: text 2", "user: after two", "ai: text t"]
    );
}

#[test]
fn an_explicit_leaf_ends_the_line_there() {
    let session = turn(Session::numbered(1), "one", "1");
    let leaf = session.made().last_record().clone();
    let session = turn(session, "two", "2").explicit_leaf(&leaf);
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "ai: text 1"]);
    assert_eq!(branches(&shown), [(true, 2), (false, 2)]);
    assert_eq!(shown.branches[0].leaf.uuid.as_ref(), Some(&leaf));
}

#[test]
fn an_explicit_leaf_can_choose_the_older_branch() {
    let session = turn(Session::numbered(1), "one", "1");
    let session = turn(session, "two", "2");
    let leaf = session.made().last_record().clone();
    let session = turn(session.rewind_to(1), "other", "o").explicit_leaf(&leaf);
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "ai: text 1", "user: two", "ai: text 2"]);
    assert_eq!(branches(&shown), [(true, 4), (false, 2)]);
}

#[test]
fn an_explicit_leaf_counts_until_the_conversation_goes_on() {
    let session = turn(Session::numbered(1), "one", "1");
    let leaf = session.made().last_record().clone();
    let session = turn(session, "two", "2").explicit_leaf(&leaf);
    let session = turn(session.rewind_to(1), "instead of two", "2b");
    assert_eq!(
        outline(&explain(&session).chunks),
        ["user: one", "ai: text 1", "user: instead of two", "ai: text 2b"]
    );
}

#[test]
fn an_explicit_leaf_that_is_nowhere_is_ignored() {
    let session = turn(turn(Session::numbered(1), "one", "1"), "two", "2")
        .explicit_leaf(&RecordId::new("00000000-0000-0000-0000-000000000000"));
    assert_eq!(outline(&explain(&session).chunks), ["user: one", "ai: text 1", "user: two", "ai: text 2"]);
}

#[test]
fn a_missing_parent_is_bridged_by_the_order_of_the_file() {
    let session = turn(Session::numbered(1), "one", "1").leaf(Some(RecordId::new("gone")));
    let session = turn(session, "two", "2");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "ai: text 1", "user: two", "ai: text 2"]);
    assert_eq!(warned(&shown), ["missing-parent"]);
    assert_eq!(shown.warnings[0].line, Some(3));
}

#[test]
fn parents_that_run_in_a_circle_hide_nothing() {
    let record = |uuid: &str, parent: &str, text: &str| json!({"type": "user", "uuid": uuid, "parentUuid": parent, "message": {"role": "user", "content": text}});
    let session = Session::numbered(1)
        .record(&record("a", "c", "one"))
        .record(&record("b", "a", "two"))
        .record(&record("c", "b", "three"))
        .record(&record("d", "d", "its own parent"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "user: two", "user: three", "user: its own parent"]);
    assert!(warned(&shown).contains(&"parent-cycle"), "{:?}", warned(&shown));
}

#[test]
fn a_uuid_used_twice_for_different_records_loses_neither() {
    let record = |text: &str| json!({"type": "user", "uuid": "same", "parentUuid": null, "message": {"role": "user", "content": text}});
    let session = Session::numbered(1).record(&record("first")).record(&record("second"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: first", "user: second"]);
    assert_eq!(warned(&shown), ["duplicate-uuid"]);
}

#[test]
fn a_replayed_prompt_is_shown_once() {
    let session = Session::numbered(1).user("go").repeat_last().assistant(|message| message.text("done"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text done"]);
    assert_eq!(warned(&shown), ["duplicate-uuid"]);
}

#[test]
fn a_queued_prompt_beside_a_tool_result_is_no_branch() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})));
    let call = session.made().last_record().clone();
    let queued = json!({
        "type": "user", "uuid": null, "timestamp": null, "promptSource": "queued",
        "message": {"role": "user", "content": "and hurry"},
    });
    let session =
        session.linked(queued).leaf(Some(call)).answer("src").assistant(|message| message.text("done"));
    let shown = explain(&session);
    assert_eq!(
        outline(&shown.chunks),
        ["user: go", "ai: Bash → src", "user (queued): and hurry", "ai: text done"]
    );
    assert_eq!(branches(&shown).len(), 1);
}

#[test]
fn commands_beside_the_conversation_abandon_nothing() {
    // As 1.0.x leaves it: the caveat has the whole conversation below it, and a `!` command as its last child.
    let session = Session::numbered(1).era(Era::V1_0).caveat();
    let root = session.made().last_record().clone();
    let session = turn(session, "one", "1").leaf(Some(root)).bash_command("ls", "src", "");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "ai: text 1", "user: ! ls"]);
    assert_eq!(branches(&shown).len(), 1);
}

#[test]
fn a_parent_may_stand_behind_its_child() {
    let record = |uuid: &str, parent: Option<&str>, text: &str| json!({"type": "user", "uuid": uuid, "parentUuid": parent, "message": {"role": "user", "content": text}});
    let session = Session::numbered(1)
        .record(&record("a", None, "one"))
        .record(&record("c", Some("b"), "three"))
        .record(&record("b", Some("a"), "two"))
        .record(&record("d", Some("c"), "four"));
    assert_eq!(outline(&explain(&session).chunks), ["user: one", "user: three", "user: two", "user: four"]);
}

#[test]
fn records_without_any_uuid_are_shown_in_file_order() {
    let record = |text: &str| json!({"type": "user", "message": {"role": "user", "content": text}});
    let session = Session::numbered(1).record(&record("one")).record(&record("two"));
    assert_eq!(outline(&explain(&session).chunks), ["user: one", "user: two"]);
}

#[test]
fn an_agents_file_read_alone_is_its_own_main_line() {
    let session = Session::numbered(1).user("go").agent(|agent| agent.prompt("look"));
    let file = session.build().agents[0].clone();
    let shown = steno_conversation::conversation(
        crate::passes::explaining::transcript(&format!("agent-{}", file.id), &file.bytes),
        steno_conversation::Context::default(),
    );
    assert_eq!(
        outline(&shown.chunks),
        ["user: look", "ai: thinking I should look around., Bash → src, text Nothing unusual."]
    );
    assert_eq!(shown.profile.turns, 1);
    assert!(shown.agents.is_empty());
}

#[test]
fn a_tree_ten_thousand_deep_and_one_as_wide_are_both_read() {
    let record = |uuid: usize, parent: Option<usize>| {
        let parent = parent.map(|parent| format!("r{parent}"));
        json!({"type": "assistant", "uuid": format!("r{uuid}"), "parentUuid": parent,
               "message": {"role": "assistant", "content": [{"type": "text", "text": "x"}]}})
    };
    let deep = (1..10_000).fold(Session::numbered(1).record(&record(0, None)), |session, index| {
        session.record(&record(index, Some(index - 1)))
    });
    let wide = (1..10_000).fold(Session::numbered(2).record(&record(0, None)), |session, index| {
        session.record(&record(index, Some(0)))
    });
    for session in [deep, wide] {
        let shown = explain(&session);
        assert_eq!((shown.chunks.len(), shown.branches.len()), (1, 1));
        assert_eq!(shown.chunks[0].records.len(), 10_000);
    }
}
