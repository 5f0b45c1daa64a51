//! `steno peek`: a kept session is recognised without restoring it.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::{App, Era, Session, ToolResult};

fn kept(session: &Session) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk");
    app.write(session);
    sync(&app);
    app
}

fn sync(app: &App) {
    let command =
        if app.home().root().join(".claude-backup").exists() { "sync" } else { "init --local --no-schedule" };
    let shown = app.run(command);
    assert!(shown.starts_with("exit: 0"), "{shown}");
}

fn said(peeked: &Value, key: &str) -> Vec<String> {
    let list = peeked[key].as_array().unwrap().iter();
    list.map(|one| format!("{}: {}", one["role"].as_str().unwrap(), one["preview"].as_str().unwrap()))
        .collect()
}

#[test]
fn the_layout_is_the_original_one() {
    let session = Session::numbered(1)
        .user("Help me debug the authentication middleware")
        .assistant(|message| {
            message.thinking("hm").text("I'll look at it.").tool_use("Bash", json!({"command": "ls"}))
        })
        .user("And then?")
        .assistant(|message| message.text("The fix is deployed.\nThe issue was\tthere."))
        .user("Perfect, thanks!");
    let app = kept(&session);
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_snapshot!(app.run("peek last"), @r"
    exit: 0
    ----- stdout -----
    Title:   Help me debug the authentication middleware
    Session: 00000001-5e55-4000-8000-000000000001
    Project: /home/dev/project
    Used:    2026-11-15 (backed up just now)
    Size:    6.3K (1.5K packed)

    ── First messages ──────────────────────────────────────
      [user]  Help me debug the authentication middleware
      [assistant]  I'll look at it.

    ── Last messages ───────────────────────────────────────
      [assistant]  The fix is deployed. The issue was there.
      [user]  Perfect, thanks!

    Messages: 5 total

    ----- stderr -----
    next: steno restore 00000001-5e55-4000-8000-000000000001 --claude-dir $HOME/.claude
    ");
    assert_snapshot!(app.run("peek 00000001 --json"), @r#"
    exit: 0
    ----- stdout -----
    {"uuid":"00000001-5e55-4000-8000-000000000001","projectHash":"-home-dev-project","backedUpAt":"2026-12-01T12:00:00Z","sizeBytes":1513,"uncompressedBytes":6430,"messageCount":5,"firstMessages":[{"role":"user","preview":"Help me debug the authentication middleware"},{"role":"assistant","preview":"I'll look at it."}],"lastMessages":[{"role":"assistant","preview":"The fix is deployed. The issue was there."},{"role":"user","preview":"Perfect, thanks!"}],"machine":"desk","generation":1,"generations":1,"title":"Help me debug the authentication middleware","cwd":"/home/dev/project","lastActivity":"2026-11-15T10:00:06Z","warnings":[],"next":[{"command":"steno restore 00000001-5e55-4000-8000-000000000001 --claude-dir $HOME/.claude","why":"puts it back, with all that belongs to it"}]}

    ----- stderr -----
    "#);
}

#[test]
fn three_messages_are_two_and_one() {
    let session = Session::numbered(1).user("one").assistant(|message| message.text("two")).user("three");
    let peeked = kept(&session).json("peek last --json");
    assert_eq!(said(&peeked, "firstMessages"), ["user: one", "assistant: two"]);
    assert_eq!(said(&peeked, "lastMessages"), ["user: three"]);
    assert_eq!(peeked["messageCount"], 3);
}

#[test]
fn records_of_one_message_count_once_in_every_era() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).user("go").assistant(|message| {
            let message = message.thinking("where to begin").text("I will look.");
            message.tool_use("Bash", json!({"command": "ls"})).answered_with(ToolResult::text("a.rs"))
        });
        let peeked = kept(&session.assistant(|message| message.text("done"))).json("peek last --json");
        assert_eq!(peeked["messageCount"], 4, "{era:?}");
        assert_eq!(said(&peeked, "firstMessages"), ["user: go", "assistant: I will look."], "{era:?}");
        assert_eq!(said(&peeked, "lastMessages"), ["assistant: done"], "{era:?}");
    }
}

#[test]
fn noise_is_no_message_to_show() {
    let session = Session::numbered(1)
        .caveat()
        .slash_command("model", "opus")
        .local_command_stdout("Set model")
        .user("<system-reminder>be kind</system-reminder>")
        .user("the question")
        .assistant(|message| message.text("the answer"));
    let peeked = kept(&session).json("peek last --json");
    assert_eq!(said(&peeked, "firstMessages"), ["user: /model opus", "user: the question"]);
    assert_eq!(said(&peeked, "lastMessages"), ["assistant: the answer"]);
}

#[test]
fn a_preview_is_short() {
    let session = Session::numbered(1).user("word ".repeat(40));
    let peeked = kept(&session).json("peek last --json");
    let preview = peeked["firstMessages"][0]["preview"].as_str().unwrap().to_owned();
    assert_eq!(preview.chars().count(), 80);
}

#[test]
fn a_generation_is_peeked_at() {
    let session = Session::numbered(1).user("the good one");
    let app = kept(&session);
    fs::write(app.home().write(&session), "").unwrap();
    sync(&app);
    assert_snapshot!(app.run("peek last"), @r"
    exit: 0
    ----- stdout -----
    Title:   (no title)
    Session: 00000001-5e55-4000-8000-000000000001
    Project: -home-dev-project
    Used:    2026-11-20 (backed up just now)
    Size:    0B (544B packed)

    Messages: 0 total

    ----- stderr -----
    generation 2 of 2; --generation N shows another
    next: steno show 00000001-5e55-4000-8000-000000000001 --claude-dir $HOME/.claude
    ");
    let peeked = app.json("peek last --generation 1 --json");
    assert_eq!(said(&peeked, "firstMessages"), ["user: the good one"]);
    assert_eq!((&peeked["generation"], &peeked["generations"]), (&json!(1), &json!(2)));
    assert_snapshot!(app.run("peek last --generation 3 --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"session 00000001-5e55-4000-8000-000000000001 has no generation 3","kind":"not-found","code":1,"hints":["it has 1, 2"]}
    "#);
}

#[test]
fn what_is_not_kept_is_not_found() {
    let app = kept(&Session::numbered(1).user("go"));
    assert_snapshot!(app.run("peek 12345678"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the vault holds no session '12345678'
    hint: `steno restore --list` shows all that it holds
    ");
    assert_snapshot!(app.run("peek"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the following required arguments were not provided: <ID>
    hint: `steno restore --list` shows the kept sessions
    hint: `steno peek --help` lists its arguments and flags
    ");
}

#[test]
fn people_are_told_seconds() {
    let session = Session::numbered(1).user("go");
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk");
    let app = app.now("2026-12-01T12:00:00.123456789Z");
    app.write(&session);
    sync(&app);
    let shown = app.run("peek last");
    assert!(shown.contains("(backed up just now)\n") && !shown.contains(".123"), "{shown}");
    assert_eq!(app.json("peek last --json")["backedUpAt"], "2026-12-01T12:00:00.123456789Z");
}
