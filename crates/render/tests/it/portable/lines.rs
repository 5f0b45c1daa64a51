//! Which messages there are: hidden ones, branches, tails, summaries, agents.

use serde_json::json;
use steno_render::Detail;
use steno_testkit::{self as testkit, Era, Session};

use crate::portable::accounting::{accounted, everything};
use crate::portable::carrying::carry;
use crate::portable::words::outline;

const PLAN: &str = "# Move\n\n1. Now.";

#[test]
fn hidden_messages_are_counted_and_come_when_asked_for() {
    for era in Era::ALL {
        let session = Session::numbered(1)
            .era(era)
            .user("plan it")
            .plan(PLAN)
            .reject_plan("")
            .interrupt_tool()
            .implement(PLAN)
            .assistant(|message| message.text("on it"))
            .tagged("Warmup")
            .meta("Continue.")
            .user("thanks");
        let shown = carry(&session, &Detail::default());
        let lines = outline(&shown.messages).join("\n");
        for hidden in ["interrupted by user for", "Implement the following", "Warmup", "Continue."] {
            assert!(!lines.contains(&format!("user: {hidden}")), "{era:?}: {hidden} in\n{lines}");
        }
        assert!(shown.extensions.left_out["hidden"] >= 4, "{era:?}");
        assert_eq!(serde_json::to_value(shown.plans[0].verdict).unwrap(), "approved");
        let all = carry(&session, &everything());
        let why: Vec<&str> =
            all.messages.iter().filter_map(|message| message.extensions.hidden.as_deref()).collect();
        for reason in ["interruption", "plan-request", "noise", "meta"] {
            assert!(why.contains(&reason), "{era:?}: no {reason} among {why:?}");
        }
        assert!(!all.extensions.left_out.contains_key("hidden"));
    }
}

#[test]
fn a_line_that_a_rewind_left_is_kept_apart() {
    let session = Session::numbered(1)
        .user("one")
        .assistant(|message| message.text("a"))
        .user("two")
        .assistant(|message| message.text("left behind"))
        .rewind_to(1)
        .user("three")
        .assistant(|message| message.text("b"));
    let shown = carry(&session, &Detail::default());
    assert_eq!(outline(&shown.messages), ["user: one", "assistant: a", "user: three", "assistant: b"]);
    assert_eq!(outline(&shown.extensions.abandoned), ["user: two", "assistant: left behind"]);
}

#[test]
fn the_tail_starts_where_it_is_asked_to() {
    let session = Session::numbered(1)
        .user("one")
        .assistant(|message| message.text("a"))
        .user("two")
        .assistant(|message| message.text("b"));
    let values = session.build().values();
    let from = values.iter().position(|record| record["message"]["content"] == "two").unwrap();
    let shown = carry(&session, &Detail { from_record: from, ..everything() });
    assert_eq!(outline(&shown.messages), ["user: two", "assistant: b"]);
    assert_eq!(shown.extensions.left_out["before_tail"], from as u64);
    assert_eq!(accounted(&shown), values.len() as u64);
}

#[test]
fn the_tail_cuts_an_answer_that_a_queued_prompt_parts() {
    let record = |text: &str| {
        json!({"type": "assistant", "uuid": null, "timestamp": null, "requestId": "r", "message": {"id": "m",
            "role": "assistant", "content": [{"type": "text", "text": text}]}})
    };
    let session = Session::numbered(1)
        .user("one")
        .linked(record("before"))
        .queued_prompt("two")
        .linked(record("after"));
    let values = session.build().values();
    let from = values.iter().position(|record| record["type"] == "attachment").unwrap();
    let shown = carry(&session, &Detail { from_record: from, ..everything() });
    assert_eq!(outline(&shown.messages), ["user: two", "assistant: after"]);
    assert_eq!(accounted(&shown), values.len() as u64);
}

