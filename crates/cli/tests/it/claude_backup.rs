//! Every command line that users and agents of `claude-backup` know by heart, typed into a shell under that name.
//!
//! `contract.rs` holds what the answers mean; here it is the lines themselves that must go on working, letter by letter.

#![cfg(unix)]
use crate::schema::{assert_error, keeps_to};

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use steno_testkit::{App, Session};

/// A command line with the schema of its answer.
type Promise = (&'static str, &'static str);

/// As they were written in the reference of `--json`.
const REFERENCE: &[Promise] = &[
    ("claude-backup sync --json", "sync"),
    ("claude-backup sync --config-only --json", "sync"),
    ("claude-backup status --json", "status"),
    ("claude-backup restore --list --json", "restore-list"),
    ("claude-backup restore --last 5 --json", "restore-list"),
    ("claude-backup restore --project myapp --json", "restore-list"),
    ("claude-backup restore --date 2026-02-27 --json", "restore-list"),
    ("claude-backup restore <uuid> --force --json", "restore"),
    ("claude-backup export-config --json", "export-config"),
    ("claude-backup import-config FILE --json", "import-config"),
    ("claude-backup peek <uuid> --json", "peek"),
];

/// As they were written in the skill.
const SKILL: &[Promise] = &[
    ("claude-backup sync --json", "sync"),
    ("claude-backup sync --config-only --json", "sync"),
    ("claude-backup status --json", "status"),
    ("claude-backup restore --list --json", "restore-list"),
    ("claude-backup restore --last N --json", "restore-list"),
    ("claude-backup restore --project NAME --json", "restore-list"),
    ("claude-backup restore --date YYYY-MM-DD --json", "restore-list"),
    ("claude-backup peek UUID --json", "peek"),
    ("claude-backup restore UUID --force --json", "restore"),
    ("claude-backup export-config --json", "export-config"),
    ("claude-backup import-config FILE --json", "import-config"),
];

/// In both: the session is put back where it is gone, and left alone where it is there.
const RESTORE: [&str; 2] = ["claude-backup restore <uuid> --json", "claude-backup restore UUID --json"];

/// A shell that finds the program by its name, in a home with two sessions, a vault and an archive.
fn shell() -> App {
    let programs = Path::new(env!("CARGO_BIN_EXE_claude-backup")).parent().unwrap().to_str().unwrap();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let app = App::new("/bin/sh").variable("PATH", &path).variable("STENO_MACHINE", "desk");
    app.write(&session());
    app.write(&Session::numbered(2).user("Another one").turns(1));
    app.home().settings(&json!({"model": "opus"}));
    for line in
        ["claude-backup --local --no-schedule --json", "claude-backup export-config config.tar.gz --json"]
    {
        assert!(app.output(&["-c", line]).status.success(), "{line}");
    }
    app
}

fn session() -> Session {
    Session::numbered(1)
        .cwd("/Users/foo/myapp")
        .at("2026-02-27T01:00:00Z")
        .user("Help me debug the parser")
        .turns(2)
}

/// The line with something for each of its placeholders.
fn filled(line: &str) -> String {
    let id = session().id().to_string();
    let values = [
        ("<uuid>", &*id),
        ("UUID", &id),
        ("FILE", "config.tar.gz"),
        ("NAME", "myapp"),
        ("YYYY-MM-DD", "2026-02-27"),
        ("--last N", "--last 5"),
    ];
    values.iter().fold(line.to_owned(), |line, (place, value)| line.replace(place, value))
}

fn typed(app: &App, line: &str) -> Output {
    app.output(&["-c", &filled(line)])
}

/// The one object on stdout, with nothing wrong.
fn answer(app: &App, line: &str) -> Value {
    let output = typed(app, line);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{line}: {stderr}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn assert_answers(lines: &[Promise]) {
    let app = shell();
    for (line, schema) in lines {
        let answer = answer(&app, line);
        keeps_to(schema, &answer);
        let listed = answer["sessions"].as_array();
        assert!(listed.is_none_or(|sessions| !sessions.is_empty()), "{line} finds nothing: {answer}");
    }
}

#[test]
fn the_lines_of_the_reference_answer() {
    assert_answers(REFERENCE);
}

#[test]
fn the_version_is_an_object() {
    assert!(answer(&shell(), "claude-backup --version --json")["version"].is_string());
}

#[test]
fn the_lines_of_the_skill_answer() {
    assert_answers(SKILL);
}

#[test]
fn a_session_comes_back_once_and_is_left_alone_then() {
    for line in RESTORE {
        let app = shell();
        fs::remove_dir_all(app.home().path().join("projects")).unwrap();
        keeps_to("restore", &answer(&app, line));
        let restored = answer(&app, line);
        assert_eq!(restored["restored"]["files"], 0, "{line}");
        let path = restored["restored"]["to"]
            .as_str()
            .unwrap()
            .replace("$HOME", app.home().root().to_str().unwrap());
        fs::write(path, "{}\n").unwrap();
        let again = typed(&app, line);
        assert_eq!(again.status.code(), Some(1), "{line}");
        assert!(again.stdout.is_empty(), "{line}");
        let error: Value = serde_json::from_slice(&again.stderr).unwrap();
        assert_error(&error, line);
        assert_eq!(error["error"], "File already exists. Use --force to overwrite.");
    }
}

/// Alone it says what is missing; a link to it finds the program in the directory that the link leads to.
#[test]
fn the_launcher_runs_the_program_beside_it() {
    let home = steno_testkit::Home::new();
    let (programs, links) = (home.root().join("programs"), home.root().join("links"));
    fs::create_dir_all(&programs).unwrap();
    fs::create_dir_all(&links).unwrap();
    let launcher = programs.join("claude-backup");
    fs::copy(env!("CARGO_BIN_EXE_claude-backup"), &launcher).unwrap();
    let link = links.join("claude-backup");
    std::os::unix::fs::symlink(&launcher, &link).unwrap();

    let alone = std::process::Command::new(&link).arg("--version").output().unwrap();
    let stderr = String::from_utf8(alone.stderr).unwrap();
    assert_eq!(alone.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: steno not found in ") && stderr.contains("hint: "), "{stderr}");

    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_steno"), programs.join("steno")).unwrap();
    for called in [&launcher, &link] {
        let output = std::process::Command::new(called).arg("--version").output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && stdout.starts_with("steno "), "{stdout}");
    }
}
