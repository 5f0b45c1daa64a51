//! The last messages: every format shows the same agents with them, and none is empty.

use proptest::prelude::*;
use serde_json::json;
use steno_render::Detail;
use steno_testkit::{Session, random_session};

use super::{conversation, markdown, session};
use crate::portable::carrying;

/// The last messages, and nothing but those.
fn tail(session: &Session, count: usize, detail: Detail) -> Detail {
    let from_record =
        conversation(session, &detail).first_record_of_tail(count, detail.without_compact_summaries);
    Detail { from_record, ..detail }
}

/// An agent that nobody called, at work in a certain hour.
fn uncalled(session: Session, name: &str, hour: u32) -> Session {
    let record = json!({"type": "user", "uuid": format!("u-{name}"), "isSidechain": true,
        "timestamp": format!("2026-11-15T{hour:02}:00:00.000Z"),
        "message": {"role": "user", "content": format!("the {name} one")}});
    session.agent_file(name, format!("{record}\n"))
}

#[test]
fn every_format_shows_the_same_agents() {
    let called = |session: Session, name: &'static str| {
        session.agent(move |agent| agent.foreground().prompt(format!("the {name} one")).answer("found"))
    };
    let session = called(session().at("2026-11-15T10:00:00.000Z").user("one"), "first");
    let session = called(session.at("2026-11-15T12:00:00.000Z").user("two"), "second");
    let session = uncalled(uncalled(session, "early", 11), "late", 13);
    let detail = tail(&session, 2, Detail { agents: true, all: true, ..Detail::default() });
    let shown = conversation(&session, &detail);
    let portable = serde_json::to_string(&carrying::carry(&session, &detail)).unwrap();
    let page = steno_render::html::page(&shown, &detail);
    for document in [steno_render::markdown(&shown, &detail), page, portable] {
        for (name, is_shown) in [("first", false), ("second", true), ("early", false), ("late", true)] {
            assert_eq!(document.contains(&format!("the {name} one")), is_shown, "{name} in\n{document}");
        }
    }
}

#[test]
fn no_tail_is_no_agents() {
    let session = uncalled(session().user("one"), "late", 23);
    let detail = tail(&session, 0, Detail { agents: true, ..Detail::default() });
    let page = steno_render::html::page(&conversation(&session, &detail), &detail);
    for document in [markdown(&session, &detail), page] {
        assert!(!document.contains("the late one"), "{document}");
    }
}

#[test]
fn a_shell_command_at_the_end_is_shown_with_its_output() {
    let session = session().user("one").bash_command("ls", "a.rs", "");
    let shown = markdown(&session, &tail(&session, 1, Detail::default()));
    assert!(shown.contains("! ls") && shown.contains("a.rs") && !shown.contains("one\n"), "{shown}");
}

#[test]
fn what_shows_nothing_at_the_end_does_not_count() {
    let session = session().user("Hello").tagged("<local-command-stdout></local-command-stdout>");
    let shown = markdown(&session, &tail(&session, 1, Detail::default()));
    assert!(shown.contains("Hello"), "{shown}");
}

#[test]
fn summaries_that_are_left_out_are_not_counted() {
    let session = session().user("Hello").compact("auto", 100, 10, "all of it").user("Go on");
    let detail = Detail { without_compact_summaries: true, ..Detail::default() };
    let shown = markdown(&session, &tail(&session, 2, detail.clone()));
    assert!(shown.contains("Hello") && shown.contains("Go on"), "{shown}");
    let shown = markdown(&session, &tail(&session, 1, detail));
    assert!(shown.contains("first 1 of 2 messages"), "{shown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_tail_is_empty(seed: u64, size in 1..30_usize, all: bool) {
        let session = random_session(seed, size);
        let shown = conversation(&session, &Detail { all, ..Detail::default() });
        for count in 1..=shown.message_starts.len() {
            let from_record = shown.first_record_of_tail(count, false);
            let detail = Detail { all, thinking: true, from_record, ..Detail::default() };
            let page = steno_render::html::page(&shown, &detail);
            prop_assert!(page.contains("<article"), "the last {} of {:?}", count, shown.message_starts);
            let markdown = steno_render::markdown(&shown, &detail);
            prop_assert!(markdown.contains("\n## "), "the last {} of {:?}", count, shown.message_starts);
        }
    }
}
