//! The end of a session that is lost, in the vault and at the remote: every machine says so, for ever.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::elsewhere::stage::{Machine, Remote, id, session};

/// A machine that has sent a session in two parts, which is not live any more, and a longer one.
fn sent(remote: &Remote, flags: &str) -> (Machine, PathBuf) {
    let machine = Machine::with("desk", 1);
    machine.join(remote, flags);
    let before = machine.kept();
    machine.app.home().append(&session(1), b"{\"type\":\"mode\"}\n");
    machine.sync();
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    // Of the files that came, the ledger's record is the one that comes with every sync.
    let is_last = |path: &PathBuf| {
        let name = path.to_str().unwrap();
        !before.contains_key(path) && !name.contains("manifest") && !name.contains("documents")
    };
    let came = machine.kept().into_keys().filter(is_last);
    let last = came.filter(|path| !path.to_str().unwrap().contains("/ledger/")).collect::<Vec<_>>();
    let last = last.into_iter().find(|path| is_of_session(&machine, path)).unwrap();
    (machine, last)
}

/// Whether a restore fails without the file.
fn is_of_session(machine: &Machine, path: &PathBuf) -> bool {
    let path = machine.vault().join(path);
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let missing = machine.json("verify")["missing"].clone();
    fs::write(&path, bytes).unwrap();
    missing[0]["session"] == json!(id(1))
}

fn assert_told(machine: &Machine, flags: &str) {
    let found = machine.json(&format!("verify {flags}"));
    let missing = found["missing"].as_array().unwrap();
    assert_eq!(found["ok"], false, "{found:#}");
    assert!(missing.iter().any(|one| one["session"] == json!(id(1))), "{found:#}");
    assert_eq!(machine.refusal(&format!("restore {} --force", id(1))), "damaged");
}

fn has_warned(report: &Value) -> bool {
    report["warnings"].as_array().unwrap().iter().any(|one| one["kind"] == "lost")
}

#[test]
fn a_lost_end_is_told_by_every_sync() {
    for flags in ["", "--encrypt"] {
        let machine = Machine::with("desk", 1);
        machine.done(&format!("init --local --no-schedule {flags}"));
        let before = machine.kept();
        machine.app.home().append(&session(1), b"{\"type\":\"mode\"}\n");
        machine.done("sync");
        fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
        let came = machine.kept().into_keys().filter(|path| !before.contains_key(path));
        let last = came.into_iter().find(|path| is_of_session(&machine, path)).unwrap();
        fs::remove_file(machine.vault().join(last)).unwrap();
        for number in 2..4 {
            machine.app.write(&session(number).turns(30));
            assert!(has_warned(&machine.json("sync")));
            assert_told(&machine, "");
            assert_told(&machine, "--repair");
            fs::remove_dir_all(machine.vault().join(".cache")).unwrap();
        }
        let status = machine.json("status");
        assert!(has_warned(&status), "{status:#}");
        let told = machine.json("doctor")["findings"].to_string();
        assert!(told.contains("damaged-vault"), "{told}");
        assert_eq!(machine.json("restore 00000002")["restored"]["files"], 0, "the others are as they were");
    }
}

#[test]
fn what_is_lost_here_comes_back_from_the_remote() {
    for remote in Remote::both() {
        for flags in ["", "--encrypt"] {
            let remote = match &remote {
                Remote::Git(_) => Remote::git(),
                Remote::S3(_) => Remote::s3(),
            };
            let (machine, last) = sent(&remote, flags);
            fs::remove_file(machine.vault().join(&last)).unwrap();
            machine.app.write(&session(2).turns(30));
            machine.sync();
            machine.done("verify --repair");
            machine.assert_whole();
        }
    }
}

#[test]
fn what_is_lost_at_the_remote_is_missed_by_a_new_machine() {
    for remote in Remote::both() {
        for flags in ["", "--encrypt"] {
            let remote = match &remote {
                Remote::Git(_) => Remote::git(),
                Remote::S3(_) => Remote::s3(),
            };
            let (machine, last) = sent(&remote, flags);
            remote.remove(last.to_str().unwrap());
            let other = Machine::with("other", 7);
            if !flags.is_empty() {
                other.take_key(&machine);
            }
            other.json(&format!("init --no-schedule --remote {}", remote.named()));
            assert_told(&other, "");
        }
    }
}
