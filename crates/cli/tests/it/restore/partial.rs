//! What is damaged comes back only where that is asked for, and never as if it were whole.

use std::fs;

use serde_json::{Value, json};
use steno_testkit::Session;

use crate::restore::desk::{Desk, flip, session};

fn path(number: u32) -> String {
    let session = Session::numbered(number);
    format!("projects/{}/{}.jsonl", steno_testkit::encode_project(session.project()), session.id())
}

/// A session in three segments, gone from the live directory. Gives their ends, too.
fn in_three() -> (Desk, Vec<u8>, [usize; 3]) {
    let desk = Desk::with(&[session(1), session(2)]).keep();
    let live = desk.live(&path(1));
    let mut ends = [fs::read(&live).unwrap().len(), 0, 0];
    for end in &mut ends[1..] {
        // The last line is torn: the next segment goes on in the middle of it.
        desk.app.home().append(&session(1), b"{\"type\":\"mode\",\"mode\":\"one\"}\n{\"type\":\"mode\",\"mo");
        desk.sync();
        *end = fs::read(&live).unwrap().len();
        desk.app.home().append(&session(1), b"de\":\"two\"}\n");
    }
    let bytes = fs::read(&live).unwrap()[..ends[2]].to_vec();
    let desk = desk.lose();
    assert_eq!(desk.segments("desk", &path(1)).len(), 3);
    (desk, bytes, ends)
}

fn missing(offset: usize, length: usize) -> Value {
    json!([{"file": path(1), "generation": 1, "offset": offset, "length": length}])
}

