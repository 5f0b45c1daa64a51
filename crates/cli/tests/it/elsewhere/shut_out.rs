//! Somebody is shut out: for good, on all machines, and nothing is lost by it.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use steno_testkit::Rng;

use crate::elsewhere::killed::{killed_after, rounds};
use crate::elsewhere::stage::{Machine, Remote, configure, furnish, id, session};

pub(crate) fn public(machine: &Machine) -> String {
    machine.json("key show")["publicKeys"][0].as_str().unwrap().to_owned()
}

pub(crate) fn fingerprint(machine: &Machine) -> String {
    machine.json("key show")["fingerprint"].as_str().unwrap().to_owned()
}

pub(crate) fn manifest(machine: &Machine) -> Value {
    serde_json::from_slice(&fs::read(machine.vault().join("manifest.json")).unwrap()).unwrap()
}

pub(crate) fn held(machine: &Machine) -> BTreeSet<String> {
    let sessions = machine.json("restore --list")["sessions"].clone();
    sessions.as_array().unwrap().iter().map(|row| row["uuid"].as_str().unwrap().to_owned()).collect()
}

/// Somebody with a key of their own.
pub(crate) fn friend() -> Machine {
    let friend = Machine::with("friend", 90);
    friend.done("init --local --encrypt --no-schedule");
    friend
}

/// A machine whose vault is encrypted for somebody else, too; and what that one knows.
pub(crate) fn shared(remote: &Remote, name: &str, friend: &Machine) -> (Machine, Known) {
    let machine = Machine::with(name, 1);
    furnish(&machine.app, 2, "harbour");
    configure(&machine.app, "harbour");
    machine.join(remote, "--encrypt");
    machine.done(&format!("key add {}", public(friend)));
    let known = Known::of(&machine, remote);
    (machine, known)
}

/// What a recipient knows, and keeps knowing.
pub(crate) struct Known {
    names: [u8; 32],
    vault: Value,
    there: BTreeSet<String>,
}

impl Known {
    fn of(machine: &Machine, remote: &Remote) -> Self {
        let names = manifest(machine)["nameKey"].as_str().unwrap().to_owned();
        let files = remote.files();
        Self {
            names: *blake3::Hash::from_hex(names).unwrap().as_bytes(),
            vault: serde_json::from_slice(&files["vault.json"]).unwrap(),
            there: files.into_keys().collect(),
        }
    }

    /// A `vault.json` that lets them in, as only somebody can make it who has the key of the names.
    pub(crate) fn forged(&self, edition: u64) -> Vec<u8> {
        let mut vault = self.vault.clone();
        let mut texts: Vec<String> =
            vault["recipients"].as_array().unwrap().iter().map(|one| one.as_str().unwrap().into()).collect();
        texts.push(edition.to_string());
        vault["edition"] = json!(edition);
        vault["seal"] = json!(blake3::keyed_hash(&self.names, texts.join("\n").as_bytes()).to_hex().as_str());
        vault.to_string().into_bytes()
    }

    /// Nothing there has a name that they could know.
    pub(crate) fn assert_strange(&self, remote: &Remote) {
        let files = remote.files();
        let same = |name: &&String| self.there.contains(*name) && name.contains('/');
        let same: Vec<_> = files.keys().filter(same).collect();
        assert!(same.is_empty(), "{same:?}");
    }
}

/// Every object there is for one recipient.
fn assert_closed(remote: &Remote) {
    assert_closed_but(remote, "");
}

fn assert_closed_but(remote: &Remote, known: &str) {
    let files = remote.files().into_iter().filter(|(name, _)| name.ends_with(".age") && name != known);
    for (name, bytes) in files {
        let lines = bytes.split(|byte| *byte == b'\n').take_while(|line| !line.starts_with(b"---"));
        assert_eq!(lines.filter(|line| line.starts_with(b"-> X25519")).count(), 1, "{name}");
    }
}

