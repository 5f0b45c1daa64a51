//! What is too large to be held: named, kept, and searched all the same.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde_json::json;
use steno_testkit::{App, Session, ToolResult};

const LONG: i64 = 65 * 1024 * 1024;

/// A session with a line before its last that is too long, and which line that is.
fn with_long_line() -> (App, PathBuf, u64) {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let session = Session::numbered(1).user("Where does the time go?");
    let path = app.home().write(&session.assistant(|message| message.text("Into the sieve.")));
    let text = fs::read_to_string(&path).unwrap();
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    let mut file = OpenOptions::new().write(true).truncate(true).open(&path).unwrap();
    file.write_all(&text.as_bytes()[..last]).unwrap();
    // The file system does not even have to store most of it.
    file.seek(SeekFrom::Current(LONG)).unwrap();
    file.write_all(b" a needle in zeros\n").unwrap();
    file.write_all(&text.as_bytes()[last..]).unwrap();
    (app, path, text.lines().count() as u64)
}

#[test]
fn a_line_that_is_too_long_is_named_and_the_rest_is_read() {
    let (app, _, long) = with_long_line();
    let shown = app.json("show last --json");
    let warnings = shown["warnings"].as_array().unwrap();
    let named: Vec<_> = warnings.iter().filter(|warning| warning["kind"] == "too-long").collect();
    assert_eq!(named.len(), 1, "{warnings:?}");
    assert_eq!(named[0]["line"], long);
    assert!(named[0]["file"].as_str().unwrap().ends_with(".jsonl"));
    assert!(app.run("show last").contains("Into the sieve."));
    assert!(app.run("list").contains("1 session"));
    assert!(app.run("search sieve").contains("Into the sieve."));
    assert!(app.run("doctor").contains("too-long"));
    assert!(app.run("check last").contains("line of more than 64 MB"));
    let found = app.json("search --literal --json needle");
    assert_eq!((&found["total"], &found["hits"][0]["record"]["line"]), (&1.into(), &long.into()));
    assert!(found["hits"][0]["snippet"].as_str().unwrap().contains("a needle in zeros"));
}

#[test]
fn a_line_that_is_too_long_is_kept_and_not_cloned() {
    let (app, path, _) = with_long_line();
    let refused = app.run("clone last");
    assert!(refused.starts_with("exit: 1") && refused.contains("cannot be cloned: line of more than 64 MB"));
    assert!(app.run("init --local --no-schedule").starts_with("exit: 0"));
    let kept = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(app.run("restore 00000001").starts_with("exit: 0"));
    assert!(fs::read(&path).unwrap() == kept);
}

/// A megabyte has room for the last few hundred of them.
fn with_many_messages() -> App {
    with_messages(1000)
}

fn with_messages(turns: u32) -> App {
    let session = (0..turns).fold(Session::numbered(1), |session, number| {
        // One of them is easily found.
        let number = if number == 7 { 7777 } else { number };
        session
            .user(format!("Question {number}."))
            .assistant(|message| message.text(format!("Answer {number}.")))
    });
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MEMORY", "1");
    app.write(&session);
    app
}

#[test]
fn what_there_is_no_room_for_is_left_out_and_said() {
    let app = with_many_messages();
    let shown = app.run("show last");
    assert!(!shown.contains("Answer 0.") && shown.contains("Answer 999."));
    assert!(shown.contains("older records are left out"), "{}", talk(&shown));
    assert!(shown.contains("Question 0."), "the title is known");
    for format in ["markdown", "html", "json"] {
        let dumped = app.run(&format!("dump last --format {format}"));
        assert!(!dumped.contains("Answer 0.") && dumped.contains("Answer 999."), "{format}");
        assert_eq!(dumped.matches("older records are left out").count(), 2, "{format}: in it, and beside it");
    }
    let all = app.variable("STENO_MEMORY", "100");
    let shown = all.run("show last");
    assert!(shown.contains("Answer 0.") && !shown.contains("left out"));
}

#[test]
fn what_is_looked_for_is_not_left_out() {
    let app = with_many_messages();
    let found = app.json("search --literal --json 7777");
    let at = found["hits"][0]["at"].as_str().unwrap();
    let shown = app.run(&format!("show last --at {at}"));
    assert!(shown.contains("Answer 7777.") && !shown.contains("Answer 999."));
    assert!(shown.contains("newer records are left out"), "{}", talk(&shown));
}

#[test]
fn a_session_of_too_many_records_is_neither_cloned_nor_checked() {
    let app = with_messages(2000);
    for command in ["check last", "clone last", "clone last --dry-run"] {
        let refused = app.run(command);
        assert!(refused.starts_with("exit: 1") && refused.contains("has too many records"), "{refused}");
    }
    // The messages that the client sends take more than the facts of their records.
    let some = app.variable("STENO_MEMORY", "5");
    assert!(some.run("check last").starts_with("exit: 0"));
    assert!(some.run("check last --messages").contains("has too many records"));
    assert!(some.run("clone last --dry-run").starts_with("exit: 0"));
    assert!(some.run("clone last --dry-run --messages").contains("has too many records"));
    let summed = some.run("clone last --dry-run --compress-before 1 --summarize cat");
    assert!(summed.contains("has too many records"), "{summed}");
    let all = some.variable("STENO_MEMORY", "100");
    assert!(all.run("clone last --messages").starts_with("exit: 0"));
}

#[test]
fn a_result_in_a_file_that_is_too_large_to_hold_keeps_its_preview() {
    let output = format!("the start of it\n{}the end of it", "a line of output\n".repeat(20_000));
    let session = Session::numbered(1).user("Run it").assistant(|message| {
        message.tool_use("Bash", json!({"command": "make"})).answered_with(ToolResult::persisted(output))
    });
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MEMORY", "1");
    app.write(&session);
    for command in ["dump last --full-results", "dump last --full-results --redact"] {
        let dumped = app.run(command);
        assert!(dumped.contains("the start of it") && !dumped.contains("the end of it"), "{command}");
        assert!(dumped.contains("too much to hold"), "{}", talk(&dumped));
    }
    let all = app.variable("STENO_MEMORY", "100");
    assert!(all.run("dump last --full-results").contains("the end of it"));
}

fn talk(said: &str) -> &str {
    said.rsplit("----- stderr -----").next().unwrap_or_default()
}
