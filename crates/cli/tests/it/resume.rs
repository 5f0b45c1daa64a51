//! `steno resume`: the session that is meant, restored where it has to be, goes on in the client where it worked.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use serde_json::Value;
use steno_testkit::{App, Session, encode_project};

use crate::standin::{self, id};

/// Writes down how it was called.
const CLIENT: &str = r#"#!/bin/sh
printf '%s\n' "cwd $PWD" "args $*" "claude_dir ${CLAUDE_CONFIG_DIR-unset}" > "$HOME/called"
exit 7
"#;

/// Sessions 1 (`Fix the parser`) and 2 (`Write a poem`), the latest, in directories that exist, both kept.
fn app() -> App {
    let app = standin::app(&["crontab"]);
    let client = app.home().root().join("bin/claude");
    fs::write(&client, CLIENT).unwrap();
    fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).unwrap();
    app.write(&session(&app, 1, "Fix the parser"));
    app.write(&session(&app, 2, "Write a poem"));
    assert_eq!(app.json("init --local --no-schedule --json")["ok"], true);
    app
}

fn session(app: &App, number: u32, asked: &str) -> Session {
    let cwd = work(app, number);
    fs::create_dir_all(&cwd).unwrap();
    let day = format!("2026-11-0{number}T12:00:00Z");
    Session::numbered(number).at(&day).cwd(cwd.to_str().unwrap()).user(asked).turns(2)
}

/// The project directories are named after where the home is.
fn run(app: &App, arguments: &str) -> String {
    let home = app.home().root().canonicalize().unwrap();
    let shown = app.run(arguments).replace(&encode_project(home.to_str().unwrap()), "-home");
    standin::without_sizes(&shown)
}

/// The real path, as the client would write it.
fn work(app: &App, number: u32) -> PathBuf {
    app.home().root().canonicalize().unwrap().join(format!("work {number}"))
}

fn transcript(app: &App, number: u32) -> PathBuf {
    let projects = app.home().path().join("projects");
    let name = format!("{}.jsonl", id(number));
    standin::files(&projects).into_iter().find(|file| file.ends_with(&name)).unwrap_or_default()
}

/// The client deletes it.
fn lose(app: &App, number: u32) {
    fs::remove_file(transcript(app, number)).unwrap();
}

/// How the client was called.
fn called(app: &App) -> String {
    let path = app.home().root().join("called");
    let called = fs::read_to_string(&path).unwrap_or_else(|_| "not at all".to_owned());
    let _ = fs::remove_file(path);
    called
        .replace(&*app.home().root().canonicalize().unwrap().to_string_lossy(), "$HOME")
        .replace(&*app.home().root().to_string_lossy(), "$HOME")
}

fn error(app: &App, arguments: &str) -> Value {
    let output = app.output(&arguments.split_whitespace().chain(["--json"]).collect::<Vec<_>>());
    assert!(output.stdout.is_empty(), "{arguments}: {output:?}");
    serde_json::from_slice(&output.stderr).unwrap()
}

