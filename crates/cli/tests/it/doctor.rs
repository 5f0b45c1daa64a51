//! `steno doctor`: what is wrong, where, and what helps.

#![cfg(unix)]
use crate::standin;

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{DAY, touch};
use steno_testkit::{App, Era, Session};

/// In the default directory, so that no command has to name it.
fn app() -> App {
    standin::app(&[]).variable("CLAUDE_CONFIG_DIR", "")
}

/// A session made in a directory that every machine has.
fn new(number: u32) -> Session {
    Session::numbered(number).cwd("/")
}

/// Written two days ago.
fn write(app: &App, session: Session) -> Session {
    app.write(&session);
    standin::written(app, &session, 2 * DAY);
    session
}

fn finding(app: &App, kind: &str) -> Value {
    let report = app.json("doctor --json");
    let found: Vec<&Value> =
        report["findings"].as_array().unwrap().iter().filter(|finding| finding["kind"] == kind).collect();
    assert_eq!(found.len(), 1, "{kind}: {report}");
    found[0].clone()
}

fn kinds(app: &App) -> Vec<String> {
    let report = app.json("doctor --json");
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|finding| format!("{} {}", finding["severity"], finding["kind"]).replace('"', "")).collect()
}

fn strange() -> App {
    let app = app();
    let session = new(1).turns(1).garbage().unknown_record("sparkle").unknown_linked("glitter");
    let session =
        session.assistant(|message| message.block(serde_json::json!({"type": "hologram"}))).user("torn");
    write(&app, session.torn());
    write(&app, (0..9).fold(new(2).user("go"), |session, _| session.garbage()));
    app
}

