//! `steno status`: what it tells of the vault, and of what the client is about to delete.

#![cfg(unix)]
use crate::standin;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{DAY, NOW, app, bare, files, id, kept, session, vault, without_sizes, written};
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
    Runs: only with `steno sync`; `steno schedule daily` runs it every day
    Risk: 3 sessions will be deleted by Claude Code within 7 days, the first on 2026-12-02; all of them
          are kept

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
    assert_eq!((&status["pending"], &status["push"]), (&Value::Null, &Value::Null));
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
    assert_eq!(retention(&app)["notKept"], 0, "a time tells nothing of bytes");
    app.run("sync");
    assert_eq!(retention(&app)["notKept"], 0);
}

#[test]
fn a_session_that_was_put_back_is_kept() {
    // Files are put back by the system's clock, which is later.
    let app = kept().now("2020-01-01T12:00:00Z");
    app.run("sync");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    app.json(&format!("restore {} --json", id(1)));
    assert_eq!(retention(&app)["notKept"], 0);
}

#[test]
fn a_session_from_the_future_is_kept() {
    let app = kept();
    let path = app.home().project_path(session(1).project()).join(format!("{}.jsonl", id(1)));
    let after = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW + 400 * DAY);
    fs::File::options().append(true).open(&path).unwrap().set_modified(after).unwrap();
    app.run("sync");
    assert_eq!(retention(&app)["notKept"], 0);
}

/// From now on the remote takes nothing.
fn refuse(remote: &Path) -> PathBuf {
    let hook = remote.join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    steno_testkit::executable(&hook, "#!/bin/sh\necho no thanks >&2\nexit 1\n");
    hook
}

#[test]
fn a_refused_push_is_told_until_one_succeeds() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    assert_eq!(app.json("status --json")["push"]["state"], "pushed");
    let hook = refuse(&remote);
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    assert!(app.run("sync").starts_with("exit: 3"));
    let told = |app: &App| {
        let status = app.json("status --json");
        let error = status["lastError"]["error"].as_str().unwrap_or_default().to_owned();
        (error, status["push"]["state"].clone(), status["pending"].clone())
    };
    let (error, state, pending) = told(&app);
    assert!(error.starts_with("not sent: ") && error.contains("no thanks"), "{error}");
    assert_eq!((state, pending), (json!("refused"), json!(true)));
    let shown = app.run("status");
    assert!(shown.contains("not sent: ") && shown.contains("Fail: `steno sync` at 2026-12-01T12:00:00Z: "));
    fs::rename(&remote, remote.with_extension("gone")).unwrap();
    assert!(app.run("sync").starts_with("exit: 3"));
    let (error, state, _) = told(&app);
    assert!(error.starts_with("not sent: "), "nothing was sent since: {error}");
    assert_eq!(state, "offline");
    fs::rename(remote.with_extension("gone"), &remote).unwrap();
    fs::remove_file(hook).unwrap();
    assert!(app.run("sync").starts_with("exit: 0"));
    assert_eq!(told(&app), (String::new(), json!("pushed"), json!(false)));
}

