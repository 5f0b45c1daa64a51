//! `steno doctor` about the vault: what is not kept, what keeps it, and what is wrong with what is kept.

#![cfg(unix)]
use crate::standin;

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{DAY, id, segments, touch, vault, written};
use steno_testkit::{App, Session};

/// Sessions 1 and 2, kept in a local vault.
fn kept(stand_ins: &[&str]) -> App {
    let app = standin::app(stand_ins).variable("CLAUDE_CONFIG_DIR", "");
    for number in [1, 2] {
        add(&app, number, 2);
    }
    app.json("init --local --no-schedule --json");
    app
}

/// Made in a directory that every machine has.
fn session(number: u32) -> Session {
    Session::numbered(number).cwd("/").user(format!("Question {number}")).turns(1)
}

fn transcript(app: &App, number: u32) -> PathBuf {
    app.home().project_path("/").join(format!("{}.jsonl", id(number)))
}

fn add(app: &App, number: u32, days: u64) {
    app.write(&session(number));
    written(app, &session(number), days * DAY);
}

fn hooked(app: App) -> App {
    app.home().settings(&json!({"enabledPlugins": {"steno@stenograph": true}}));
    app
}

fn findings(app: &App) -> Vec<Value> {
    app.json("doctor --json")["findings"].as_array().unwrap().clone()
}

