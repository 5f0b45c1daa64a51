//! A sync that is killed before each of its changes, in every kind of vault: nothing that was kept is lost, nothing is
//! called damaged, and the next sync finishes what was begun.

use serde_json::json;
use steno_testkit::fault::at_changes;

use crate::elsewhere::stage::{Machine, Remote, configure, furnish, session};

/// Of each kind of vault, as many changes are tried as make the test last some seconds.
const USUAL: u64 = 2;

fn tried(remote: Option<&Remote>, flags: &str) {
    let machine = Machine::new("desk");
    furnish(&machine.app, 1, "word");
    machine.app.write(&session(2));
    match remote {
        Some(remote) => drop(machine.join(remote, flags)),
        None => drop(machine.done(&format!("init --local --no-schedule {flags}"))),
    }
    let mut number = 2;
    at_changes(USUAL, |change| {
        number += 1;
        machine.app.write(&session(number));
        machine.app.home().append(&session(2), b"{\"type\":\"mode\"}\n");
        configure(&machine.app, &format!("word{number}"));
        let is_killed = machine.app.is_killed_at(change, "sync");
        let found = machine.done("verify");
        assert_eq!((&found["damaged"], &found["missing"]), (&json!([]), &json!([])), "change {change}");
        match remote {
            Some(_) => drop(machine.sync()),
            None => drop(machine.done("sync")),
        }
        machine.assert_whole();
        is_killed
    });
    if let Some(remote) = remote {
        let other = Machine::new("other");
        if !flags.is_empty() {
            other.take_key(&machine);
        }
        other.join(remote, "");
        other.done("verify");
        let held = |machine: &Machine| machine.json("restore --list --machine desk")["total"].clone();
        assert_eq!(held(&other), held(&machine));
    }
}

#[test]
fn a_sync_that_is_killed_in_a_local_vault_is_finished_by_the_next() {
    for flags in ["", "--encrypt"] {
        tried(None, flags);
    }
}

#[test]
fn a_sync_that_is_killed_on_its_way_to_git_is_finished_by_the_next() {
    for flags in ["", "--encrypt"] {
        tried(Some(&Remote::git()), flags);
    }
}

#[test]
fn a_sync_that_is_killed_on_its_way_to_an_object_store_is_finished_by_the_next() {
    for flags in ["", "--encrypt"] {
        tried(Some(&Remote::s3()), flags);
    }
}
