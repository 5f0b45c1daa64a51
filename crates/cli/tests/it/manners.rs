//! Manners of every command without exception: with `--json` one object and nothing else, an error as one object,
//! no question, no colour where none is wanted. Whoever adds a command adds a row here.
#![cfg(unix)]
use crate::standin;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use steno_testkit::App;

/// A real run of each command, in this order and in one home; `ID` is a session that is kept.
const RUNS: &[&str] = &[
    "init --local --no-schedule",
    "sync",
    "sync --config-only",
    "sync --sessions-only --full",
    "status",
    "restore",
    "restore --list",
    "restore --last 1",
    "restore --project project --date 2026-11-15",
    "restore ID --dry-run --force",
    "restore ID --force",
    "restore ID --to elsewhere --cwd /home/dev/other",
    "restore --all --to elsewhere --dry-run",
    "peek ID",
    "verify",
    "verify --repair",
    "remote",
    "key",
    "schedule daily --dry-run",
    "export-config --dry-run",
    "export-config config.tar.gz",
    "import-config config.tar.gz --dry-run",
    "import-config config.tar.gz",
    "list",
    "list --project project -n 1",
    "search the --role user --since 2026-01-01",
    "search --literal e -n 1",
    "search --regex nowhere.at.all",
    "show ID",
    "resume ID --print --cwd .",
    "resume ID --dry-run --cwd .",
    "pick --help",
    "diff ID",
    "diff ID --stat",
    "watch --once",
    "dump ID",
    "dump ID --format json --redact --rewrite strip",
    "share ID --dry-run",
    "share ID -o shared.html",
    "stats",
    "stats session --project project --since 2026-01-01 --explain",
    "stats model --csv",
    "doctor",
    "doctor --census",
    "clone ID --preset default --dry-run",
    "clone ID",
    "clone ID --compress-before 1 --messages",
    "check ID",
    "check ID --fix --dry-run --messages",
    "move /home/dev/project /home/dev/moved --dry-run",
    "move /home/dev/project /home/dev/moved",
    "hook",
    "completions bash",
    "man",
    "man sync",
    "help",
    "help sync",
    "purge ID --dry-run",
    "purge ID --live --rewrite-history --yes",
    "init --encrypt --no-schedule",
    "key show",
    "key export copy.txt",
    "key import copy.txt",
    "key add copy.pub",
    "key remove copy.pub",
    "uninstall --dry-run",
    "uninstall",
];

/// Somebody else's.
const PUBLIC_KEY: &str = "age1xaqpzffsm30uu4s2ch53qynxva423ydlde54e30lcpym7mz5c3uqkqf78l";

/// Longer than any run takes, and short for somebody who waits for a test that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn every_command_is_run() {
    let run: BTreeSet<&str> = RUNS.iter().filter_map(|line| line.split(' ').next()).collect();
    let tree = steno_cli::tree();
    let all: BTreeSet<&str> = tree.get_subcommands().map(clap_name).collect();
    assert_eq!(run, all, "a command without a run, or a run without a command");
}

#[test]
fn with_json_stdout_is_one_object_and_stderr_is_empty() {
    let app = home();
    for line in RUNS.iter().chain(&["", "--version", "--help", "sync --help"]) {
        // Colours are for people, however much they are asked for.
        let output = finished(app.command().args(words(line)).args(["--json", "--color", "always"]), line);
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        assert!(output.stderr.is_empty(), "{line}: {}", text(&output.stderr));
        one_object(&output.stdout, line);
    }
}

#[test]
fn json_may_stand_anywhere() {
    let app = home();
    for line in ["--json sync --full", "sync --json --full", "sync --full --json"] {
        one_object(&finished(app.command().args(words(line)), line).stdout, line);
    }
}

/// Whoever adds `--json` at the end does not look whether it is there already.
#[test]
fn json_and_quiet_may_repeat() {
    let app = home();
    for line in RUNS.iter().filter(|line| !line.starts_with("purge") && !line.starts_with("uninstall")) {
        let output =
            finished(app.command().args(words(line)).args(["--json", "-q", "--json", "--quiet"]), line);
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        one_object(&output.stdout, line);
    }
}

