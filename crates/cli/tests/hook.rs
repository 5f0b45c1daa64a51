//! `steno hook`, as the client runs it: it says nothing, never fails, and the session is kept soon after.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod standin;

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use standin::{app, files, id, kept, session, vault};
use steno_testkit::App;

/// Of what happens in the background.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_session_that_ends_is_kept() {
    let app = kept();
    let transcript = grow(&app);
    let output = hook(&app, &payload(&transcript, "SessionEnd").to_string());
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    wait_for(&app, "the run", |app| runs(app) == 1);
    assert!(kept_bytes(&app) == fs::read(&transcript).unwrap());
    assert_eq!(app.json("status --json")["lastError"], Value::Null);
}

#[test]
fn a_session_that_is_compacted_is_kept_and_json_says_so() {
    let app = kept();
    let transcript = grow(&app);
    let answer = asked(&app, &payload(&transcript, "PreCompact").to_string());
    let told = json!({
        "ok": true, "event": "PreCompact", "session": id(1), "started": true, "reason": null, "message": null,
    });
    assert_eq!(answer, told);
    wait_for(&app, "the session's new bytes", |app| kept_bytes(app) == fs::read(&transcript).unwrap());
}

#[test]
fn of_eight_hooks_for_one_event_one_keeps_the_session() {
    let app = kept();
    let transcript = grow(&app);
    let payload = payload(&transcript, "SessionEnd").to_string();
    let answers: Vec<Value> = thread::scope(|scope| {
        let hooks: Vec<_> = (0..8).map(|_| scope.spawn(|| asked(&app, &payload))).collect();
        hooks.into_iter().map(|hook| hook.join().unwrap()).collect()
    });
    let started: Vec<&Value> = answers.iter().filter(|answer| answer["started"] == true).collect();
    assert_eq!(started.len(), 1, "{answers:#?}");
    let others = answers.iter().filter(|answer| answer["reason"] == "claimed");
    assert_eq!(others.count(), 7, "{answers:#?}");
    wait_for(&app, "the one run", |app| runs(app) == 1);
    assert_eq!(asked(&app, &payload)["reason"], "claimed", "nothing is new");
    grow(&app);
    assert_eq!(asked(&app, &payload)["started"], true, "the session has gone on since");
    wait_for(&app, "the second run", |app| runs(app) == 2);
}

#[test]
fn without_a_vault_nothing_happens() {
    let app = app(&[]);
    app.write(&session(1));
    let before = files(app.home().root());
    let answer = asked(&app, &payload(&transcript(&app), "SessionEnd").to_string());
    assert_eq!((&answer["started"], &answer["reason"]), (&json!(false), &json!("no-vault")));
    assert_eq!(files(app.home().root()), before);
    // What a background process would be told, had somebody removed the vault meanwhile.
    let late = app.json(&format!("hook --keep {} --json", transcript(&app).display()));
    assert_eq!((&late["started"], &late["reason"]), (&json!(false), &json!("failed")));
    assert_eq!(files(app.home().root()), before);
}

#[test]
fn a_directory_of_the_original_tool_is_no_vault_yet() {
    let app = app(&[]);
    app.write(&session(1));
    fs::create_dir_all(vault(&app).join("machines/box/projects")).unwrap();
    let before = files(app.home().root());
    let answer = asked(&app, &payload(&transcript(&app), "SessionEnd").to_string());
    assert_eq!((&answer["started"], &answer["reason"]), (&json!(false), &json!("no-vault")));
    assert_eq!(files(app.home().root()), before);
}

#[test]
fn a_vault_that_has_kept_nothing_yet_begins() {
    let app = app(&[]);
    app.write(&session(1));
    app.json("init --local --no-schedule --no-sync --json");
    let answer = asked(&app, &payload(&transcript(&app), "SessionEnd").to_string());
    assert_eq!(answer["started"], true, "{answer}");
    wait_for(&app, "the session", |app| kept_bytes(app) == fs::read(transcript(app)).unwrap());
}

#[test]
fn another_claude_directory_is_not_taken_in_by_itself() {
    let app = kept();
    let other = app.home().root().join("work/projects/-w").join(format!("{}.jsonl", id(7)));
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::copy(transcript(&app), &other).unwrap();
    let answer = asked(&app, &payload(&other, "SessionEnd").to_string());
    assert_eq!((&answer["started"], &answer["reason"]), (&json!(false), &json!("other-directory")));
    assert!(log(&app).contains("work is not kept in this vault"), "{}", log(&app));
    // Somebody decides that it belongs there; then it does, whatever the hook's environment says.
    app.json("sync --claude-dir work --json");
    fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"{}\n").unwrap();
    assert_eq!(asked(&app, &payload(&other, "SessionEnd").to_string())["started"], true);
    wait_for(&app, "the run", |app| log(app).contains(" hook ok"));
    assert_eq!(app.json("restore --list --json")["total"], 3);
}