#[test]
fn who_sends_nothing_any_more_is_not_told_of_it() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    refuse(&remote);
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    app.run("sync");
    app.run("remote off");
    let status = app.json("status --json");
    assert_eq!((&status["lastError"], &status["push"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_held_push_is_told_with_the_way_to_send_it() {
    let app = app(&["crontab"]);
    let token = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    app.write(&session(1).user(format!("my token is {token}")));
    let remote = bare(&app);
    app.json(&format!("init --remote {} --no-schedule --json", remote.display()));
    let status = app.json("status --json");
    assert_eq!((&status["push"]["state"], &status["pending"]), (&json!("held"), &json!(true)));
    assert!(status["push"]["reason"].as_str().unwrap().contains("steno sync --push"), "{status}");
    assert!(app.run("status").contains("`steno sync --push` sends it"), "{}", app.run("status"));
    app.run("sync --push");
    let status = app.json("status --json");
    assert_eq!((&status["push"]["state"], &status["pending"]), (&json!("pushed"), &json!(false)));
}

#[test]
fn a_transcript_that_cannot_be_read_is_told() {
    let app = kept();
    let path = app.home().project_path(session(1).project()).join(format!("{}.jsonl", id(1)));
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        // Whoever may read everything cannot see this.
        return;
    }
    let shown = app.run("sync --json");
    assert!(shown.starts_with("exit: 3") && shown.contains("\"ok\":false"), "{shown}");
    let error = app.json("status --json")["lastError"]["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("not kept: ") && error.contains(&id(1)), "{error}");
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    assert!(app.run("sync").starts_with("exit: 0"));
    assert_eq!(app.json("status --json")["lastError"], Value::Null);
}

#[test]
fn who_has_to_wait_has_not_failed() {
    let app = kept().variable("STENO_WAIT", "0");
    let lock = fs::File::options().append(true).open(vault(&app).join(".lock")).unwrap();
    lock.lock().unwrap();
    assert!(app.run("sync").starts_with("exit: 2"));
    drop(lock);
    assert_eq!(app.json("status --json")["lastError"], Value::Null);
}

#[test]
fn a_lost_manifest_is_found_out_again() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    for lose in [|path: &Path| fs::remove_file(path), |path: &Path| fs::write(path, "{\"mode\":")] {
        lose(&vault(&app).join("manifest.json")).unwrap();
        let status = app.json("status --json");
        assert_eq!((&status["mode"], &status["machine"]), (&json!("git"), &json!("box")));
        assert_eq!(status["warnings"][0]["kind"], "lost-document", "{status}");
        app.home().append(&session(1), b"{\"type\":\"user\"}\n");
        let synced = app.json("sync --json");
        assert_eq!(synced["pushed"], true, "{synced}");
        assert_eq!(synced["warnings"][0]["kind"], "lost-document", "{synced}");
        assert_eq!(app.json("sync --json")["warnings"], json!([]));
    }
    assert_eq!(
        files(&vault(&app).join("machines")).iter().filter(|path| path.ends_with("manifest.json")).count(),
        1
    );
}

#[test]
fn a_lost_manifest_does_not_make_another_machine_of_this_one() {
    let app = kept();
    fs::remove_file(vault(&app).join("manifest.json")).unwrap();
    let app = app.variable("STENO_MACHINE", "renamed");
    assert_eq!(app.json("status --json")["machine"], "box");
    fs::remove_dir_all(vault(&app).join(".cache")).unwrap();
    assert_eq!(app.json("status --json")["machine"], "box", "it is the only one, and was written from here");
    fs::remove_file(vault(&app).join(".lock")).unwrap();
    assert_eq!(app.json("status --json")["machine"], "renamed", "a copy of somebody else's vault");
}

#[test]
fn a_spoilt_description_is_written_anew() {
    for text in ["", "{\"format\":", "[]"] {
        let app = kept();
        let path = vault(&app).join("vault.json");
        fs::write(&path, text).unwrap();
        assert_eq!(app.json("restore --list --json")["sessions"].as_array().unwrap().len(), 2, "{text}");
        let synced = app.json("sync --json");
        assert_eq!((&synced["ok"], &synced["warnings"][0]["kind"]), (&json!(true), &json!("lost-document")));
        let written: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(written["format"], 1);
        assert_eq!(app.json("sync --json")["warnings"], json!([]));
        assert_eq!(app.json("verify --json")["ok"], true);
    }
}

#[test]
fn a_spoilt_description_is_taken_from_git_where_that_knows_it() {
    let app = kept();
    let remote = bare(&app);
    app.json(&format!("remote {} --json", remote.display()));
    let path = vault(&app).join("vault.json");
    let before = fs::read(&path).unwrap();
    fs::write(&path, "").unwrap();
    assert_eq!(app.json("sync --json")["pushed"], true);
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// As where nobody names a Claude directory; its output, and what it talked.
fn by_default(app: &App, arguments: &str) -> (String, String) {
    let mut command = app.command();
    let output = command.env_remove("CLAUDE_CONFIG_DIR").args(arguments.split_whitespace()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn without_a_claude_directory_a_sync_says_so() {
    let app = kept();
    fs::remove_dir_all(app.home().path()).unwrap();
    let report: Value = serde_json::from_str(&by_default(&app, "sync --json").0).unwrap();
    assert_eq!(report["warnings"][0]["kind"], "missing-directory", "{report}");
    assert_eq!(report["kept"], 2, "they are held all the same");
    let (said, _) = by_default(&app, "sync");
    assert_eq!(said, "Backed up: nothing was there to keep · 2 sessions only the vault still has\n");
    let report: Value = serde_json::from_str(&by_default(&app, "sync --config-only --json").0).unwrap();
    assert_eq!(report["kept"], 0, "nobody asked for sessions");
}

#[test]
fn where_there_never_was_one_nothing_was_there_to_keep() {
    let app = app(&[]);
    let _ = fs::remove_dir_all(app.home().path());
    let (said, _) = by_default(&app, "init --local --no-schedule");
    assert!(said.contains("\nBacked up: nothing was there to keep\n"), "{said}");
    let status: Value = serde_json::from_str(&by_default(&app, "status --json").0).unwrap();
    assert_eq!(status["warnings"], json!([]), "nothing is missed");
}

#[test]
fn a_claude_directory_that_is_gone_is_said_where_sessions_of_it_are_held() {
    let app = kept();
    fs::remove_dir_all(app.home().path()).unwrap();
    let status: Value = serde_json::from_str(&by_default(&app, "status --json").0).unwrap();
    let warning = &status["warnings"][0];
    assert_eq!(warning["kind"], "missing-directory", "{status}");
    let message = warning["message"].as_str().unwrap();
    assert_eq!(
        message,
        "it is not there; the vault holds 2 sessions of it: `steno restore --all` puts them back"
    );
    assert_eq!(app.json("status --json")["warnings"][0]["kind"], "missing-directory", "named, too");
    by_default(&app, "restore --all");
    let status: Value = serde_json::from_str(&by_default(&app, "status --json").0).unwrap();
    assert_eq!(status["warnings"], json!([]));
}

#[test]
fn a_name_with_a_percent_sign_is_no_session_that_is_gone() {
    let app = kept();
    app.home().file("projects/-home-dev-odd/100%25.jsonl", "{\"type\":\"user\"}\n");
    let synced = app.json("sync --json");
    assert_eq!((&synced["sessions"]["added"], &synced["kept"]), (&json!(1), &json!(0)));
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
fn what_the_client_deleted_is_counted() {
    let app = kept();
    assert_eq!(app.json("status --json")["sessions"]["deleted"], 0);
    let project = app.home().project_path(session(1).project());
    fs::remove_file(project.join(format!("{}.jsonl", id(1)))).unwrap();
    assert_eq!(app.json("status --json")["sessions"]["deleted"], 1);
    assert!(app.run("status").contains("Safe: 1 session that Claude Code deleted is still here"));
    fs::remove_dir_all(app.home().path()).unwrap();
    assert_eq!(app.json("status --json")["sessions"]["deleted"], 0, "nobody knows who took all of it away");
}

#[test]
fn a_purged_session_is_not_missed() {
    let app = kept();
    app.run(&format!("purge {} --yes", id(1)));
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

#[test]
fn one_that_is_not_kept_is_no_crowd() {
    let app = kept();
    app.write(&session(8));
    let said = app.run("status");
    assert!(said.contains("1 session is not kept yet, `steno sync` keeps it; "), "{said}");
    app.write(&session(9));
    let said = app.run("status");
    assert!(said.contains("2 sessions are not kept yet, `steno sync` keeps them; "), "{said}");
}
