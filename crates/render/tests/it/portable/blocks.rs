//! Content: every kind of block, and messages without any.

use serde_json::{Value, json};
use steno_render::Detail;
use steno_render::portable::{Block, Media, Object, Role};
use steno_testkit::{Era, Session, ToolResult};

use crate::portable::accounting::everything;
use crate::portable::carrying::carry;
use crate::portable::words::outline;

#[test]
fn a_conversation_of_every_era_is_carried() {
    for era in Era::ALL {
        let session = Session::numbered(1)
            .era(era)
            .user("hello")
            .assistant(|message| {
                message.thinking("hm").text("hi").tool_use("Bash", json!({"command": "ls"})).answered("a.rs")
            })
            .assistant(|message| message.text("done"));
        let shown = carry(&session, &everything());
        let wanted =
            ["user: hello", "assistant: thinking hm, hi, call Bash", "user: result a.rs", "assistant: done"];
        assert_eq!(outline(&shown.messages), wanted, "{era:?}");
        assert_eq!(shown.source.agent, "claude-code");
        assert_eq!(
            (&shown.source.versions[..], shown.source.cwd.is_some()),
            (&[era.version().to_owned()][..], true)
        );
        assert!(shown.started_at <= shown.ended_at && shown.started_at.is_some());
        assert_eq!(shown.messages[0].role, Role::User);
    }
}

#[test]
fn the_document_has_the_keys_that_others_read() {
    let session = Session::numbered(1).user("hello").plan("# P").approve_plan();
    let written = serde_json::to_value(carry(&session, &Detail::default())).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&written),
        ["id", "title", "source", "startedAt", "endedAt", "messages", "plans", "extensions"]
    );
    assert_eq!(keys(&written["source"]), ["agent", "versions", "cwd", "projectHash", "gitBranch"]);
    assert_eq!(keys(&written["messages"][0]), ["role", "timestamp", "content", "extensions"]);
    assert_eq!(written["messages"][0]["content"], json!([{"type": "text", "text": "hello"}]));
    assert_eq!(written["plans"][0]["verdict"], "approved");
    assert_eq!(written["extensions"]["system_events"], json!([]));
    assert_eq!(written["extensions"]["unknown_records"], json!([]));
}

#[test]
fn thinking_is_there_when_asked_for_and_counted_otherwise() {
    let session = Session::numbered(1).user("go").assistant(|message| message.thinking("hm").text("hi"));
    let shown = carry(&session, &Detail::default());
    assert_eq!(outline(&shown.messages), ["user: go", "assistant: hi"]);
    assert_eq!(shown.extensions.left_out.get("thinking"), Some(&1));
    let shown = carry(&session, &everything());
    assert!(matches!(&shown.messages[1].content[0], Block::Thinking { text, .. } if text == "hm"));
    assert_eq!(shown.extensions.left_out.get("thinking"), None);
}

#[test]
fn redacted_thinking_leaves_no_trace() {
    let session = Session::numbered(1).user("go").assistant(|message| message.redacted_thinking().text("hi"));
    let shown = carry(&session, &everything());
    assert_eq!(outline(&shown.messages), ["user: go", "assistant: hi"]);
    let written = serde_json::to_string(&shown).unwrap();
    assert!(!written.contains("redacted"), "{written}");
}

#[test]
fn a_block_without_a_form_travels_raw() {
    let hologram = json!({"type": "hologram", "depth": {"cm": 3}});
    let session =
        Session::numbered(1).user("go").assistant(|message| message.text("see").block(hologram.clone()));
    let shown = carry(&session, &Detail::default());
    assert_eq!(outline(&shown.messages)[1], "assistant: see, unknown hologram");
    assert_eq!(shown.messages[1].extensions.original_content, [hologram]);
}

