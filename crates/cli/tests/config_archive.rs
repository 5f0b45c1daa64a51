//! `steno export-config` and `import-config`: a configuration travels, credentials do not.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod standin;

use std::fs;

use insta::assert_snapshot;
use serde_json::json;
use standin::{app, without_sizes};
use steno_testkit::App;

fn configured() -> App {
    let app = app(&[]);
    app.home().settings(&json!({"model": "opus"}));
    app.home().file("CLAUDE.md", "Be brief.\n");
    app.home().file("skills/tea/SKILL.md", "Make tea.\n");
    app.home().file(".credentials.json", "{\"token\":\"x\"}");
    app
}

#[test]
fn a_configuration_is_packed_under_the_day_s_name() {
    let app = configured();
    assert_snapshot!(without_sizes(&app.run("export-config --dry-run")), @r"
    exit: 0
    ----- stdout -----
    Would pack 3 files into $HOME/claude-config-2026-12-01.tar.gz (#B)
      CLAUDE.md
      settings.json
      skills/tea/SKILL.md

    ----- stderr -----
    ");
    assert!(!app.home().root().join("claude-config-2026-12-01.tar.gz").exists());
    let report = app.json("export-config --json");
    assert_eq!(report["ok"], true);
    assert_eq!(report["exported"]["path"], "$HOME/claude-config-2026-12-01.tar.gz");
    assert_eq!(report["exported"]["files"], 3);
    assert!(report["exported"]["size"].is_string() && report["exported"]["sizeBytes"].is_u64(), "{report}");
    assert!(app.home().root().join("claude-config-2026-12-01.tar.gz").exists());
}

#[test]
fn it_comes_in_elsewhere() {
    let from = configured();
    from.run("export-config config.tar.gz");
    let archive = from.home().root().join("config.tar.gz");
    let to = app(&[]);
    let import = |rest: &str| to.run(&format!("import-config {} {rest}", archive.display()));
    assert_snapshot!(import("--dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would write 3 files into $HOME/.claude
      new   CLAUDE.md
      new   settings.json
      new   skills/tea/SKILL.md

    ----- stderr -----
    ");
    assert!(!to.home().path().join("CLAUDE.md").exists());
    assert!(import("").starts_with("exit: 0"));
    assert_eq!(fs::read_to_string(to.home().path().join("CLAUDE.md")).unwrap(), "Be brief.\n");
    assert!(!to.home().path().join(".credentials.json").exists());

    to.home().file("CLAUDE.md", "Be verbose.\n");
    assert_snapshot!(import(""), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: CLAUDE.md would be overwritten in $HOME/.claude
    hint: use --force to overwrite, or --dry-run --force to see the whole plan
    ");
    let report = to.json(&format!("import-config {} --force --json", archive.display()));
    assert_eq!((&report["ok"], &report["imported"]["files"]), (&json!(true), &json!(1)));
    assert_eq!(report["imported"]["overwritten"], json!(["CLAUDE.md"]));
}

#[test]
fn a_file_that_is_no_archive_is_not_replaced() {
    let app = configured();
    let precious = app.home().root().join("notes.txt");
    fs::write(&precious, "precious").unwrap();
    let refused = app.run("export-config notes.txt");
    assert!(refused.starts_with("exit: 1"), "{refused}");
    assert_eq!(fs::read_to_string(precious).unwrap(), "precious");
}

#[test]
fn a_secret_in_the_settings_is_said() {
    let app = configured();
    let token = ["ghp", "_", "x8Kq2mV7bN4cJ1zL6wR9tY3uP5sD0fGh1jK2"].concat();
    app.home().settings(&json!({"env": {"GITHUB_TOKEN": token}}));
    let report = app.json("export-config --json");
    assert_eq!(report["warnings"][0]["kind"], "secret", "{report}");
    assert!(!report.to_string().contains(&token));
}

#[test]
fn an_archive_that_is_missing_or_none_is_refused() {
    let app = configured();
    let missing = app.run("import-config nothing.tar.gz --json");
    assert!(missing.starts_with("exit: 1") && missing.contains("\"kind\":\"not-found\""), "{missing}");
    fs::write(app.home().root().join("notes.txt"), "no archive").unwrap();
    let refused = app.run("import-config notes.txt --json");
    assert!(refused.starts_with("exit: 1") && refused.contains("\"kind\":\"invalid\""), "{refused}");
}
