//! What a digest tells, and how long it gets.

use std::ops::ControlFlow;

use serde_json::json;
use steno_conversation::{Builder, Context, conversation};
use steno_testkit::{Session, random_session};
use steno_transcript::SessionId;

fn digest(session: &Session) -> String {
    let mut builder = Builder::new("session.jsonl".to_owned());
    steno_transcript::read(&*session.build().bytes, |piece| {
        builder.push(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    super::digest(&conversation(builder.finish(SessionId::new("session")), Context::default()))
}

#[test]
fn it_tells_what_was_asked_and_done() {
    let todos = json!({"todos": [{"content": "write tests", "status": "pending"},
        {"content": "read code", "status": "completed"}]});
    let session = Session::numbered(1)
        .user("Make the parser faster")
        .assistant(|message| {
            message
                .text("I look first.")
                .tool_use("Read", json!({"file_path": "/p/src/lib.rs"}))
                .answered("fn main() {}")
                .tool_use("Bash", json!({"command": "cargo bench"}))
                .answered("ok")
                .tool_use("Bash", json!({"command": "ls -l"}))
                .answered("ok")
                .tool_use(
                    "Edit",
                    json!({"file_path": "/p/src/parse.rs", "old_string": "a", "new_string": "b"}),
                )
                .answered("ok")
                .tool_use("TodoWrite", todos)
                .answered("ok")
        })
        .assistant(|message| message.text("It is twice as fast now."))
        .user("And now the tests")
        .interrupt();
    let page = digest(&session);
    for said in [
        "1. **Make the parser faster**\n   → It is twice as fast now.",
        "2. **And now the tests** (interrupted)",
        "Written:\n- `/p/src/parse.rs`\nRead:\n- `/p/src/lib.rs`",
        "- `cargo bench`",
        "## Still to do\n\n- write tests\n",
    ] {
        assert!(page.contains(said), "{said}\n---\n{page}");
    }
    assert!(!page.contains("ls -l") && !page.contains("read code") && !page.contains("I look first"));
}

#[test]
fn it_never_gets_too_long_and_says_most_of_the_last() {
    let mut session = Session::numbered(2);
    for turn in 0..400 {
        session = session.user(format!("prompt {turn} {}", "word ".repeat(300))).assistant(|message| {
            message
                .tool_use(
                    "Write",
                    json!({"file_path": format!("/p/{turn}/{}.rs", "x".repeat(50)), "content": ""}),
                )
                .answered("ok")
                .text(format!("answer {turn} {}", "said ".repeat(300)))
        });
    }
    let page = digest(&session);
    assert!((8_000..=12_000).contains(&page.chars().count()), "{}", page.chars().count());
    assert!(page.contains("**prompt 0 ") && page.contains("**prompt 399 ") && page.contains("left out"));
    let length = |number: usize| {
        let at = page.find(&format!("\n{number}. **")).unwrap();
        page[at + 1..].find("\n   →").unwrap()
    };
    assert!(length(400) > 2 * length(385));
}

#[test]
fn an_approved_plan_is_told_in_steps() {
    let plan = "# Faster\n\nSome prose about it.\n\n1. measure\n2. change\n";
    let session = Session::numbered(3).user("Plan it").assistant(|message| {
        message
            .tool_use("ExitPlanMode", json!({"plan": plan}))
            .answered("User has approved your plan. You can now start coding.")
    });
    let page = digest(&session);
    assert!(page.contains("## Plan that was approved\n\n**Faster**\n1. measure\n2. change\n"), "{page}");
    assert!(!page.contains("prose"));
}

#[test]
fn an_earlier_summary_is_not_lost() {
    let session = Session::numbered(4).user("a").compact("auto", 10, 5, "what happened first").user("b");
    let page = digest(&session);
    assert!(page.contains("## Before that\n\n") && page.contains("\nwhat happened first\n"), "{page}");
}

#[test]
fn any_session_has_one() {
    for seed in 0..40 {
        assert!(digest(&random_session(seed, 50)).chars().count() <= 12_000);
    }
}
