//! Everything comes back at once.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::Session;

use crate::restore::desk::{Desk, flip, session};

fn id(number: u32) -> String {
    Session::numbered(number).id().to_string()
}

fn project() -> String {
    format!("projects/{}", steno_testkit::encode_project(session(1).project()))
}

#[test]
fn what_is_there_is_skipped() {
    let desk = Desk::with(&[session(1), session(2), session(3)]);
    desk.app.home().file(&format!("{}/memory/MEMORY.md", project()), "remember");
    desk.app.home().file("history.jsonl", "{}");
    desk.app.home().file("settings.json", "{}");
    let desk = desk.keep();
    let lost = desk.app.home().write(&session(2));
    fs::remove_file(&lost).unwrap();
    fs::remove_file(desk.live(&format!("{}/memory/MEMORY.md", project()))).unwrap();
    fs::remove_file(desk.live("settings.json")).unwrap();
    assert_snapshot!(desk.run("restore --all --dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would restore 1 session (1 file, and 1 file of no session)
      00000002  go

    ----- stderr -----
    2 sessions in place already; --force overwrites what differs
    ");
    assert!(!lost.exists());
    let report = desk.json("restore --all");
    assert_eq!(report["ok"], true);
    assert_eq!(report["restored"].as_array().unwrap().len(), 1);
    assert_eq!(report["restored"][0]["uuid"], id(2));
    let skipped: Vec<_> = report["skipped"].as_array().unwrap().iter().map(|one| &one["reason"]).collect();
    assert_eq!(skipped, ["exists", "exists"]);
    assert_eq!(report["others"], json!({"files": 1}));
    assert!(!desk.live("settings.json").exists(), "configuration has its own command");
    assert_snapshot!(desk.run("restore --all"), @r"
    exit: 0
    ----- stdout -----
    Restored 0 sessions (0 files)

    ----- stderr -----
    3 sessions in place already; --force overwrites what differs
    next: steno export-config claude-config-2026-12-01.tar.gz --kept --claude-dir $HOME/.claude
    next: steno import-config claude-config-2026-12-01.tar.gz --claude-dir $HOME/.claude
    ");
}

#[test]
fn one_that_is_damaged_keeps_no_other_back() {
    let desk = Desk::with(&[session(1), session(2)]).keep().lose();
    flip(&desk.segments("desk", &format!("{}/{}.jsonl", project(), id(1)))[0]);
    assert_snapshot!(desk.run("restore --all"), @r"
    exit: 3
    ----- stdout -----
    Restored 1 session (1 file)

    ----- stderr -----
    session 00000001-5e55-4000-8000-000000000001 is damaged: machines/desk/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl.g1.000001.zst: it does not unpack (bytes 0 to 1671 of projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl)
    next: steno verify --repair --claude-dir $HOME/.claude
    ");
    let report = desk.json("restore --all --force");
    assert_eq!((&report["ok"], &report["skipped"][0]["reason"]), (&json!(false), &json!("damaged")));
    assert_eq!(desk.files().len(), 1);
}

#[test]
fn filters_take_some_with_what_belongs_to_them() {
    let desk = Desk::with(&[
        session(1).cwd("/home/dev/api").slug("calm-tea").user("x"),
        session(2).cwd("/home/dev/web"),
    ]);
    desk.app.home().file("plans/calm-tea.md", "# plan");
    desk.app.home().file("plans/loud-tea.md", "# plan");
    desk.app.home().file("history.jsonl", "{}");
    let desk = desk.keep().lose();
    let report = desk.json("restore --all --project api");
    assert_eq!((&report["restored"][0]["files"], &report["others"]["files"]), (&json!(2), &json!(0)));
    assert!(desk.live("plans/calm-tea.md").exists() && !desk.live("plans/loud-tea.md").exists());
    let desk = desk.lose();
    assert_eq!(desk.json("restore --all --last 1")["restored"].as_array().unwrap().len(), 1);
}

#[test]
fn a_session_of_two_projects_comes_back_to_both() {
    let both =
        [session(1).cwd("/home/dev/a").agent(|agent| agent), session(1).cwd("/home/dev/b").user("more")];
    let desk = Desk::with(&both);
    desk.app.home().file(&format!("todos/{}.json", id(1)), "[]");
    let before = desk.files();
    let desk = desk.keep().lose();
    let report = desk.json("restore --all");
    assert_eq!((&report["ok"], report["restored"].as_array().unwrap().len()), (&json!(true), 2));
    assert!(desk.files() == before);
}
