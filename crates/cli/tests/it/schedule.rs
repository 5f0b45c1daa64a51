//! `steno schedule`: the system's scheduler is told, and the vault remembers it.

#![cfg(unix)]
use crate::standin;

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{app, kept, vault};
use steno_testkit::App;

fn remembered(app: &App) -> Value {
    let manifest: Value =
        serde_json::from_slice(&fs::read(vault(app).join("manifest.json")).unwrap()).unwrap();
    manifest["schedule"].clone()
}

#[test]
fn a_job_is_installed_changed_and_removed() {
    let app = kept();
    assert_snapshot!(app.run("schedule daily"), @r"
    exit: 0
    ----- stdout -----
    Schedule: active, daily (cron)

    ----- stderr -----
    ");
    assert_eq!(remembered(&app), "daily");
    let report = app.json("schedule 6h --json");
    assert_eq!(
        (&report["ok"], &report["scheduler"], &report["every"]),
        (&json!(true), &json!("active"), &json!("6h"))
    );
    assert_eq!((&report["kind"], remembered(&app)), (&json!("cron"), json!("6h")));
    let status = app.json("status --json");
    assert_eq!((&status["scheduler"], &status["schedule"]), (&json!("active"), &json!("6h")));
    assert!(app.run("status").contains("Runs: automatically, 6h"));
    let shown = app.json("schedule --json");
    assert_eq!(
        (&shown["scheduler"], &shown["every"], &shown["steps"]),
        (&json!("active"), &json!("6h"), &json!([]))
    );
    assert!(app.run("schedule").contains("Schedule: active, 6h (cron)"));
    let report = app.json("schedule off --json");
    assert_eq!((&report["scheduler"], &report["every"]), (&json!("off"), &Value::Null));
    assert_eq!(remembered(&app), Value::Null);
}

#[test]
fn a_dry_run_shows_the_steps() {
    let app = kept();
    assert_snapshot!(app.run("schedule hourly --dry-run"), @r"
    exit: 0
    ----- stdout -----
    Schedule: off (cron)
    Would run crontab -

    ----- stderr -----
    ");
    assert_eq!(remembered(&app), Value::Null);
    assert!(!app.home().root().join("bin/crontab-text").exists());
}

#[test]
fn the_job_of_the_original_tool_is_named_and_disabled_with_consent() {
    let app = kept();
    let crontab = app.home().root().join("bin/crontab-text");
    fs::write(&crontab, "0 3 * * * /home/dev/.local/bin/claude-backup sync\n").unwrap();
    let report = app.json("schedule daily --json");
    assert_eq!(report["warnings"][0]["kind"], "original-job");
    assert!(!fs::read_to_string(&crontab).unwrap().contains("# disabled"));
    app.run("schedule daily --replace-original");
    assert!(fs::read_to_string(&crontab).unwrap().contains("# disabled by steno: 0 3 * * *"));
}

#[test]
fn systemd_is_preferred_where_it_runs() {
    let app = app(&["systemctl", "crontab"]);
    let report = app.json("schedule daily --json");
    assert_eq!((&report["kind"], &report["scheduler"]), (&json!("systemd"), &json!("active")));
    let units = standin::files(&app.home().root().join(".config/systemd/user"));
    assert!(!units.is_empty());
}

#[test]
fn without_a_scheduler_it_says_what_to_do() {
    assert_snapshot!(app(&[]).run("schedule daily"), @r"
    exit: 2
    ----- stdout -----

    ----- stderr -----
    error: there is no scheduler that could run a sync
    hint: systemd for users, cron, launchd or the Task Scheduler is needed
    hint: or let something else run `steno --quiet sync` from time to time
    ");
    let off = app(&[]).run("schedule off");
    assert!(off.starts_with("exit: 0"), "{off}");
}

#[test]
fn a_wish_that_means_nothing_is_a_mistake() {
    let refused = app(&["crontab"]).run("schedule weekly");
    assert!(refused.starts_with("exit: 1"), "{refused}");
}
