//! The tail: where the last messages begin, as every format counts them.

use serde_json::json;
use steno_conversation::{Conversation, Scope};
use steno_testkit::{Era, Session};

use crate::passes::explaining::explain;
use crate::passes::reading::explain_in;

/// The record from which the last messages are shown, in a few words.
fn tail(session: &Session, shown: &Conversation, count: usize) -> String {
    let values = session.build().values();
    let record = &values[shown.first_record_of_tail(count, false)];
    record["message"]["content"].to_string()
}

#[test]
fn a_shell_command_is_one_message_with_its_output() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).user("one").bash_command("ls", "a.rs", "");
        let everything = explain_in(&session, session.bytes(), Scope { hidden: true, ..Scope::default() });
        for shown in [explain(&session), everything] {
            let first = tail(&session, &shown, 1);
            assert!(first.contains("<bash-input>ls"), "{era:?}: {first}");
        }
    }
}

#[test]
fn output_without_its_command_is_a_message() {
    let session =
        Session::numbered(1).user("one").tagged("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>");
    assert!(tail(&session, &explain(&session), 1).contains("<bash-stdout>a"));
}

#[test]
fn what_shows_nothing_is_no_message() {
    let session = Session::numbered(1)
        .user("one")
        .tagged("<local-command-stdout></local-command-stdout>")
        .linked(json!({"type": "user", "message": {"role": "user", "content": []}}))
        .assistant(|message| message.redacted_thinking().thinking(" "));
    let shown = explain(&session);
    assert_eq!(shown.message_starts.len(), 1, "{:?}", shown.message_starts);
    assert!(tail(&session, &shown, 1).contains("one"));
}

#[test]
fn summaries_that_are_left_out_do_not_count() {
    let session = Session::numbered(1)
        .user("one")
        .assistant(|message| message.text("a"))
        .compact("auto", 100, 10, "all of it")
        .user("two");
    let shown = explain(&session);
    let values = session.build().values();
    let words = |index: usize| values[index]["message"]["content"].to_string();
    assert!(words(shown.first_record_of_tail(2, false)).contains("all of it"));
    assert!(words(shown.first_record_of_tail(2, true)).contains("\"a\""));
    assert_eq!((shown.first_record_of_tail(9, false), shown.first_record_of_tail(9, true)), (0, 0));
    assert!(shown.first_record_of_tail(0, true) > values.len());
    assert_eq!(shown.messages_before(usize::MAX, false), 4);
    assert_eq!(shown.messages_before(usize::MAX, true), 3);
}
