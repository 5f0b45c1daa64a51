//! Pair: calls and results find each other, and either may be missing.

use serde_json::json;
use steno_conversation::Conversation;
use steno_conversation::model::{ChunkBody, Step, ToolOutcome};
use steno_testkit::{Era, Session, ToolResult};

use crate::passes::explaining::explain;
use crate::passes::words::{outline, warned};

fn call(session: Session, name: &str) -> Session {
    session.assistant(|message| message.tool_use(name, json!({"command": "ls"})))
}

fn first_outcome(conversation: &Conversation) -> &ToolOutcome {
    let steps = conversation.chunks.iter().filter_map(|chunk| match &chunk.body {
        ChunkBody::Ai(ai) => Some(&ai.steps),
        _ => None,
    });
    let outcome = steps.flatten().find_map(|step| match step {
        Step::Tool(tool) => tool.result.as_ref(),
        _ => None,
    });
    outcome.unwrap()
}

#[test]
fn a_call_and_its_result_know_their_records_and_their_time() {
    for era in Era::ALL {
        let session = call(Session::numbered(1).era(era).user("go"), "Bash").wait(2500).answer("src");
        let shown = explain(&session);
        let [tool] = &*shown.tools else { panic!("{era:?}") };
        assert_eq!((tool.name.as_str(), tool.is_error), ("Bash", false));
        let records = &session.made().records;
        let at = |at: &Option<steno_conversation::model::RecordRef>| at.clone().unwrap().uuid.unwrap();
        assert_eq!((&at(&tool.call), &at(&tool.result)), (&records[1], &records[2]), "{era:?}");
        assert_eq!(tool.duration_ms, Some(3500), "{era:?}");
        assert!(shown.warnings.is_empty(), "{era:?}");
    }
}

#[test]
fn what_the_client_measured_is_better_than_the_clock() {
    let session = call(Session::numbered(1).user("go"), "WebFetch")
        .answer_with(ToolResult::text("page").structured(json!({"durationMs": 42.7})));
    assert_eq!(explain(&session).tools[0].duration_ms, Some(42));
}

#[test]
fn a_clock_that_runs_back_gives_no_duration() {
    let session = call(Session::numbered(1).user("go"), "Bash").wait(-60_000).answer("src");
    assert_eq!(explain(&session).tools[0].duration_ms, None);
}

#[test]
fn a_call_without_a_result_is_shown_and_warned_of() {
    let session = call(Session::numbered(1).user("go"), "Bash");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: Bash …"]);
    assert_eq!(warned(&shown), ["tool-without-result"]);
    assert_eq!(shown.warnings[0].line, Some(2));
    assert_eq!(shown.tools[0].result, None);
}

#[test]
fn a_result_without_a_call_is_kept_and_warned_of() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.text("hm"))
        .tool_result("toolu_gone", "what nobody asked for");
    let shown = explain(&session);
    assert_eq!(warned(&shown), ["result-without-tool"]);
    let [tool] = &*shown.tools else { panic!() };
    assert_eq!((tool.id.as_str(), tool.name.as_str(), &tool.call), ("toolu_gone", "", &None));
    assert_eq!(shown.chunks[1].records.len(), 2, "the record belongs to the chunk that it stands behind");
}

#[test]
fn a_result_comes_late_and_still_goes_to_its_call() {
    let session = call(Session::numbered(1).user("go"), "Bash")
        .queued_prompt("and?")
        .assistant(|message| message.text("wait"))
        .answer("late");
    assert_eq!(
        outline(&explain(&session).chunks),
        ["user: go", "ai: Bash → late", "user (queued): and?", "ai: text wait"]
    );
}

#[test]
fn two_results_for_one_call_keep_the_first() {
    let session = call(Session::numbered(1).user("go"), "Bash");
    let id = session.made().last_tool().to_string();
    let session = session.tool_result(&id, "first").tool_result(&id, "second");
    assert_eq!(outline(&explain(&session).chunks), ["user: go", "ai: Bash → first"]);
}

