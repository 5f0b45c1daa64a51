//! What should not be there, and comes all the same.

use std::fs;

use serde_json::json;

use crate::elsewhere::stage::{Machine, Remote, ended, id, session};

#[test]
fn six_first_inits_at_once_all_succeed() {
    for flags in ["", "--encrypt"] {
        for _ in 0..3 {
            let machine = Machine::with("desk", 1);
            let line = format!("init --local --no-schedule {flags} --json");
            let children: Vec<_> = (0..6).map(|_| machine.spawn(&line)).collect();
            for output in children.into_iter().map(ended) {
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{flags}: {said}");
            }
            machine.assert_whole();
            assert_eq!(machine.json("status")["encrypted"], !flags.is_empty());
        }
    }
}

/// Each of them sets the remote, too.
#[test]
fn six_first_inits_with_a_remote_at_once_all_succeed() {
    for _ in 0..4 {
        let (machine, remote) = (Machine::with("desk", 1), Remote::git());
        let line = format!("init --remote {} --no-schedule --json", remote.named());
        let children: Vec<_> = (0..6).map(|_| machine.spawn(&line)).collect();
        for output in children.into_iter().map(ended) {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        machine.assert_whole();
    }
}

#[test]
fn a_directory_in_the_place_of_a_segment_is_damage_and_no_other_process() {
    let machine = Machine::with("desk", 1);
    machine.done("init --local --no-schedule");
    let transcript = machine.app.home().write(&session(1));
    let project = transcript.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let name = format!("{}.jsonl.g1.000002.zst", id(1));
    let directory = machine.vault().join("machines/desk/projects").join(project).join(&name);
    fs::create_dir(&directory).unwrap();
    fs::write(directory.join("notes"), "somebody's").unwrap();
    machine.app.home().append(&session(1), b"{\"type\":\"mode\"}\n");
    let shown = machine.run("sync");
    assert!(!shown.contains("busy") && shown.starts_with("exit: 0"), "{shown}");
    let verified = machine.run("verify --json");
    assert!(verified.starts_with("exit: 2") && verified.contains(&name), "{verified}");
    assert_eq!(fs::read_to_string(directory.join("notes")).unwrap(), "somebody's");
    fs::remove_dir_all(&directory).unwrap();
    machine.done("sync");
    fs::remove_file(&transcript).unwrap();
    machine.done(&format!("restore {}", id(1)));
    assert!(fs::read(&transcript).unwrap().ends_with(b"{\"type\":\"mode\"}\n"));
}

#[test]
fn a_strange_key_in_an_object_store_stops_nothing() {
    let remote = Remote::s3();
    let machine = Machine::with("desk", 1);
    machine.join(&remote, "");
    for key in ["bell\u{7}", "line\nbreak", "a//b", "machines/desk/x\u{1}.zst"] {
        remote.put(key, b"nonsense");
    }
    machine.app.write(&session(2));
    let answer = machine.done("sync --full");
    assert_eq!(answer["pushed"], true, "{answer:#}");
    let warned = answer["warnings"].as_array().unwrap().iter().filter(|one| one["kind"] == "strange-key");
    assert!(warned.count() > 0, "{answer:#}");
    let new = Machine::new("new");
    new.join(&remote, "");
    assert_eq!(new.json("restore --list")["total"], json!(2));
}
