//! The plugin in the real client, when `STENO_CLIENT` names one (`cargo xtask check` does): it is valid, it can be
//! installed, the model is told of its skill, and its hooks keep a session without ever being in the way.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use steno_testkit::client::{Client, MockApi};
use steno_testkit::{App, encode_project};

const ID: &str = "5e551011-0000-4000-8000-000000000002";
/// What a plugin is made of; an installation copies everything else that lies beside it, too.
const PARTS: [&str; 4] = [".claude-plugin", "skills", "hooks", "README.md"];
/// Of what the hooks leave to the background.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn the_checkout_is_a_valid_plugin() {
    let Some(stage) = Stage::set() else { return };
    let output = stage.claude(&["plugin", "validate", checkout().to_str().unwrap()]);
    let told = text(&output);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("Validation passed"), "{told}");
    assert!(!told.to_lowercase().contains("warning") && !told.contains("✘"), "{told}");
}

#[test]
fn the_skill_is_put_before_the_model() {
    let Some(stage) = Stage::set() else { return };
    stage.install();
    stage.prompt("hello");
    let skill = fs::read_to_string(checkout().join("skills/backup/SKILL.md")).unwrap();
    let description = skill.lines().find_map(|line| line.strip_prefix("description:")).unwrap().trim();
    let beginning: String = description.trim_matches(['"', '\'']).chars().take(40).collect();
    let told = stage.api.requests().iter().map(Value::to_string).collect::<String>();
    assert!(told.contains("steno:backup"), "the skill's name is in no request");
    assert!(told.contains(&beginning), "`{beginning}` is in no request");
}

#[test]
fn the_model_runs_the_program_and_gets_json() {
    let Some(stage) = Stage::set() else { return };
    stage.install();
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    stage.prompt("Please mock:run=steno+status+--json");
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
    let Some(stage) = Stage::set() else { return };
    stage.install();
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    stage.prompt("Please mock:echo=hello");
    wait_for("the session in the vault", || stage.log().contains(" hook ok"));
    let written = fs::read(stage.transcript()).unwrap();
    fs::remove_file(stage.transcript()).unwrap();
    stage.steno(&["restore", ID, "--json"]);
    assert!(fs::read(stage.transcript()).unwrap() == written, "what was kept is not what the client wrote");
    assert_eq!(stage.log().matches(" hook ").count(), 1, "{}", stage.log());
    assert_eq!(stage.steno(&["status", "--json"])["lastError"], Value::Null);
}

/// As `steno hooks install` is going to write them.
#[test]
fn hooks_in_the_settings_double_nothing() {
    let Some(stage) = Stage::set() else { return };
    stage.install();
    stage.steno(&["init", "--local", "--no-schedule", "--json"]);
    let path = stage.app.home().path().join("settings.json");
    let mut settings: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let hook = json!({ "type": "command", "command": "steno hook --json > \"$HOME/answer\"", "timeout": 10 });
    settings["hooks"] = json!({ "SessionEnd": [{ "hooks": [hook] }] });
    fs::write(&path, settings.to_string()).unwrap();
    stage.prompt("Please mock:echo=hello");
    wait_for("the session in the vault", || stage.log().contains(" hook ok"));
    let answer = fs::read(stage.app.home().root().join("answer")).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!((&answer["event"], &answer["session"]), (&json!("SessionEnd"), &json!(ID)));
    assert!(answer["started"] == true || answer["reason"] == "claimed", "{answer}");
    assert_eq!(stage.log().matches(" hook ").count(), 1, "{}", stage.log());
}

#[test]
fn without_the_program_the_client_runs_undisturbed() {
    let Some(stage) = Stage::set() else { return };
    stage.install();
    let with = stage.prompt("Please mock:echo=hello");
    let without = stage.without_program().prompt_again("Please mock:echo=hello");
    assert_eq!(text(&without), text(&with));
    assert_eq!(String::from_utf8_lossy(&without.stderr), "");
    assert_eq!(text(&with).trim(), "The echo script is done.");
}

#[test]
fn without_a_vault_nothing_is_made() {
    let Some(stage) = Stage::set() else { return };
    stage.install();
    let output = stage.prompt("Please mock:echo=hello");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(stage.transcript().exists());
    assert!(!stage.vault().exists());
}

/// The client with a home of its own, and our program on its search path.
struct Stage {
    client: Client,
    api: MockApi,
    app: App,
}

impl Stage {
    /// None, with a note, where there is no client to test with.
    #[allow(clippy::print_stdout, reason = "a test that is left out should say so")]
    fn set() -> Option<Self> {
        let Some(client) = Client::from_environment() else {
            println!("left out: STENO_CLIENT names no client (`cargo xtask client` installs one)");
            return None;
        };
        // The client goes by the real clock, and so must we.
        let app = App::new(env!("CARGO_BIN_EXE_steno")).now("");
        let bin = app.home().root().join("bin");
        fs::create_dir(&bin).unwrap();
        symlink(env!("CARGO_BIN_EXE_steno"), bin.join("steno")).unwrap();
        let path = std::env::join_paths([bin].into_iter().chain(other_places())).unwrap();
        Some(Self { client: client.variable("PATH", path), api: MockApi::start(), app })
    }

    fn without_program(self) -> Self {
        let path = std::env::join_paths(other_places()).unwrap();
        Self { client: self.client.variable("PATH", path), ..self }
    }

    /// From a copy, because an installation copies all that lies beside the plugin, a build of gigabytes included.
    fn install(&self) {
        let market = self.app.home().root().join("market");
        PARTS.iter().for_each(|part| copy(&checkout().join(part), &market.join(part)));
        let manifest = fs::read(market.join(".claude-plugin/marketplace.json")).unwrap();
        let name = serde_json::from_slice::<Value>(&manifest).unwrap()["name"].as_str().unwrap().to_owned();
        let steno = format!("steno@{name}");
        for arguments in [
            &["plugin", "marketplace", "add", market.to_str().unwrap()][..],
            &["plugin", "install", steno.as_str()],
        ] {
            let output = self.claude(arguments);
            assert!(output.status.success(), "{arguments:?}: {}", text(&output));
        }
        let listed = text(&self.claude(&["plugin", "list"]));
        assert!(listed.contains(&steno) && listed.contains("enabled"), "{listed}");
    }

    fn claude(&self, arguments: &[&str]) -> Output {
        self.client.run(self.app.home().root(), &self.project(), &self.api, arguments)
    }

    /// Has the client answer one prompt, in the session.
    fn prompt(&self, prompt: &str) -> Output {
        self.ask(&["--session-id", ID, prompt])
    }

    fn prompt_again(&self, prompt: &str) -> Output {
        self.ask(&["--resume", ID, prompt])
    }

    fn ask(&self, arguments: &[&str]) -> Output {
        let output = self.claude(&[&["--print", "--dangerously-skip-permissions"], arguments].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        output
    }

    /// What our program reports; it must succeed.
    fn steno(&self, arguments: &[&str]) -> Value {
        let output = self.app.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The client resolves links, so these are resolved before.
    fn project(&self) -> PathBuf {
        let project = self.app.home().root().canonicalize().unwrap().join("a");
        fs::create_dir_all(&project).unwrap();
        project
    }

    fn transcript(&self) -> PathBuf {
        let directory = encode_project(self.project().to_str().unwrap());
        self.app.home().path().join("projects").join(directory).join(format!("{ID}.jsonl"))
    }

    fn vault(&self) -> PathBuf {
        self.app.home().root().join(".claude-backup")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.vault().join(".cache/steno.log")).unwrap_or_default()
    }
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
