//! `steno export-config` and `import-config`: a configuration travels, credentials do not.

#![cfg(unix)]
use crate::standin;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;
use serde_json::json;
use standin::{app, bare, vault, without_sizes};
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
    hint: use --force to overwrite, or --dry-run to see the whole plan
    ");
    fs::remove_file(to.home().path().join("settings.json")).unwrap();
    assert_snapshot!(import("--dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would write nothing into $HOME/.claude without --force: 1 file differs, 1 file already in place and identical
      new     settings.json
      exists  CLAUDE.md

    ----- stderr -----
    ");
    assert_snapshot!(import("--dry-run --force"), @r"
    exit: 0
    ----- stdout -----
    Would write 2 files into $HOME/.claude, 1 file already in place and identical
      new   settings.json
      over  CLAUDE.md

    ----- stderr -----
    ");
    let plan = to.json(&format!("import-config {} --dry-run --json", archive.display()));
    assert_eq!((&plan["ok"], &plan["imported"]["files"]), (&json!(true), &json!(0)));
    assert_eq!(plan["imported"]["exists"], json!(["CLAUDE.md"]));
    assert_eq!(
        (&plan["imported"]["new"], &plan["imported"]["overwritten"]),
        (&json!(["settings.json"]), &json!([]))
    );
    assert_eq!(fs::read_to_string(to.home().path().join("CLAUDE.md")).unwrap(), "Be verbose.\n");
    let report = to.json(&format!("import-config {} --force --json", archive.display()));
    assert_eq!((&report["ok"], &report["imported"]["files"]), (&json!(true), &json!(2)));
    assert_eq!(report["imported"]["overwritten"], json!(["CLAUDE.md"]));
    assert_eq!(report["imported"]["exists"], json!([]));
    let replaced = report["imported"]["replaced"].as_str().unwrap().rsplit('/').next().unwrap();
    let old = to.home().path().join("steno-replaced").join(replaced).join("CLAUDE.md");
    assert_eq!(fs::read_to_string(old).unwrap(), "Be verbose.\n");
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

/// The same, kept, and the Claude directory lost.
fn lost() -> App {
    let app = configured();
    let hook = app.home().file("hooks/run.sh", "#!/bin/sh\n");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(app.json("init --local --no-schedule --json")["ok"], true);
    fs::remove_dir_all(app.home().path()).unwrap();
    app
}

#[test]
fn what_is_kept_of_a_lost_configuration_comes_back() {
    let app = lost();
    assert_snapshot!(app.run("export-config"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no such directory: $HOME/.claude
    hint: Claude Code has not run here yet, or its directory is another one: see --claude-dir
    hint: the vault holds 4 config files: `steno export-config --kept --claude-dir $HOME/.claude` packs them
    ");
    assert_snapshot!(without_sizes(&app.run("export-config kept.tar.gz --kept --dry-run")), @r"
    exit: 0
    ----- stdout -----
    Would pack 4 files that box kept into $HOME/kept.tar.gz (#B)
      CLAUDE.md
      hooks/run.sh
      settings.json
      skills/tea/SKILL.md

    ----- stderr -----
    ");
    let report = app.json("export-config kept.tar.gz --kept --json");
    assert_eq!((&report["exported"]["files"], &report["exported"]["machine"]), (&json!(4), &json!("box")));
    assert_eq!(app.json("import-config kept.tar.gz --json")["imported"]["files"], 4);
    assert_eq!(fs::read_to_string(app.home().path().join("CLAUDE.md")).unwrap(), "Be brief.\n");
    let hook = fs::metadata(app.home().path().join("hooks/run.sh")).unwrap();
    assert_eq!(hook.permissions().mode() & 0o100, 0o100, "a hook runs again");
    assert!(!app.home().path().join(".credentials.json").exists());
}

#[test]
fn a_directory_without_configuration_is_told_of_the_kept_one() {
    let app = lost();
    fs::create_dir(app.home().path()).unwrap();
    let refused = app.run("export-config --json");
    assert!(refused.starts_with("exit: 1") && refused.contains("\"kind\":\"not-found\""), "{refused}");
    assert!(refused.contains("steno export-config --kept"), "{refused}");
}

#[test]
fn a_new_machine_takes_the_configuration_that_another_one_sent() {
    let old = configured();
    let remote = bare(&old).display().to_string();
    old.home().file("skills/tea/run.sh", "#!/bin/sh\n");
    let script = old.home().path().join("skills/tea/run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    old.json(&format!("init --no-schedule --remote {remote} --json"));
    let new = app(&[]).variable("STENO_MACHINE", "laptop");
    new.json(&format!("init --no-schedule --remote {remote} --json"));
    let report = new.json("export-config a.tar.gz --kept --json");
    assert_eq!((&report["exported"]["files"], &report["exported"]["machine"]), (&json!(4), &json!("box")));
    new.json("import-config a.tar.gz --json");
    let script = fs::metadata(new.home().path().join("skills/tea/run.sh")).unwrap();
    assert_eq!(script.permissions().mode() & 0o100, 0o100);

    new.home().file("CLAUDE.md", "Of my own.");
    new.json("sync --json");
    let own = new.json("export-config b.tar.gz --kept --json");
    assert_eq!(own["exported"]["machine"], "laptop");
    assert_eq!(own["warnings"][0]["kind"], "other-machines");
    let named = new.json("export-config b.tar.gz --kept --machine box --json");
    assert_eq!((&named["exported"]["machine"], &named["warnings"]), (&json!("box"), &json!([])));
    assert_snapshot!(new.run("export-config --kept --machine desk"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the vault holds no configuration of a machine 'desk'
    hint: it holds that of box, laptop
    ");
}

#[test]
fn a_secret_in_a_kept_configuration_is_said_and_what_is_none_is_left_out() {
    let app = configured();
    let token = ["ghp", "_", "x8Kq2mV7bN4cJ1zL6wR9tY3uP5sD0fGh1jK2"].concat();
    app.home().settings(&json!({"env": {"GITHUB_TOKEN": token}}));
    app.json("init --local --no-schedule --json");
    let kept = vault(&app).join("machines/box/config");
    fs::write(kept.join(".credentials.json"), "{}").unwrap();
    let report = app.json("export-config --kept --json");
    let kinds: Vec<&str> =
        report["warnings"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["withheld", "secret"], "{report}");
    assert!(!report.to_string().contains(&token));
    assert_eq!(report["exported"]["files"], 3);
}

#[test]
fn where_nothing_is_kept_there_is_nothing_to_pack() {
    let app = configured();
    let refused = app.run("export-config --kept --json");
    assert!(refused.starts_with("exit: 1") && refused.contains("\"kind\":\"no-vault\""), "{refused}");
    app.json("init --local --no-schedule --no-sync --json");
    let refused = app.run("export-config --kept --json");
    assert!(refused.starts_with("exit: 1") && refused.contains("\"kind\":\"not-found\""), "{refused}");
    let refused = app.run("export-config --machine box");
    assert!(refused.starts_with("exit: 1") && refused.contains("--kept"), "{refused}");
}

#[test]
fn the_original_tool_s_copies_count() {
    let app = app(&[]);
    let copy = vault(&app).join("config/agents/one.md");
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    fs::write(copy, "An agent.").unwrap();
    fs::create_dir_all(vault(&app).join("projects")).unwrap();
    let report = app.json("export-config --kept --json");
    assert_eq!(report["exported"]["names"], json!(["agents/one.md"]));
}
