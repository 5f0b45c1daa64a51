//! Blocks and lines: what stands on two lines is seen on the one that is shown.

use serde_json::{Value, json};
use steno_conversation::model::{ChunkBody, Step, Thread};
use steno_testkit::Session;
use steno_transcript::MessageId;

use crate::passes::explaining::explain;
use crate::passes::words::outline;

/// A record of the answer that all of these share.
fn answer(content: Value) -> Value {
    json!({
        "type": "assistant", "uuid": null, "timestamp": null, "requestId": "req_1",
        "message": {"id": "msg_1", "role": "assistant", "model": "m", "content": content, "stop_reason": null,
            "usage": {"input_tokens": 3, "output_tokens": 5}},
    })
}

#[test]
fn an_answer_that_stood_on_a_line_that_was_left_is_shown_on_this_one() {
    let said = |message: steno_testkit::AssistantMessage| {
        message.text("the same").id(MessageId::new("msg_1")).request_id("req_1")
    };
    let session = Session::numbered(1)
        .user("one")
        .assistant(|message| message.text("a"))
        .user("two")
        .assistant(said)
        .rewind_to(1)
        .user("three")
        .assistant(said);
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "ai: text a", "user: three", "ai: text the same"]);
    assert_eq!(shown.profile.messages, 5, "the answer is one message, whichever line it is on");
    let starts = shown.placing.iter().filter(|placing| placing.message == Some(placing.index));
    assert_eq!(starts.filter(|placing| placing.thread == Thread::Active).count(), 4);
    assert_eq!(shown.message_starts.len(), 4);
}

#[test]
fn an_answer_that_stood_on_a_sidechain_is_shown_in_the_session() {
    let text = json!([{"type": "text", "text": "the same"}]);
    let mut aside = answer(text.clone());
    aside["isSidechain"] = json!(true);
    let session = Session::numbered(1).user("go").linked(aside).linked(answer(text));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text the same"]);
    assert_eq!(shown.profile.tokens.output, 5, "counted once");
}

#[test]
fn a_call_and_its_result_on_two_lines_are_those_of_the_line_that_is_shown() {
    let call = json!([{"type": "tool_use", "id": "toolu_x", "name": "Bash", "input": {"command": "ls"}}]);
    let session = Session::numbered(1)
        .user("one")
        .user("two")
        .linked(answer(call.clone()))
        .tool_result("toolu_x", "left behind")
        .rewind_to(1)
        .user("three")
        .linked(answer(call))
        .tool_result("toolu_x", "here");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "user: three", "ai: Bash → here"]);
    let ChunkBody::Ai(ai) = &shown.chunks[2].body else { panic!("{shown:?}") };
    let Step::Tool(tool) = &ai.steps[0] else { panic!("{ai:?}") };
    assert_eq!(shown.tools[0].call.as_ref(), Some(&tool.record));
    assert_eq!(shown.tools[0].result.as_ref(), tool.result.as_ref().map(|result| &result.record));
}

#[test]
fn the_fuller_input_of_a_call_wins() {
    let call = |input: Value| json!([{"type": "tool_use", "id": "toolu_x", "name": "Bash", "input": input}]);
    let session = Session::numbered(1)
        .user("go")
        .linked(answer(call(json!({}))))
        .linked(answer(call(json!({"command": "ls"}))))
        .linked(answer(call(json!({}))))
        .tool_result("toolu_x", "src");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: Bash → src"]);
    let ChunkBody::Ai(ai) = &shown.chunks[1].body else { panic!("{shown:?}") };
    let Step::Tool(tool) = &ai.steps[0] else { panic!("{ai:?}") };
    assert_eq!(tool.input, json!({"command": "ls"}));
    let fuller: Vec<&[usize]> = shown.placing.iter().map(|placing| &placing.fuller[..]).collect();
    assert_eq!(fuller, [&[][..], &[], &[0], &[], &[]]);
}

#[test]
fn a_plan_that_is_written_empty_first_has_its_text() {
    let call =
        |input: Value| json!([{"type": "tool_use", "id": "toolu_x", "name": "ExitPlanMode", "input": input}]);
    let session = Session::numbered(1)
        .user("plan it")
        .linked(answer(call(json!({}))))
        .linked(answer(call(json!({"plan": "# Move\n\n1. Now."}))))
        .tool_result("toolu_x", "User has approved your plan.");
    let shown = explain(&session);
    assert_eq!(shown.plans[0].text, "# Move\n\n1. Now.");
    assert_eq!(shown.profile.title.as_deref(), Some("Move"));
}
