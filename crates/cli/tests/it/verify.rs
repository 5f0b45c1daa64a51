//! `steno verify`: damage is named, everything else stays whole, and what is elsewhere is taken again.

#![cfg(unix)]
use crate::standin;

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use serde_json::{Value, json};
use standin::{bare, id, kept, segments, session, vault, without_sizes};
use steno_testkit::App;

/// In the packed bytes, after the header.
fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let place = bytes.len() - 20;
    bytes[place] ^= 1;
    fs::write(path, bytes).unwrap();
}

fn transcript(app: &App, number: u32) -> std::path::PathBuf {
    app.home().project_path(session(number).project()).join(format!("{}.jsonl", id(number)))
}

/// Damaged or missing, by session, and the exit code.
fn found(app: &App, arguments: &str) -> (Value, Option<i32>) {
    let output = app.output(&arguments.split_whitespace().collect::<Vec<_>>());
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code())
}

#[test]
fn a_whole_vault_is_said_to_be_whole() {
    let app = kept();
    assert_snapshot!(without_sizes(&app.run("verify")), @r"
    exit: 0
    ----- stdout -----
    Checked: 2 files in 2 segments, #K: all whole

    ----- stderr -----
    ");
    let (report, code) = found(&app, "verify --json");
    assert_eq!(code, Some(0));
    let files: u64 = report["files"].as_u64().unwrap();
    assert!(files >= 2 && report["bytes"].as_u64().unwrap() > 1000, "{report}");
    assert_eq!(
        (&report["ok"], &report["damaged"], &report["missing"]),
        (&json!(true), &json!([]), &json!([]))
    );
}

#[test]
fn a_flipped_bit_is_named_with_its_session_and_bytes() {
    let app = kept();
    let len = fs::metadata(transcript(&app, 1)).unwrap().len();
    flip(&segments(&app, 1)[0]);
    let (report, code) = found(&app, "verify --json");
    assert_eq!((code, &report["ok"]), (Some(2), &json!(false)));
    let damage = &report["damaged"][0];
    assert_eq!((&damage["session"], &damage["machine"]), (&json!(id(1)), &json!("box")));
    assert_eq!(
        (&damage["offset"], &damage["length"], &damage["generation"]),
        (&json!(0), &json!(len), &json!(1))
    );
    assert!(["hash", "unpack"].contains(&damage["reason"].as_str().unwrap()), "{damage}");
    assert_eq!(report["damaged"].as_array().unwrap().len(), 1);
    let told = app.run("verify");
    assert!(
        told.contains(&format!("damaged: session {} of box", id(1))) && told.contains("verify --repair"),
        "{told}"
    );
    fs::remove_file(transcript(&app, 2)).unwrap();
    assert!(app.run(&format!("restore {}", id(2))).starts_with("exit: 0"), "other sessions are whole");
}

#[test]
fn a_live_file_repairs_what_is_kept_of_it() {
    let app = kept();
    flip(&segments(&app, 1)[0]);
    let (report, code) = found(&app, "verify --repair --json");
    assert_eq!((code, &report["ok"], &report["damaged"]), (Some(0), &json!(true), &json!([])));
    assert_eq!(report["repaired"][0]["session"], json!(id(1)));
    assert_eq!(found(&app, "verify --json").1, Some(0));
    assert_eq!(restored(&app, 1), fs::read(transcript(&app, 1)).unwrap());
}

fn restored(app: &App, number: u32) -> Vec<u8> {
    let to = app.home().root().join("elsewhere");
    let answer = app.json(&format!("restore {} --to {} --force --json", id(number), to.display()));
    assert_eq!(answer["ok"], true, "{answer}");
    let found = standin::files(&to).into_iter().find(|path| path.ends_with(format!("{}.jsonl", id(number))));
    fs::read(found.unwrap()).unwrap()
}

#[test]
fn a_segment_that_is_gone_is_taken_again() {
    let app = kept();
    app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    app.run("sync");
    let segments = segments(&app, 1);
    assert_eq!(segments.len(), 2);
    for segment in &segments {
        fs::remove_file(segment).unwrap();
        let (report, code) = found(&app, "verify --json");
        assert_eq!(
            (code, report["missing"][0]["session"].as_str()),
            (Some(2), Some(id(1).as_str())),
            "{report}"
        );
        let (report, code) = found(&app, "verify --repair --json");
        assert_eq!((code, report["repaired"].as_array().unwrap().len()), (Some(0), 1), "{report}");
    }
    assert_eq!(restored(&app, 1), fs::read(transcript(&app, 1)).unwrap());
}

#[test]
fn a_session_that_is_gone_altogether_is_missed_by_the_ledger() {
    let app = kept();
    fs::remove_file(&segments(&app, 1)[0]).unwrap();
    fs::remove_dir_all(vault(&app).join(".cache")).unwrap();
    let (report, code) = found(&app, "verify --json");
    let missing = &report["missing"][0];
    assert_eq!((code, &missing["session"], &missing["reason"]), (Some(2), &json!(id(1)), &json!("gone")));
    let (report, code) = found(&app, "verify --repair --json");
    assert_eq!((code, report["repaired"].as_array().unwrap().len()), (Some(0), 1), "it was live: {report}");
    assert_eq!(restored(&app, 1), fs::read(transcript(&app, 1)).unwrap());
}

#[test]
fn what_is_nowhere_else_stays_damaged() {
    let app = kept();
    flip(&segments(&app, 1)[0]);
    fs::remove_file(transcript(&app, 1)).unwrap();
    for arguments in ["verify --repair --json", "verify --json"] {
        let (report, code) = found(&app, arguments);
        assert_eq!(
            (code, &report["damaged"][0]["session"]),
            (Some(2), &json!(id(1))),
            "{arguments}: {report}"
        );
        assert_eq!(report["repaired"], json!([]));
    }
}

#[test]
fn what_was_sent_repairs_what_is_kept() {
    let app = kept();
    let answer = app.json(&format!("remote {} --json", bare(&app).display()));
    assert_eq!(answer["pushed"], true, "{answer}");
    let before = fs::read(transcript(&app, 1)).unwrap();
    fs::remove_file(transcript(&app, 1)).unwrap();
    flip(&segments(&app, 1)[0]);
    let (report, code) = found(&app, "verify --repair --json");
    assert_eq!((code, &report["repaired"][0]["session"]), (Some(0), &json!(id(1))), "{report}");
    assert_eq!(restored(&app, 1), before);
}

#[test]
fn an_older_version_repairs_what_was_damaged_and_then_sent() {
    let app = kept();
    app.json(&format!("remote {} --json", bare(&app).display()));
    let before = fs::read(transcript(&app, 1)).unwrap();
    fs::remove_file(transcript(&app, 1)).unwrap();
    for _ in 0..2 {
        flip(&segments(&app, 1)[0]);
        flip_other(&segments(&app, 1)[0]);
        for arguments in ["add -f machines", "commit -q -m damaged", "push -q origin HEAD:main"] {
            let name = ["-c", "user.name=x", "-c", "user.email=x@localhost"].into_iter();
            standin::git(&vault(&app), &name.chain(arguments.split(' ')).collect::<Vec<_>>());
        }
    }
    let (report, code) = found(&app, "verify --repair --json");
    assert_eq!((code, &report["repaired"][0]["session"]), (Some(0), &json!(id(1))), "{report}");
    assert_eq!(restored(&app, 1), before);
    assert_eq!(app.json("sync --json")["push"]["state"], "pushed");
    assert_eq!(found(&app, "verify --json").1, Some(0));
}

/// Two flips in one place would undo each other.
fn flip_other(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let place = bytes.len() - 15;
    bytes[place] = bytes[place].wrapping_add(1);
    fs::write(path, bytes).unwrap();
}

#[test]
fn only_what_was_damaged_counts_as_kept_anew() {
    let app = kept();
    let segment = segments(&app, 1).remove(0);
    let mut bytes = fs::read(&segment).unwrap();
    let place = bytes.len() - 12;
    bytes[place] ^= 0x40;
    fs::write(&segment, bytes).unwrap();
    fs::write(transcript(&app, 1), "{\"type\":\"user\"}\n").unwrap();
    app.home().append(&session(2), b"{\"type\":\"user\"}\n");
    let (report, code) = found(&app, "verify --repair --json");
    assert_eq!((code, &report["keptAnew"]), (Some(2), &json!(1)), "{report}");
}