#[test]
fn nothing_keeps_a_name_that_who_was_shut_out_knows() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, known) = shared(&remote, "laptop", &friend);
        let answer = laptop.done(&format!("key remove {}", public(&friend)));
        assert!(answer["resealed"].as_u64().unwrap() > 10, "{answer:#}");
        known.assert_strange(&remote);
        assert_closed(&remote);
        laptop.assert_whole();
        assert_eq!(manifest(&laptop)["formerNameKeys"], Value::Null, "nothing waits");
        // Everything goes on.
        laptop.app.write(&session(3));
        laptop.sync();
        if let Remote::S3(server) = &remote {
            let before = server.requests().len();
            laptop.sync();
            assert_eq!(server.requests().len() - before, 1, "an unchanged sync is one request");
        }
        laptop.done("sync --full");
        laptop.json(&format!("purge {} --live --yes", id(2)));
        laptop.done("verify --repair");
        laptop.sync();
        known.assert_strange(&remote);
        let new = Machine::new("new");
        new.take_key(&laptop).join(&remote, "");
        assert_eq!(held(&new), held(&laptop));
        assert!(held(&new).contains(&id(3)) && !held(&new).contains(&id(2)));
        new.done("verify");
        // Who was shut out gets nothing.
        let again = Machine::new("again");
        assert_eq!(
            again.take_key(&friend).refusal(&format!("init --no-schedule --remote {}", remote.named())),
            "locked"
        );
    }
}

#[test]
fn who_was_shut_out_does_not_let_themselves_in_again() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, known) = shared(&remote, "laptop", &friend);
        laptop.done(&format!("key remove {}", public(&friend)));
        for (round, edition) in [(0, 99), (1, 1), (2, 2), (3, 3)] {
            remote.put("vault.json", &known.forged(edition));
            laptop.app.write(&session(10 + round));
            let report = laptop.sync();
            let told = report["warnings"].to_string().contains("given-up-key");
            assert!(told, "it is said: {report:#}");
            assert_eq!(laptop.json("key show")["recipients"], json!([public(&laptop)]));
            let vault: Value = serde_json::from_slice(&remote.files()["vault.json"]).unwrap();
            assert_eq!(vault["recipients"], json!([public(&laptop)]), "it is put back");
            assert_closed(&remote);
        }
        let report = laptop.sync();
        assert_eq!(report["warnings"], json!([]), "{report:#}");
        // Nor by naming the place anew.
        remote.put("vault.json", &known.forged(1000));
        laptop.json(&format!("remote {}", remote.named()));
        laptop.sync();
        assert_eq!(laptop.json("key show")["recipients"], json!([public(&laptop)]));
        known.assert_strange(&remote);
        assert_closed(&remote);
        laptop.assert_whole();
    }
}

/// Two machines of one user, and somebody who is shut out by one of them.
pub(crate) fn two(remote: &Remote, friend: &Machine) -> (Machine, Machine, Known) {
    let (laptop, _) = shared(remote, "laptop", friend);
    let tower = Machine::with("tower", 20);
    furnish(&tower.app, 21, "marzipan");
    tower.take_key(&laptop).join(remote, "");
    laptop.sync();
    let known = Known::of(&laptop, remote);
    laptop.done(&format!("key remove {}", public(friend)));
    (laptop, tower, known)
}

