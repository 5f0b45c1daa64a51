//! Thinking that nobody asked for is nowhere in the document; redacted thinking is not even where it was asked for.

use serde_json::{Value, json};
use steno_render::Detail;
use steno_render::portable::Conversation;
use steno_testkit::{Session, ToolResult};

use crate::portable::accounting::everything;
use crate::portable::carrying::carry;

fn blocks() -> Value {
    json!([
        {"type": "thinking", "thinking": "a secret thought", "signature": "s"},
        {"type": "redacted_thinking", "data": "sealed"},
        {"type": "text", "text": "said aloud"},
    ])
}

/// Thinking at every place where raw values stand; so often.
fn session() -> (Session, u64) {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| {
            let structured = json!({"content": blocks(), "agentId": "a1"});
            let result = ToolResult::text("done").structured(structured);
            message.tool_use("Bash", json!({"command": "ls"})).answered_with(result)
        })
        .assistant(|message| message.block(json!({"type": "hologram", "inside": blocks()})))
        .user_blocks(vec![json!({"type": "tool_result", "tool_use_id": "lost", "content": [
            {"type": "thinking", "thinking": "a secret thought"},
            {"type": "hologram", "inside": blocks()},
            {"type": "redacted_thinking", "data": "sealed"},
        ]})])
        .linked(json!({"type": "user", "message": {"role": "user", "content": "hm", "inside": blocks()}, "more": {"deeper": [blocks()]}}))
        .system_with("novel", json!({"inside": blocks()}))
        .attachment("novel", json!({"inside": {"one": {"type": "thinking", "thinking": "a secret thought"}}}))
        .progress(json!({"message": {"message": {"content": blocks()}}}))
        .record(&json!({"type": "novelty", "inside": blocks()}))
        .api_request_blob("assistant", blocks());
    (session, 11)
}

fn written(document: &Conversation) -> String {
    serde_json::to_string(document).unwrap()
}

#[test]
fn thinking_in_raw_values_is_left_out_and_counted() {
    let (session, count) = session();
    let shown = carry(&session, &Detail { thinking: false, ..everything() });
    let text = written(&shown);
    for gone in ["a secret thought", "sealed", "redacted_thinking"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    assert!(text.matches("said aloud").count() >= 8, "{text}");
    assert_eq!(shown.extensions.left_out.get("thinking"), Some(&count));
}

#[test]
fn thinking_that_was_asked_for_stays_and_redacted_thinking_goes() {
    let (session, count) = session();
    let shown = carry(&session, &everything());
    let text = written(&shown);
    assert_eq!(text.matches("a secret thought").count() as u64, count, "{text}");
    assert!(!text.contains("sealed") && !text.contains("redacted_thinking"), "{text}");
    assert_eq!(shown.extensions.left_out.get("thinking"), None);
}

#[test]
fn what_nests_too_deep_to_be_looked_through_is_left_out_where_it_may_think() {
    let deep = |inside: &str| format!("{}{inside}{}", "[".repeat(100), "]".repeat(100));
    let record = |name: &str, inside: &str| format!("{{\"type\":\"{name}\",\"deep\":{}}}\n", deep(inside));
    let thinking = r#"{"type":"thinking","thinking":"a secret thought"}"#;
    let session = Session::numbered(1).raw(record("one", thinking)).raw(record("two", r#""words""#));
    let text = written(&carry(&session, &Detail::default()));
    assert!(!text.contains("a secret thought") && text.contains("words"), "{text}");
    assert!(written(&carry(&session, &everything())).contains("a secret thought"));
}
