//! A purge that is killed before any of its changes is finished by the next sync.

use std::fs;
use std::path::Path;

use steno_testkit::{Session, fault};

use crate::elsewhere::stage::{Machine, Remote, id};

const WORD: &str = "harbour";

/// A session with everything that a session can have. The word is in each of its files, and in no other.
fn furnish(machine: &Machine) {
    let session = Session::numbered(1).slug("calm-tea").user(format!("Tell me of the {WORD}"));
    let session = session.agent(|agent| agent.prompt(WORD).answer(WORD)).turns(2);
    let home = machine.app.home();
    home.write(&session);
    home.file(&format!("file-history/{}/0a1b@v1", id(1)), WORD);
    home.file(&format!("todos/{0}-agent-{0}.json", id(1)), WORD);
    home.file(&format!("tasks/{}/1.json", id(1)), WORD);
    home.file("plans/calm-tea.md", WORD);
    home.history(&session, WORD, "2026-11-01T00:00:00.000Z");
}

fn holds(machine: &Machine, number: u32) -> bool {
    machine.json("restore --list")["sessions"].to_string().contains(&id(number))
}

/// Files below a directory that hold the word, unpacked where they are segments.
fn marked(directory: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            marked(&entry.path(), found);
        } else if has_word(&fs::read(entry.path()).unwrap()) {
            found.push(entry.path().display().to_string());
        }
    }
}

fn has_word(bytes: &[u8]) -> bool {
    let holds = |bytes: &[u8]| bytes.windows(WORD.len()).any(|window| window == WORD.as_bytes());
    holds(bytes) || zstd::decode_all(bytes).is_ok_and(|bytes| holds(&bytes))
}

/// Two sessions, of which the first is purged and killed before a change, and then whatever follows.
fn round(number: u64, remote: Option<&Remote>, flags: &str, purge: &str) -> bool {
    let machine = Machine::with("desk", 2);
    furnish(&machine);
    let _ = match remote {
        Some(remote) => machine.join(remote, flags),
        None => machine.done(&format!("init --local --no-schedule {flags}")),
    };
    assert!(holds(&machine, 1) && holds(&machine, 2));
    let before = remote.map(Remote::files).unwrap_or_default();
    let is_killed = machine.app.is_killed_at(number, &format!("purge {} --yes {purge}", id(1)));
    let has_begun = fs::read_to_string(machine.vault().join("manifest.json")).unwrap().contains("purging");
    let what = format!("killed before change {number} of purge {purge}, vault {flags}");
    machine.done("verify");
    // Twice: what is done must stay done.
    machine.done("sync");
    machine.done("sync");
    machine.assert_whole();
    // Killed before it was written down.
    if is_killed && !has_begun && holds(&machine, 1) {
        return true;
    }
    assert!(!holds(&machine, 1) && holds(&machine, 2), "{what}");
    let mut found = Vec::new();
    marked(&machine.vault(), &mut found);
    if purge.contains("--live") {
        marked(&machine.app.home().path(), &mut found);
    }
    found.retain(|path| !path.contains("/.git/"));
    assert!(found.is_empty(), "{what}: {found:?}");
    if let Some(remote) = remote {
        let after = remote.files();
        assert!(before.keys().any(|name| !after.contains_key(name)), "{what}: nothing went at the remote");
        let named = after.keys().filter(|name| name.contains(&id(1)) && !name.contains("tombstones"));
        assert_eq!(named.collect::<Vec<_>>(), Vec::<&String>::new(), "{what}");
        if purge.contains("--rewrite-history") {
            let remembered = remote.objects().into_iter().filter(|(_, bytes)| has_word(bytes));
            let mut remembered: Vec<String> = remembered.map(|(name, _)| name).collect();
            if matches!(remote, Remote::Git(_)) {
                // What no branch leads to goes with the host's next clean-up.
                remembered.clear();
            }
            assert!(remembered.is_empty(), "{what}: {remembered:?}");
        }
        let new = Machine::new("new");
        if !flags.is_empty() {
            new.take_key(&machine);
        }
        new.join(remote, "");
        assert!(!holds(&new, 1) && holds(&new, 2), "{what}");
        new.assert_whole();
    }
    let manifest = fs::read_to_string(machine.vault().join("manifest.json")).unwrap();
    assert!(!manifest.contains("purging"), "{what}: {manifest}");
    is_killed
}

#[test]
fn in_a_local_vault() {
    for flags in ["", "--encrypt"] {
        fault::at_changes(4, |number| round(number, None, flags, "--live"));
    }
}

#[test]
fn with_a_git_remote() {
    for flags in ["", "--encrypt"] {
        fault::at_changes(2, |number| round(number, Some(&Remote::git()), flags, "--live --rewrite-history"));
    }
}

#[test]
fn with_an_object_store() {
    for flags in ["", "--encrypt"] {
        fault::at_changes(2, |number| round(number, Some(&Remote::s3()), flags, "--live"));
    }
}

/// Without a manifest only the tombstone tells.
#[test]
fn when_the_manifest_is_lost_too() {
    fault::at_changes(8, |number| {
        let machine = Machine::with("desk", 2);
        furnish(&machine);
        machine.done("init --local --no-schedule");
        let is_killed = machine.app.is_killed_at(number, &format!("purge {} --yes", id(1)));
        fs::remove_file(machine.vault().join("manifest.json")).unwrap();
        machine.done("sync");
        machine.done("sync");
        machine.done("verify");
        let tombstones = machine.vault().join("machines/desk/tombstones");
        let is_begun = fs::read_dir(tombstones).is_ok_and(|mut listed| listed.next().is_some());
        assert!(!(is_begun && holds(&machine, 1)), "killed before change {number}");
        is_killed
    });
}