#[test]
fn another_machine_waits_until_a_person_has_compared() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, tower, known) = two(&remote, &friend);
        // What the other machine has sent can be read all the while, also by a new one.
        let all = BTreeSet::from([1, 2, 20, 21].map(id));
        assert!(held(&laptop).is_superset(&all), "{:?}", held(&laptop));
        laptop.assert_whole();
        let new = Machine::new("new");
        new.take_key(&laptop).join(&remote, "");
        assert!(held(&new).is_superset(&all), "{:?}", held(&new));
        assert_eq!(new.done("verify")["damaged"], json!([]));
        // It keeps what is new, and sends nothing.
        tower.app.write(&session(22));
        let before = remote.files();
        for _ in 0..2 {
            let report = tower.json("sync");
            assert_eq!(report["push"]["state"], "refused", "{report:#}");
            let reason = report["push"]["reason"].as_str().unwrap();
            assert!(reason.contains("steno key accept") && reason.contains(&public(&friend)), "{reason}");
        }
        assert!(held(&tower).contains(&id(22)));
        assert_eq!(remote.files(), before, "nothing was sent");
        assert!(!tower.refused("key accept 0000-0000")["hints"].is_null());
        let named = tower.json(&format!("remote {}", remote.named()));
        assert_eq!(named["push"]["state"], "refused", "{named:#}");
        assert_eq!(remote.files(), before, "nothing was sent");
        assert_eq!(tower.refusal(&format!("key remove {}", public(&friend))), "invalid");
        tower.assert_whole();
        // Not even when it is changed back: somebody who was shut out could do that.
        let theirs = remote.files()["vault.json"].clone();
        remote.put("vault.json", &known.forged(99));
        assert_eq!(tower.json("sync")["push"]["state"], "refused");
        let wrong = tower.refused(&format!("key accept {}", fingerprint(&laptop)));
        assert_eq!(wrong["kind"], "invalid", "{wrong}");
        remote.put("vault.json", &theirs);
        let answer = tower.done(&format!("key accept {}", fingerprint(&laptop)));
        assert_eq!(answer["push"]["state"], "pushed", "{answer:#}");
        assert_eq!(fingerprint(&tower), fingerprint(&laptop));
        for machine in [&laptop, &new, &tower, &laptop] {
            let report = machine.sync();
            assert!(!report["warnings"].to_string().contains("stays"), "{report:#}");
            assert!(held(machine).is_superset(&all) && held(machine).contains(&id(22)));
            assert_eq!(machine.done("verify")["damaged"], json!([]));
        }
        known.assert_strange(&remote);
        assert_closed(&remote);
        for machine in [&laptop, &tower, &new] {
            assert_eq!(manifest(machine)["formerNameKeys"], Value::Null);
            let names: BTreeSet<_> = machine.kept().into_keys().collect();
            assert!(
                !names.iter().any(|name| known.there.contains(name.to_str().unwrap())),
                "an old name is left"
            );
        }
        laptop.json(&format!("purge {} --live --yes", id(2)));
        tower.sync();
        assert!(!held(&tower).contains(&id(2)));
        tower.assert_whole();
    }
}

/// What was purged between is not back under its old name.
#[test]
fn what_was_purged_meanwhile_goes_with_its_old_name() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, tower, _) = two(&remote, &friend);
        laptop.json(&format!("purge {} --live --yes", id(2)));
        assert!(held(&tower).contains(&id(2)));
        tower.done(&format!("key accept {}", fingerprint(&laptop)));
        tower.sync();
        assert!(!held(&tower).contains(&id(2)), "{:?}", held(&tower));
        assert_eq!(manifest(&tower)["formerNameKeys"], Value::Null);
        tower.assert_whole();
    }
}

/// Who knows the old key can make files by it, in the name of a machine that has not followed yet.
#[test]
fn a_key_that_was_given_up_replaces_and_erases_nothing() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, tower, known) = two(&remote, &friend);
        let before = laptop.kept();
        let files = remote.files();
        let theirs: Vec<&String> =
            files.keys().filter(|name| name.ends_with(".age") && known.there.contains(*name)).collect();
        assert!(theirs.len() > 5, "{theirs:?}");
        let other = files[theirs[0]].clone();
        for name in &theirs[1..] {
            remote.put(name, &other);
        }
        laptop.json("sync");
        laptop.json("sync --full");
        for (path, bytes) in laptop.kept() {
            let name = path.to_str().unwrap();
            assert!(!known.there.contains(name) || before.get(&path) == Some(&bytes), "{name} was changed");
        }
        laptop.assert_whole();
        tower.done(&format!("key accept {}", fingerprint(&laptop)));
        laptop.sync();
        known.assert_strange(&remote);
        laptop.assert_whole();
        tower.assert_whole();
    }
}

