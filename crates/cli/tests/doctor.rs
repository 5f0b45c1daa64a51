//! `steno doctor`: what is strange, and what is new.

use insta::assert_snapshot;
use steno_testkit::{App, Era, Session};

fn app() -> App {
    App::new(env!("CARGO_BIN_EXE_steno"))
}

fn strange() -> App {
    let app = app();
    let session = Session::numbered(1).turns(1).garbage().unknown_record("sparkle").unknown_linked("glitter");
    let session =
        session.assistant(|message| message.block(serde_json::json!({"type": "hologram"}))).user("torn");
    app.write(&session.torn());
    app.write(&(0..9).fold(Session::numbered(2).user("go"), |session, _| session.garbage()));
    app
}

#[test]
fn nothing_strange() {
    let app = app();
    app.write(&Session::numbered(1).turns(2));
    assert_snapshot!(app.run("doctor"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    1 transcript, 43 records, nothing strange
    ");
}

#[test]
fn an_empty_home() {
    assert_snapshot!(app().run("doctor"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    0 transcripts, 0 records, nothing strange
    ");
}

#[test]
fn strange_lines_and_unknown_types() {
    assert_snapshot!(strange().run("doctor"), @r"
    exit: 0
    ----- stdout -----
    unknown record types: glitter, sparkle

    not-json (10)
      $HOME/.claude/projects/-home-dev-project/00000002-5e55-4000-8000-000000000002.jsonl:2  not JSON, kept but not understood
      $HOME/.claude/projects/-home-dev-project/00000002-5e55-4000-8000-000000000002.jsonl:3  not JSON, kept but not understood
      $HOME/.claude/projects/-home-dev-project/00000002-5e55-4000-8000-000000000002.jsonl:4  not JSON, kept but not understood
      $HOME/.claude/projects/-home-dev-project/00000002-5e55-4000-8000-000000000002.jsonl:5  not JSON, kept but not understood
      $HOME/.claude/projects/-home-dev-project/00000002-5e55-4000-8000-000000000002.jsonl:6  not JSON, kept but not understood
      … and 5 more
    torn-line (1)
      $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl:30  the last line is not complete (still being written, or cut off)

    ----- stderr -----
    2 transcripts, 29 records, 11 warnings
    next: steno doctor --census --claude-dir $HOME/.claude
    ");
}

#[test]
fn a_census_by_client_version() {
    let app = app();
    app.write(&Session::numbered(1).era(Era::V1_0).turns(1));
    app.write(&Session::numbered(2).era(Era::V2_0_42).turns(1).unknown_record("sparkle"));
    assert_snapshot!(app.run("doctor --census"), @r"
    exit: 0
    ----- stdout -----
    record types
      assistant                    10  1.0.108 – 2.0.42
      file-history-snapshot         1  no version
      sparkle                       1  2.0.42  unknown
      system                        1  2.0.42
      user                          6  1.0.108 – 2.0.42

    subtypes
      system/stop_hook_summary         1  2.0.42

    content blocks
      text                     6  1.0.108 – 2.0.42
      thinking                 2  1.0.108 – 2.0.42
      tool_result              4  1.0.108 – 2.0.42
      tool_result/text         4  1.0.108 – 2.0.42
      tool_use                 4  1.0.108 – 2.0.42

    top-level fields
      cwd                          17  1.0.108 – 2.0.42
      gitBranch                    17  1.0.108 – 2.0.42
      hasOutput                     1  2.0.42
      hookCount                     1  2.0.42
      hookErrors                    1  2.0.42
      hookInfos                     1  2.0.42
      isSidechain                  17  1.0.108 – 2.0.42
      isSnapshotUpdate              1  no version
      level                         1  2.0.42
      message                      16  1.0.108 – 2.0.42
      messageId                     1  no version
      parentUuid                   17  1.0.108 – 2.0.42
      preventedContinuation         1  2.0.42
      requestId                    10  1.0.108 – 2.0.42
      sessionId                    18  1.0.108 – 2.0.42
      snapshot                      1  no version
      someday                       1  2.0.42  unknown
      stopReason                    1  2.0.42
      subtype                       1  2.0.42
      thinkingMetadata              1  2.0.42
      timestamp                    17  1.0.108 – 2.0.42
      toolUseID                     1  2.0.42
      toolUseResult                 2  1.0.108 – 2.0.42
      type                         19  1.0.108 – 2.0.42
      userType                     17  1.0.108 – 2.0.42
      uuid                         17  1.0.108 – 2.0.42
      version                      17  1.0.108 – 2.0.42

    ----- stderr -----
    2 transcripts, 19 records, nothing strange
    ");
}

fn keys(object: &serde_json::Value) -> String {
    let mut keys: Vec<&str> =
        object.as_object().into_iter().flat_map(|object| object.keys()).map(String::as_str).collect();
    keys.sort_unstable();
    keys.join(" ")
}

#[test]
fn one_json_object() {
    let report = strange().json("doctor --json");
    assert_snapshot!(keys(&report), @"files next records unknownTypes warnings");
    assert_eq!(report["unknownTypes"], serde_json::json!(["glitter", "sparkle"]));
}

#[test]
fn one_json_object_with_the_census() {
    let report = strange().json("doctor --json --census");
    assert_snapshot!(keys(&report), @"census files records unknownTypes warnings");
    let census = &report["census"];
    assert_snapshot!(keys(census), @"blockTypes fields recordTypes subtypes unknown");
    assert_snapshot!(serde_json::to_string_pretty(&census["unknown"]).unwrap(), @r#"
    {
      "recordTypes": [
        "glitter",
        "sparkle"
      ],
      "subtypes": [],
      "blockTypes": [
        "hologram"
      ],
      "fields": [
        "someday"
      ]
    }
    "#);
    assert_snapshot!(serde_json::to_string_pretty(&census["recordTypes"]["sparkle"]).unwrap(), @r#"
    {
      "2.1.325": 1
    }
    "#);
}

#[test]
fn a_session_in_two_places() {
    let app = app();
    let session = Session::numbered(1).user("go");
    app.write(&session);
    app.write(&session.cwd("/home/dev/other"));
    let said = app.run("doctor");
    assert!(said.contains("duplicate-session (1)"), "{said}");
}
