//! An encrypted vault that lost what says that it is encrypted, in every combination: it never takes anything as plain.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use steno_testkit::Home;

use crate::elsewhere::readable::readable;
use crate::elsewhere::stage::{Machine, Remote, below, configure, furnish, id};

const WORDS: [&str; 3] = ["harbour", "lantern", "compass"];
/// Below the home.
const LOST: [&[&str]; 5] = [
    &[".claude-backup/vault.json"],
    &[".claude-backup/manifest.json"],
    &[".claude-backup/.git", ".claude-backup/exchange.json"],
    &[".claude-backup/.cache", ".cache"],
    &[".config"],
];
const VAULT: usize = 1;
const MANIFEST: usize = 2;
const HISTORY: usize = 4;
const KEY: usize = 16;

struct Scene {
    machine: Machine,
    remote: Option<Remote>,
    copy: Home,
}

impl Scene {
    fn new(remote: Option<Remote>) -> Self {
        let machine = Machine::new("laptop");
        furnish(&machine.app, 1, WORDS[0]);
        configure(&machine.app, WORDS[0]);
        match &remote {
            Some(remote) => machine.join(remote, "--encrypt"),
            None => machine.done("init --local --encrypt --no-schedule"),
        };
        // Only the vault has it from here on.
        fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
        furnish(&machine.app, 2, WORDS[1]);
        machine.done("sync");
        let copy = Home::new();
        copy_all(machine.root(), copy.root());
        Self { machine, remote, copy }
    }

    fn back(&self) {
        for entry in fs::read_dir(self.machine.root()).unwrap() {
            remove(&entry.unwrap().path());
        }
        copy_all(self.copy.root(), self.machine.root());
    }

