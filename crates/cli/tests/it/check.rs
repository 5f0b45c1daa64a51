//! `steno check`: is it resumable, and if not, what would be?

#![cfg(unix)]
use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::{App, Session};

const NEW: &str = "0c10ed00-0000-4000-8000-000000000001";

fn app(session: &Session) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_NEW_ID", NEW);
    app.write(session);
    app
}

fn sound() -> Session {
    Session::numbered(1).user("One").assistant(|message| message.text("Two"))
}

/// A torn tail, and a call whose result is not there.
fn broken() -> Session {
    let call = json!({"command": "ls"});
    sound()
        .user("Three")
        .assistant(|message| message.tool_use("Bash", call))
        .user("Four")
        .assistant(|message| message.text("Five"))
        .torn()
}

/// Nobody resumes it.
fn empty() -> Session {
    Session::numbered(1).garbage()
}

fn json(app: &App, line: &str, code: i32) -> Value {
    let arguments: Vec<&str> = line.split(' ').chain(["--json"]).collect();
    let output = app.output(&arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_sound_session_is_sound() {
    let app = app(&sound());
    assert_snapshot!(app.run("check last"), @r"
    exit: 0
    ----- stdout -----
    Checked 00000001-5e55-4000-8000-000000000001: every client can resume it

    ----- stderr -----
    ");
    let report = json(&app, "check last", 0);
    assert_eq!(
        (&report["ok"], &report["resumable"], &report["findings"]),
        (&json!(true), &json!(true), &json!([]))
    );
    assert_eq!(report["session"], sound().id().as_str());
}

#[test]
fn every_finding_has_its_place() {
    let app = app(&broken());
    assert_snapshot!(app.run("check last"), @r"
    exit: 0
    ----- stdout -----
    warning tail line 6: the last line stops in the middle: still being written, or cut off
    warning pairs line 4: a call without a result: clients leave it out, or make up a result
    info    end line 5: it ends with a message of the user: clients add an answer of their own
    Checked 00000001-5e55-4000-8000-000000000001: it can be resumed, but some clients lose a part of it

    ----- stderr -----
    next: steno check last --fix --claude-dir $HOME/.claude
    ");
    let report = json(&app, "check last", 0);
    for finding in report["findings"].as_array().unwrap() {
        assert!(
            finding["rule"].is_string() && finding["severity"].is_string() && finding["count"].is_u64(),
            "{finding}"
        );
    }
}

#[test]
fn what_is_not_resumable_is_told_on_stdout() {
    let app = app(&empty());
    assert_snapshot!(app.run("check last"), @r"
    exit: 1
    ----- stdout -----
    error   conversation: this session has no messages
    warning lines line 1: not a record: every client skips the line
    Checked 00000001-5e55-4000-8000-000000000001: it cannot be resumed

    ----- stderr -----
    ");
    let report = json(&app, "check last", 1);
    assert_eq!((&report["ok"], &report["resumable"]), (&json!(false), &json!(false)));
}

#[test]
fn a_clone_mends_it() {
    let app = app(&broken());
    let report = json(&app, "check last --fix --dry-run", 0);
    assert_eq!((&report["dryRun"], &report["fixed"]["uuid"]), (&json!(true), &json!(NEW)));
    assert!(!fs::exists(report["fixed"]["to"].as_str().unwrap()).unwrap());
    let path = report["path"].as_str().unwrap();
    let before = fs::read(path).unwrap();
    let report = json(&app, "check last --fix", 0);
    assert!(report["resume"].as_str().unwrap().ends_with(NEW));
    let mended = json(&app, &format!("check {NEW}"), 0);
    let rules: Vec<&Value> =
        mended["findings"].as_array().unwrap().iter().map(|found| &found["rule"]).collect();
    assert_eq!(rules, ["end"], "where it ends, it ends");
    assert_eq!(fs::read(path).unwrap(), before);
}

#[test]
fn what_is_sound_needs_no_clone() {
    let app = app(&sound());
    let report = json(&app, "check last --fix", 0);
    assert_eq!(report["fixed"], Value::Null);
}

#[test]
fn messages_are_what_the_client_sends() {
    let report = json(&app(&sound()), "check last --messages", 0);
    let roles: Vec<&str> = report["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant"]);
}

#[test]
fn any_file_can_be_checked() {
    let app = app(&sound());
    let path = app.home().root().join("0c10ed00-0000-4000-8000-00000000beef.jsonl");
    fs::write(&path, sound().as_session("0c10ed00-0000-4000-8000-00000000beef").bytes()).unwrap();
    let report = json(&app, &format!("check {}", path.display()), 0);
    assert_eq!(report["resumable"], true);
}

/// Something that the client words by itself, and a call whose result is not there.
fn unsure_and_broken() -> Session {
    let call = json!({"command": "ls"});
    let attached = sound().attachment("date", json!({"date": "2026-01-01"}));
    attached.user("Three").assistant(|message| message.tool_use("Bash", call)).user("Four")
}

#[test]
fn a_clone_that_mends_hides_no_warning() {
    let app = app(&unsure_and_broken());
    let plain = json(&app, "check last --messages", 0);
    let kinds = |report: &Value| -> Vec<Value> {
        report["warnings"].as_array().unwrap().iter().map(|warning| warning["kind"].clone()).collect()
    };
    assert_eq!(kinds(&plain), ["worded-by-client"]);
    let mended = json(&app, "check last --messages --fix", 0);
    assert_eq!(mended["fixed"]["uuid"], NEW);
    assert!(kinds(&mended).contains(&json!("worded-by-client")), "{mended:#}");
}

#[test]
fn a_session_that_only_the_vault_has_is_named_by_where_it_is_kept() {
    let app = app(&unsure_and_broken());
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let id = sound().id().to_string();
    let report = json(&app, &format!("check {id} --messages"), 0);
    let path = report["path"].as_str().unwrap();
    assert!(path.contains(&id) && !path.contains("shown-"), "{path}");
    assert_eq!((&report["session"], &report["warnings"][0]["file"]), (&json!(id), &report["path"]));
    assert_eq!(report["path"], json(&app, &format!("show {id}"), 0)["path"]);
    for line in ["check last --messages", "show last", "clone last --dry-run"] {
        let shown = app.run(line);
        assert!(shown.starts_with("exit: 0") && !shown.contains(".jsonl.g"), "{line}: {shown}");
    }
}