/// Severity, kind and help of each.
fn told(app: &App) -> String {
    let line = |finding: &Value| {
        let help = finding["help"].as_str().unwrap_or("-");
        format!("{} {}: {help}", finding["severity"].as_str().unwrap(), finding["kind"].as_str().unwrap())
    };
    findings(app).iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn nothing_is_wrong() {
    let app = hooked(kept(&["crontab"]));
    app.run("schedule daily");
    app.run("sync");
    assert_snapshot!(app.run("doctor --strict"), @"
    exit: 0
    ----- stdout -----
    Claude Code deletes sessions 30 days after their last use (default); the next one goes on 2026-12-29

    Nothing is wrong · 2 transcripts, 38 records

    ----- stderr -----
    ");
    assert_eq!(app.json("doctor --json")["ok"], true);
}

#[test]
fn what_keeps_sessions_by_itself() {
    assert_snapshot!(told(&kept(&["crontab"])), @"warning no-schedule: steno schedule daily");
    assert_snapshot!(told(&kept(&[])), @"warning no-hook: claude plugin marketplace add DIR && claude plugin install steno@stenograph");
    assert_snapshot!(told(&hooked(kept(&["crontab"]))), @"info no-schedule: steno schedule daily");
    assert_eq!(told(&hooked(kept(&[]))), "");
    let app = kept(&["crontab"]);
    app.run("schedule daily");
    assert_snapshot!(told(&app), @"info no-hook: claude plugin marketplace add DIR && claude plugin install steno@stenograph");
}

#[test]
fn sessions_that_are_not_kept() {
    let app = hooked(kept(&[])).now("2026-12-03T12:00:00Z");
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    touch(&transcript(&app, 1), 0);
    add(&app, 3, 0);
    add(&app, 4, 10);
    add(&app, 5, 27);
    assert_snapshot!(app.run("doctor"), @"
    exit: 0
    ----- stdout -----
    Claude Code deletes sessions 30 days after their last use (default); 1 goes within 7 days, and it is
    not backed up

    Errors
      at-risk: Claude Code deletes it on 2026-12-04, and it is not backed up
        ~/.claude/projects/-/00000005-5e55-4000-8000-000000000005.jsonl
        → steno sync

    Warnings
      not-kept: it is not backed up yet
        ~/.claude/projects/-/00000004-5e55-4000-8000-000000000004.jsonl
        → steno sync

    Notes
      not-kept (2)
        what was added since the last backup is not backed up yet
        ~/.claude/projects/-/00000001-5e55-4000-8000-000000000001.jsonl
        it is newer than the last backup, and not backed up yet
        ~/.claude/projects/-/00000003-5e55-4000-8000-000000000003.jsonl
        → steno sync

    1 error, 1 warning, 2 notes · 5 transcripts, 96 records

    ----- stderr -----
    ");
    let late = app.now("2026-12-06T12:00:00Z");
    assert_snapshot!(told(&late), @"
    error at-risk: steno sync
    warning not-kept: steno sync
    warning not-kept: steno sync
    warning not-kept: steno sync
    warning overdue-backup: steno sync
    ");
}

#[test]
fn a_vault_that_lacks_bytes() {
    let app = hooked(kept(&[]));
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    app.run("sync");
    assert_eq!(told(&app), "");
    fs::remove_file(&segments(&app, 1)[0]).unwrap();
    assert_snapshot!(told(&app), @"
    error damaged-vault: steno verify --repair
    warning not-kept: steno sync
    ");
}

#[test]
fn a_kept_session_that_is_gone_from_the_vault() {
    let app = hooked(kept(&[]));
    fs::remove_file(&segments(&app, 1)[0]).unwrap();
    assert_snapshot!(told(&app), @"
    error damaged-vault: steno verify --repair
    warning not-kept: steno sync
    ");
    let found = findings(&app);
    assert_eq!((&found[0]["session"], &found[0]["count"]), (&json!(id(1)), &json!(1)));
    assert_eq!(found[1]["message"], "its backup is gone from the vault");
    app.run("verify --repair");
    assert_eq!(told(&app), "");
}

#[test]
fn the_last_part_of_a_kept_session_that_the_client_deleted_is_gone() {
    let app = hooked(kept(&[]));
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    app.run("sync");
    fs::remove_file(transcript(&app, 1)).unwrap();
    fs::remove_file(segments(&app, 1).pop().unwrap()).unwrap();
    assert_snapshot!(told(&app), @"error damaged-vault: steno verify --repair");
    let missing = app.json("verify --json")["missing"].clone();
    assert_eq!(missing.as_array().unwrap().len(), 1, "{missing}");
}

#[test]
fn where_no_cache_tells_what_is_gone_the_ledger_does() {
    let app = hooked(kept(&[]));
    fs::remove_dir_all(vault(&app).join(".cache")).unwrap();
    assert_eq!(told(&app), "");
    fs::remove_file(transcript(&app, 1)).unwrap();
    fs::remove_file(&segments(&app, 1)[0]).unwrap();
    assert_snapshot!(told(&app), @"error damaged-vault: steno verify --repair");
    let message = findings(&app)[0]["message"].clone();
    assert!(message.as_str().unwrap().contains(&format!("{}.jsonl", id(1))), "{message}");
}

#[test]
fn what_was_purged_is_not_missed() {
    let app = hooked(kept(&[]));
    app.run(&format!("purge {} --live --yes", id(1)));
    assert_eq!(told(&app), "");
    fs::remove_dir_all(vault(&app).join(".cache")).unwrap();
    assert_eq!(told(&app), "");
}

#[test]
fn a_vault_that_cannot_be_read() {
    let app = hooked(kept(&[]));
    let document = vault(&app).join("vault.json");
    fs::write(&document, r#"{"format":99,"id":"x","created":"2026-01-01T00:00:00Z"}"#).unwrap();
    assert_snapshot!(told(&app), @"error unreadable-vault: -");
}

#[test]
fn a_run_that_failed_and_one_that_was_killed() {
    let app = hooked(kept(&[]));
    let manifest = vault(&app).join("manifest.json");
    let mut document: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    document["lastError"] =
        json!({"time": "2026-12-01T11:00:00Z", "command": "sync", "error": "the disk is full"});
    fs::write(&manifest, document.to_string()).unwrap();
    let left = vault(&app).join(".cache/new/0");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("1-0"), "half").unwrap();
    assert_snapshot!(told(&app), @"
    warning failed-run: steno sync
    info interrupted-work: steno sync
    ");
    let failed = findings(&app).remove(0);
    assert_eq!(failed["message"], "`steno sync` failed on 2026-12-01: the disk is full");
}

#[test]
fn somebody_else_is_at_work() {
    let app = hooked(kept(&[]));
    let lock = fs::File::options().read(true).write(true).open(vault(&app).join(".lock")).unwrap();
    lock.lock().unwrap();
    fs::write(vault(&app).join(".lock"), "process 7, sync\n").unwrap();
    let busy = findings(&app).remove(0);
    assert_eq!((&busy["kind"], &busy["severity"]), (&json!("vault-busy"), &json!("info")));
    assert_eq!(busy["message"], "another process is changing it: process 7, sync");
}

#[test]
fn a_directory_whose_transcript_is_gone_can_be_restored() {
    let app = hooked(kept(&[]));
    let project = app.home().project_path("/");
    fs::create_dir_all(project.join(id(1)).join("tool-results")).unwrap();
    fs::write(project.join(id(1)).join("tool-results/a.txt"), "a").unwrap();
    fs::remove_file(transcript(&app, 1)).unwrap();
    assert_snapshot!(told(&app), @"info leftover-directory: steno restore 00000001-5e55-4000-8000-000000000001");
}
