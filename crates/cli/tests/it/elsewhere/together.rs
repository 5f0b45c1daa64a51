//! Two machines at the same instant, again and again: nothing is lost, and nobody waits for anybody.
//!
//! A few rounds here; `STENO_FAULT_ROUNDS` asks for more.

use std::collections::BTreeSet;

use crate::elsewhere::killed::rounds;
use crate::elsewhere::stage::{Machine, Remote, ended, id, session};

fn held(machine: &Machine) -> BTreeSet<String> {
    let sessions = machine.json("restore --list")["sessions"].clone();
    sessions.as_array().unwrap().iter().map(|row| row["uuid"].as_str().unwrap().to_owned()).collect()
}

fn two_at_once(remote: &Remote, flags: &str) {
    let (first, second) = (Machine::with("first", 1), Machine::with("second", 2));
    first.join(remote, flags);
    if !flags.is_empty() {
        second.take_key(&first);
    }
    second.join(remote, "");
    let mut all: BTreeSet<String> = [id(1), id(2)].into();
    for round in 1..=rounds(10) {
        let number = u32::try_from(round).unwrap() * 10;
        for (machine, number) in [(&first, number), (&second, number + 1)] {
            machine.app.write(&session(number));
            machine.app.home().append(&session(if number % 2 == 0 { 1 } else { 2 }), b"{}\n");
            all.insert(id(number));
        }
        let children = [first.spawn("sync --json"), second.spawn("sync --json")];
        for output in children.map(ended) {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{said} {}", String::from_utf8_lossy(&output.stderr));
            assert!(said.contains("\"pushed\":true"), "round {round}: {said}");
        }
    }
    first.sync();
    second.sync();
    for machine in [&first, &second] {
        assert_eq!(held(machine), all);
        machine.assert_whole();
    }
    let new = Machine::new("new");
    if !flags.is_empty() {
        new.take_key(&first);
    }
    new.join(remote, "");
    assert_eq!(held(&new), all);
    new.done("verify");
}

#[test]
fn on_git_encrypted() {
    two_at_once(&Remote::git(), "--encrypt");
}

#[test]
fn on_s3() {
    two_at_once(&Remote::s3(), "");
}

/// Both make the vault, each with its own key of the names.
#[test]
fn two_first_machines_at_once_become_one_vault_or_say_why_not() {
    for remote in Remote::both() {
        let (first, second) = (Machine::with("first", 1), Machine::with("second", 2));
        first.done("init --local --encrypt --no-schedule");
        second.take_key(&first).done("init --local --encrypt --no-schedule");
        let arguments = format!("remote {} --json", remote.named());
        for output in [first.spawn(&arguments), second.spawn(&arguments)].map(ended) {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success() || said.contains("reason"), "{said}");
        }
        for machine in [&first, &second] {
            machine.json(&format!("remote {}", remote.named()));
            machine.sync();
        }
        first.sync();
        for machine in [&first, &second] {
            assert_eq!(held(machine), [id(1), id(2)].into());
            machine.assert_whole();
        }
    }
}

/// Of one name, which only one can have.
#[test]
fn two_machines_of_one_name_at_once_are_told_apart() {
    for remote in Remote::both() {
        let founder = Machine::with("founder", 9);
        founder.join(&remote, "--encrypt");
        let twins = [Machine::with("twin", 1), Machine::with("twin", 2)];
        let children = twins.each_ref().map(|twin| {
            twin.take_key(&founder);
            twin.spawn(&format!("init --no-schedule --remote {} --json", remote.named()))
        });
        for output in children.map(ended) {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        for twin in &twins {
            twin.sync();
        }
        founder.sync();
        assert_eq!(held(&founder), [id(1), id(2), id(9)].into());
        let names: BTreeSet<String> =
            twins.iter().map(|twin| twin.json("status")["machine"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        founder.done("verify");
    }
}
