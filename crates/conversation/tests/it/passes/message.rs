//! Merge: several records, one message, whatever stands between them.

use serde_json::json;
use steno_conversation::model::ChunkBody;
use steno_testkit::{Era, Session, ToolResult};
use steno_transcript::MessageId;

use crate::passes::explaining::explain;
use crate::passes::words::outline;

fn bash(command: &str) -> serde_json::Value {
    json!({"command": command})
}

#[test]
fn text_and_tool_call_in_different_records_are_one_answer_in_every_era() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).user("go").assistant(|message| {
            message.thinking("hm").text("I look.").tool_use("Bash", bash("ls")).answered("src")
        });
        let shown = explain(&session);
        assert_eq!(
            outline(&shown.chunks),
            ["user: go", "ai: thinking hm, text I look., Bash → src"],
            "{era:?}"
        );
        assert_eq!(shown.profile.messages, 3, "{era:?}: prompt, answer, result");
    }
}

#[test]
fn records_of_a_message_need_not_be_adjacent() {
    // The newest client writes a result as soon as it has it, between the blocks of one message.
    let session = Session::numbered(1).user("go").assistant(|message| {
        message
            .tool_use("Bash", bash("one"))
            .answered("1")
            .tool_use("Bash", bash("two"))
            .answered("2")
            .text("both done")
    });
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: Bash → 1, Bash → 2, text both done"]);
    assert_eq!(shown.profile.messages, 4, "prompt, one answer, two results");
}

#[test]
fn a_cumulative_snapshot_adds_only_what_is_new() {
    for era in Era::ALL {
        let session = Session::numbered(1)
            .era(era)
            .user("go")
            .assistant(|message| message.thinking("hm").text("one").text("two").cumulative());
        let shown = explain(&session);
        assert_eq!(outline(&shown.chunks), ["user: go", "ai: thinking hm, text one, text two"], "{era:?}");
    }
}

#[test]
fn a_snapshot_that_repeats_a_tool_call_makes_no_second_call() {
    let session = Session::numbered(1).user("go");
    let calls = json!([{"type": "tool_use", "id": "toolu_x", "name": "Bash", "input": {"command": "ls"}}]);
    let record = |content: &serde_json::Value| {
        json!({
            "type": "assistant", "uuid": null, "timestamp": null, "requestId": "req_1",
            "message": {"id": "msg_1", "role": "assistant", "model": "m", "content": content, "stop_reason": null},
        })
    };
    let session = session.linked(record(&calls)).linked(record(&calls)).tool_result("toolu_x", "src");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: Bash → src"]);
    assert_eq!((shown.profile.tool_calls, shown.tools.len()), (1, 1));
}

#[test]
fn a_repeated_record_is_shown_once() {
    for era in Era::ALL {
        let session =
            Session::numbered(1).era(era).user("go").assistant(|message| message.text("done")).repeat_last();
        let shown = explain(&session);
        assert_eq!(outline(&shown.chunks), ["user: go", "ai: text done"], "{era:?}");
        assert_eq!(shown.profile.messages, 2, "{era:?}");
    }
}

#[test]
fn the_same_words_in_two_messages_are_said_twice() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.text("trying"))
        .assistant(|message| message.text("trying"));
    assert_eq!(outline(&explain(&session).chunks), ["user: go", "ai: text trying, text trying"]);
}

#[test]
fn records_without_a_message_id_are_messages_of_their_own() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.text("same").without_id())
        .assistant(|message| message.text("same").without_id());
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text same, text same"]);
    assert_eq!(shown.profile.messages, 3);
}

#[test]
fn one_id_under_two_requests_is_two_messages() {
    let id = MessageId::new("msg_shared");
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.text("first").id(id.clone()).request_id("req_1"))
        .assistant(|message| message.text("first").id(id.clone()).request_id("req_2"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text first, text first"]);
    assert_eq!(shown.profile.messages, 3);
}

#[test]
fn content_may_be_a_string_or_missing() {
    let record = |message: serde_json::Value| json!({"type": "assistant", "uuid": null, "timestamp": null, "message": message});
    let session = Session::numbered(1)
        .user("go")
        .linked(record(json!({"role": "assistant", "content": "a plain string"})))
        .linked(record(json!({"role": "assistant"})))
        .linked(record(json!("the message itself is a string")))
        .linked(record(json!(["or a list"])));
    let shown = explain(&session);
    assert_eq!(
        outline(&shown.chunks),
        ["user: go", "ai: text a plain string, text the message itself is a string, text or a list"]
    );
    assert_eq!(shown.profile.messages, 5);
}

#[test]
fn unknown_blocks_are_kept_and_shown_as_unknown() {
    let block = json!({"type": "hologram", "volume": [1, 2.5, null]});
    let session =
        Session::numbered(1).user("go").assistant(|message| message.block(block.clone()).text("done"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: unknown hologram, text done"]);
    let ChunkBody::Ai(ai) = &shown.chunks[1].body else { panic!() };
    assert_eq!(serde_json::to_value(&ai.steps[0]).unwrap()["raw"], block);
}

#[test]
fn pictures_in_results_are_kept_without_their_data() {
    let session = Session::numbered(1).user("go").assistant(|message| {
        message.tool_use("Read", json!({"file_path": "a.png"})).answered_with(ToolResult::image("aGVsbG8="))
    });
    let shown = explain(&session);
    let value = serde_json::to_value(&shown.chunks[1]).unwrap();
    assert_eq!(value["steps"][0]["result"]["images"][0]["mediaType"], "image/png");
    assert_eq!(value["steps"][0]["result"]["images"][0]["encodedBytes"], 8);
    assert!(!value.to_string().contains("aGVsbG8="));
}