#[test]
fn errors_are_errors() {
    let session = call(Session::numbered(1).user("go"), "Bash").answer_error("exit 1");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: Bash failed: exit 1"]);
    assert!(shown.tools[0].is_error);
}

#[test]
fn structured_results_may_have_any_shape() {
    for structured in
        [json!({"stdout": "x"}), json!("Error: x"), json!([{"type": "text", "text": "x"}]), json!(7)]
    {
        let session = call(Session::numbered(1).user("go"), "mcp__tool")
            .answer_with(ToolResult::text("x").structured(structured.clone()));
        let shown = explain(&session);
        assert_eq!(first_outcome(&shown).structured, Some(structured));
    }
    let session = call(Session::numbered(1).user("go"), "mcp__tool")
        .answer_with(ToolResult::text("x").structured(json!(null)));
    assert_eq!(first_outcome(&explain(&session)).structured, None);
}

#[test]
fn long_output_is_found_by_its_file_name_on_any_machine() {
    for era in Era::ALL {
        let long = "output ".repeat(6000);
        let session =
            call(Session::numbered(1).era(era).user("go"), "Bash").answer_with(ToolResult::persisted(&*long));
        let name = session.build().tool_results[0].name.clone();
        let shown = explain(&session);
        let persisted = first_outcome(&shown).persisted.clone().unwrap();
        assert!(persisted.path.starts_with("/home/dev/"), "{era:?}: {}", persisted.path);
        assert_eq!(persisted.found, Some(format!("/kept/tool-results/{name}")), "{era:?}");
        let size = (era != Era::V1_0).then_some(long.len() as u64);
        assert_eq!(persisted.size_bytes, size, "{era:?}: the oldest client tells it in words only");
    }
}

#[test]
fn long_output_of_a_windows_machine_is_found_too() {
    let session = call(Session::numbered(1).user("go"), "Bash").answer_with(ToolResult::persisted("text"));
    let name = session.build().tool_results[0].name.clone();
    let there = format!(r"C:\\Users\\dev\\.claude\\projects\\x\\tool-results\\{name}");
    let bytes = String::from_utf8(session.build().bytes).unwrap();
    let start = bytes.find("\"persistedOutputPath\":\"").unwrap() + "\"persistedOutputPath\":\"".len();
    let end = start + bytes[start..].find('"').unwrap();
    let bytes = format!("{}{there}{}", &bytes[..start], &bytes[end..]);
    let shown = crate::passes::explaining::explain_bytes(&session, bytes.as_bytes());
    assert_eq!(
        first_outcome(&shown).persisted.clone().unwrap().found,
        Some(format!("/kept/tool-results/{name}"))
    );
}

#[test]
fn a_text_that_only_speaks_of_persisted_output_is_text() {
    let text = "the tag <persisted-output>\nsaved to: /x.txt\n</persisted-output> means";
    let session = call(Session::numbered(1).user("go"), "Bash").answer(text);
    assert_eq!(first_outcome(&explain(&session)).persisted, None);
}

#[test]
fn several_results_in_one_record_all_arrive() {
    let session = call(call(Session::numbered(1).user("go"), "Bash"), "Read");
    let [one, two] = &session.made().tools[..] else { panic!() };
    let results = json!([
        {"type": "tool_result", "tool_use_id": one, "content": "1"},
        {"type": "tool_result", "tool_use_id": two, "content": [{"type": "text", "text": "2"}]},
    ]);
    let record = json!({
        "type": "user", "uuid": null, "timestamp": null, "toolUseResult": {"stdout": "whose?"},
        "message": {"role": "user", "content": results},
    });
    let shown = explain(&session.clone().linked(record));
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: Bash → 1, Read → 2"]);
    assert_eq!(first_outcome(&shown).structured, None);
}