#[test]
fn nothing_is_done_for_other_events_and_bad_payloads() {
    let app = kept();
    let transcript = grow(&app);
    let nested = "[".repeat(100_000);
    let huge = format!("\"{}", "x".repeat(17 << 20));
    let strange = [
        ("", "no-payload"),
        (" \r\n", "no-payload"),
        ("nonsense", "bad-payload"),
        ("{\"hook_event_name\":", "bad-payload"),
        ("\u{0}\u{1}\u{feff}", "bad-payload"),
        (&nested, "bad-payload"),
        (&huge, "bad-payload"),
        ("{}", "other-event"),
        ("{\"hook_event_name\":[\"SessionEnd\"]}", "other-event"),
        (&payload(&transcript, "PostToolUse").to_string(), "other-event"),
    ];
    for (text, reason) in strange {
        let answer = asked(&app, text);
        assert_eq!((&answer["started"], &answer["reason"]), (&json!(false), &json!(reason)));
        let output = hook(&app, text);
        assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    }
    assert_eq!(runs(&app), 0);
}

#[test]
fn a_stdin_that_says_nothing_holds_up_nobody() {
    let app = kept();
    // As the shell's `<&-` closes it.
    let closed = format!("exec {} hook --json <&-", env!("CARGO_BIN_EXE_steno"));
    let mut command = App::command(&app);
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(closed).env_clear();
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "no-payload");
    // A pipe that stays open.
    command.args(["hook", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "no-payload");
}

#[test]
fn a_terminal_is_not_read_from() {
    let app = kept();
    let Ok(terminal) = File::options().read(true).write(true).open("/dev/ptmx") else { return };
    let mut command = app.command();
    let output = command.args(["hook", "--json"]).stdin(terminal).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["reason"], "no-payload");
}

#[test]
fn a_vault_that_cannot_be_written_is_not_the_clients_concern() {
    let app = kept();
    let transcript = grow(&app);
    // Not even root writes here.
    let cache = vault(&app).join(".cache");
    fs::remove_dir_all(&cache).unwrap();
    fs::write(&cache, "no directory").unwrap();
    let answer = asked(&app, &payload(&transcript, "SessionEnd").to_string());
    assert_eq!(answer["started"], true, "a claim that cannot be made keeps nobody away");
    for broken in ["vault.json", "manifest.json"] {
        fs::remove_file(vault(&app).join(broken)).unwrap();
        fs::create_dir(vault(&app).join(broken)).unwrap();
    }
    let output = hook(&app, &payload(&transcript, "SessionEnd").to_string());
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
    assert_eq!(asked(&app, &payload(&transcript, "SessionEnd").to_string())["started"], false);
}

#[test]
fn a_machine_without_anything_is_not_the_clients_concern() {
    let app = app(&[]).variable("STENO_NOW", "nonsense");
    let output = hook(&app, "{}");
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));
}

fn transcript(app: &App) -> PathBuf {
    app.home().project_path(session(1).project()).join(format!("{}.jsonl", id(1)))
}

/// The client writes one more record.
fn grow(app: &App) -> PathBuf {
    app.home().append(&session(1), b"{\"type\":\"mode\",\"mode\":\"normal\"}\n");
    transcript(app)
}

fn payload(transcript: &std::path::Path, event: &str) -> Value {
    json!({
        "session_id": transcript.file_stem().unwrap().to_str(), "transcript_path": transcript,
        "cwd": "/work/app", "hook_event_name": event, "reason": "other",
    })
}

fn hook(app: &App, stdin: &str) -> Output {
    run(app, &["hook"], stdin)
}

fn asked(app: &App, stdin: &str) -> Value {
    let output = run(app, &["hook", "--json"], stdin);
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn run(app: &App, arguments: &[&str], stdin: &str) -> Output {
    let mut command = app.command();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Of a huge payload it does not read the end.
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).ok();
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8([output.stdout.clone(), output.stderr.clone()].concat()).unwrap()
}

fn log(app: &App) -> String {
    fs::read_to_string(vault(app).join(".cache/steno.log")).unwrap_or_default()
}

/// How often a hook has kept something.
fn runs(app: &App) -> usize {
    log(app).lines().filter(|line| line.contains(" hook ok")).count()
}

/// The first session as it is kept.
fn kept_bytes(app: &App) -> Vec<u8> {
    let to = app.home().root().join("restored");
    fs::remove_dir_all(&to).ok();
    app.output(&["restore", &id(1), "--to", to.to_str().unwrap(), "--json"]);
    let restored = if to.exists() { files(&to) } else { Vec::new() };
    let name = format!("{}.jsonl", id(1));
    restored.iter().find(|path| path.ends_with(&name)).map(|path| fs::read(path).unwrap()).unwrap_or_default()
}

/// What happens in the background can only be waited for.
fn wait_for(app: &App, what: &str, is_done: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !is_done(app) {
        assert!(start.elapsed() < PATIENCE, "{what} did not come; the log says:\n{}", log(app));
        thread::sleep(Duration::from_millis(50));
    }
}