#[test]
fn an_empty_home() {
    assert_snapshot!(app().run("doctor"), @"
    exit: 0
    ----- stdout -----
    Claude Code deletes sessions 30 days after their last use (default)

    Notes
      no-vault: there is no vault yet, and no session to keep in one
        ~/.claude-backup
        → steno init

    1 note · 0 transcripts, 0 records

    ----- stderr -----
    ");
}

#[test]
fn a_home_without_the_client() {
    let app = app();
    fs::remove_dir_all(app.home().path()).unwrap();
    assert_snapshot!(app.run("doctor"), @"
    exit: 0
    ----- stdout -----
    Claude Code deletes sessions 30 days after their last use (default)

    Notes
      no-vault: there is no vault yet, and no session to keep in one
        ~/.claude-backup
        → steno init

      missing-directory: there is no Claude directory: the client has not run here yet
        ~/.claude

    2 notes · 0 transcripts, 0 records

    ----- stderr -----
    ");
}

#[test]
fn strange_lines_and_unknown_types() {
    assert_snapshot!(strange().run("doctor"), @"
    exit: 0
    ----- stdout -----
    Claude Code deletes sessions 30 days after their last use (default); the next one goes on 2026-12-29

    Warnings
      no-vault: there is no vault: nothing that Claude Code writes is backed up
        ~/.claude-backup
        → steno init

      not-json (2): not JSON, kept but not understood
        ~/.claude/projects/-/00000001-5e55-4000-8000-000000000001.jsonl:26
        ~/.claude/projects/-/00000002-5e55-4000-8000-000000000002.jsonl:2 (9×)

      torn-line: the last line is cut off; what a client writes next would be glued to it
        ~/.claude/projects/-/00000001-5e55-4000-8000-000000000001.jsonl:30

    Notes
      unknown-type (2)
        records of type `glitter`, from client 2.1.325
        records of type `sparkle`, from client 2.1.325
        → steno doctor --census

    4 warnings, 2 notes · 2 transcripts, 29 records

    ----- stderr -----
    ");
}

#[test]
fn a_finding_has_its_place_and_what_helps() {
    let torn = finding(&strange(), "torn-line");
    assert_snapshot!(serde_json::to_string_pretty(&torn).unwrap(), @r#"
    {
      "severity": "warning",
      "kind": "torn-line",
      "message": "the last line is cut off; what a client writes next would be glued to it",
      "file": "$HOME/.claude/projects/-/00000001-5e55-4000-8000-000000000001.jsonl",
      "line": 30,
      "session": "00000001-5e55-4000-8000-000000000001",
      "count": 1,
      "help": null
    }
    "#);
}

#[test]
fn sessions_of_every_era_are_healthy() {
    for era in Era::ALL {
        let app = app();
        let session = new(1).era(era).turns(2).agents(2, |_, agent| agent.steps(|steps| steps.turns(1)));
        write(&app, session.turns(1).compact("auto", 9, 3, "So far.").turns(1).rewind_to(3).turns(1));
        assert_eq!(kinds(&app), ["warning no-vault"], "{era:?}");
    }
}

#[test]
fn without_a_vault_what_is_deleted_soon_is_an_error() {
    let app = app();
    for (number, days) in [(1, 2), (2, 29), (3, 40)] {
        let session = write(&app, new(number).user("go"));
        standin::written(&app, &session, days * DAY);
    }
    assert_snapshot!(app.run("doctor"), @"
    exit: 0
    ----- stdout -----
    Claude Code deletes sessions 30 days after their last use (default); 2 go within 7 days, and none of
    them is backed up

    Errors
      at-risk (2)
        Claude Code deletes it on 2026-12-02, and it is not backed up
        ~/.claude/projects/-/00000002-5e55-4000-8000-000000000002.jsonl
        Claude Code deletes it at its next start, and it is not backed up
        ~/.claude/projects/-/00000003-5e55-4000-8000-000000000003.jsonl
        → steno init

    Warnings
      no-vault: there is no vault: nothing that Claude Code writes is backed up
        ~/.claude-backup
        → steno init

    2 errors, 1 warning · 3 transcripts, 3 records

    ----- stderr -----
    ");
}

#[test]
fn a_session_that_moved_and_one_whose_directory_is_gone() {
    let app = app();
    let session = write(&app, new(1).user("go"));
    let elsewhere = app.home().path().join("projects/-home-dev-elsewhere");
    fs::rename(app.home().project_path(session.project()), elsewhere).unwrap();
    app.write(&Session::numbered(2).cwd("/home/dev/gone").user("go"));
    app.write(&Session::numbered(3).cwd("/home/dev/gone").user("go"));
    let moved = finding(&app, "moved");
    assert_eq!((&moved["severity"], &moved["session"]), (&json!("warning"), &json!(session.id().as_str())));
    assert_eq!(
        moved["message"],
        "it was made in /, where `claude --resume` does not find it: its file is in another project"
    );
    assert_eq!(moved["help"], Value::Null, "it is not kept");
    let gone = finding(&app, "missing-cwd");
    assert_eq!((&gone["severity"], &gone["count"]), (&json!("info"), &json!(2)));
    app.run("init --local --no-schedule");
    let help = finding(&app, "moved")["help"].clone();
    assert_eq!(help, format!("steno restore {} --cwd /", session.id()));
}

#[test]
fn how_many_sessions_have_lost_their_directory() {
    let app = app().variable("COLUMNS", "80");
    let long = |name: &str| format!("/home/dev/{}{name}", "a-directory-with-a-long-name/".repeat(3));
    for (number, name) in [(1, "one"), (2, "one"), (3, "two")] {
        write(&app, Session::numbered(number).cwd(&*long(name)).user("go"));
    }
    let said = app.run("doctor");
    let notes: Vec<&str> = said.lines().skip_while(|line| *line != "Notes").collect();
    assert_snapshot!(notes.join("\n"), @"
    Notes
      missing-cwd (3 sessions in 2 projects)
        /home/dev/a-directory-with-a-long-name/a-directory-with-a-long-name/…ame/one
        no longer exists, so `claude --resume` cannot start in it
        ~/.claude/projects/-home-dev-a-dire…me-a-directory-with-a-long-name-one (2×)
        /home/dev/a-directory-with-a-long-name/a-directory-with-a-long-name/…ame/two
        no longer exists, so `claude --resume` cannot start in it
        ~/.claude/projects/-home-dev-a-directo…name-a-directory-with-a-long-name-two

    1 warning, 2 notes · 3 transcripts, 3 records

    ----- stderr -----
    ");
    assert!(notes.iter().all(|line| line.chars().count() <= 80), "{said}");
}

#[test]
fn what_helps_opens_at_the_record() {
    let app = app();
    let twice = |time: &str| {
        json!({"type": "user", "uuid": "0b5f0000-0000-4000-8000-000000000001", "parentUuid": null,
               "timestamp": time, "message": {"role": "user", "content": "again"}})
    };
    let session = new(1).user("go").user("glued").glue();
    let session = session.record(&twice("2026-11-01T10:00:00Z")).record(&twice("2026-11-01T10:00:01Z"));
    let doubled =
        [twice("2026-11-01T10:00:00Z"), twice("2026-11-01T10:00:01Z")].map(|record| format!("{record}\n"));
    write(&app, session.agent_file("a1", doubled.concat()));
    let report = app.json("doctor --json");
    let helps: Vec<&str> =
        report["findings"].as_array().unwrap().iter().filter_map(|found| found["help"].as_str()).collect();
    assert_snapshot!(helps.join("\n"), @"
    steno init
    steno show 00000001-5e55-4000-8000-000000000001 --at 2
    steno show 00000001-5e55-4000-8000-000000000001 --at 3
    steno show 00000001-5e55-4000-8000-000000000001 --at a1:2
    ");
    for help in helps.iter().filter_map(|help| help.strip_prefix("steno show ")) {
        assert_eq!(app.run(&format!("show {help}")).lines().next(), Some("exit: 0"), "{help}");
    }
}

#[test]
fn a_session_in_two_places() {
    let app = app();
    let session = write(&app, new(1).user("go"));
    app.write(&session.cwd("/home/dev/other"));
    assert_eq!(finding(&app, "duplicate-session")["severity"], "info");
}

#[test]
fn a_registry_entry_of_a_client_that_is_gone() {
    let app = app();
    let session = write(&app, new(1).user("go"));
    app.home().stale_registry(&session, 4_000_000);
    let stale = finding(&app, "stale-registry");
    assert_eq!((&stale["severity"], &stale["session"]), (&json!("info"), &json!(session.id().as_str())));
    let help = format!("cd / && claude --resume {}", session.id());
    assert_eq!(stale["help"], help);
}

#[test]
fn a_line_that_is_being_written_is_only_a_note() {
    let app = app();
    let session = write(&app, new(1).user("go").user("torn").torn());
    assert_eq!(finding(&app, "torn-line")["severity"], "warning");
    standin::written(&app, &session, 60);
    assert_eq!(finding(&app, "torn-line")["severity"], "info");
}

#[test]
fn settings_that_do_not_load() {
    let app = app();
    write(&app, new(1).user("go"));
    let settings = app.home().settings(&json!({"cleanupPeriodDays": -1}));
    touch(&settings, DAY);
    let said = app.run("doctor");
    assert!(said.contains("deletes no sessions now, since a settings file does not load"), "{said}");
    assert_eq!(finding(&app, "bad-sidecar")["severity"], "warning");
}

#[test]
fn strict_fails_where_something_is_wrong_and_tells_it_all_the_same() {
    let app = app();
    write(&app, new(1).user("go"));
    let strict = app.output(&["doctor", "--strict", "--json"]);
    assert_eq!((strict.status.code(), strict.stderr.len()), (Some(1), 0));
    assert_eq!(serde_json::from_slice::<Value>(&strict.stdout).unwrap()["ok"], false);
    assert_eq!(app.output(&["doctor"]).status.code(), Some(0));
    let empty = self::app();
    assert_eq!(empty.output(&["doctor", "--strict"]).status.code(), Some(0), "notes are no failure");
}

#[test]
fn a_directory_that_was_named_and_is_missing_is_an_error() {
    assert_snapshot!(app().run("doctor --claude-dir nowhere"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no such directory: $HOME/nowhere
    hint: Claude Code has not run here yet, or its directory is another one: see --claude-dir
    ");
}

#[test]
fn a_claude_directory_that_is_a_file_is_a_finding() {
    let app = app();
    fs::remove_dir_all(app.home().path()).unwrap();
    fs::write(app.home().path(), "").unwrap();
    assert_eq!(finding(&app, "unreadable")["severity"], "error");
}

#[test]
fn one_json_object() {
    let report = strange().json("doctor --json");
    assert_eq!(report["unknownTypes"], json!(["glitter", "sparkle"]));
    let retention = &report["retention"];
    assert_eq!((&retention["cleanupPeriodDays"], &retention["notKept"]), (&json!(30), &json!(2)));
}

#[test]
fn one_json_object_with_the_census() {
    let report = strange().json("doctor --json --census");
    let census = &report["census"];
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
fn a_census_by_client_version() {
    let app = app();
    write(&app, new(1).era(Era::V1_0).turns(1));
    write(&app, new(2).era(Era::V2_0_42).turns(1).unknown_record("sparkle"));
    assert_snapshot!(app.run("doctor --census"), @"
    exit: 0
    ----- stdout -----
    Claude Code deletes sessions 30 days after their last use (default); the next one goes on 2026-12-29

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

    Warnings
      no-vault: there is no vault: nothing that Claude Code writes is backed up
        ~/.claude-backup
        → steno init

    Notes
      unknown-type: records of type `sparkle`, from client 2.0.42

    1 warning, 1 note · 2 transcripts, 19 records

    ----- stderr -----
    ");
}