/// What was done is not said; a plan and an answer are.
#[test]
fn quiet_work_is_silent() {
    const WORK: [&str; 9] = [
        "init",
        "sync",
        "restore ID",
        "import-config",
        "export-config",
        "move",
        "purge",
        "uninstall",
        "key ",
    ];
    let app = home();
    for line in RUNS {
        let is_work = WORK.iter().any(|verb| line.starts_with(verb)) && *line != "key show";
        let output = finished(app.command().args(words(line)).arg("--quiet"), line);
        let told = text(&output.stdout);
        if is_work && !line.contains("--dry-run") && !line.contains("--encrypt") {
            assert_eq!((told, text(&output.stderr)), (String::new(), String::new()), "{line}");
        } else if line.starts_with("init --encrypt") {
            assert!(told.starts_with("THE KEY IS IN "), "{told}");
        }
    }
    for line in ["remote ./remote.git --force", "remote off", "restore --all"] {
        assert_eq!(text(&finished(app.command().args(words(line)).arg("-q"), line).stdout), "", "{line}");
    }
}

#[test]
fn json_with_a_value_is_refused_in_json() {
    let app = home();
    for line in ["list --json=1", "list --json=true --frobnicate", "--json= help"] {
        let output = finished(app.command().args(words(line)), line);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{line}");
        assert_eq!(one_object(&output.stderr, line)["kind"], "usage", "{line}");
    }
}

#[test]
fn a_bad_flag_is_one_object_on_stderr() {
    let app = home();
    // A hook stops nobody: what it says to such a line is in hook.rs.
    let others = names().into_iter().filter(|name| name != "hook");
    let lines = others.map(|name| format!("{name} --frobnicate")).chain(["--frobnicate".to_owned()]);
    for line in lines {
        let output = finished(app.command().args(words(&line)).arg("--json"), &line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(output.stdout.is_empty(), "{line}: {}", text(&output.stdout));
        let error = one_object(&output.stderr, &line);
        let keys: BTreeSet<&str> = error.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["error", "kind", "code", "hints"]), "{line}");
        assert_eq!((&error["kind"], &error["code"]), (&"usage".into(), &1.into()), "{line}");
        assert!(error["error"].as_str().unwrap().contains("--frobnicate"), "{error}");
        assert!(error["hints"].as_array().unwrap().iter().all(Value::is_string), "{error}");
    }
}

/// Without a vault a command either works or says how to make one.
#[test]
fn before_there_is_a_vault_every_answer_is_still_one_object() {
    let app = standin::app(&[]);
    app.write(&standin::session(1));
    for line in RUNS.iter().filter(|line| !line.starts_with("init")) {
        let output = finished(app.command().args(words(line)).arg("--json"), line);
        if output.stdout.is_empty() {
            let error = one_object(&output.stderr, line);
            assert_eq!(error["code"], output.status.code().unwrap(), "{line}: {error}");
            let has_hint = !error["hints"].as_array().unwrap().is_empty();
            assert!(has_hint || error["kind"] != "no-vault", "{line}: {error}");
        } else {
            assert!(output.stderr.is_empty(), "{line}: {}", text(&output.stderr));
            one_object(&output.stdout, line);
        }
    }
}