#[test]
fn content_that_is_a_string_is_one_text_and_none_is_an_empty_message() {
    let session = Session::numbered(1)
        .linked(json!({"type": "user", "message": {"role": "user", "content": "bare"}}))
        .linked(json!({"type": "assistant", "message": {"role": "assistant", "id": "m1"}}))
        .linked(json!({"type": "user", "message": {"role": "user"}}))
        .linked(json!({"type": "user", "message": "even barer"}));
    let shown = carry(&session, &Detail::default());
    assert_eq!(outline(&shown.messages), ["user: bare", "assistant: ", "user: ", "user: even barer"]);
}

#[test]
fn images_and_documents_keep_their_data() {
    let document = json!({"type": "document", "title": "Notes",
        "source": {"type": "text", "media_type": "text/plain", "data": "words"}});
    let by_url = json!({"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}});
    let by_file = json!({"type": "image", "source": {"type": "file", "file_id": "f1"}});
    let session = Session::numbered(1)
        .image("look", "QUJD")
        .user_blocks(vec![document, by_url, by_file.clone(), json!({"type": "text", "text": "read"})])
        .assistant(|message| message.tool_use("Read", json!({})).answered_with(ToolResult::image("REVG")));
    let shown = carry(&session, &Detail::default());
    let media = |data: &str| Media {
        media_type: Some("image/png".into()),
        data: Some(data.into()),
        url: None,
        title: None,
        other: Object::new(),
    };
    assert!(shown.messages[0].content.contains(&Block::Image(media("QUJD"))), "{shown:?}");
    let content = serde_json::to_value(&shown.messages[1].content).unwrap();
    assert_eq!(
        content,
        json!([
            {"type": "document", "media_type": "text/plain", "data": "words", "title": "Notes"},
            {"type": "image", "url": "https://example.org/a.png"},
            {"type": "unknown", "block_type": "image"},
            {"type": "text", "text": "read"},
        ])
    );
    assert_eq!(shown.messages[1].extensions.original_content, [by_file]);
    let Block::ToolResult { images, .. } = &shown.messages[3].content[0] else { panic!("{shown:?}") };
    assert_eq!(images, &[Block::Image(media("REVG"))]);
}

#[test]
fn results_are_whole_with_what_the_client_keeps_beside_them() {
    let long = "x".repeat(5000);
    let session = Session::numbered(1).user("go").assistant(|message| {
        let result = ToolResult::text(long.clone()).structured(json!({"stdout": "kept"})).error();
        message.tool_use("Bash", json!({"command": "ls"})).answered_with(result)
    });
    let shown = carry(&session, &Detail::default());
    let Block::ToolResult { tool_use_id, output, is_error, .. } = &shown.messages[2].content[0] else {
        panic!("{shown:?}")
    };
    assert_eq!((output, *is_error, tool_use_id), (&long, true, &session.made().tools[0]));
    assert_eq!(shown.messages[2].extensions.tool_use_result.as_ref().unwrap()["stdout"], "kept");
}

#[test]
fn tools_of_the_api_keep_their_type() {
    let session = Session::numbered(1).user("go").assistant(|message| {
        message
            .block(
                json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}}),
            )
            .block(json!({"type": "web_search_tool_result", "tool_use_id": "s1",
                "content": [{"type": "web_search_result", "title": "T"}]}))
    });
    let content = serde_json::to_value(&carry(&session, &Detail::default()).messages[1].content).unwrap();
    assert_eq!(content[0]["block_type"], "server_tool_use");
    assert_eq!(content[1]["block_type"], "web_search_tool_result");
    assert_eq!(content[1]["output"], r#"{"type":"web_search_result","title":"T"}"#);
}

