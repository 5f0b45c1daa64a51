//! `steno move --remove-originals`: nothing goes that the vault does not hold, or that somebody wrote to.

#![cfg(unix)]
use crate::standin;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{app, files, id, segments};
use steno_testkit::{App, Session};

const LINE: [&str; 4] = ["move", "/srv/old", "/srv/new", "--remove-originals"];

fn session(number: u32) -> Session {
    Session::numbered(number).cwd("/srv/old").user("go").agent(|agent| agent).turns(2)
}

/// Two sessions of a project and its memory, not yet kept, in a vault that is there.
fn project() -> App {
    let app = app(&["crontab"]);
    app.json("init --local --no-schedule --no-sync --json");
    app.write(&session(1));
    app.write(&session(2));
    app.home().file("projects/-srv-old/memory/MEMORY.md", "notes");
    app
}

fn place(app: &App, project: &str) -> PathBuf {
    app.home().path().join("projects").join(project)
}

fn removed(app: &App) -> (Value, Option<i32>) {
    let output = app.output(&[&LINE[..], &["--json"]].concat());
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))), output.status.code())
}

fn damage(app: &App, number: u32) {
    let path = segments(app, number).remove(0);
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.len() - 12;
    bytes[place] ^= 0x40;
    fs::write(path, bytes).unwrap();
}