#[test]
fn nothing_asks_and_nothing_waits() {
    let (app, closed) = (home(), home());
    for line in RUNS.iter().chain(&[""]) {
        let output = finished(app.command().args(words(line)), line);
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        let mut without_stdin = shell(&closed, r#"exec "$0" "$@" <&-"#);
        let output = finished(without_stdin.args(words(line)), line);
        assert_eq!(output.status.code(), Some(0), "{line} with stdin closed: {output:?}");
    }
}

#[test]
fn no_colours_where_none_are_wanted() {
    for arguments in [&[][..], &["--color", "never"]] {
        let app = home();
        for line in RUNS.iter().chain(&["", "--help", "sync --help", "--version", "frobnicate", "peek"]) {
            let output = finished(app.command().env("NO_COLOR", "1").args(words(line)).args(arguments), line);
            assert!(!has_escapes(&output), "{line}: {output:?}");
        }
    }
}

/// On a terminal colours are the rule, so that is where to look for exceptions.
#[cfg(target_os = "linux")]
#[test]
fn no_colours_on_a_terminal_where_none_are_wanted() {
    let lines = || RUNS.iter().chain(&["", "--help", "sync --help", "frobnicate", "peek"]);
    if !std::path::Path::new(SCRIPT).exists() {
        eprintln!("skipped: {SCRIPT}, which makes a terminal, is not here");
        return;
    }
    let (never, by_variable, coloured) = (home(), home().variable("NO_COLOR", "1"), home());
    let mut painted = 0;
    for line in lines() {
        let output = finished(&mut on_a_terminal(&never, &format!("{line} --color never")), line);
        assert!(!has_colours(&output), "{line} --color never: {output:?}");
        let output = finished(&mut on_a_terminal(&by_variable, line), line);
        assert!(!has_colours(&output), "NO_COLOR=1 {line}: {output:?}");
        painted += usize::from(has_colours(&finished(&mut on_a_terminal(&coloured, line), line)));
    }
    assert!(painted > 5, "it was no terminal");
}

#[cfg(target_os = "linux")]
const SCRIPT: &str = "/usr/bin/script";

/// The same run, by a program that gives it a terminal of its own.
#[cfg(target_os = "linux")]
fn on_a_terminal(app: &App, line: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_steno");
    let line = line.replace("ID", &standin::id(1));
    let mut command = like(app, SCRIPT);
    command.args(["--quiet", "--return", "--command", &format!("'{program}' {line}"), "/dev/null"]);
    command.env("TERM", "xterm-256color").env("PAGER", "cat").env("SHELL", "/bin/sh");
    command
}

fn shell(app: &App, script: &str) -> Command {
    let mut command = like(app, "/bin/sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_steno")]);
    command
}

/// Another program, in the same surroundings.
fn like(app: &App, program: &str) -> Command {
    let model = app.command();
    let mut command = Command::new(program);
    command.env_clear().current_dir(model.get_current_dir().unwrap());
    command.envs(model.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

/// Two sessions and some config, all kept.
fn home() -> App {
    let app = standin::kept();
    app.home().file("settings.json", "{}");
    std::fs::write(app.home().root().join("copy.pub"), PUBLIC_KEY).unwrap();
    app
}

fn names() -> Vec<String> {
    steno_cli::tree().get_subcommands().map(|command| clap_name(command).to_owned()).collect()
}

fn clap_name(command: &clap::Command) -> &str {
    command.get_name()
}

fn words(line: &str) -> Vec<OsString> {
    let id = standin::id(1);
    line.split_whitespace().map(|word| if word == "ID" { id.clone().into() } else { word.into() }).collect()
}

/// Runs it with nothing on stdin; fails where it does not end.
fn finished(command: &mut Command, line: &str) -> Output {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("`{line}` does not end")).unwrap()
}

/// One object on one line, and nothing beside it.
fn one_object(bytes: &[u8], line: &str) -> Value {
    let said = text(bytes);
    let object = said.strip_suffix('\n').unwrap_or_else(|| panic!("{line}: no newline after {said}"));
    assert!(!object.contains(['\n', '\u{1b}']), "{line}: {said}");
    let value: Value =
        serde_json::from_str(object).unwrap_or_else(|error| panic!("{line}: {error} in {said}"));
    assert!(value.is_object(), "{line}: {said}");
    value
}

/// A progress bar may move on a terminal, so not every escape is a colour.
#[cfg(target_os = "linux")]
fn has_colours(output: &Output) -> bool {
    let is_style = |code: &str| code.split(|letter: char| letter.is_alphabetic()).next().map(str::len);
    let said = text(&output.stdout);
    said.split("\u{1b}[").skip(1).any(|code| is_style(code).is_some_and(|end| code[end..].starts_with('m')))
}

fn has_escapes(output: &Output) -> bool {
    [&output.stdout, &output.stderr].into_iter().any(|stream| stream.contains(&0x1b))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
