//! A vault that is not what it was.

use std::fs;

use insta::assert_snapshot;
use steno_testkit::Session;

use crate::restore::desk::{Desk, flip, session};

fn path(number: u32) -> String {
    let session = Session::numbered(number);
    format!("projects/{}/{}.jsonl", steno_testkit::encode_project(session.project()), session.id())
}

#[test]
fn a_damaged_session_is_not_restored_at_all() {
    let desk = Desk::with(&[session(1).agent(|agent| agent)]).keep().lose();
    flip(&desk.segments("desk", &path(1))[0]);
    assert_snapshot!(desk.run("restore last"), @r"
    exit: 2
    ----- stdout -----

    ----- stderr -----
    error: session 00000001-5e55-4000-8000-000000000001 is damaged: machines/desk/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl.g1.000001.zst: it does not unpack (bytes 0 to 5212 of projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl)
    hint: `steno verify --repair` takes it again from the live file or the remote
    ");
    assert!(!desk.live("projects").exists());
    assert!(desk.run("restore last --dry-run").starts_with("exit: 2"));
}

#[test]
fn a_damaged_part_keeps_the_whole_session_back() {
    let desk = Desk::with(&[session(1), session(2)]);
    let id = Session::numbered(1).id().to_string();
    desk.app.home().file(&format!("todos/{id}.json"), "a list of things to do, long enough to be packed");
    let desk = desk.keep().lose();
    flip(&desk.segments("desk", &format!("todos/{id}.json"))[0]);
    let shown = desk.run(&format!("restore {id} --json"));
    assert!(shown.starts_with("exit: 2") && shown.contains("\"kind\":\"damaged\""), "{shown}");
    assert!(desk.files().is_empty());
    assert!(!desk.live("todos").exists() && !desk.live("projects").exists());
    assert!(desk.run("restore 00000002").starts_with("exit: 0"));
}

#[test]
fn another_generation_that_is_whole_is_named() {
    let desk = Desk::with(&[session(1)]).keep();
    fs::write(desk.live(&path(1)), "something else entirely, and quite long enough\n").unwrap();
    desk.sync();
    let desk = desk.lose();
    flip(&desk.segments("desk", &path(1))[1]);
    assert_snapshot!(desk.run("restore last"), @r"
    exit: 2
    ----- stdout -----

    ----- stderr -----
    error: session 00000001-5e55-4000-8000-000000000001 is damaged: machines/desk/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl.g2.000001.zst: it does not unpack (bytes 0 to 47 of projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl)
    hint: `steno verify --repair` takes it again from the live file or the remote
    hint: its generation 1 is whole: --generation 1
    ");
    assert!(desk.run("restore last --generation 1").starts_with("exit: 0"));
}

#[test]
fn a_segment_that_is_gone_is_named() {
    let desk = Desk::with(&[session(1)]).keep();
    desk.app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    desk.sync();
    let desk = desk.lose();
    fs::remove_file(&desk.segments("desk", &path(1))[0]).unwrap();
    assert_snapshot!(desk.run("restore last"), @r"
    exit: 2
    ----- stdout -----

    ----- stderr -----
    error: session 00000001-5e55-4000-8000-000000000001 is damaged: machines/desk/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl.g1.000001.zst: it is gone (bytes 0 to 1671 of projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl)
    hint: `steno verify --repair` takes it again from the live file or the remote
    hint: --partial restores what is there, and says what is missing
    ");
    assert!(desk.run("restore --list").starts_with("exit: 0"));
}

#[test]
fn without_a_vault_there_is_nothing_to_restore() {
    let desk = Desk::new();
    assert_snapshot!(desk.run("restore last --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"there is no vault at $HOME/.claude-backup","kind":"no-vault","code":1,"hints":["`steno init` makes one and runs the first backup"]}
    "#);
}