#[test]
fn a_lost_tail_is_refused_and_named() {
    let (desk, bytes, ends) = in_three();
    fs::remove_file(&desk.segments("desk", &path(1))[2]).unwrap();
    for _ in 0..2 {
        let refused = desk.run("restore 00000001 --json");
        assert!(refused.starts_with("exit: 2"), "{refused}");
        let range = format!("bytes {} to {}", ends[1], ends[2]);
        for word in [&range, "--partial", "verify --repair"] {
            assert!(refused.contains(word), "no {word} in {refused}");
        }
        assert!(!desk.live(&path(1)).exists());
        // A sync does not unlearn it.
        desk.app.write(&session(3));
        let _ = desk.run("sync");
    }
    let report = desk.app.output(&["restore", "00000001", "--partial", "--json"]);
    assert_eq!(report.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!((&report["ok"], &report["partial"]), (&json!(false), &json!(true)));
    assert_eq!(report["missing"], missing(ends[1], ends[2] - ends[1]), "{report}");
    assert_eq!(fs::read(desk.live(&path(1))).unwrap(), bytes[..ends[1]]);
}

#[test]
fn a_hole_cuts_lines_and_joins_none() {
    let (desk, bytes, ends) = in_three();
    flip(&desk.segments("desk", &path(1))[1]);
    assert!(desk.run("restore 00000001").starts_with("exit: 2"));
    let report = desk.app.output(&["restore", "00000001", "--partial", "--json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["missing"], missing(ends[0], ends[1] - ends[0]), "{report}");
    assert!(bytes[..ends[0]].ends_with(b"\n"));
    let whole = [&bytes[..ends[0]], &bytes[ends[1]..]].concat();
    assert_eq!(fs::read(desk.live(&path(1))).unwrap(), whole);
    fs::remove_file(desk.live(&path(1))).unwrap();
    // Now the line before the hole is torn, too.
    let (desk, bytes, ends) = in_three();
    desk.app.home().write(&session(1));
    fs::write(desk.live(&path(1)), &bytes).unwrap();
    desk.app.home().append(&session(1), b"de\":\"two\"}\n");
    desk.sync();
    let desk = desk.lose();
    flip(&desk.segments("desk", &path(1))[2]);
    let shown = desk.run("restore 00000001 --partial");
    assert!(shown.starts_with("exit: 3") && shown.contains("Restored a part of"), "{shown}");
    let cut = [&bytes[..ends[1]], b"\nde\":\"two\"}\n"].concat();
    assert_eq!(fs::read(desk.live(&path(1))).unwrap(), cut);
}

#[test]
fn what_came_back_in_part_is_a_generation_of_its_own() {
    let (desk, bytes, ends) = in_three();
    fs::remove_file(&desk.segments("desk", &path(1))[2]).unwrap();
    assert!(desk.run("restore 00000001 --partial").starts_with("exit: 3"));
    for _ in 0..2 {
        let _ = desk.run("sync");
        let verified = desk.run("verify --json");
        assert!(verified.starts_with("exit: 2") && verified.contains("g1.000003"), "{verified}");
    }
    assert_eq!(desk.segments("desk", &path(1)).len(), 3, "the two that are left, and generation 2");
    let desk = desk.lose();
    assert!(desk.run("restore 00000001 --generation 1").starts_with("exit: 2"));
    let report = desk.json("restore 00000001");
    assert_eq!(report["restored"]["generation"], 2);
    let kinds: Vec<&Value> = report["warnings"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert!(kinds.contains(&&json!("damaged-generation")), "{report}");
    assert_eq!(fs::read(desk.live(&path(1))).unwrap(), bytes[..ends[1]]);
}

#[test]
fn all_skips_what_is_damaged_or_restores_its_part() {
    let (desk, bytes, ends) = in_three();
    fs::remove_file(&desk.segments("desk", &path(1))[2]).unwrap();
    let report = desk.app.output(&["restore", "--all", "--json"]);
    assert_eq!(report.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["skipped"][0]["reason"], "damaged", "{report}");
    assert_eq!((report["restored"].as_array().unwrap().len(), &report["partial"]), (1, &json!(false)));
    assert!(!desk.live(&path(1)).exists());
    let report = desk.app.output(&["restore", "--all", "--partial", "--json"]);
    assert_eq!(report.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["restored"][0]["missing"], missing(ends[1], ends[2] - ends[1]), "{report}");
    assert_eq!((&report["ok"], &report["partial"]), (&json!(false), &json!(true)));
    assert_eq!(fs::read(desk.live(&path(1))).unwrap(), bytes[..ends[1]]);
}

#[test]
fn nothing_comes_back_of_what_is_lost_altogether() {
    let (desk, ..) = in_three();
    desk.segments("desk", &path(1)).iter().for_each(|path| fs::remove_file(path).unwrap());
    for flag in ["", " --partial"] {
        let refused = desk.run(&format!("restore 00000001{flag}"));
        assert!(refused.starts_with("exit: 2") && !refused.contains("--partial restores"), "{refused}");
    }
    assert!(!desk.live(&path(1)).exists());
}

#[test]
fn a_damaged_part_is_left_out_and_named() {
    let id = Session::numbered(1).id().to_string();
    let desk = Desk::with(&[session(1)]);
    let todo = format!("todos/{id}.json");
    desk.app.home().file(&todo, "a list of things to do, long enough to be packed");
    let desk = desk.keep().lose();
    flip(&desk.segments("desk", &todo)[0]);
    let report = desk.app.output(&["restore", &id, "--partial", "--json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["missing"], json!([{"file": todo, "generation": 1, "offset": 0, "length": 48}]));
    assert!(desk.live(&path(1)).exists() && !desk.live(&todo).exists());
}

#[test]
fn who_reads_a_damaged_session_is_told_what_is_missing() {
    let (desk, _, ends) = in_three();
    fs::remove_file(&desk.segments("desk", &path(1))[2]).unwrap();
    let range = format!("bytes {} to {}", ends[1], ends[2]);
    for command in ["peek", "show", "dump", "clone --dry-run", "clone"] {
        let mut words = command.split(' ');
        let (verb, flags) = (words.next().unwrap(), words.collect::<Vec<_>>().join(" "));
        let shown = desk.run(&format!("{verb} 00000001 {flags}"));
        assert!(shown.starts_with("exit: 0") && shown.contains(&range), "{command}: {shown}");
    }
}

#[test]
fn where_the_ledger_lost_a_part_a_restore_does_not_pass_for_whole() {
    let (desk, _, ends) = in_three();
    let vault = desk.app.home().root().join(".claude-backup/machines/desk");
    fs::remove_file(&desk.segments("desk", &path(1))[2]).unwrap();
    fs::remove_file(vault.join("ledger/ends.jsonl.g1.000003.zst")).unwrap();
    fs::remove_dir_all(vault.with_file_name("../.cache")).unwrap();
    let report = desk.app.json("restore 00000001 --json");
    assert_eq!(fs::read(desk.live(&path(1))).unwrap().len(), ends[1], "nothing tells of the rest");
    let told = report["warnings"].to_string();
    assert!(told.contains("ledger"), "{told}");
    let missing = desk.app.json("verify --json")["missing"].to_string();
    assert!(missing.contains("ledger"), "{missing}");
}
