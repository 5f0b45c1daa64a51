//! A home that is gone, with nothing left but a remote and the key: what comes back from there is resumed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use steno_testkit::Home;
use steno_testkit::client::Stage;
use steno_testkit::s3::Server;

use super::{ID, converse, files, said_last, set};

#[test]
fn a_session_that_came_back_from_a_git_host_is_resumed() {
    for sealed in [false, true] {
        let Some(stage) = set() else { return };
        let remote = Home::new();
        let bare = remote.root().join("remote.git");
        let made = Command::new("git").args(["init", "--bare", "--quiet"]).arg(&bare).status().unwrap();
        assert!(made.success());
        lose_and_resume(&stage, &[bare.to_str().unwrap()], sealed);
    }
}

#[test]
fn a_session_that_came_back_from_an_object_store_is_resumed() {
    for sealed in [false, true] {
        let Some(mut stage) = set() else { return };
        let server = Server::start();
        let credentials = server.credentials();
        stage.app = stage
            .app
            .variable("AWS_ACCESS_KEY_ID", &credentials.key_id)
            .variable("AWS_SECRET_ACCESS_KEY", &credentials.secret);
        let address = format!("s3://{}/sessions", server.bucket());
        lose_and_resume(&stage, &[&address, "--endpoint", &server.endpoint()], sealed);
    }
}

fn lose_and_resume(stage: &Stage, remote: &[&str], sealed: bool) {
    let project = stage.project("a");
    let mut said = converse(stage, &project);
    let written = files(stage);
    let init = [&["init", "--no-schedule", "--push", "--json", "--remote"], remote].concat();
    let encrypt: &[&str] = if sealed { &["--encrypt"] } else { &[] };
    let report = stage.steno(&[&init, encrypt].concat());
    assert_eq!(
        (&report["encrypted"], &report["sync"]["pushed"]),
        (&json!(sealed), &json!(true)),
        "{report:#}"
    );
    let safe = Home::new();
    let key = safe.root().join("key.txt");
    if sealed {
        stage.steno(&["key", "export", key.to_str().unwrap(), "--json"]);
    }
    lose_everything(stage, &project);
    let identity: &[&str] = if sealed { &["--identity", key.to_str().unwrap()] } else { &[] };
    let report = stage.steno(&[&init, identity].concat());
    assert_eq!(report["ok"], true, "{report:#}");
    let machine = stage.steno(&["status", "--json"])["machines"][0]["machine"].clone();
    stage.steno(&["restore", "--all", "--machine", machine.as_str().unwrap(), "--json"]);
    assert!(files(stage) == written, "what came back is not what was there");
    stage.prompt(&project, &["--resume", ID, "go on"]);
    said.push("user: go on".to_owned());
    assert_eq!(said_last(stage), said);
}

/// The project is the user's own and comes back from elsewhere.
fn lose_everything(stage: &Stage, project: &Path) {
    let home = stage.app.home().root().canonicalize().unwrap();
    let entries: Vec<PathBuf> = fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().path()).collect();
    for path in entries.iter().filter(|path| *path != project) {
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
    assert!(!home.join(".claude-backup").exists() && !home.join(".config").exists());
}
