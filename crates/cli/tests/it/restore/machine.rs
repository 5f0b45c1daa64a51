//! Several machines in one vault.

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::Session;

use crate::restore::desk::{Desk, session};

fn id(number: u32) -> String {
    Session::numbered(number).id().to_string()
}

/// Sessions 1 and 2 of a laptop; 2 and 3 of this desk.
fn two() -> Desk {
    let desk = Desk::with(&[session(1), session(2).user("on the laptop")]).keep().lose();
    desk.give_to("laptop");
    desk.app.write(&session(2).user("at the desk"));
    desk.app.write(&session(3));
    desk.keep()
}

#[test]
fn each_machine_is_named() {
    let desk = two();
    assert_snapshot!(desk.run("restore"), @r"
    exit: 0
    ----- stdout -----
    SESSION   WHEN        PROJECT  SIZE  WHERE       MACHINE  TITLE
    00000002  2026-11-15  project  1.3K  live        desk     go
    00000002  2026-11-15  project  1.3K  live        laptop   go
    00000003  2026-11-15  project  1.3K  live        desk     go
    00000001  2026-11-15  project  1.3K  vault only  laptop   go

    ----- stderr -----
    4 kept sessions
    ");
    assert_eq!(desk.json("restore --machine laptop")["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(desk.json("restore --machine Laptop")["sessions"].as_array().unwrap().len(), 2);
}

#[test]
fn this_machine_comes_first() {
    let desk = two().lose();
    let report = desk.json(&format!("restore {}", id(2)));
    assert_eq!(report["restored"]["machine"], "desk");
    let report = desk.json(&format!("restore {}", id(1)));
    assert_eq!(report["restored"]["machine"], "laptop");
    let desk = desk.lose();
    let report = desk.json(&format!("restore {} --machine laptop", id(2)));
    assert_eq!(report["restored"]["machine"], "laptop");
}

#[test]
fn two_others_are_ambiguous() {
    let desk = Desk::with(&[session(1)]).keep();
    desk.give_to("laptop");
    desk.sync();
    desk.give_to("tower");
    assert_snapshot!(desk.run(&format!("restore {} --json", id(1))), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"session 00000001-5e55-4000-8000-000000000001 is kept from 2 machines","kind":"ambiguous","code":1,"hints":["say which one: --machine laptop","say which one: --machine tower"]}
    "#);
    assert_snapshot!(desk.run("restore --all"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the vault holds sessions of 2 machines
    hint: say which one: --machine laptop
    hint: say which one: --machine tower
    ");
    let desk = desk.lose();
    assert_eq!(desk.json("restore --all --machine tower")["restored"].as_array().unwrap().len(), 1);
}

#[test]
fn all_means_this_machine() {
    let desk = two().lose();
    let report = desk.json("restore --all");
    let restored: Vec<_> = report["restored"].as_array().unwrap().iter().map(|one| &one["uuid"]).collect();
    assert_eq!(json!(restored), json!([id(2), id(3)]));
    assert_eq!(report["warnings"][0]["kind"], "other-machines");
}

#[test]
fn a_new_machine_gets_what_the_only_other_one_kept() {
    let desk = Desk::with(&[session(1)]).keep().lose();
    desk.give_to("laptop");
    assert_eq!(desk.json("restore --all")["restored"].as_array().unwrap().len(), 1);
}

#[test]
fn a_second_claude_directory_is_told_from_the_first() {
    let desk = Desk::with(&[session(1)]);
    let other = desk.app.home().root().join("work");
    std::fs::create_dir_all(other.join("projects/-w")).unwrap();
    std::fs::write(other.join(format!("projects/-w/{}.jsonl", id(1))), "{}\n").unwrap();
    let first = desk.app.home().path();
    let both = format!("--claude-dir {} --claude-dir {}", first.display(), other.display());
    assert!(desk.run(&format!("init --local --no-schedule {both}")).starts_with("exit: 0"));
    let machines: Vec<_> = desk.json("restore")["sessions"].as_array().unwrap().clone();
    let mut machines: Vec<_> = machines.iter().map(|row| row["machine"].as_str().unwrap()).collect();
    machines.sort_unstable();
    assert_eq!(machines, ["desk", "desk/homes/work"]);
    let desk = desk.lose();
    std::fs::remove_dir_all(other.join("projects")).unwrap();
    assert_eq!(desk.json(&format!("restore {}", id(1)))["restored"]["machine"], "desk");
    let report = desk.json(&format!("restore {} --claude-dir {}", id(1), other.display()));
    assert_eq!(report["restored"]["machine"], "desk/homes/work");
    let report = desk.json(&format!("restore --all --machine desk --to {}/x", other.display()));
    assert_eq!(report["restored"].as_array().unwrap().len(), 1);
}
