//! Shapes that are rare, and that a reader gets wrong in silence: replays, plans of agents, half-told fields.

use serde_json::json;
use steno_conversation::model::{ChunkBody, Step, Verdict};
use steno_testkit::{Era, Session};

use crate::passes::explaining::{explain, explain_bytes};
use crate::passes::words::outline;

fn turn(session: Session, prompt: &str, answer: &str) -> Session {
    session.user(prompt).assistant(|message| message.text(answer))
}

#[test]
fn a_replayed_tail_hides_nothing_and_counts_once() {
    for era in Era::ALL {
        let session = turn(turn(Session::numbered(1).era(era), "one", "1"), "two", "2");
        let once = explain(&session);
        let bytes = [session.bytes(), session.bytes()].concat();
        let twice = explain_bytes(&session, &bytes);
        assert_eq!(outline(&twice.chunks), outline(&once.chunks), "{era:?}");
        assert_eq!(twice.branches.len(), 1, "{era:?}");
        assert_eq!(
            (twice.profile.turns, twice.profile.messages),
            (once.profile.turns, once.profile.messages),
            "{era:?}"
        );
    }
}

#[test]
fn a_turn_that_began_with_a_command_can_be_rewound() {
    let session = turn(Session::numbered(1), "one", "1");
    let fork = session.made().last_record().clone();
    let session = session.slash_command("/review", "all").assistant(|message| message.text("reviewed"));
    let session = turn(session.leaf(Some(fork.clone())), "two", "2");
    assert_eq!(outline(&explain(&session).chunks), ["user: one", "ai: text 1", "user: two", "ai: text 2"]);
    let session =
        session.leaf(Some(fork)).slash_command("/test", "").assistant(|message| message.text("tested"));
    let shown = explain(&session);
    assert!(!outline(&shown.chunks).iter().any(|line| line.contains("two")), "{:?}", outline(&shown.chunks));
}

#[test]
fn a_plan_accepted_with_a_cleared_context_keeps_what_led_to_it() {
    let session = Session::numbered(1).user("plan it").plan("# P").reject_plan("");
    let request = format!("Implement the following plan:\n\n{}", "# P");
    let session = turn(session.leaf(None), &request, "done");
    let shown = explain(&session);
    assert_eq!(shown.plans[0].verdict, Verdict::Approved);
    assert_eq!(shown.branches.len(), 1);
    assert_eq!(outline(&shown.chunks).len(), 4, "{:?}", outline(&shown.chunks));
}

#[test]
fn a_plan_of_an_agent_is_a_plan_of_its_own() {
    let session = Session::numbered(1)
        .user("go")
        .plan("# Main")
        .approve_plan()
        .agent(|agent| agent.steps(|steps| steps.plan("# Agent's").reject_plan("no")));
    let shown = explain(&session);
    let plans: Vec<_> = shown.plans.iter().map(|plan| (plan.text.as_str(), plan.verdict)).collect();
    assert_eq!(plans, [("# Main", Verdict::Approved), ("# Agent's", Verdict::Rejected)]);
    let steps = shown.agents[0].chunks.iter().filter_map(|chunk| match &chunk.body {
        ChunkBody::Ai(ai) => Some(&ai.steps),
        _ => None,
    });
    let places: Vec<usize> = steps
        .flatten()
        .filter_map(|step| match step {
            Step::Plan(step) => Some(step.plan),
            _ => None,
        })
        .collect();
    assert_eq!(places, [1]);
    assert!(shown.agents[0].tools.iter().any(|tool| tool.name == "ExitPlanMode"));
}

#[test]
fn the_same_words_wait_in_the_queue_only_once() {
    let queue = |operation: &str, at: &str| json!({"type": "queue-operation", "operation": operation, "timestamp": at, "content": "continue"});
    let session = Session::numbered(1)
        .at("2026-01-01T00:00:00.000Z")
        .user("continue")
        .record(&queue("enqueue", "2026-01-01T00:00:01.000Z"))
        .assistant(|message| message.text("working"))
        .record(&queue("dequeue", "2026-01-01T00:00:09.000Z"))
        .user("continue")
        .assistant(|message| message.text("more"))
        .user("continue");
    let queued: Vec<bool> = explain(&session)
        .chunks
        .iter()
        .filter_map(|chunk| match &chunk.body {
            ChunkBody::User(user) => Some(user.queued),
            _ => None,
        })
        .collect();
    assert_eq!(queued, [false, true, false]);
}

