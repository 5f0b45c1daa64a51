//! The commands, keys, types and exit codes that users of `claude-backup` rely on.
//!
//! Which keys an answer has, `schema/promised.rs` pins; that these answers keep to their schemas, and what they say, is
//! tested here.

use crate::schema::{assert_error, keeps_to};

use std::fs;

use serde_json::{Value, json};
use steno_testkit::{App, Session};

/// The program under its second name.
fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_claude-backup")).variable("STENO_MACHINE", "desk");
    app.write(
        &Session::numbered(1)
            .user("Help me debug the parser")
            .assistant(|message| message.text("It loses the last line.")),
    );
    app.write(
        &Session::numbered(2)
            .cwd("/home/ada/myapp")
            .user("Another one")
            .assistant(|message| message.text("Done.")),
    );
    app.home().settings(&json!({"model": "opus"}));
    app
}

fn started() -> App {
    let app = app();
    let answer = app.json("init --local --no-schedule --json");
    assert_eq!(answer["ok"], true, "{answer}");
    app
}

fn id(number: u32) -> String {
    Session::numbered(number).id().to_string()
}

/// The error object on stderr, with stdout empty.
fn failure(app: &App, arguments: &str, code: i32) -> Value {
    let output = app.output(&arguments.split_whitespace().collect::<Vec<_>>());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments}: {stderr}");
    assert!(output.stdout.is_empty(), "{arguments}");
    let error: Value = serde_json::from_str(&stderr).unwrap_or_else(|_| panic!("{arguments}: {stderr}"));
    assert_error(&error, arguments);
    assert_eq!(error["code"], code);
    error
}

#[test]
fn sync() {
    let app = started();
    keeps_to("sync", &app.json("sync --json"));
    let only = app.json("sync --config-only --json");
    keeps_to("sync", &only);
    assert_eq!(only["sessions"], Value::Null);
    let only = app.json("sync --sessions-only --json");
    keeps_to("sync", &only);
    assert_eq!(only["config"], Value::Null);
}

#[test]
fn the_first_sync_counts_what_was_added() {
    let app = app();
    let answer = app.json("init --local --no-schedule --json");
    keeps_to("init", &answer);
    assert_eq!(answer["sync"]["sessions"], json!({"added": 2, "updated": 0, "removed": 0}));
    assert_eq!(answer["sync"]["config"]["filesSynced"], 1);
    assert_eq!(answer["sync"]["pushed"], false);
}

#[test]
fn status() {
    let app = started();
    let status = app.json("status --json");
    keeps_to("status", &status);
    assert_eq!(status["repo"], Value::Null);
    assert_eq!((&status["sessions"]["files"], &status["sessions"]["projects"]), (&json!(2), &json!(2)));
    assert_eq!(status["index"]["sessions"], 2);
    // Without a command the answer is the same.
    keeps_to("status", &app.json("--json"));
}

#[test]
fn bare_local_sets_up_and_answers_with_the_status() {
    let app = app();
    let status = app.json("--local --no-schedule --json");
    assert_eq!((&status["mode"], &status["index"]["sessions"]), (&json!("local"), &json!(2)));
}

#[test]
fn restore_lists() {
    let app = started();
    let all = app.json("restore --list --json");
    keeps_to("restore-list", &all);
    assert_eq!(all["sessions"].as_array().unwrap().len(), 2);
    let last = app.json("restore --last 1 --json");
    keeps_to("restore-list", &last);
    assert_eq!(last["sessions"].as_array().unwrap().len(), 1);
    let one = app.json("restore --project MyApp --json");
    keeps_to("restore-list", &one);
    assert_eq!(one["sessions"].as_array().unwrap().len(), 1);
    let day = all["sessions"][0]["lastActivity"].as_str().unwrap()[..10].to_owned();
    let one = app.json(&format!("restore --date {day} --json"));
    keeps_to("restore-list", &one);
    assert!(!one["sessions"].as_array().unwrap().is_empty());
    assert_eq!(app.json("restore --date 1999-01-01 --json")["sessions"], json!([]));
}