#[test]
fn a_live_session_goes_on_where_it_worked() {
    let app = app();
    assert_snapshot!(run(&app, "resume 00000001"), @r#"
    exit: 7
    ----- stdout -----

    ----- stderr -----
    resumes 00000001-5e55-4000-8000-000000000001 "Fix the parser"
      in $HOME/work 1
    "#);
    assert_snapshot!(called(&app), @r"
    cwd $HOME/work 1
    args --resume 00000001-5e55-4000-8000-000000000001
    claude_dir $HOME/.claude
    ");
    assert_snapshot!(run(&app, "resume last -q"), @r"
    exit: 7
    ----- stdout -----

    ----- stderr -----
    ");
    assert!(called(&app).contains(&id(2)));
}

#[test]
fn one_that_only_the_vault_has_is_restored_first() {
    let app = app();
    let before = fs::read(transcript(&app, 1)).unwrap();
    lose(&app, 1);
    assert_snapshot!(run(&app, "resume 00000001 --dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would restore:
      write     $HOME/.claude/projects/-home-work-1/00000001-5e55-4000-8000-000000000001.jsonl (#K)
    Would run: steno restore 00000001-5e55-4000-8000-000000000001 --claude-dir $HOME/.claude && cd '$HOME/work 1' && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001

    ----- stderr -----
    ");
    assert_snapshot!(run(&app, "resume 00000001 --print"), @r"
    exit: 0
    ----- stdout -----
    steno restore 00000001-5e55-4000-8000-000000000001 --claude-dir $HOME/.claude && cd '$HOME/work 1' && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001

    ----- stderr -----
    ");
    assert_eq!((transcript(&app, 1), called(&app).as_str()), (PathBuf::new(), "not at all"));
    assert_snapshot!(run(&app, "resume 00000001"), @r#"
    exit: 7
    ----- stdout -----

    ----- stderr -----
    resumes 00000001-5e55-4000-8000-000000000001 "Fix the parser"
      in $HOME/work 1
    only the vault has it, and it is restored first
      write     $HOME/.claude/projects/-home-work-1/00000001-5e55-4000-8000-000000000001.jsonl (#K)
    "#);
    assert_eq!(fs::read(transcript(&app, 1)).unwrap(), before);
    assert!(called(&app).contains(&format!("args --resume {}", id(1))));
}

#[test]
fn the_printed_line_does_it() {
    let app = app();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_steno"), app.home().root().join("bin/steno")).unwrap();
    lose(&app, 1);
    let line = app.json("resume 00000001 --json")["command"].as_str().unwrap().to_owned();
    let line = line.replace("$HOME", app.home().root().to_str().unwrap());
    let mut shell = std::process::Command::new("sh");
    let known = app.command();
    shell.arg("-c").arg(&line).current_dir("/").env_clear();
    shell.envs(known.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert_eq!(shell.output().unwrap().status.code(), Some(7), "{line}");
    assert_snapshot!(called(&app), @r"
    cwd $HOME/work 1
    args --resume 00000001-5e55-4000-8000-000000000001
    claude_dir $HOME/.claude
    ");
}

#[test]
fn words_find_it_by_title_and_then_by_what_was_said() {
    let app = app();
    let found = |words: &str| {
        let report = app.json(&format!("resume {words} --json"));
        format!("{} {} {}", report["session"], report["foundBy"], report["others"])
    };
    assert_eq!(found("parser"), format!("\"{}\" \"title\" 0", id(1)));
    assert_eq!(found("PARSER fix"), format!("\"{}\" \"title\" 0", id(1)));
    app.write(&session(&app, 3, "Parse the dates").user("by the marmalade calendar"));
    assert_eq!(found("the"), format!("\"{}\" \"title\" 1", id(3)), "the latest");
    assert_eq!(found("marmalade"), format!("\"{}\" \"search\" 0", id(3)));
    assert_snapshot!(run(&app, "resume no such words"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no session has 'no such words'
    hint: all words must be in one message; `one OR other` finds either
    hint: `steno list` shows all sessions
    ");
}

#[test]
fn an_id_goes_before_words_and_that_is_said() {
    let app = app();
    let faced = Session::new("facefeed-0000-4000-8000-000000000001").cwd(work(&app, 1).to_str().unwrap());
    app.write(&faced.user("something else").turns(1));
    app.write(&session(&app, 4, "Wash the face"));
    assert_snapshot!(run(&app, "resume face --print"), @r"
    exit: 0
    ----- stdout -----
    cd '$HOME/work 1' && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume facefeed-0000-4000-8000-000000000001

    ----- stderr -----
    warning: face: 'face' is taken as the beginning of an id; `steno search face` looks for the word
    ");
    assert_eq!(app.json("resume wash face --json")["session"], id(4));
}

#[test]
fn without_the_client_the_line_is_there_to_paste() {
    let app = app();
    lose(&app, 1);
    fs::remove_file(app.home().root().join("bin/claude")).unwrap();
    assert_snapshot!(run(&app, "resume 00000002"), @r"
    exit: 2
    ----- stdout -----

    ----- stderr -----
    error: `claude` was not found on the search path
    hint: where it is, paste: cd '$HOME/work 2' && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000002-5e55-4000-8000-000000000002
    ");
    app.run("resume 00000001");
    assert_eq!(transcript(&app, 1), PathBuf::new(), "nothing is restored for a client that is not there");
}

#[test]
fn a_directory_that_is_gone_is_named_and_another_one_taken() {
    let app = app();
    fs::remove_dir(work(&app, 1)).unwrap();
    assert_snapshot!(run(&app, "resume 00000001"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: $HOME/work 1, where session 00000001-5e55-4000-8000-000000000001 works, no longer exists
    hint: --cwd PATH resumes it in another directory
    hint: `steno move OLD NEW` takes all sessions of a project along that has moved
    ");
    assert_eq!(error(&app, "resume 00000001 --cwd nowhere")["kind"], "invalid");
    let before = fs::read(transcript(&app, 1)).unwrap();
    let app = app.variable("STENO_NEW_ID", "0c10ed00-0000-4000-8000-000000000001");
    assert_snapshot!(run(&app, "resume 00000001 --cwd bin --print"), @r"
    exit: 0
    ----- stdout -----
    steno resume $HOME/.claude/projects/-home-work-1/00000001-5e55-4000-8000-000000000001.jsonl --cwd $HOME/bin --claude-dir $HOME/.claude

    ----- stderr -----
    ");
    assert_snapshot!(run(&app, "resume 00000001 --cwd bin"), @r#"
    exit: 7
    ----- stdout -----

    ----- stderr -----
    resumes 00000001-5e55-4000-8000-000000000001 "Fix the parser"
      in $HOME/bin
    it is copied first, under a new id; the original stays
      write     $HOME/.claude/projects/-home-bin/0c10ed00-0000-4000-8000-000000000001.jsonl (#K)
      write     $HOME/.claude/projects/-home-bin/0c10ed00-0000-4000-8000-000000000001/steno-lineage.json (#B)
    "#);
    assert_snapshot!(called(&app), @r"
    cwd $HOME/bin
    args --resume 0c10ed00-0000-4000-8000-000000000001
    claude_dir $HOME/.claude
    ");
    assert_eq!(fs::read(transcript(&app, 1)).unwrap(), before, "the original stays");
    lose(&app, 1);
    assert_eq!(app.output(&["resume", "00000001", "--cwd", "bin"]).status.code(), Some(7));
    assert_snapshot!(called(&app), @r"
    cwd $HOME/bin
    args --resume 00000001-5e55-4000-8000-000000000001
    claude_dir $HOME/.claude
    ");
    assert!(
        transcript(&app, 1).parent().unwrap().to_string_lossy().ends_with("-bin"),
        "it is below its new directory"
    );
}

#[test]
fn a_session_that_runs_is_left_alone() {
    let app = app();
    app.home().registry(&session(&app, 1, ""), std::process::id(), "idle");
    assert_snapshot!(run(&app, "resume 00000001"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: session 00000001-5e55-4000-8000-000000000001 is running elsewhere; two clients would write to one file
    hint: go on with it where it runs, or leave it there first
    hint: --force resumes it all the same
    ");
    assert_eq!(called(&app), "not at all");
    assert_eq!(app.output(&["resume", "00000001", "--force"]).status.code(), Some(7));
    assert!(called(&app).contains(&id(1)));
}

#[test]
fn the_client_is_told_of_a_directory_that_is_not_its_own() {
    let app = app();
    let root = app.home().root();
    let other = root.join("other");
    fs::create_dir(&other).unwrap();
    fs::rename(app.home().path().join("projects"), other.join("projects")).unwrap();
    fs::create_dir(app.home().path().join("projects")).unwrap();
    let claude_dir = |arguments: &[&str], variable: Option<&Path>| {
        let mut command = app.command();
        command.args(["resume", "00000001", "-q"]).args(arguments).env_remove("CLAUDE_CONFIG_DIR");
        command.envs(variable.map(|path| ("CLAUDE_CONFIG_DIR", path)));
        assert_eq!(command.output().unwrap().status.code(), Some(7), "{arguments:?}");
        called(&app).lines().last().unwrap().to_owned()
    };
    let (usual, other) = (&*app.home().path(), other.as_path());
    let both = ["--claude-dir", usual.to_str().unwrap(), "--claude-dir", other.to_str().unwrap()];
    assert_eq!(claude_dir(&both, None), "claude_dir $HOME/other");
    assert_eq!(claude_dir(&both, Some(usual)), "claude_dir $HOME/other");
    assert_eq!(claude_dir(&[], Some(other)), "claude_dir $HOME/other");
    fs::remove_dir(usual.join("projects")).unwrap();
    fs::rename(other.join("projects"), usual.join("projects")).unwrap();
    assert_eq!(claude_dir(&[], None), "claude_dir unset");
    assert_eq!(claude_dir(&both, None), "claude_dir unset", "its account is not in there");
    assert_eq!(claude_dir(&both, Some(other)), "claude_dir unset");
    assert_eq!(claude_dir(&[], Some(usual)), "claude_dir $HOME/.claude", "as the user has it");
}

#[test]
fn a_locked_vault_hides_only_what_it_alone_has() {
    let app = standin::app(&[]);
    app.write(&session(&app, 1, "Fix the parser"));
    app.write(&session(&app, 2, "Write a poem"));
    assert_eq!(app.json("init --local --no-schedule --encrypt --json")["ok"], true);
    fs::remove_file(app.home().root().join(".config/steno/identity.txt")).unwrap();
    assert_eq!(app.json("resume 00000001 --json")["session"], id(1));
    lose(&app, 1);
    assert_eq!(error(&app, "resume 00000001")["kind"], "locked");
}

#[test]
fn a_file_outside_of_a_claude_directory_is_copied_or_refused() {
    let app = app();
    let copy = app.home().root().join("copy.jsonl");
    fs::copy(transcript(&app, 1), &copy).unwrap();
    let refused = error(&app, "resume ./copy.jsonl");
    assert_eq!(refused["kind"], "invalid", "{refused}");
    let app = app.variable("STENO_NEW_ID", "0c10ed00-0000-4000-8000-000000000001");
    assert_eq!(app.output(&["resume", "./copy.jsonl", "--cwd", "bin"]).status.code(), Some(7));
    assert!(called(&app).contains("--resume 0c10ed00"));
}

#[test]
fn without_a_terminal_nothing_is_picked() {
    let app = app();
    assert_snapshot!(run(&app, "resume"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: a session can be picked only on a terminal
    hint: `steno list` shows all sessions; name one by its id, or `last`
    ");
    assert_eq!(error(&app, "pick")["kind"], "invalid");
}

#[test]
fn a_person_picks_and_goes_on() {
    let app = app();
    let (code, stdout, screen) = app.drive_on_terminal("pick", &[("poem", "prsr\r")]);
    assert_eq!((code, stdout.as_str()), (Some(0), &*format!("{}\n", id(1))), "{screen}");
    assert!(screen.contains("\u{1b}[?1049h") && screen.contains("\u{1b}[?1049l"), "the screen is given back");
    let (code, stdout, screen) = app.drive_on_terminal("resume", &[("poem", "\r")]);
    assert_eq!((code, stdout.as_str()), (Some(7), ""), "{screen}");
    assert!(called(&app).contains(&id(2)));
    for leave in ["\u{1b}", "\u{3}"] {
        let (code, stdout, screen) = app.drive_on_terminal("resume", &[("poem", leave)]);
        assert_eq!((code, stdout.as_str()), (Some(130), ""), "{screen}");
        assert_eq!(called(&app), "not at all");
    }
}

#[test]
fn a_title_cannot_act_on_the_terminal() {
    let app = app();
    app.write(&session(&app, 5, "evil \u{1b}]0;owned\u{7} \u{9b}2J \u{202e} title"));
    let (code, _, screen) = app.drive_on_terminal("pick", &[("evil", "\r")]);
    assert_eq!(code, Some(0));
    let bad = ["\u{1b}]0;", "\u{9b}", "\u{202e}", "\u{7}"];
    assert!(bad.iter().all(|escape| !screen.contains(escape)), "{screen:?}");
}