#[test]
fn one_odd_field_costs_itself_and_not_its_neighbours() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.text("before"))
        .system_with("compact_boundary", json!({"compactMetadata": {"trigger": "auto", "preTokens": "many"}}))
        .system_with("api_error", json!({"error": {"cause": null, "message": "overloaded"}}));
    let shown = explain(&session);
    let compact = shown.chunks.iter().find_map(|chunk| match &chunk.body {
        ChunkBody::Compact(compact) => Some(compact),
        _ => None,
    });
    assert_eq!(
        compact.map(|compact| (compact.trigger.as_deref(), compact.pre_tokens)),
        Some((Some("auto"), None))
    );
    assert!(
        outline(&shown.chunks).iter().any(|line| line.contains("overloaded")),
        "{:?}",
        outline(&shown.chunks)
    );
}

#[test]
fn a_queued_prompt_beside_a_reminder_is_a_prompt() {
    let prompt = json!([
        {"type": "text", "text": "<system-reminder>be kind</system-reminder>"},
        {"type": "text", "text": "also do this"}
    ]);
    let session = turn(Session::numbered(1), "go", "on it")
        .attachment("queued_command", json!({"prompt": prompt, "commandMode": "prompt"}));
    let shown = explain(&session);
    assert_eq!(shown.profile.turns, 2);
    assert!(outline(&shown.chunks).iter().any(|line| line.contains("also do this")));
}

#[test]
fn two_sealed_thoughts_are_two_thoughts() {
    let record = |uuid: &str, data: &str| {
        json!({"type": "assistant", "uuid": uuid, "requestId": "r", "timestamp": "2026-01-01T00:00:00Z",
            "message": {"id": "m", "role": "assistant", "content": [{"type": "redacted_thinking", "data": data}]}})
    };
    let session = Session::numbered(1).user("think");
    let session =
        session.record(&record("a", "AAAA")).record(&record("b", "BBBB")).record(&record("c", "AAAA"));
    let shown = explain(&session);
    let ChunkBody::Ai(ai) = &shown.chunks[1].body else { panic!("{:?}", shown.chunks) };
    assert_eq!(ai.steps.len(), 2);
}

#[test]
fn tool_calls_of_a_message_that_is_a_list_are_counted() {
    let record = json!({"type": "assistant", "uuid": "a", "timestamp": "2026-01-01T00:00:00Z",
        "message": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]});
    let shown = explain(&Session::numbered(1).user("go").record(&record));
    assert_eq!((shown.profile.tool_calls, shown.tools.len()), (1, 1));
}

#[test]
fn shapes_that_no_client_writes_take_no_time() {
    let mut lines = String::new();
    let mut push = |value: serde_json::Value| {
        lines.push_str(&value.to_string());
        lines.push('\n');
    };
    // One message of many records, each tool's result off the line; then many rewinds to one place.
    for number in 0..20_000 {
        let parent = if number == 0 { serde_json::Value::Null } else { json!(format!("a{}", number - 1)) };
        push(
            json!({"type": "assistant", "uuid": format!("a{number}"), "parentUuid": parent, "requestId": "r",
            "message": {"id": "m", "content": [{"type": "tool_use", "id": format!("t{number}"), "name": "Bash"}]}}),
        );
        push(json!({"type": "user", "uuid": format!("r{number}"), "parentUuid": format!("a{number}"),
            "message": {"content": [{"type": "tool_result", "tool_use_id": format!("t{number}"), "content": "x"}]}}));
    }
    for number in 0..20_000 {
        push(json!({"type": "user", "uuid": format!("p{number}"), "parentUuid": "a19999",
            "message": {"content": format!("prompt {number}")}}));
    }
    let session = Session::numbered(1);
    let shown = explain_bytes(&session, lines.as_bytes());
    assert_eq!((shown.tools.len(), shown.branches.len()), (20_000, 20_000));
}
