//! `steno status`: what it tells of the vault, and of what the client is about to delete.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod standin;

use std::fs;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{DAY, NOW, app, bare, id, kept, session, vault, without_sizes, written};
use steno_testkit::App;

/// Four sessions of two projects, of different ages.
fn aged() -> App {
    let app = app(&["crontab"]);
    for (number, days) in [(1, 25), (2, 26), (3, 2), (4, 29)] {
        let session = session(number).cwd(if number == 3 { "/home/dev/api" } else { "/home/dev/web" });
        app.write(&session);
        written(&app, &session, days * DAY);
    }
    app.home().settings(&json!({"model": "opus"}));
    app.json("init --local --no-schedule --json");
    app
}

fn retention(app: &App) -> Value {
    app.json("status --json")["retention"].clone()
}

#[test]
fn people_are_told_what_is_at_risk() {
    assert_snapshot!(without_sizes(&aged().run("status")), @r"
    exit: 0
    ----- stdout -----
    Mode: local (no remote)
    Path: $HOME/.claude-backup
    Last: just now
    Kept: 4 sessions of 2 projects and 1 config file, #K (#K unpacked)
    Runs: only when asked; `steno schedule daily` has it run by itself
    Risk: 3 sessions will be deleted by Claude Code within 7 days, the first on 2026-12-02; all of them are kept

    ----- stderr -----
    ");
}

#[test]
fn programs_get_the_keys_of_the_contract() {
    let status = aged().json("status --json");
    assert_eq!(status["mode"], "local");
    assert_eq!(status["repo"], Value::Null);
    assert_eq!(status["lastBackup"], "2026-12-01T12:00:00Z");
    assert_eq!(status["sessions"]["files"], 4);
    assert_eq!(status["sessions"]["projects"], 2);
    assert_eq!(status["index"], json!({"sessions": 4}));
    assert_eq!(status["config"], json!({"files": 1, "size": "16B", "sizeBytes": 16}));
    assert_eq!(status["scheduler"], "off");
    assert_eq!(status["lastError"], Value::Null);
    assert_eq!(status["vault"], "$HOME/.claude-backup");
    assert_eq!(status["pending"], Value::Null);
    let bytes = status["sessions"]["sizeBytes"].as_u64().unwrap();
    assert_eq!(status["backupSizeBytes"], bytes + 16);
    assert!(status["sessions"]["uncompressedBytes"].as_u64().unwrap() > bytes);
    assert!(status["backupSize"].as_str().unwrap().ends_with('K'), "{status}");
    assert_eq!(
        status["retention"],
        json!({
            "cleanupPeriodDays": 30, "source": "default", "path": null, "suspended": false, "atRisk": 3,
            "atRiskNotKept": 0, "notKept": 0, "nextDeletion": "2026-12-02T12:00:00Z",
        })
    );
    let machine = json!({
        "machine": "box", "own": true, "sessions": 4, "sizeBytes": bytes, "lastBackup": "2026-12-01T12:00:00Z",
    });
    assert_eq!(status["machines"], json!([machine]));
}

#[test]
fn without_a_vault_it_says_how_to_make_one() {
    assert_snapshot!(app(&[]).run("status --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"there is no vault at $HOME/.claude-backup","kind":"no-vault","code":1,"hints":["`steno init` makes one and runs the first backup"]}
    "#);
}

#[test]
fn a_session_that_has_grown_is_not_kept_until_the_next_sync() {
    let app = kept();
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    assert_eq!(retention(&app)["notKept"], 1);
    app.write(&session(3));
    written(&app, &session(3), 27 * DAY);
    let at_risk = retention(&app);
    assert_eq!((&at_risk["notKept"], &at_risk["atRiskNotKept"]), (&json!(2), &json!(1)));
    app.run("sync");
    assert_eq!(retention(&app)["notKept"], 0);
}

#[test]
fn a_session_that_was_only_touched_is_kept() {
    let app = kept().now("2026-12-05T12:00:00Z");
    let path = app.home().project_path(session(1).project()).join(format!("{}.jsonl", id(1)));
    let after = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW + 2 * DAY);
    fs::File::options().append(true).open(&path).unwrap().set_modified(after).unwrap();
    assert_eq!(retention(&app)["notKept"], 1, "nobody has looked since");
    app.run("sync");
    assert_eq!(retention(&app)["notKept"], 0);
}

#[test]
fn settings_that_do_not_load_suspend_the_deletion() {
    let app = aged();
    app.home().file("settings.json", "{\"cleanupPeriodDays\":1,");
    let status = app.json("status --json");
    assert_eq!(status["retention"]["suspended"], true);
    assert_eq!(
        (&status["retention"]["atRisk"], &status["retention"]["nextDeletion"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(status["warnings"][0]["kind"], "bad-sidecar");
    assert!(
        app.run("status").contains("Claude Code deletes nothing now, since a settings file does not load")
    );
}

#[test]
fn a_longer_period_saves_them() {
    let app = aged();
    app.home().settings(&json!({"cleanupPeriodDays": 90}));
    let retention = retention(&app);
    assert_eq!(retention["source"], "user");
    assert_eq!(retention["path"], "$HOME/.claude/settings.json");
    assert_eq!((&retention["cleanupPeriodDays"], &retention["atRisk"]), (&json!(90), &json!(0)));
    assert_eq!(retention["nextDeletion"], "2027-01-31T12:00:00Z");
}

#[test]
fn a_purged_session_is_not_missed() {
    let app = kept();
    app.run(&format!("purge {}", id(1)));
    let status = app.json("status --json");
    assert_eq!((&status["retention"]["notKept"], &status["sessions"]["files"]), (&json!(0), &json!(1)));
}

#[test]
fn caches_change_no_answer() {
    let app = aged();
    let before = app.json("status --json");
    fs::remove_dir_all(vault(&app).join(".cache")).unwrap();
    assert_eq!(app.json("status --json"), before);
}

#[test]
fn what_was_not_sent_is_known_without_the_network() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    assert_eq!(app.json("status --json")["pending"], false);
    fs::rename(&remote, remote.with_extension("gone")).unwrap();
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    app.run("sync");
    let status = app.json("status --json");
    assert_eq!((&status["mode"], &status["pending"]), (&json!("git"), &json!(true)));
    assert!(app.run("status").contains("not all of it was sent yet"));
    fs::rename(remote.with_extension("gone"), &remote).unwrap();
    app.run("sync");
    assert_eq!(app.json("status --json")["pending"], false);
}

#[test]
fn an_address_is_shown_without_what_signs_in() {
    let app = kept();
    let path = vault(&app).join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["mode"] = json!("git");
    manifest["remote"] = json!("https://me:secret@host.invalid/x.git");
    fs::write(&path, manifest.to_string()).unwrap();
    assert_eq!(app.json("status --json")["repo"], "https://***@host.invalid/x.git");
    assert!(!app.run("status").contains("secret"));
}
