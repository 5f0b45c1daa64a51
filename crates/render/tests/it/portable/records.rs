//! Records that are no messages, and what stands around those that are.

use serde_json::{Value, json};
use steno_render::Detail;
use steno_testkit::Session;

use crate::portable::accounting::{accounted, everything};
use crate::portable::carrying::carry;
use crate::portable::words::outline;

#[test]
fn envelope_fields_go_with_the_message() {
    let session = Session::numbered(1)
        .slug("serene-bubbling-muffin")
        .linked(json!({"type": "user", "message": {"role": "user", "content": "hello"},
            "thinkingMetadata": {"level": "high"}, "todos": [], "uuid": "", "timestamp": ""}))
        .assistant(|message| message.text("hi").stop_reason("end_turn"));
    let shown = carry(&session, &Detail::default());
    let first = &shown.messages[0].extensions;
    assert!(first.uuid.is_some());
    assert_eq!(first.slug.as_deref(), Some("serene-bubbling-muffin"));
    assert_eq!((first.user_type.as_deref(), first.is_sidechain), (Some("external"), Some(false)));
    assert_eq!(first.thinking_metadata, Some(json!({"level": "high"})));
    assert_eq!(first.other.get("todos"), Some(&json!([])));
    for told in ["cwd", "sessionId", "version", "gitBranch", "type", "message", "timestamp"] {
        assert!(!first.other.contains_key(told), "{told} is said elsewhere");
    }
    let second = &shown.messages[1].extensions;
    assert_eq!(second.parent_uuid, first.uuid);
    assert!(second.request_id.is_some() && second.message_id.is_some() && second.model.is_some());
    assert_eq!(second.stop_reason.as_deref(), Some("end_turn"));
    assert!(second.usage.as_ref().unwrap()["output_tokens"].is_u64());
}

#[test]
fn what_differs_from_the_session_stays_with_the_message() {
    let session = Session::numbered(1).user("a").cwd("/elsewhere").user("b");
    let shown = carry(&session, &Detail::default());
    let cwds: Vec<Option<&Value>> =
        shown.messages.iter().map(|message| message.extensions.other.get("cwd")).collect();
    assert_eq!(cwds.iter().flatten().count(), 1, "{cwds:?}");
}

#[test]
fn the_records_of_a_message_are_one() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.text("a").text("b").text("c").cumulative());
    let shown = carry(&session, &Detail::default());
    assert_eq!(outline(&shown.messages), ["user: go", "assistant: a, b, c"]);
    let continued = &shown.messages[1].extensions.continued;
    assert_eq!(continued.len(), 2);
    assert!(continued.iter().all(|record| record.contains_key("uuid") && record.contains_key("timestamp")));
}

#[test]
fn each_kind_of_record_has_its_place() {
    let session = Session::numbered(1)
        .user("go")
        .system_with("turn_duration", json!({"durationMs": 5}))
        .attachment("hook_success", json!({"content": "fine"}))
        .permission_mode("plan")
        .agent_name("scout")
        .unknown_record("novelty")
        .custom_title("Mine")
        .hook_progress("Stop", "")
        .hook_progress("Stop", "")
        .file_history_snapshot()
        .last_prompt();
    let shown = carry(&session, &Detail::default());
    let extensions = &shown.extensions;
    assert_eq!(shown.title.as_deref(), Some("Mine"));
    assert_eq!(extensions.system_events[0]["durationMs"], 5);
    assert_eq!(extensions.attachments[0]["attachment"]["content"], "fine");
    assert_eq!(extensions.permission_modes[0]["permissionMode"], "plan");
    assert_eq!(extensions.agent_names[0]["agentName"], "scout");
    assert_eq!(extensions.unknown_records[0]["type"], "novelty");
    assert_eq!(extensions.titles[0]["customTitle"], "Mine");
    assert_eq!(
        serde_json::to_value(&extensions.left_out).unwrap(),
        json!({"file-history-snapshot": 1, "last-prompt": 1, "progress": 2})
    );
    assert!(extensions.other_records.is_empty());
    let shown = carry(&session, &everything());
    assert!(shown.extensions.left_out.is_empty(), "{:?}", shown.extensions.left_out);
    assert_eq!(shown.extensions.other_records.len(), 4);
    assert_eq!(accounted(&shown), session.build().values().len() as u64);
}

#[test]
fn a_prompt_that_exists_as_an_attachment_is_a_message() {
    let session = Session::numbered(1)
        .user("go")
        .queued_prompt("and then this")
        .assistant(|message| message.text("both done"));
    let shown = carry(&session, &Detail::default());
    assert_eq!(outline(&shown.messages), ["user: go", "user: and then this", "assistant: both done"]);
    assert!(shown.messages[1].extensions.queued && !shown.messages[0].extensions.queued);
    assert!(shown.extensions.attachments.is_empty());
}

#[test]
fn what_is_no_record_is_counted() {
    let session = Session::numbered(1).user("go").garbage().blank_line().user("cut").torn();
    let shown = carry(&session, &Detail::default());
    assert_eq!(shown.extensions.left_out.get("broken"), Some(&2), "{:?}", shown.extensions.left_out);
}

#[test]
fn notes_come_along() {
    let detail = Detail { notes: vec!["2 keys were masked.".into()], ..Detail::default() };
    assert_eq!(carry(&Session::numbered(1).user("go"), &detail).extensions.notes, detail.notes);
}