#[test]
fn restore_puts_back() {
    let app = started();
    let identical = app.json(&format!("restore {} --json", id(1)));
    assert_eq!((&identical["ok"], &identical["restored"]["files"]), (&json!(true), &json!(0)));
    let again = app.json(&format!("restore {} --force --json", id(1)));
    keeps_to("restore", &again);
    let path =
        again["restored"]["to"].as_str().unwrap().replace("$HOME", app.home().root().to_str().unwrap());
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    keeps_to("restore", &app.json(&format!("restore {} --json", id(1))));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    app.home().append(&Session::numbered(1).user("Help me debug the parser"), b"{}\n");
    let exists = failure(&app, &format!("restore {} --json", id(1)), 1);
    assert_eq!(exists["error"], "File already exists. Use --force to overwrite.");
    assert_eq!(exists["kind"], "exists");
    assert_eq!(failure(&app, "restore ffffffff --json", 1)["kind"], "not-found");
}

#[test]
fn restore_all() {
    let app = started();
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let all = app.json("restore --all --json");
    keeps_to("restore-all", &all);
    assert_eq!(all["restored"].as_array().unwrap().len(), 2);
    let none = app.json("restore --all --json");
    keeps_to("restore-all", &none);
    assert_eq!(none["skipped"].as_array().unwrap().len(), 2);
}

#[test]
fn peek() {
    let app = started();
    let peek = app.json(&format!("peek {} --json", id(1)));
    keeps_to("peek", &peek);
    assert_eq!(peek["firstMessages"][0]["preview"], "Help me debug the parser");
    assert_eq!(failure(&app, "peek ffffffff --json", 1)["kind"], "not-found");
}

#[test]
fn config_archives() {
    let app = started();
    let exported = app.json("export-config --json");
    keeps_to("export-config", &exported);
    let path = exported["exported"]["path"].as_str().unwrap();
    assert!(path.ends_with("claude-config-2026-12-01.tar.gz"), "{path}");
    fs::remove_file(app.home().path().join("settings.json")).unwrap();
    let imported = app.json(&format!(
        "import-config {} --json",
        path.replace("$HOME", app.home().root().to_str().unwrap())
    ));
    keeps_to("import-config", &imported);
    assert_eq!(failure(&app, "import-config nothing.tar.gz --json", 1)["code"], 1);
}

#[test]
fn verify_remote_schedule_purge_uninstall() {
    let app = started();
    let verified = app.json("verify --json");
    keeps_to("verify", &verified);
    keeps_to("remote", &app.json("remote --json"));
    let purged = app.json(&format!("purge {} --live --yes --json", id(2)));
    keeps_to("purge", &purged);
    let removed = app.json("uninstall --json");
    keeps_to("uninstall", &removed);
}

#[test]
fn version() {
    assert!(app().json("--version --json")["version"].is_string());
}

#[test]
fn without_a_vault_each_command_says_how_to_make_one() {
    let app = app();
    for command in ["sync", "status", "restore --list", "peek 1234", "verify", "remote", "purge 1234 --yes"] {
        let error = failure(&app, &format!("{command} --json"), 1);
        assert_eq!(error["kind"], "no-vault", "{command}");
        assert!(error["hints"][0].as_str().unwrap().contains("steno init"), "{error}");
    }
}

#[test]
fn damage_is_exit_2_with_a_report_and_a_newer_vault_is_refused() {
    let app = started();
    let vault = app.home().root().join(".claude-backup");
    let segment = walk(&vault).into_iter().find(|path| path.contains("/projects/")).unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    let last = bytes.len() - 6;
    bytes[last] ^= 0x40;
    fs::write(&segment, bytes).unwrap();
    let output = app.output(&["verify", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], false);
    keeps_to("verify", &report);
    assert_eq!(report["damaged"].as_array().unwrap().len(), 1);
    let newer =
        fs::read_to_string(vault.join("vault.json")).unwrap().replace("\"format\": 1", "\"format\": 9");
    fs::write(vault.join("vault.json"), newer).unwrap();
    for command in ["sync", "status", "verify", "init --local --no-schedule"] {
        assert_eq!(failure(&app, &format!("{command} --json"), 2)["kind"], "incompatible", "{command}");
    }
}

fn walk(directory: &std::path::Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path.to_str().unwrap().to_owned()) }
    }
    files.sort();
    files
}