#[test]
fn two_agents_of_one_id_are_two() {
    let one = Session::numbered(1).user("go").agent(|agent| agent.id("a1").prompt("look").answer("found"));
    let bytes = one.build().agents[0].bytes.clone();
    let again = String::from_utf8(bytes).unwrap().replace("look", "look again");
    let session = one.agent_file("a1", again);
    let shown = carry(&session, &everything());
    let mut lines: Vec<String> =
        shown.extensions.agents.iter().map(|agent| outline(&agent.messages)[0].clone()).collect();
    lines.sort();
    assert_eq!(lines, ["user: look", "user: look again"]);
}

#[test]
fn summaries_of_compactions_can_be_left_out() {
    let session = Session::numbered(1).user("one").compact("auto", 100, 10, "all of it").user("two");
    let shown = carry(&session, &Detail::default());
    assert!(shown.messages.iter().any(|message| message.extensions.is_compact_summary == Some(true)));
    let shown = carry(&session, &Detail { without_compact_summaries: true, ..Detail::default() });
    assert_eq!(outline(&shown.messages), ["user: one", "user: two"]);
    assert_eq!(shown.extensions.left_out["compact_summaries"], 1);
    assert!(!shown.extensions.system_events.is_empty(), "the boundary is an event");
}

#[test]
fn agents_come_when_asked_for() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).user("go").agent(|agent| {
            agent
                .description("look around")
                .prompt("look")
                .steps(|steps| steps.assistant(|message| message.text("looking")))
                .answer("found it")
        });
        let shown = carry(&session, &Detail { agents: true, ..Detail::default() });
        let [agent] = &shown.extensions.agents[..] else { panic!("{era:?}: {shown:?}") };
        assert_eq!(agent.description.as_deref(), Some("look around"), "{era:?}");
        assert!(agent.tool_id.is_some(), "{era:?}");
        let lines = outline(&agent.messages);
        assert_eq!(lines[..2], ["user: look", "assistant: looking"], "{era:?}");
        let without = carry(&session, &Detail::default());
        assert!(without.extensions.agents.is_empty(), "{era:?}");
        assert_eq!(accounted(&shown), session.build().values().len() as u64, "{era:?}");
        assert_eq!(accounted(&without), session.build().values().len() as u64, "{era:?}");
    }
}

#[test]
fn agents_of_agents_nest_only_so_deep() {
    fn nested(agent: testkit::Agent, depth: usize) -> testkit::Agent {
        let agent = agent.id(format!("a{depth}")).prompt(format!("level {depth}"));
        if depth == 20 { agent } else { agent.steps(|steps| steps.agent(|agent| nested(agent, depth + 1))) }
    }
    let session = Session::numbered(1).user("go").agent(|agent| nested(agent, 1));
    let detail = Detail { agents: true, ..Detail::default() };
    let mut level = carry(&session, &detail).extensions.agents;
    let (mut count, mut depth) = (0, 0);
    while !level.is_empty() {
        (count, depth) = (count + level.len(), depth + 1);
        assert!(level.iter().all(|agent| !agent.messages.is_empty()));
        level = level.into_iter().flat_map(|agent| agent.agents).collect();
    }
    assert_eq!((count, depth), (20, 17));
    assert_eq!(carry(&session, &Detail::default()).extensions.left_out["agents"], 20);
}

#[test]
fn agents_from_before_the_tail_are_left_out() {
    let session = Session::numbered(1)
        .user("one")
        .agent(|agent| agent.description("early"))
        .user("two")
        .agent(|agent| agent.description("late"));
    let values = session.build().values();
    let from = values.iter().position(|record| record["message"]["content"] == "two").unwrap();
    let shown = carry(&session, &Detail { from_record: from, ..everything() });
    let named: Vec<Option<&str>> =
        shown.extensions.agents.iter().map(|agent| agent.description.as_deref()).collect();
    assert_eq!(named, [Some("late")]);
    assert_eq!(shown.extensions.left_out["agents"], 1);
}
