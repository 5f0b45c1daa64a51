//! What goes wrong, with its exit code: 1 for the user's mistake, 2 for the system's.

use std::process::Stdio;

use insta::assert_snapshot;
use steno_testkit::{App, Session};

fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    for number in [0x11, 0x12] {
        app.write(&Session::numbered(number).turns(1));
    }
    app
}

#[test]
fn the_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_snapshot!(app().run("--version").replace(version, "[version]"), @r"
    exit: 0
    ----- stdout -----
    steno [version]

    ----- stderr -----
    ");
    let twin = App::new(env!("CARGO_BIN_EXE_claude-backup"));
    assert_snapshot!(twin.run("--version").replace(version, "[version]"), @r"
    exit: 0
    ----- stdout -----
    steno [version]

    ----- stderr -----
    ");
}

#[test]
fn a_flag_that_is_none() {
    assert_snapshot!(app().run("list --frobnicate"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: unexpected argument '--frobnicate' found
    hint: `steno list --help` lists its arguments and flags
    ");
    assert_snapshot!(app().run("list --frobnicate --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"unexpected argument '--frobnicate' found","kind":"usage","code":1,"hints":["`steno list --help` lists its arguments and flags"]}
    "#);
}

#[test]
fn a_command_that_is_none() {
    assert_snapshot!(app().run("lisst"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: unrecognized subcommand 'lisst'
    hint: a similar subcommand exists: 'list'
    hint: `steno --help` lists commands and flags
    ");
    assert_snapshot!(app().run("lisst --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"unrecognized subcommand 'lisst'","kind":"usage","code":1,"hints":["a similar subcommand exists: 'list'","`steno --help` lists commands and flags"]}
    "#);
}

#[test]
fn a_value_that_is_none() {
    assert_snapshot!(app().run("list --since yesterday-ish"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: 'yesterday-ish' is not a time
    hint: give a date (2026-03-01), a time (2026-03-01T12:00:00Z), an age (12h, 7d, 2w), today, yesterday or last-week
    ");
    assert_snapshot!(app().run("list --limit many"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: invalid value 'many' for '--limit <N>': invalid digit found in string
    hint: `steno --help` lists commands and flags
    ");
    assert_snapshot!(app().run("list --sort beauty --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"invalid value 'beauty' for '--sort <ORDER>' [possible values: recent, started, tokens, size, turns]","kind":"usage","code":1,"hints":["`steno --help` lists commands and flags"]}
    "#);
    assert_snapshot!(app().run("show"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the following required arguments were not provided: <ID>
    hint: `steno show last` takes the latest session; `steno list` shows all sessions
    hint: `steno show --help` lists its arguments and flags
    ");
}

#[test]
fn a_prefix_of_several_sessions() {
    assert_snapshot!(app().run("show 0000001"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: '0000001' means 2 sessions
    hint: could be 00000011-5e55-4000-8000-000000000011 ("Prompt 1: please do step 1.", 2026-11-15 10:00Z)
    hint: could be 00000012-5e55-4000-8000-000000000012 ("Prompt 1: please do step 1.", 2026-11-15 10:00Z)
    "#);
    assert_snapshot!(app().run("show 0000001 --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"'0000001' means 2 sessions","kind":"ambiguous","code":1,"hints":["could be 00000011-5e55-4000-8000-000000000011 (\"Prompt 1: please do step 1.\", 2026-11-15 10:00Z)","could be 00000012-5e55-4000-8000-000000000012 (\"Prompt 1: please do step 1.\", 2026-11-15 10:00Z)"]}
    "#);
}

#[test]
fn a_name_too_short() {
    assert_snapshot!(app().run("show 00"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: '00' is too short for a session
    hint: give at least 4 characters of its id, `last`, or a path
    ");
}

#[test]
fn a_session_that_is_not_there() {
    assert_snapshot!(app().run("show deadbeef"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: session 'deadbeef' not found
    hint: `steno list` shows all sessions; a session can also be given by the path of its file
    ");
    assert_snapshot!(app().run("show deadbeef --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"session 'deadbeef' not found","kind":"not-found","code":1,"hints":["`steno list` shows all sessions; a session can also be given by the path of its file"]}
    "#);
    assert_snapshot!(app().run("show nothing/here.jsonl"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no such file: nothing/here.jsonl
    hint: `steno list` shows the sessions there are
    ");
}

#[test]
fn a_record_that_is_not_there() {
    assert_snapshot!(app().run("show last --at 99999"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: record '99999' not found in this session
    hint: give the line of a record, or its uuid; for a record of a subagent, AGENT:LINE
    ");
}

#[test]
fn last_of_nothing() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    assert_snapshot!(app.run("show last"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: there is no session yet
    hint: is this the right directory? see --claude-dir
    ");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(&Session::numbered(1).turns(300));
    for arguments in [&["show", "last"][..], &["show", "last", "--json"], &["list"], &["--help"]] {
        let mut child =
            app.command().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_the_systems_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let app = app();
    let output = app.command().args(["list", "--json"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_snapshot!(String::from_utf8_lossy(&output.stderr), @r#"{"error":"cannot write the answer: No space left on device (os error 28)","kind":"io","code":2,"hints":[]}"#);
    for arguments in ["list", "show last", "--help", "show --help", "--version"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = app.command();
        let output = command.args(arguments.split(' ')).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected = "error: cannot write the answer: No space left on device (os error 28)\n";
        assert_eq!((output.status.code(), said.as_str()), (Some(2), expected), "{arguments}");
    }
}

/// The runtime puts /dev/null in the place of a stream that is closed, so that nothing can fail.
#[cfg(unix)]
#[test]
fn closed_streams_are_no_panic() {
    let app = app();
    for arguments in ["list", "list --json", "show last", "--help", "show nobody", "--nonsense"] {
        let line = format!("exec {} {arguments} >&- 2>&-", env!("CARGO_BIN_EXE_steno"));
        let mut shell = std::process::Command::new("/bin/sh");
        shell.arg("-c").arg(line).env_clear().env("HOME", app.home().root());
        let code = shell.output().unwrap().status.code();
        let expected = if arguments.contains("no") { 1 } else { 0 };
        assert_eq!(code, Some(expected), "{arguments}");
    }
}

#[test]
fn a_clock_that_is_none() {
    let app = app().now("yesterday");
    assert_snapshot!(app.run("list"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: STENO_NOW is not a time: 'yesterday'
    hint: give it as 2026-03-01T12:00:00Z, or unset it
    ");
    assert_snapshot!(app.run("list --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"STENO_NOW is not a time: 'yesterday'","kind":"invalid","code":1,"hints":["give it as 2026-03-01T12:00:00Z, or unset it"]}
    "#);
}

const NAME: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}2J\u{202e}\nBREAK\tx";

#[test]
fn errors_cannot_act_on_the_terminal() {
    let app = app();
    let inside = |part: &str| format!("same{part}{NAME}");
    app.write(&Session::numbered(0x21).user("one").as_session(inside("1")).user("two"));
    app.write(&Session::numbered(0x22).user("one").as_session(inside("2")).user("two"));
    for file in ["strange1", "strange2"] {
        app.home().file(&format!("projects/-x/{file}{NAME}.jsonl"), "{}\n");
    }
    let missing = format!("{NAME}.jsonl");
    let directory = format!("./{NAME}");
    let lines: [&[&str]; 8] = [
        &["show", "same"],
        &["show", "strange"],
        &["show", NAME],
        &["show", &missing],
        &["show", "last", "--at", NAME],
        &["list", "--claude-dir", &directory],
        &["list", "--since", NAME],
        &["list", NAME],
    ];
    for arguments in lines {
        let output = app.output(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.contains("BREAK")), (Some(1), true), "{arguments:?}: {said}");
        let active = said
            .chars()
            .find(|letter| letter.is_control() && !matches!(letter, '\n' | '\t') || *letter == '\u{202e}');
        assert_eq!(active, None, "{arguments:?}: {said}");
        let is_usage = arguments == ["list", NAME];
        assert!(is_usage || !said.lines().any(|line| line.starts_with("BREAK")), "{arguments:?}: {said}");
    }
}

#[test]
fn version_and_help_are_one_object_too() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    assert_eq!(app.json("--version --json")["version"], env!("CARGO_PKG_VERSION"));
    assert!(app.json("list --help --json")["help"].as_str().is_some_and(|help| help.contains("--project")));
}
