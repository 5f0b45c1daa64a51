//! Directories of the original tool, taken over by one machine and read by another.

#![cfg(unix)]
use crate::standin;

use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use standin::{app, bare, git, id, session, vault};
use steno_testkit::App;

fn zip(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = fs::File::create(path).unwrap();
    flate2::write::GzEncoder::new(file, flate2::Compression::best()).write_all(bytes).unwrap();
}

/// Two transcripts as the original tool kept them before it knew of machines; the first has grown since.
fn original() -> App {
    let app = app(&["crontab"]);
    let project = app.home().project_path(session(1).project());
    for number in [1, 2] {
        app.write(&session(number));
        let live = project.join(format!("{}.jsonl", id(number)));
        let kept = vault(&app).join("projects").join(project.file_name().unwrap());
        zip(&kept.join(format!("{}.jsonl.gz", id(number))), &fs::read(&live).unwrap());
    }
    fs::remove_file(project.join(format!("{}.jsonl", id(2)))).unwrap();
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    app
}

fn machines(app: &App) -> Vec<String> {
    let listed = app.json("restore --list --json");
    let sessions = listed["sessions"].as_array().unwrap().iter();
    let mut told: Vec<String> = sessions
        .map(|one| format!("{} {}", one["uuid"].as_str().unwrap(), one["machine"].as_str().unwrap()))
        .collect();
    told.sort();
    told
}

#[test]
fn the_first_start_takes_it_over() {
    let app = original();
    let shown = app.run("--local --no-schedule --json");
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let identity: Value = serde_json::from_slice(&fs::read(vault(&app).join("vault.json")).unwrap()).unwrap();
    assert_eq!(identity["original"], "box");
    let status = app.json("status --json");
    assert_eq!((&status["retention"]["notKept"], &status["sessions"]["files"]), (&json!(0), &json!(2)));
    assert_eq!(app.json("verify --json")["ok"], true);
}

#[test]
fn a_vault_of_our_own_names_nobody() {
    let app = standin::kept();
    assert!(!fs::read_to_string(vault(&app).join("vault.json")).unwrap().contains("original"));
}

#[test]
fn another_machine_sees_whose_they_are() {
    let one = original();
    let remote = bare(&one);
    git(&vault(&one), &["init", "--quiet", "--initial-branch=main"]);
    git(&vault(&one), &["add", "-A"]);
    git(
        &vault(&one),
        &["-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "--quiet", "-m", "Backup"],
    );
    let sent = one.json(&format!("init --remote {} --no-schedule --push --json", remote.display()));
    assert_eq!(sent["sync"]["pushed"], true, "{sent}");
    let grown =
        fs::read(one.home().project_path(session(1).project()).join(format!("{}.jsonl", id(1)))).unwrap();

    let two = app(&["crontab"]).variable("STENO_MACHINE", "laptop");
    two.write(&session(3));
    let joined = two.json(&format!("init --remote {} --no-schedule --push --json", remote.display()));
    assert_eq!(joined["sync"]["pushed"], true, "{joined}");
    let expected = [format!("{} box", id(1)), format!("{} box", id(2)), format!("{} laptop", id(3))];
    assert_eq!(machines(&two), expected);
    two.json(&format!("restore {} --json", id(1)));
    let back = two.home().project_path(session(1).project()).join(format!("{}.jsonl", id(1)));
    assert_eq!(fs::read(back).unwrap(), grown);
    let verified = two.json("verify --json");
    assert_eq!(verified["ok"], true, "{verified}");
    assert_eq!(machines(&one)[..2], expected[..2]);
}

#[test]
fn a_file_without_a_time_in_it_is_not_of_1970() {
    let app = original();
    app.run("init --local --no-schedule");
    let listed = app.json("restore --list --json");
    let times = listed["sessions"].as_array().unwrap().iter().map(|one| one["backedUpAt"].as_str().unwrap());
    assert!(times.clone().all(|time| !time.starts_with("1970")), "{listed}");
}

#[test]
fn a_first_start_that_was_refused_is_done_in_part() {
    let app = original();
    let bare = bare(&app);
    let hook = bare.join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    steno_testkit::executable(&hook, "#!/bin/sh\nexit 1\n");
    git(&vault(&app), &["init", "--quiet", "--initial-branch=main"]);
    git(&vault(&app), &["remote", "add", "origin", bare.to_str().unwrap()]);
    let shown = app.run("--no-schedule --json");
    assert!(shown.starts_with("exit: 3") && shown.contains("\"lastError\":{"), "{shown}");
}