#[test]
fn results_inside_results_do_not_nest() {
    let mut inner = r#"{"type":"tool_result","tool_use_id":"t","content":"x"}"#.to_owned();
    for _ in 0..5000 {
        inner = format!(r#"{{"type":"tool_result","tool_use_id":"t","content":[{inner}]}}"#);
    }
    let line = format!(
        r#"{{"type":"user","uuid":"u","message":{{"role":"user","content":[{inner}]}},"deep":{}1{}}}"#,
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    let session = Session::numbered(1).raw(format!("{line}\n"));
    let shown = carry(&session, &Detail::default());
    let Block::ToolResult { output, .. } = &shown.messages[0].content[0] else { panic!("one result") };
    assert!(output.starts_with(r#"{"type":"tool_result""#));
    assert!(shown.messages[0].extensions.other["deep"].is_string());
}

#[test]
fn blocks_keep_their_other_fields() {
    let source = json!({"type": "text", "media_type": "text/plain", "data": "words"});
    let session = Session::numbered(1)
        .user_blocks(vec![
            json!({"type": "text", "text": "read", "cache_control": {"type": "ephemeral"}, "nothing": null}),
            json!({"type": "document", "title": "Notes", "context": "from the wiki", "source": source.clone()}),
            json!({"type": "image", "data": "odd", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD", "width": 3}}),
        ])
        .assistant(|message| {
            message
                .block(json!({"type": "text", "text": "see", "citations": [{"cited_text": "w"}]}))
                .block(json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {}, "caller": {"type": "direct"}, "block_type": 7}))
        })
        .user_blocks(vec![json!({"type": "tool_result", "tool_use_id": "t1", "is_error": "no", "cache_control": 1, "content": [
            {"type": "text", "text": "a", "citations": []},
            {"type": "document", "title": "Found", "source": source},
        ]})]);
    let shown = carry(&session, &Detail::default());
    let written = |place: usize| serde_json::to_value(&shown.messages[place].content).unwrap();
    assert_eq!(
        written(0),
        json!([
            {"type": "text", "text": "read", "cache_control": {"type": "ephemeral"}},
            {"type": "document", "media_type": "text/plain", "data": "words", "title": "Notes", "context": "from the wiki"},
            {"type": "image", "media_type": "image/png", "data": "QUJD", "source": {"width": 3}, "odd_fields": {"data": "odd"}},
        ])
    );
    assert_eq!(
        written(1),
        json!([
            {"type": "text", "text": "see", "citations": [{"cited_text": "w"}]},
            {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}, "caller": {"type": "direct"}, "odd_fields": {"block_type": 7}},
        ])
    );
    assert_eq!(
        written(2),
        json!([{"type": "tool_result", "tool_use_id": "t1", "output": "a", "is_error": false, "cache_control": 1,
            "content": [{"type": "text", "citations": []}], "odd_fields": {"is_error": "no"},
            "images": [{"type": "document", "media_type": "text/plain", "data": "words", "title": "Found"}]}])
    );
}

#[test]
fn the_fuller_input_of_a_call_wins() {
    let record = |input: Value| {
        json!({"type": "assistant", "uuid": null, "timestamp": null, "requestId": "r", "message": {"id": "m",
            "role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": input}]}})
    };
    let session =
        Session::numbered(1).user("go").linked(record(json!({}))).linked(record(json!({"command": "ls"})));
    let shown = carry(&session, &Detail::default());
    let [Block::ToolUse { input, .. }] = &shown.messages[1].content[..] else { panic!("{shown:?}") };
    assert_eq!(input, &json!({"command": "ls"}));
}

#[test]
fn what_is_not_as_it_should_be_is_set_aside() {
    let session = Session::numbered(1)
        .linked(json!({"type": "user", "message": ["in a list"]}))
        .linked(json!({"type": "user", "message": 7}))
        .linked(json!({"type": "assistant", "message": {"role": "model", "stop_reason": ["end"], "content": 3, "id": "m"}}));
    let shown = carry(&session, &Detail::default());
    assert_eq!(outline(&shown.messages), ["user: in a list", "user: ", "assistant: "]);
    let odd = |place: usize| Value::Object(shown.messages[place].extensions.odd_fields.clone());
    assert_eq!((odd(0), odd(1)), (json!({}), json!({"message": 7})));
    assert_eq!(odd(2), json!({"message": {"role": "model", "stop_reason": ["end"], "content": 3}}));
}