/// `manifest.json` is lost while another machine's files still have their old names.
#[test]
fn old_names_are_found_without_the_manifest() {
    let remote = Remote::s3();
    let friend = friend();
    let (laptop, tower, _) = two(&remote, &friend);
    let all = held(&laptop);
    fs::remove_file(laptop.vault().join("manifest.json")).unwrap();
    fs::remove_dir_all(laptop.vault().join(".cache")).unwrap();
    laptop.done("sync");
    assert_eq!(held(&laptop), all);
    laptop.assert_whole();
    tower.done(&format!("key accept {}", fingerprint(&laptop)));
    laptop.sync();
    laptop.assert_whole();
}

#[test]
fn a_killed_removal_loses_nothing_and_is_finished() {
    for remote in Remote::both() {
        let machine = Machine::new("desk");
        (1..=4).for_each(|number| furnish(&machine.app, number, &format!("word{number}")));
        machine.join(&remote, "--encrypt");
        let mut rng = Rng::new(4);
        for _ in 0..rounds(20) / 10 {
            let friend = friend();
            machine.done(&format!("key add {}", public(&friend)));
            let known = Known::of(&machine, &remote);
            let arguments = format!("key remove {}", public(&friend));
            killed_after(&machine, &arguments, Duration::from_millis(rng.below(900)));
            machine.done("verify");
            machine.assert_whole();
            // Whatever had begun is brought to its end by a sync alone.
            let is_begun = manifest(&machine)["nameKey"].as_str().unwrap() != hex(&known.names);
            machine.sync();
            assert_eq!(manifest(&machine)["sealing"], Value::Null);
            if !is_begun {
                machine.done(&arguments);
            }
            known.assert_strange(&remote);
            assert_closed(&remote);
            machine.assert_whole();
        }
        let new = Machine::new("new");
        new.take_key(&machine).join(&remote, "");
        assert_eq!(held(&new), held(&machine));
    }
}

fn hex(bytes: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*bytes).to_hex().to_string()
}

#[test]
fn a_killed_acceptance_loses_nothing_and_is_finished() {
    for remote in Remote::both() {
        let mut rng = Rng::new(6);
        for _ in 0..rounds(20) / 20 {
            let remote = match &remote {
                Remote::Git(_) => Remote::git(),
                Remote::S3(_) => Remote::s3(),
            };
            let friend = friend();
            let (laptop, tower, known) = two(&remote, &friend);
            let arguments = format!("key accept {}", fingerprint(&laptop));
            killed_after(&tower, &arguments, Duration::from_millis(rng.below(700)));
            tower.done("verify");
            tower.assert_whole();
            if manifest(&tower)["nameKey"].as_str().unwrap() == hex(&known.names) {
                tower.done(&arguments);
            }
            tower.sync();
            laptop.sync();
            tower.sync();
            known.assert_strange(&remote);
            for machine in [&laptop, &tower] {
                assert!(held(machine).is_superset(&BTreeSet::from([1, 2, 20, 21].map(id))));
                assert_eq!(manifest(machine)["formerNameKeys"], Value::Null);
                machine.assert_whole();
            }
        }
    }
}

/// What does not open cannot be named anew; nothing else waits for it.
#[test]
fn a_damaged_file_keeps_nothing_else_from_its_new_name() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, known) = shared(&remote, "laptop", &friend);
        let is_document = |path: &std::path::Path| path.to_str().unwrap().contains("/documents/");
        let damaged = laptop.kept().into_keys().find(|path| is_document(path)).unwrap();
        fs::write(laptop.vault().join(&damaged), b"nonsense").unwrap();
        laptop.json(&format!("key remove {}", public(&friend)));
        for _ in 0..2 {
            laptop.json("sync");
        }
        let old = |names: Vec<String>| names.into_iter().filter(|name| known.there.contains(name)).count();
        let there = remote.files().into_keys().filter(|name| name.ends_with(".age")).collect();
        assert!(old(there) <= 1, "at the remote");
        let here = laptop.kept().into_keys().map(|path| path.to_str().unwrap().to_owned()).collect();
        assert!(old(here) <= 1, "on the disk");
        assert_closed_but(&remote, damaged.to_str().unwrap());
        assert!(held(&laptop).is_superset(&BTreeSet::from([1, 2].map(id))));
    }
}
