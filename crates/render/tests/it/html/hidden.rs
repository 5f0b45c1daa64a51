//! What is shown only where it is asked for, and what is left out.

use serde_json::json;
use steno_conversation::model::ChunkBody;
use steno_render::{Detail, html};
use steno_testkit::Session;

use crate::html::look::Page;
use crate::html::reading::{explain, page, seen};

#[test]
fn thinking_is_a_mark_unless_it_is_asked_for() {
    let session =
        Session::numbered(1).user("go").assistant(|message| message.thinking("secret plans").text("done"));
    let marked = page(&session, &Detail::default());
    assert!(marked.has("thought (2 words)") && !marked.has("secret plans"));
    let often = (0..12).fold(session.clone(), |session, _| {
        session.assistant(|message| {
            message.thinking("a b c ").tool_use("Bash", json!({"command": "ls"})).answered("")
        })
    });
    assert_eq!(page(&often, &Detail::default()).text.matches("thought").count(), 1);
    assert!(page(&often, &Detail::default()).has("thought 13 times (38 words)"));
    let whole = page(&session, &Detail { thinking: true, ..Detail::default() });
    assert!(whole.has("secret plans") && !whole.has("thought (2 words)"));
    assert!(whole.all("details").any(|tag| tag.get("open").is_some()));
}

#[test]
fn interruptions_are_shown_with_everything() {
    let session = Session::numbered(1).user("go").assistant(|message| message.text("well")).interrupt();
    assert!(!seen(&session).contains("interrupted") && seen(&session).contains("stopped by the user"));
    assert!(page(&session, &Detail { all: true, ..Detail::default() }).has("interrupted"));
}

#[test]
fn a_summary_can_be_left_out_but_not_that_there_was_one() {
    let session = Session::numbered(1).user("go").compact("auto", 155_000, 12_000, "what was said");
    let page_with = |without_compact_summaries| {
        page(&session, &Detail { without_compact_summaries, ..Detail::default() }).text
    };
    assert!(
        page_with(false).contains("auto · 155K → 12.0K tokens") && page_with(false).contains("what was said")
    );
    assert!(
        page_with(true).contains("auto · 155K → 12.0K tokens") && !page_with(true).contains("what was said")
    );
}

#[test]
fn what_came_before_a_record_is_counted_and_left_out() {
    let session = Session::numbered(1).user("one").assistant(|message| message.text("answer one"));
    let session = session.user("two").assistant(|message| message.text("answer two").text("more"));
    let shown = explain(&session, &Detail::default());
    let from_record = *shown.message_starts.last().unwrap();
    let page = page(&session, &Detail { from_record, ..Detail::default() });
    assert!(page.has("… 3 earlier messages left out") && page.has("answer two"));
    assert!(!page.has("answer one") && !page.all("a").any(|link| link.get("href") == Some("#c0")));
}

#[test]
fn notes_stand_at_the_end() {
    let notes = vec!["2 secrets were masked.".to_owned()];
    let page = page(&Session::numbered(1).user("go"), &Detail { notes, ..Detail::default() });
    assert!(page.text.trim_end().ends_with("2 secrets were masked.Made with steno"));
}

#[test]
fn what_is_not_known_of_a_compaction_is_not_said() {
    let session = Session::numbered(1).user("go").compact("auto", 155_000, 12_000, "what was said");
    let mut shown = explain(&session, &Detail::default());
    for chunk in &mut shown.chunks {
        if let ChunkBody::Compact(compact) = &mut chunk.body {
            compact.post_tokens = None;
        }
    }
    let page = Page::read(&html::page(&shown, &Detail::default()));
    assert!(page.has("auto · 155K tokens") && !page.has("?"), "{}", page.text);
}

#[test]
fn a_session_without_messages_says_so() {
    assert!(seen(&Session::numbered(1).opening()).contains("This session has no messages."));
    assert!(!seen(&Session::numbered(1).user("go")).contains("no messages"));
}
