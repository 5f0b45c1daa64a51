//! Unfinished: was the agent at work when the file ended?

use serde_json::json;
use steno_testkit::{Era, Session};

use crate::passes::explaining::transcript;

fn is_unfinished(session: &Session) -> bool {
    transcript("s", session.bytes()).is_unfinished()
}

fn working(era: Era) -> Session {
    let bash = json!({"command": "ls"});
    Session::numbered(1)
        .era(era)
        .user("go")
        .assistant(|message| message.text("I look.").tool_use("Bash", bash))
}

#[test]
fn at_work_with_a_call_open_or_just_answered() {
    for era in Era::ALL {
        assert!(is_unfinished(&working(era)), "{era:?}");
        assert!(is_unfinished(&working(era).answer("src")), "{era:?}");
        let thinking = working(era).answer("src").assistant(|message| message.thinking("hm").unfinished());
        assert!(is_unfinished(&thinking), "{era:?}");
    }
}

#[test]
fn at_rest_after_text_an_interruption_or_an_error() {
    for era in Era::ALL {
        let session = working(era).answer("src");
        assert!(!is_unfinished(&session.clone().assistant(|message| message.text("done"))), "{era:?}");
        assert!(!is_unfinished(&session.clone().interrupt()), "{era:?}");
        assert!(!is_unfinished(&working(era).reject_tool().interrupt_tool()), "{era:?}");
        assert!(!is_unfinished(&session.api_error("API Error: 529")), "{era:?}");
    }
}

#[test]
fn a_plan_waits_for_the_user() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).user("plan").plan("# P");
        assert!(!is_unfinished(&session), "{era:?}");
        assert!(is_unfinished(&session.approve_plan()), "{era:?}");
    }
}

#[test]
fn what_the_client_notes_afterwards_changes_nothing() {
    for era in Era::ALL {
        let done = working(era).answer("src").assistant(|message| message.text("done"));
        let done = done.system("turn_duration").last_prompt().cost_state().caveat().system_reminder("x");
        assert!(!is_unfinished(&done), "{era:?}");
        let open = working(era).hook_progress("PreToolUse", "Bash").mode("plan");
        assert!(is_unfinished(&open), "{era:?}");
    }
}

#[test]
fn text_before_a_call_of_the_same_message_is_no_end() {
    // The client has written the first record of the message, the call is still to come.
    let session =
        Session::numbered(1).user("go").assistant(|message| message.text("I look.").stop_reason("tool_use"));
    assert!(is_unfinished(&session));
}

#[test]
fn a_member_that_agreed_to_shut_down_is_done() {
    let input = json!({"type": "shutdown_response", "request_id": "r", "approve": true});
    let session = Session::numbered(1).user("go").assistant(|message| message.tool_use("SendMessage", input));
    assert!(!is_unfinished(&session));
    assert!(!is_unfinished(&session.answer("ok")), "the answer to a shutdown is no new work");
}

#[test]
fn nothing_has_begun_nothing_is_unfinished() {
    assert!(!is_unfinished(&Session::numbered(1)));
    assert!(!is_unfinished(&Session::numbered(1).user("go")));
}