#[test]
fn they_go_once_they_are_kept_and_come_back_from_the_vault() {
    let app = project();
    let read = |path: &PathBuf| (path.clone(), fs::read(path).unwrap());
    let originals: Vec<(PathBuf, Vec<u8>)> = files(&place(&app, "-srv-old")).iter().map(read).collect();
    let before = app.json("stats session --json")["total"].clone();
    assert_snapshot!(app.run(&LINE.join(" ")), @r"
    exit: 0
    ----- stdout -----
    Moved 2 sessions (6 files, and 1 file of no session)
      from /srv/old
      to /srv/new
    Removed the originals of 2 sessions (6 files, and 1 file of no session)
    Resume with: cd /srv/new && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume

    ----- stderr -----
    warning: /srv/new: this directory does not exist: make it before you resume a session there
    ");
    assert!(!place(&app, "-srv-old").exists());
    assert_eq!(files(&place(&app, "-srv-new")).len(), originals.len());
    assert_eq!(app.json("list --json")["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(app.json("stats session --json")["total"], before);
    app.json("sync --json");
    assert_eq!(app.json("stats session --json")["total"], before);
    assert_eq!(app.json("verify --json")["ok"], true);
    for number in [1, 2] {
        app.json(&format!("restore {} --project srv-old --json", id(number)));
    }
    let is_session = |path: &PathBuf| !path.to_str().unwrap().contains("memory");
    for (path, bytes) in originals.into_iter().filter(|(path, _)| is_session(path)) {
        assert_eq!(fs::read(&path).unwrap(), bytes, "{}", path.display());
    }
}

#[test]
fn a_dry_run_names_them_and_deletes_nothing() {
    let app = project();
    let (report, _) = {
        let output = app.output(&[&LINE[..], &["--dry-run", "--json"]].concat());
        (serde_json::from_slice::<Value>(&output.stdout).unwrap(), output.status.code())
    };
    let expected: BTreeSet<PathBuf> = files(&place(&app, "-srv-old")).into_iter().collect();
    let named = report["plan"]["remove"].as_array().unwrap().iter();
    assert_eq!(named.map(|path| PathBuf::from(path.as_str().unwrap())).collect::<BTreeSet<_>>(), expected);
    assert_eq!((&report["removed"], &report["next"][0]["ask"]), (&json!([]), &json!(true)));
    assert!(!place(&app, "-srv-new").exists() && segments(&app, 1).is_empty());
}

#[test]
fn what_was_moved_before_and_went_on_is_removed() {
    let app = project();
    app.json("move /srv/old /srv/new --json");
    let path = place(&app, "-srv-new").join(format!("{}.jsonl", id(1)));
    let grown = fs::read_to_string(&path).unwrap() + "{\"type\":\"user\",\"cwd\":\"/srv/new\"}\n";
    fs::write(&path, &grown).unwrap();
    let (report, code) = removed(&app);
    assert_eq!((code, &report["there"]), (Some(0), &json!(2)), "{report}");
    assert_eq!(report["removed"].as_array().unwrap().len(), 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), grown);
    assert!(!place(&app, "-srv-old").exists());
}

#[test]
fn where_the_vault_lacks_a_byte_the_original_stays() {
    let app = project();
    app.json("sync --json");
    damage(&app, 1);
    assert_snapshot!(app.run(&LINE.join(" ")), @r"
    exit: 3
    ----- stdout -----
    Moved 2 sessions (6 files, and 1 file of no session)
      from /srv/old
      to /srv/new
    Removed the originals of 1 session (3 files)
    Resume with: cd /srv/new && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume

    ----- stderr -----
    the vault does not hold every byte of it: $HOME/.claude/projects/-srv-old/00000001-5e55-4000-8000-000000000001.jsonl
    warning: /srv/new: this directory does not exist: make it before you resume a session there
    next: steno verify --repair --claude-dir $HOME/.claude
    ");
    let left = files(&place(&app, "-srv-old"));
    assert_eq!(left.len(), files(&place(&app, "-srv-old").join(id(1))).len() + 2, "with its files: {left:?}");
    assert!(place(&app, "-srv-old/memory/MEMORY.md").exists(), "a session is left that may need it");
    app.json("verify --repair --json");
    assert_eq!(removed(&app).1, Some(0));
    assert!(!place(&app, "-srv-old").exists());
}

#[test]
fn an_original_that_grew_after_it_was_copied_stays() {
    let app = project();
    app.json("move /srv/old /srv/new --json");
    app.home().append(&session(1), b"{\"type\":\"user\",\"cwd\":\"/srv/old\"}\n");
    let (report, code) = removed(&app);
    assert_eq!((code, &report["skipped"][0]["reason"]), (Some(3), &json!("exists")), "{report}");
    assert_eq!(report["removed"].as_array().unwrap().len(), 1);
    assert!(place(&app, "-srv-old").join(format!("{}.jsonl", id(1))).exists());
}

#[test]
fn a_running_session_and_what_it_may_need_stay() {
    let app = project();
    app.home().registry(&session(1), std::process::id(), "idle");
    let (report, code) = removed(&app);
    assert_eq!((code, &report["skipped"][0]["reason"]), (Some(3), &json!("running")), "{report}");
    assert!(place(&app, "-srv-old").join(format!("{}.jsonl", id(1))).exists());
    assert_eq!(
        (&report["others"], report["removed"].as_array().unwrap().len()),
        (&json!({"files":1,"removed":0}), 1)
    );
}

#[test]
fn what_other_bytes_stand_for_stays() {
    let app = project();
    app.home().file("projects/-srv-new/memory/MEMORY.md", "other notes");
    let (report, code) = removed(&app);
    assert_eq!((code, &report["warnings"][0]["kind"]), (Some(0), &json!("missing-directory")), "{report}");
    assert_eq!(report["warnings"][1]["kind"], "exists");
    assert_eq!(files(&place(&app, "-srv-old")), [place(&app, "-srv-old/memory/MEMORY.md")]);
}

#[test]
fn a_purged_session_is_not_kept_again_and_stays() {
    let app = project();
    app.json("sync --json");
    app.json(&format!("purge {} --yes --json", id(1)));
    let (report, code) = removed(&app);
    assert_eq!((code, &report["skipped"][0]["reason"]), (Some(3), &json!("unkept")), "{report}");
    assert!(segments(&app, 1).is_empty());
    assert!(place(&app, "-srv-old").join(format!("{}.jsonl", id(1))).exists());
}
