//! A session that is erased is gone from the remote and from the machines that took it from there.

use serde_json::Value;
use steno_testkit::s3::Server;

use crate::elsewhere::stage::{Machine, Remote, furnish, id, session};

fn purge(machine: &Machine, number: u32) -> Value {
    let answer = machine.json(&format!("purge {} --live --yes", id(number)));
    assert!(answer["purged"]["files"].as_u64().unwrap() > 0, "{answer:#}");
    answer
}

fn holds(machine: &Machine, number: u32) -> bool {
    machine.json("restore --list")["sessions"].to_string().contains(&id(number))
}

/// Two machines, of which the first has sessions 1 and 2, and the other has taken them.
fn both(remote: &Remote, flags: &str) -> (Machine, Machine) {
    let (owner, other) = (Machine::with("owner", 2), Machine::with("other", 3));
    furnish(&owner.app, 1, "harbour");
    owner.join(remote, flags);
    if !flags.is_empty() {
        other.take_key(&owner);
    }
    other.join(remote, "");
    assert!(holds(&other, 1) && holds(&other, 2));
    (owner, other)
}

#[test]
fn a_purged_session_is_gone_everywhere_after_a_sync() {
    for flags in ["", "--encrypt"] {
        let remote = Remote::s3();
        let (owner, other) = both(&remote, flags);
        let before = remote.files();
        let answer = purge(&owner, 1);
        let remaining = answer["remaining"].to_string();
        assert!(remaining.contains("machine:other") && !remaining.contains("\"remote\""), "{answer:#}");
        let after = remote.files();
        let gone = before.keys().filter(|name| !after.contains_key(*name)).count();
        assert!(gone >= 7, "{gone} objects went");
        if flags.is_empty() {
            assert!(!after.keys().any(|name| name.contains(&id(1)) && !name.contains("tombstones")));
        }
        other.sync();
        assert!(!holds(&other, 1) && holds(&other, 2) && holds(&other, 3));
        for machine in [&owner, &other, &owner] {
            machine.sync();
            machine.done("sync --full");
            assert!(!holds(machine, 1), "it is back");
            machine.assert_whole();
        }
        let new = Machine::new("new");
        if !flags.is_empty() {
            new.take_key(&owner);
        }
        new.join(&remote, "");
        assert!(!holds(&new, 1) && holds(&new, 2) && holds(&new, 3));
        let last = remote.files();
        let back = before.iter().filter(|(name, bytes)| {
            !after.contains_key(*name) && last.get(*name) == Some(bytes) && !name.starts_with("heads/")
        });
        assert_eq!(back.count(), 0, "it is there again");
    }
}

#[test]
fn a_purge_without_a_connection_is_finished_later() {
    for flags in ["", "--encrypt"] {
        let remote = Remote::s3();
        let (owner, other) = both(&remote, flags);
        let before = remote.files();
        let mut command = owner.app.command();
        // Wherever that is, it is not the server.
        let manifest = std::fs::read_to_string(owner.vault().join("manifest.json")).unwrap();
        let unreachable = manifest.replace(&remote.server().endpoint(), "http://127.0.0.1:9");
        std::fs::write(owner.vault().join("manifest.json"), &unreachable).unwrap();
        let output = command.args(["purge", &id(1), "--live", "--yes", "--json"]).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["remaining"].to_string().contains("\"remote\""), "{answer:#}");
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(remote.files(), before);
        assert!(!holds(&owner, 1));
        let changed = std::fs::read_to_string(owner.vault().join("manifest.json")).unwrap();
        let reachable = changed.replace("http://127.0.0.1:9", &remote.server().endpoint());
        std::fs::write(owner.vault().join("manifest.json"), reachable).unwrap();
        owner.sync();
        assert!(!holds(&owner, 1), "it is back");
        let gone = remote.files();
        assert!(before.keys().filter(|name| !gone.contains_key(*name)).count() >= 7);
        other.sync();
        assert!(!holds(&other, 1));
        other.assert_whole();
    }
}

/// Both erase something at once, and one keeps something new.
#[test]
fn purges_of_two_machines_do_not_meet() {
    let remote = Remote::S3(Server::start());
    let (owner, other) = both(&remote, "--encrypt");
    other.app.write(&session(4));
    let (first, second) = (
        owner.spawn(&format!("purge {} --live --yes", id(1))),
        other.spawn(&format!("purge {} --live --yes", id(3))),
    );
    crate::elsewhere::stage::ended(first);
    crate::elsewhere::stage::ended(second);
    for machine in [&owner, &other, &owner, &other] {
        machine.sync();
    }
    for machine in [&owner, &other] {
        assert!(!holds(machine, 1) && !holds(machine, 3) && holds(machine, 2) && holds(machine, 4));
        machine.done("verify");
    }
}
