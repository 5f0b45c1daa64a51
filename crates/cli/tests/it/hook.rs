//! `steno hook`, as the client runs it: it says nothing, never fails, and the session is kept soon after.

#![cfg(unix)]
use crate::standin;
mod strange;

use std::fs;
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

/// A keep is of the whole session, of which the transcript is one file.
#[test]
fn what_came_between_two_events_is_kept() {
    let app = kept();
    let transcript = grow(&app);
    assert_eq!(asked(&app, &payload(&transcript, "PreCompact").to_string())["started"], true);
    wait_for(&app, "the first run", |app| runs(app) == 1);
    let agent = transcript.with_extension("").join("subagents/agent-1.jsonl");
    fs::create_dir_all(agent.parent().unwrap()).unwrap();
    fs::write(&agent, "{}\n").unwrap();
    assert_eq!(asked(&app, &payload(&transcript, "SessionEnd").to_string())["started"], true);
    wait_for(&app, "the second run", |app| runs(app) == 2);
    [&agent, &transcript].into_iter().for_each(|path| fs::remove_file(path).unwrap());
    app.json(&format!("restore {} --json", id(1)));
    assert_eq!(fs::read_to_string(&agent).unwrap(), "{}\n");
}

#[test]
fn a_session_without_a_path_claims_nothing_for_others() {
    let app = kept();
    let ended = |session: Value| {
        let payload = json!({ "hook_event_name": "SessionEnd", "session_id": session }).to_string();
        asked(&app, &payload)["started"] == true
    };
    assert!(ended(json!(id(1))) && ended(json!(id(2))));
    assert!(!ended(json!(id(1))) && !ended(json!(id(2))), "that was one event each");
    assert!(ended(Value::Null) && ended(Value::Null), "nothing says that it was one event");
    wait_for(&app, "the four runs", |app| runs(app) == 4);
}

#[test]
fn who_fails_to_keep_leaves_no_claim() {
    let app = kept();
    let transcript = grow(&app);
    let payload = payload(&transcript, "SessionEnd").to_string();
    assert_eq!(asked(&app, &payload)["started"], true);
    wait_for(&app, "the run", |app| runs(app) == 1);
    assert_eq!(asked(&app, &payload)["reason"], "claimed");
    let (manifest, aside) = (vault(&app).join("manifest.json"), vault(&app).join("aside"));
    fs::rename(&manifest, &aside).unwrap();
    fs::create_dir(&manifest).unwrap();
    let failed = app.json(&format!("hook --keep {} --json", transcript.display()));
    assert_eq!(failed["reason"], "failed");
    fs::remove_dir(&manifest).unwrap();
    fs::rename(&aside, &manifest).unwrap();
    assert_eq!(asked(&app, &payload)["started"], true);
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
    let work = app.home().root().join("work");
    let advice = format!("`steno sync --claude-dir {}` takes it in", work.display());
    assert!(answer["message"].as_str().unwrap().ends_with(&advice), "{answer}");
    assert!(log(&app).contains("work is not in this vault") && log(&app).contains(&advice), "{}", log(&app));
    // Somebody decides that it belongs there; then it does, whatever the hook's environment says.
    app.json("sync --claude-dir work --json");
    fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"{}\n").unwrap();
    assert_eq!(asked(&app, &payload(&other, "SessionEnd").to_string())["started"], true);
    wait_for(&app, "the run", |app| log(app).contains(" hook ok"));
    assert_eq!(app.json("restore --list --json")["total"], 3);
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
