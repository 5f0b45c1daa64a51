//! The plugin in the real client, when `STENO_CLIENT` names one (`cargo xtask check` does): it is valid, it can be
//! installed, the model is told of its skill, and its hooks keep a session without ever being in the way.

#![cfg(unix)]
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use steno_testkit::client::Stage;

const ID: &str = "5e551011-0000-4000-8000-000000000002";
/// What a plugin is made of; an installation copies everything else that lies beside it, too.
const PARTS: [&str; 4] = [".claude-plugin", "skills", "hooks", "README.md"];
/// Of what the hooks leave to the background.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn the_checkout_is_a_valid_plugin() {
    let Some(stage) = set() else { return };
    let output = stage.claude(&stage.project("a"), &["plugin", "validate", checkout().to_str().unwrap()]);
    let told = text(&output);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("Validation passed"), "{told}");
    assert!(!told.to_lowercase().contains("warning") && !told.contains("✘"), "{told}");
}

#[test]
fn the_skill_is_put_before_the_model() {
    let Some(stage) = set() else { return };
    install(&stage);
    prompt(&stage, "hello");
    let skill = fs::read_to_string(checkout().join("skills/backup/SKILL.md")).unwrap();
    let description = skill.lines().find_map(|line| line.strip_prefix("description:")).unwrap().trim();
    let beginning: String = description.trim_matches(['"', '\'']).chars().take(40).collect();
    let told = stage.api.requests().iter().map(Value::to_string).collect::<String>();
    assert!(told.contains("steno:backup"), "the skill's name is in no request");
    assert!(told.contains(&beginning), "`{beginning}` is in no request");
}

#[test]
fn the_model_runs_the_program_and_gets_json() {
    let Some(stage) = set() else { return };
    install(&stage);
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    prompt(&stage, "Please mock:run=steno+status+--json");
    let request = stage.api.requests().pop().unwrap();
    let blocks = request["messages"].as_array().unwrap().iter();
    let mut blocks = blocks.filter_map(|message| message["content"].as_array()).flatten();
    let result = blocks.rfind(|block| block["type"] == "tool_result").unwrap();
    assert_ne!(result["is_error"], true, "{result}");
    let told = result["content"].as_str().or_else(|| result["content"][0]["text"].as_str()).unwrap();
    let status: Value = serde_json::from_str(told).unwrap();
    assert_eq!((&status["mode"], &status["version"]), (&json!("local"), &json!(env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_session_is_kept_when_it_ends() {
    let Some(stage) = set() else { return };
    install(&stage);
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    prompt(&stage, "Please mock:echo=hello");
    wait_for("the session in the vault", || log(&stage).contains(" hook ok"));
    let written = fs::read(transcript(&stage)).unwrap();
    fs::remove_file(transcript(&stage)).unwrap();
    stage.steno(&["restore", ID, "--json"]);
    assert!(fs::read(transcript(&stage)).unwrap() == written, "what was kept is not what the client wrote");
    assert_eq!(log(&stage).matches(" hook ").count(), 1, "{}", log(&stage));
    assert_eq!(stage.steno(&["status", "--json"])["lastError"], Value::Null);
}

/// As `steno hooks install` is going to write them.
#[test]
fn hooks_in_the_settings_double_nothing() {
    let Some(stage) = set() else { return };
    install(&stage);
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    let path = stage.app.home().path().join("settings.json");
    let mut settings: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let hook = json!({ "type": "command", "command": "steno hook --json > \"$HOME/answer\"", "timeout": 10 });
    settings["hooks"] = json!({ "SessionEnd": [{ "hooks": [hook] }] });
    fs::write(&path, settings.to_string()).unwrap();
    prompt(&stage, "Please mock:echo=hello");
    wait_for("the session in the vault", || log(&stage).contains(" hook ok"));
    let answer = fs::read(stage.app.home().root().join("answer")).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!((&answer["event"], &answer["session"]), (&json!("SessionEnd"), &json!(ID)));
    assert!(answer["started"] == true || answer["reason"] == "claimed", "{answer}");
    assert_eq!(log(&stage).matches(" hook ").count(), 1, "{}", log(&stage));
}

#[test]
fn without_the_program_the_client_runs_undisturbed() {
    let Some(stage) = set() else { return };
    install(&stage);
    let with = prompt(&stage, "Please mock:echo=hello");
    let project = stage.project("a");
    let without = without_program(stage).prompt(&project, &["--resume", ID, "Please mock:echo=hello"]);
    assert_eq!(text(&without), text(&with));
    assert_eq!(String::from_utf8_lossy(&without.stderr), "");
    assert_eq!(text(&with).trim(), "The echo script is done.");
}

#[test]
fn without_a_vault_nothing_is_made() {
    let Some(stage) = set() else { return };
    install(&stage);
    let output = prompt(&stage, "Please mock:echo=hello");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(transcript(&stage).exists());
    assert!(!vault(&stage).exists());
}

/// With our program on the client's search path.
fn set() -> Option<Stage> {
    let stage = Stage::set(env!("CARGO_BIN_EXE_steno"))?;
    let bin = stage.app.home().root().join("bin");
    fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_steno"), bin.join("steno")).unwrap();
    let path = std::env::join_paths([bin].into_iter().chain(other_places())).unwrap();
    Some(stage.variable("PATH", path))
}

fn without_program(stage: Stage) -> Stage {
    stage.variable("PATH", std::env::join_paths(other_places()).unwrap())
}

/// From a copy, because an installation copies all that lies beside the plugin, a build of gigabytes included.
fn install(stage: &Stage) {
    let market = stage.app.home().root().join("market");
    PARTS.iter().for_each(|part| copy(&checkout().join(part), &market.join(part)));
    let manifest = fs::read(market.join(".claude-plugin/marketplace.json")).unwrap();
    let name = serde_json::from_slice::<Value>(&manifest).unwrap()["name"].as_str().unwrap().to_owned();
    let steno = format!("steno@{name}");
    for arguments in [
        &["plugin", "marketplace", "add", market.to_str().unwrap()][..],
        &["plugin", "install", steno.as_str()],
    ] {
        let output = stage.claude(&stage.project("a"), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    }
    let listed = text(&stage.claude(&stage.project("a"), &["plugin", "list"]));
    assert!(listed.contains(&steno) && listed.contains("enabled"), "{listed}");
}

/// Has the client answer one prompt, in the session.
fn prompt(stage: &Stage, prompt: &str) -> Output {
    stage.prompt(&stage.project("a"), &["--session-id", ID, prompt])
}

fn transcript(stage: &Stage) -> PathBuf {
    stage.transcript(&stage.project("a"), ID)
}

fn vault(stage: &Stage) -> PathBuf {
    stage.app.home().root().join(".claude-backup")
}

fn log(stage: &Stage) -> String {
    fs::read_to_string(vault(stage).join(".cache/steno.log")).unwrap_or_default()
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The search path, without places that have a program of our name.
fn other_places() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).filter(|place| !place.join("steno").exists()).collect()
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
        return;
    }
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        copy(&from.join(&name), &to.join(&name));
    }
}

fn text(output: &Output) -> String {
    String::from_utf8([output.stdout.clone(), output.stderr.clone()].concat()).unwrap()
}

/// What happens in the background can only be waited for.
fn wait_for(what: &str, is_done: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        thread::sleep(Duration::from_millis(50));
    }
}
