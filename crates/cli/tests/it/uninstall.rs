//! `steno uninstall`: the schedule goes, and the vault only when that is said twice.

#![cfg(unix)]
use crate::standin;

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{app, kept, vault};

fn crontab(app: &steno_testkit::App) -> String {
    fs::read_to_string(app.home().root().join("bin/crontab-text")).unwrap_or_default()
}

#[test]
fn the_schedule_goes_and_the_vault_stays() {
    let app = kept();
    app.run("schedule daily");
    assert!(crontab(&app).contains("sync"));
    assert_snapshot!(app.run("uninstall --dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would remove: schedule
    The vault stays in $HOME/.claude-backup

    ----- stderr -----
    ");
    assert!(crontab(&app).contains("sync"), "only shown");
    let report = app.json("uninstall --json");
    assert_eq!(
        (&report["ok"], &report["removed"], &report["vaultKept"]),
        (&json!(true), &json!(["schedule"]), &json!(true))
    );
    assert!(!crontab(&app).contains("sync"));
    let manifest: Value =
        serde_json::from_slice(&fs::read(vault(&app).join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["schedule"], Value::Null);
    assert_snapshot!(app.run("uninstall"), @r"
    exit: 0
    ----- stdout -----
    Removed: nothing
    The vault stays in $HOME/.claude-backup

    ----- stderr -----
    ");
}

#[test]
fn the_vault_is_deleted_when_that_is_said_twice() {
    let app = kept();
    assert_snapshot!(app.run("uninstall --delete-vault"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: this would delete everything that is kept in $HOME/.claude-backup
    hint: say --delete-vault --yes if that is meant
    ");
    assert!(vault(&app).exists());
    for line in ["uninstall --delete-vault --yes --dry-run", "uninstall --delete-vault --dry-run"] {
        let report = app.json(&format!("{line} --json"));
        assert_eq!(report["removed"], json!(["vault"]), "{line}: what only shows needs no confirmation");
        assert!(report["next"][0]["command"].as_str().unwrap().contains("--delete-vault --yes"), "{report}");
    }
    assert!(vault(&app).exists());
    let report = app.json("uninstall --delete-vault --yes --json");
    assert_eq!((&report["removed"], &report["vaultKept"]), (&json!(["vault"]), &json!(false)));
    assert!(!vault(&app).exists());
    assert!(app.home().path().join("projects").exists(), "live sessions are not ours");
}

#[test]
fn only_what_is_a_vault_is_deleted() {
    let app = app(&["crontab"]);
    let precious = app.home().root().join("precious");
    fs::create_dir_all(precious.join("projects")).unwrap();
    fs::write(precious.join("projects/letter"), "x").unwrap();
    let refused = app.run("uninstall --vault precious --delete-vault --yes");
    assert!(refused.starts_with("exit: 1") && refused.contains("holds no vault.json"), "{refused}");
    let refused = app.run("uninstall --vault nothing --delete-vault --yes");
    assert!(refused.starts_with("exit: 1") && refused.contains("there is no vault"), "{refused}");
    assert!(precious.join("projects/letter").exists());
}

#[test]
fn what_else_lies_in_a_vault_stays() {
    let app = kept();
    fs::write(vault(&app).join("letter.txt"), "mine").unwrap();
    let report = app.json("uninstall --delete-vault --yes --json");
    assert_eq!(report["warnings"][0]["file"], "$HOME/.claude-backup/letter.txt");
    let left: Vec<_> = fs::read_dir(vault(&app)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["letter.txt"]);
}

#[test]
fn a_claude_directory_inside_a_vault_is_safe() {
    let app = kept();
    let inside = vault(&app).join("machines/home");
    fs::create_dir_all(inside.join("projects")).unwrap();
    let refused = app.run(&format!("uninstall --claude-dir {} --delete-vault --yes", inside.display()));
    assert!(refused.starts_with("exit: 1") && refused.contains("lies inside the vault"), "{refused}");
    assert!(inside.exists());
}