    /// Copies `vault.json` back by hand.
    fn put_back(&self, name: &str) {
        let (from, to) = (self.copy.root().join(name), self.machine.root().join(name));
        remove(&to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
    }

    fn assert_nothing_is_readable(&self, when: &str) {
        let found = readable(&self.machine.vault(), &WORDS);
        assert!(found.is_empty(), "{when}: {found:?}");
        for (name, bytes) in self.remote.iter().flat_map(Remote::objects) {
            let text = String::from_utf8_lossy(&bytes);
            assert!(WORDS.iter().all(|word| !text.contains(word)), "{when}: {name}");
        }
    }

    fn lose(&self, lost: usize) {
        self.back();
        let names: Vec<&str> = (0..LOST.len())
            .filter(|place| lost >> place & 1 == 1)
            .flat_map(|place| LOST[place])
            .copied()
            .collect();
        let when = format!("without {names:?}");
        let objects = below(&self.machine.vault().join("machines"), &self.machine.vault());
        for name in &names {
            remove(&self.machine.root().join(name));
        }
        furnish(&self.machine.app, 3, WORDS[2]);
        for reading in ["search lantern", "doctor", "verify"] {
            self.machine.run(reading);
        }
        let output = self.machine.app.output(&["sync", "--json"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        self.assert_nothing_is_readable(&when);
        let is_told = output.status.success() || said.contains("\"hints\":[\"");
        assert!(is_told, "{when}: {said}");
        for (path, bytes) in
            objects.iter().filter(|(path, _)| !path.to_str().unwrap().contains("/documents/"))
        {
            assert!(
                fs::read(self.machine.vault().join(path)).unwrap() == *bytes,
                "{when}: {}",
                path.display()
            );
        }
        // With the key, whatever else is lost.
        let is_known = lost & KEY == 0;
        assert!(!is_known || output.status.success(), "{when}: {said}");
        if !is_known {
            self.put_back(".config");
        }
        let is_hopeless = lost & (VAULT | MANIFEST | HISTORY) == VAULT | MANIFEST | HISTORY;
        assert!(!is_hopeless || is_known || !output.status.success(), "{when}: nobody knows for whom");
        let answer = self.machine.done("sync");
        assert!(self.machine.json("status")["encrypted"] == true, "{when}: {answer:#}");
        self.assert_nothing_is_readable(&when);
        self.machine.assert_whole();
        let rows = self.machine.json("restore --list")["sessions"].clone();
        assert!((1..=3).all(|number| rows.to_string().contains(&id(number))), "{when}: {rows:#}");
        assert!(rows.as_array().unwrap().iter().all(|row| row["generations"] == 1), "{when}: {rows:#}");
    }
}

fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

fn copy_all(from: &Path, to: &Path) {
    let inside: Vec<PathBuf> = fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(Command::new("cp").arg("-a").args(inside).arg(to).status().unwrap().success());
}

#[test]
fn a_local_vault_stays_encrypted_whatever_is_lost() {
    let scene = Scene::new(None);
    (1..1 << LOST.len()).for_each(|lost| scene.lose(lost));
}

#[test]
fn a_vault_at_a_git_host_stays_encrypted_whatever_is_lost() {
    let scene = Scene::new(Some(Remote::git()));
    [VAULT | MANIFEST, VAULT | MANIFEST | HISTORY, 15, 31].into_iter().for_each(|lost| scene.lose(lost));
}

#[test]
fn a_vault_at_an_object_store_stays_encrypted_whatever_is_lost() {
    // What was sent does not go back to what it was.
    for lost in [VAULT | MANIFEST, VAULT | MANIFEST | HISTORY] {
        Scene::new(Some(Remote::s3())).lose(lost);
    }
    let scene = Scene::new(Some(Remote::s3()));
    // What the copy beside the key tells is gone, too: the object store still says it.
    for name in [".claude-backup/vault.json", ".claude-backup/manifest.json", ".config/steno/vaults"] {
        remove(&scene.machine.root().join(name));
    }
    scene.machine.done("sync");
    assert!(scene.machine.vault().join("vault.json").exists());
    scene.machine.assert_whole();
}

#[test]
fn nothing_is_done_where_nobody_knows_for_whom() {
    let scene = Scene::new(None);
    for name in
        [".claude-backup/vault.json", ".claude-backup/manifest.json", ".claude-backup/.git", ".config"]
    {
        remove(&scene.machine.root().join(name));
    }
    let before = scene.machine.kept();
    for arguments in
        ["sync", "init --no-schedule", "init --encrypt --no-schedule", "restore --all", "verify --repair"]
    {
        let error = scene.machine.refused(arguments);
        assert_eq!(
            (&error["kind"], &error["code"]),
            (&json!("damaged"), &json!(2)),
            "`{arguments}`: {error}"
        );
        assert!(error["hints"].to_string().contains("vault.json"), "`{arguments}`: {error}");
    }
    assert!(scene.machine.kept() == before);
    assert!(!scene.machine.vault().join("vault.json").exists());
    // Every machine of the vault has the same one.
    scene.put_back(".claude-backup/vault.json");
    scene.put_back(".config");
    scene.machine.done("sync");
    scene.machine.assert_whole();
}

/// A document that cannot be understood says no more than one that is gone.
#[test]
fn a_spoilt_document_makes_no_vault_plain() {
    let scene = Scene::new(None);
    for spoilt in ["", "{", "[]", "{}", "null", "\u{0}\u{0}"] {
        for (names, has_copy) in [
            (&["vault.json"][..], true),
            (&["manifest.json"], true),
            (&["vault.json", "manifest.json"], true),
            (&["vault.json", "manifest.json"], false),
        ] {
            scene.back();
            let when = format!("{names:?} with '{spoilt}', copy {has_copy}");
            for name in names {
                fs::write(scene.machine.vault().join(name), spoilt).unwrap();
            }
            if !has_copy {
                remove(&scene.machine.vault().join(".git"));
                remove(&scene.machine.root().join(".config/steno/vaults"));
            }
            furnish(&scene.machine.app, 3, WORDS[2]);
            let output = scene.machine.app.output(&["sync", "--json"]);
            assert_eq!(
                output.status.success(),
                has_copy,
                "{when}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            scene.assert_nothing_is_readable(&when);
            if has_copy {
                assert_eq!(scene.machine.json("status")["encrypted"], true, "{when}");
                scene.machine.assert_whole();
            }
        }
    }
}

/// The user puts back documents from before the vault was encrypted.
#[test]
fn documents_from_before_make_no_vault_plain() {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, WORDS[0]);
    machine.done("init --local --no-schedule");
    let before =
        ["vault.json", "manifest.json"].map(|name| (name, fs::read(machine.vault().join(name)).unwrap()));
    machine.done("init --encrypt --no-schedule");
    let after =
        ["vault.json", "manifest.json"].map(|name| (name, fs::read(machine.vault().join(name)).unwrap()));
    for (name, bytes) in &before {
        fs::write(machine.vault().join(name), bytes).unwrap();
    }
    furnish(&machine.app, 2, WORDS[1]);
    assert_eq!(machine.refusal("sync"), "damaged");
    assert!(readable(&machine.vault(), &WORDS).is_empty());
    for (name, bytes) in &after {
        fs::write(machine.vault().join(name), bytes).unwrap();
    }
    machine.done("sync");
    machine.assert_whole();
}

/// Two disks that are mounted in one place.
#[test]
fn the_copy_of_another_vault_is_not_taken() {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, WORDS[0]);
    machine.done("init --local --encrypt --no-schedule");
    let aside = machine.root().join("aside");
    fs::rename(machine.vault(), &aside).unwrap();
    machine.done("init --local --encrypt --no-schedule");
    remove(&machine.vault());
    fs::rename(&aside, machine.vault()).unwrap();
    let own = fs::read(machine.vault().join("vault.json")).unwrap();
    for name in ["vault.json", "manifest.json", ".git"] {
        remove(&machine.vault().join(name));
    }
    let before = machine.kept();
    assert_eq!(machine.refusal("sync"), "damaged");
    assert!(machine.kept() == before);
    fs::write(machine.vault().join("vault.json"), own).unwrap();
    machine.done("sync");
    machine.assert_whole();
}
