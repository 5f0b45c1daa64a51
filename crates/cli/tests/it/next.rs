//! `next`: each command that a report proposes is run by a shell, as it stands, and works.

#![cfg(unix)]
use crate::standin;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{bare, id, segments, session, vault};
use steno_testkit::App;

/// A home with `steno` and a client that only writes down how it was called on the search path.
fn app() -> App {
    let app = standin::app(&["crontab", "claude"]);
    symlink(env!("CARGO_BIN_EXE_steno"), bin(&app).join("steno")).unwrap();
    app
}

/// The same with sessions 1 and 2 kept, and a schedule.
fn kept() -> App {
    let app = app();
    app.write(&session(1));
    app.write(&session(2));
    assert_eq!(app.json("init --local --json")["ok"], true);
    app
}

fn bin(app: &App) -> PathBuf {
    app.home().root().join("bin")
}

fn report(app: &App, arguments: &[&str]) -> Value {
    let output = app.output(&[&["--json"], arguments].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{stderr}"))
}

fn steps(report: &Value) -> Vec<Value> {
    report.get("next").map(|next| next.as_array().unwrap().clone()).unwrap_or_default()
}

fn run(app: &App, line: &str) {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).current_dir(app.home().root()).env_clear();
    let known = app.command();
    shell.envs(known.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = shell.output().unwrap();
    let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{line}: {}\n{}\n{}", output.status, told[0], told[1]);
}

/// Asks, runs every command that is proposed, and gives these, with a `!` where the user is to be asked.
fn follow(app: &App, arguments: &str) -> String {
    follow_args(app, &arguments.split_whitespace().collect::<Vec<_>>())
}

fn follow_args(app: &App, arguments: &[&str]) -> String {
    let steps = steps(&report(app, arguments));
    assert!(steps.len() <= 2, "{arguments:?} proposes a list: {steps:?}");
    let mut told = Vec::new();
    for step in &steps {
        let command = step["command"].as_str().unwrap();
        assert!(!step["why"].as_str().unwrap().is_empty(), "{step}");
        run(app, command);
        let mark = if step["ask"] == json!(true) { "! " } else { "" };
        told.push(format!("{mark}{command}"));
    }
    let root = app.home().root().to_str().unwrap();
    // The harness names its Claude directory by the environment, so every line does.
    told.join("\n").replace(root, "$HOME").replace(" --claude-dir $HOME/.claude", "")
}

fn lose(app: &App, number: u32) {
    let project = app.home().project_path(session(number).project());
    fs::remove_file(project.join(format!("{}.jsonl", id(number)))).unwrap();
    let _ = fs::remove_dir_all(project.join(id(number)));
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let place = bytes.len() - 20;
    bytes[place] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn status_proposes_what_is_not_done() {
    let app = app();
    app.write(&session(1));
    assert_snapshot!(follow(&app, "init --local --no-sync --no-schedule"), @"steno sync");
    app.write(&session(2));
    assert_snapshot!(follow(&app, "status"), @r"
    steno sync
    steno schedule daily
    ");
    assert_eq!(follow(&app, "status"), "");
    assert!(report(&app, &["status"]).get("next").is_none(), "nothing to propose is not even an empty list");
}

#[test]
fn a_session_that_runs_is_no_reason_to_sync() {
    let app = kept();
    app.home().registry(&session(1), std::process::id(), "busy");
    app.home().append(&session(1), b"{\"type\":\"mode\"}\n");
    let status = report(&app, &["status"]);
    assert_eq!(status["retention"]["notKept"], 1, "it is told all the same");
    assert!(status.get("next").is_none(), "it grows all the time, perhaps by this very question: {status}");
    app.home().append(&session(2), b"{\"type\":\"mode\"}\n");
    assert_snapshot!(follow(&app, "status"), @"steno sync");
}

#[test]
fn what_failed_is_tried_again() {
    let app = kept();
    let remote = bare(&app);
    assert_eq!(follow(&app, &format!("remote {}", remote.display())), "");
    let git = bin(&app).join("git");
    let real = fs::read_link(&git).unwrap();
    fs::remove_file(&git).unwrap();
    let refused = report(&app, &["sync"]);
    assert_eq!((&refused["ok"], &refused["push"]["state"]), (&json!(false), &json!("refused")), "{refused}");
    symlink(&real, &git).unwrap();
    run(&app, steps(&refused)[0]["command"].as_str().unwrap());
    assert_eq!(follow(&app, "status"), "");
    fs::remove_file(&git).unwrap();
    report(&app, &["sync"]);
    symlink(&real, &git).unwrap();
    assert_snapshot!(follow(&app, "status"), @"steno sync");
    assert_eq!(report(&app, &["status"])["lastError"], Value::Null);
}

#[test]
fn a_push_that_is_held_is_the_users_to_decide() {
    let token = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let held = || {
        let app = app();
        app.write(&session(1).user(format!("my token is {token}")));
        let remote = bare(&app).display().to_string();
        (app, remote)
    };
    let (app, remote) = held();
    let first = follow(&app, &format!("init --no-schedule --remote {remote}"));
    assert_snapshot!(first, @"! steno sync --push");
    assert_eq!(report(&app, &["status"])["push"]["state"], "pushed");
    let (app, remote) = held();
    report(&app, &["init", "--local"]);
    report(&app, &["remote", &remote]);
    assert_snapshot!(follow(&app, "status"), @"! steno sync --push");
    let (app, remote) = held();
    report(&app, &["init", "--local"]);
    assert_snapshot!(follow(&app, &format!("remote {remote}")), @"! steno sync --push");
    assert_eq!(follow(&app, "sync"), "");
}

#[test]
fn damage_is_repaired() {
    let app = kept();
    flip(&segments(&app, 1)[0]);
    assert_snapshot!(follow(&app, "verify"), @"steno verify --repair");
    assert_eq!(follow(&app, "verify"), "");
    flip(&segments(&app, 1)[0]);
    let all = follow(&app, "restore --all --to elsewhere");
    assert_snapshot!(all, @"steno verify --repair");
    fs::remove_file(&segments(&app, 2)[0]).unwrap();
    assert_eq!(follow(&app, "sync"), "", "the live file still has it");
    fs::remove_file(&segments(&app, 2)[0]).unwrap();
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let lost = report(&app, &["sync"]);
    let step = steps(&lost)[0]["command"].to_string();
    assert!(step.contains("steno verify --repair"), "{lost}");
}

#[test]
fn a_session_is_looked_at_and_put_back() {
    let app = kept();
    fs::create_dir(app.home().root().join("work")).unwrap();
    let here = app.home().root().join("work").display().to_string();
    assert_snapshot!(follow(&app, "restore --list --last 1"), @"steno peek 00000001-5e55-4000-8000-000000000001");
    assert_snapshot!(follow(&app, "peek last"), @"steno show 00000001-5e55-4000-8000-000000000001");
    lose(&app, 1);
    assert_snapshot!(follow(&app, "peek 00000001 --generation 1 --machine box"), @"steno restore 00000001-5e55-4000-8000-000000000001 --machine box --generation 1");
    lose(&app, 1);
    assert_snapshot!(follow(&app, "show 00000001"), @"steno restore 00000001-5e55-4000-8000-000000000001");
    assert_eq!(follow(&app, "show 00000001"), "");
    assert_eq!(follow(&app, "restore 00000001 --force"), "", "its directory is not on this machine");
    lose(&app, 1);
    let plan = format!("restore 00000001 --cwd {here} --rewrite /a=/b --original-times --dry-run");
    assert_snapshot!(follow(&app, &plan), @"steno restore 00000001-5e55-4000-8000-000000000001 --cwd $HOME/work --rewrite /a=/b --original-times");
    let resumed = follow(&app, &format!("restore 00000001 --force --cwd {here}"));
    assert_snapshot!(resumed, @"! cd $HOME/work && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001");
    let calls = fs::read_to_string(bin(&app).join("calls")).unwrap();
    assert!(calls.lines().last().unwrap().starts_with("claude --resume 00000001-"), "{calls}");
}

#[test]
fn all_are_put_back_as_planned() {
    let app = kept();
    let plan = "restore --all --project project --machine box --last 5 --to elsewhere --dry-run";
    assert_snapshot!(follow(&app, plan), @"steno restore --all --machine box --project project --last 5 --to $HOME/elsewhere");
    assert_eq!(follow(&app, plan), "", "all of them are there");
    assert_eq!(follow(&app, "restore --all"), "", "what is there is not overwritten for nothing");
    assert_snapshot!(follow(&app, &format!("restore {} --force --dry-run", id(1))), @"! steno restore 00000001-5e55-4000-8000-000000000001 --force");
}

#[test]
fn of_several_copies_the_one_in_the_list_is_named() {
    let app = app();
    app.write(&session(1));
    app.write(&session(1).cwd("/home/dev/elsewhere").user("and here"));
    report(&app, &["init", "--local"]);
    assert_snapshot!(follow(&app, "restore --project elsewhere"), @"steno peek 00000001-5e55-4000-8000-000000000001 --machine box --project=-home-dev-elsewhere");
    assert_snapshot!(follow(&app, "restore --project dev-project"), @"steno peek 00000001-5e55-4000-8000-000000000001 --machine box --project=-home-dev-project");
    lose(&app, 1);
    assert_snapshot!(follow(&app, "peek 00000001 --project dev-project"), @"steno restore 00000001-5e55-4000-8000-000000000001 --machine box --project=-home-dev-project");
    lose(&app, 1);
    assert_snapshot!(follow(&app, "restore 00000001 --project dev-project --dry-run"), @"steno restore 00000001-5e55-4000-8000-000000000001 --machine box --project=-home-dev-project");
}

#[test]
fn a_configuration_travels() {
    let app = kept();
    app.home().file("CLAUDE.md", "be kind");
    assert_snapshot!(follow(&app, "export-config --dry-run"), @"steno export-config $HOME/claude-config-2026-12-01.tar.gz");
    let exported = follow(&app, "export-config config.tar.gz");
    assert_snapshot!(exported, @"! steno import-config $HOME/config.tar.gz");
    assert_eq!(follow(&app, "import-config config.tar.gz --dry-run"), "", "everything is in place");
    app.home().file("CLAUDE.md", "be quick");
    assert_snapshot!(follow(&app, "import-config config.tar.gz --force --dry-run"), @"! steno import-config config.tar.gz --force");
    app.home().file("CLAUDE.md", "be quick");
    assert_snapshot!(follow(&app, "import-config config.tar.gz --dry-run"), @"! steno import-config config.tar.gz --force");
    fs::remove_file(app.home().path().join("CLAUDE.md")).unwrap();
    assert_snapshot!(follow(&app, "import-config config.tar.gz --dry-run"), @"! steno import-config config.tar.gz");
    assert_eq!(follow(&app, "import-config config.tar.gz"), "");
}

#[test]
fn a_lost_configuration_comes_after_the_sessions() {
    let app = app();
    app.write(&session(1));
    app.home().file("CLAUDE.md", "be kind");
    report(&app, &["init", "--local"]);
    assert_eq!(follow(&app, "restore --all"), "", "it is there");
    fs::remove_dir_all(app.home().path()).unwrap();
    assert_snapshot!(follow(&app, "restore --all"), @r"
    steno export-config claude-config-2026-12-01.tar.gz --kept
    ! steno import-config claude-config-2026-12-01.tar.gz
    ");
    assert_eq!(fs::read_to_string(app.home().path().join("CLAUDE.md")).unwrap(), "be kind");
    assert_eq!(follow(&app, "restore --all"), "");
    fs::remove_dir_all(app.home().path()).unwrap();
    assert_snapshot!(follow(&app, "export-config --kept --machine box --dry-run"), @"steno export-config $HOME/claude-config-2026-12-01.tar.gz --kept --machine box");
    assert_snapshot!(follow(&app, "export-config kept.tar.gz --kept"), @"! steno import-config $HOME/kept.tar.gz");
    assert_eq!(fs::read_to_string(app.home().path().join("CLAUDE.md")).unwrap(), "be kind");
}

#[test]
fn what_remains_of_a_purge_can_go() {
    let app = kept();
    let plan = steps(&report(&app, &["purge", &id(1), "--live", "--dry-run"]));
    assert_eq!((plan.len(), &plan[0]["ask"]), (1, &json!(true)));
    assert_snapshot!(follow(&app, &format!("purge {} --yes", id(1))), @"! steno purge 00000001-5e55-4000-8000-000000000001 --live --yes");
    assert_eq!(follow(&app, &format!("purge {} --yes", id(1))), "");
    let remote = bare(&app);
    report(&app, &["remote", remote.to_str().unwrap()]);
    assert_snapshot!(follow(&app, &format!("purge {} --live --yes", id(2))), @"! steno purge 00000002-5e55-4000-8000-000000000002 --live --rewrite-history --yes");
}

#[test]
fn plans_of_the_schedule_are_carried_out() {
    let app = app();
    assert_snapshot!(follow(&app, "schedule hourly --dry-run"), @"steno schedule hourly");
    assert_snapshot!(follow(&app, "schedule daily"), @"steno init");
    assert_eq!(follow(&app, "schedule 6h"), "");
    assert_snapshot!(follow(&app, "uninstall --dry-run"), @"! steno uninstall");
    assert_eq!(follow(&app, "uninstall"), "");
    assert_snapshot!(follow(&app, "uninstall --delete-vault --yes --dry-run"), @"! steno uninstall --delete-vault --yes");
    assert!(!vault(&app).exists());
}

#[test]
fn reading_goes_on_with_the_first_session() {
    let app = app();
    assert_eq!(follow(&app, "list"), "");
    assert_eq!(follow(&app, "doctor"), "");
    app.write(&session(1).unknown_record("sparkle-note").garbage());
    assert_snapshot!(follow(&app, "list"), @r"
    ! steno init
    steno show 00000001-5e55-4000-8000-000000000001
    ");
    assert_snapshot!(follow(&app, "doctor"), @"steno doctor --census");
    assert_eq!(follow(&app, "doctor --census"), "");
}

#[test]
fn odd_places_are_quoted_and_named_again() {
    let app = app();
    app.write(&session(1));
    let odd = app.home().root().join("it's $HOME; `x`\n\"é\"");
    symlink(app.home().path(), &odd).unwrap();
    let kept_in = app.home().root().join("a 'vault' & more");
    let same = ["--vault", kept_in.to_str().unwrap(), "--claude-dir", odd.to_str().unwrap()];
    let ask = |arguments: &[&str]| follow_args(&app, &[arguments, &same].concat());
    assert_snapshot!(ask(&["init", "--local", "--no-sync", "--no-schedule"]), @r#"
    steno sync --vault '$HOME/a '\''vault'\'' & more' --claude-dir '$HOME/it'\''s $HOME; `x`
    "é"'
    "#);
    assert!(kept_in.join("vault.json").exists() && !vault(&app).exists());
    assert_eq!(report(&app, &[&["status"], &same[..]].concat())["sessions"]["files"], 1);
    for arguments in [&["restore", "--list"][..], &["peek", "last"], &["list"]] {
        let told = ask(arguments);
        assert!(told.contains("--vault '") && told.contains("--claude-dir '"), "{told}");
    }
    assert_eq!(ask(&["status"]), "", "no scheduler takes a path with a line break");
    let plain = app.home().path().display().to_string();
    let told = follow_args(&app, &["status", "--vault", kept_in.to_str().unwrap(), "--claude-dir", &plain]);
    assert_snapshot!(told, @r"steno schedule daily --vault '$HOME/a '\''vault'\'' & more'");
    let archive = app.home().root().join("-odd '$x'.tar.gz");
    app.home().file("CLAUDE.md", "be kind");
    assert!(ask(&["export-config", archive.to_str().unwrap(), "--dry-run"]).contains("'\\''$x'\\''.tar.gz'"));
    assert!(archive.exists());
    let plan =
        follow_args(&app, &["import-config", "--dry-run", "--claude-dir", "new", "--", "-odd '$x'.tar.gz"]);
    assert_snapshot!(plan, @r"! steno import-config './-odd '\''$x'\''.tar.gz' --claude-dir $HOME/new");
}

#[test]
fn people_are_told_where_nothing_else_says_it() {
    let app = app();
    app.write(&session(1));
    let said = |arguments: &str| {
        let output = app.output(&arguments.split_whitespace().collect::<Vec<_>>());
        let stderr = String::from_utf8(output.stderr).unwrap();
        let next = stderr.lines().find(|line| line.starts_with("next: ")).unwrap_or_default();
        next.replace(app.home().root().to_str().unwrap(), "$HOME").replace(" --claude-dir $HOME/.claude", "")
    };
    assert_eq!(said("init --local --no-sync --no-schedule"), "next: steno sync");
    assert_eq!(said("sync"), "");
    assert_eq!(said("peek last"), format!("next: steno show {}", id(1)));
    assert_eq!(said("--quiet peek last"), "");
    lose(&app, 1);
    assert_eq!(said("show 00000001"), format!("next: steno restore {}", id(1)));
    app.home().file("CLAUDE.md", "be kind");
    assert_eq!(said("export-config a.tar.gz"), "next: steno import-config $HOME/a.tar.gz");
}

/// Two Claude directories of one machine: a session is put back into its own.
#[test]
fn a_session_goes_back_to_the_directory_it_came_from() {
    let app = app();
    let second = app.home().root().join("second");
    fs::create_dir_all(second.join("projects/-b")).unwrap();
    let id = "0000000b-5e55-4000-8000-00000000000b";
    let transcript = second.join(format!("projects/-b/{id}.jsonl"));
    let line = format!(
        r#"{{"type":"user","uuid":"{id}","sessionId":"{id}","message":{{"role":"user","content":"hello"}}}}"#
    );
    fs::write(&transcript, format!("{line}\n")).unwrap();
    let (first, second) = (app.home().path().display().to_string(), second.display().to_string());
    let both = format!("--claude-dir {first} --claude-dir {second}");
    report(&app, &format!("init --local --no-schedule {both}").split(' ').collect::<Vec<_>>());
    let peeked = report(&app, &format!("peek {id} {both}").split(' ').collect::<Vec<_>>());
    let command = peeked["next"][0]["command"].as_str().unwrap();
    assert!(command.starts_with("steno show "), "it is live: {command}");
    fs::remove_file(&transcript).unwrap();
    for verb in ["peek", "show"] {
        let told = report(&app, &format!("{verb} {id} {both}").split(' ').collect::<Vec<_>>());
        let command = told["next"][0]["command"].as_str().unwrap().to_owned();
        assert!(command.contains(&format!("--to {second}")), "{verb}: {command}");
    }
    let told = report(&app, &format!("peek {id} {both}").split(' ').collect::<Vec<_>>());
    run(&app, told["next"][0]["command"].as_str().unwrap());
    assert!(transcript.exists());
}
