//! A vault that is killed at any change on its way to being encrypted: nothing readable is left behind, and none is sent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use steno_testkit::Home;
use steno_testkit::fault::at_changes;

use crate::elsewhere::readable::{holds, readable};
use crate::elsewhere::stage::{Machine, Remote, configure, furnish, git, id};

/// In every session, its names and its files.
const WORDS: [&str; 2] = ["harbour", "lantern"];

/// A home with a vault, and a copy of both to go back to.
struct Scene {
    machine: Machine,
    remotes: Home,
    copy: Home,
}

impl Scene {
    /// `place` is where the plain vault is sent, if anywhere.
    fn new(place: &str, flags: &str) -> Self {
        let (machine, remotes, copy) = (Machine::new("laptop"), Home::new(), Home::new());
        for name in ["old.git", "new.git"] {
            git(remotes.root(), &["init", "--bare", "--quiet", "--initial-branch=main", name]);
        }
        let scene = Self { machine, remotes, copy };
        let app = &scene.machine.app;
        for (number, word) in (1..).zip(WORDS) {
            furnish(app, number, word);
        }
        configure(app, WORDS[0]);
        let remote =
            if place.is_empty() { "--local".to_owned() } else { format!("--remote {}", scene.url(place)) };
        scene.machine.done(&format!("init --no-schedule --push {remote} {flags}"));
        // A second commit, and something that only the vault has.
        furnish(app, 3, WORDS[1]);
        scene.machine.done("sync --push");
        assert!(!readable(&scene.machine.vault(), &WORDS).is_empty(), "it is plain");
        copy_all(scene.machine.root(), &scene.copy.root().join("home"));
        copy_all(scene.remotes.root(), &scene.copy.root().join("remotes"));
        scene
    }

    fn url(&self, name: &str) -> String {
        self.remotes.root().join(name).display().to_string()
    }

    /// As it was in the beginning.
    fn back(&self) {
        for (place, copy) in [(self.machine.root(), "home"), (self.remotes.root(), "remotes")] {
            for entry in fs::read_dir(place).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
            }
            copy_all(&self.copy.root().join(copy), place);
        }
    }

    fn readable(&self) -> Vec<String> {
        readable(&self.machine.vault(), &WORDS)
    }

    fn assert_nothing_was_sent(&self, when: &str) {
        let sent = readable(&self.remotes.root().join("new.git"), &WORDS);
        assert!(sent.is_empty(), "{when}: sent {sent:?}");
    }

    /// Kills a command before each of its changes.
    fn assert_leaves_nothing(&self, usual: u64, arguments: &str) {
        at_changes(usual, |number| {
            self.back();
            let killed = self.machine.app.is_killed_at(number, arguments);
            let when = format!("`{arguments}` killed before change {number}");
            self.assert_nothing_was_sent(&when);
            let status = self.machine.json("status");
            let is_pending = status["warnings"].to_string().contains("\"sealing\"");
            let is_encrypted = status["encrypted"] == true;
            let left = self.readable();
            assert!(!is_encrypted || is_pending || left.is_empty(), "{when}: {left:?}");
            if is_encrypted && !is_pending {
                assert_eq!(self.machine.done("verify")["warnings"], serde_json::json!([]), "{when}");
            }
            if is_pending {
                let told = self.machine.json("verify")["warnings"].to_string();
                assert!(told.contains("\"sealing\""), "{when}: {told}");
            }
            let synced = self.machine.json("sync --push");
            self.assert_nothing_was_sent(&when);
            let status = self.machine.json("status");
            assert_eq!(status["encrypted"] == true, is_encrypted, "{when}: {synced:#}");
            if is_encrypted {
                let left = self.readable();
                assert!(left.is_empty(), "{when}, then synced: {left:?}");
                assert!(!status["warnings"].to_string().contains("\"sealing\""), "{when}: {status:#}");
                let told = self.machine.done("verify")["warnings"].clone();
                assert_eq!(told, serde_json::json!([]), "{when}");
            }
            self.machine.assert_whole();
            let rows = self.machine.json("restore --list")["sessions"].to_string();
            assert!((1..=3).all(|number| rows.contains(&id(number))), "{when}: {rows}");
            killed
        });
        self.back();
        self.machine.json(arguments);
        assert_eq!(self.readable(), [""; 0]);
        self.assert_nothing_was_sent("not killed");
    }
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let mut inside: Vec<PathBuf> = fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
    inside.sort();
    let status = Command::new("cp").arg("-a").args(inside).arg(to).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_vault_that_git_sends_elsewhere_leaves_nothing_readable() {
    let scene = Scene::new("old.git", "");
    let arguments = format!("remote {} --encrypt", scene.url("new.git"));
    scene.assert_leaves_nothing(6, &arguments);
}

#[test]
fn a_local_vault_with_git_leaves_nothing_readable() {
    let scene = Scene::new("", "");
    scene.assert_leaves_nothing(6, "init --encrypt --no-schedule");
}

#[test]
fn a_local_vault_that_is_sent_for_the_first_time_leaves_nothing_readable() {
    let scene = Scene::new("", "");
    let arguments = format!("remote {} --encrypt", scene.url("new.git"));
    scene.assert_leaves_nothing(6, &arguments);
}

/// Without git: its directory is still there, from before.
#[test]
fn a_vault_without_git_leaves_nothing_readable() {
    let mut scene = Scene::new("", "");
    let empty = scene.remotes.root().join("empty");
    fs::create_dir(&empty).unwrap();
    let machine = std::mem::replace(&mut scene.machine, Machine::new("laptop"));
    scene.machine = Machine { app: machine.app.variable("PATH", empty.to_str().unwrap()) };
    copy_all(scene.remotes.root(), &scene.copy.root().join("remotes"));
    scene.assert_leaves_nothing(6, "init --encrypt --no-schedule");
}

/// Where it was, its plain files stay: nothing here remembers their names.
#[test]
fn a_vault_that_goes_to_another_object_store_leaves_nothing_readable() {
    let (old, new) = (Remote::s3(), Remote::s3());
    let mut round = 0;
    at_changes(4, |number| {
        round += 1;
        let machine = Machine::new("laptop");
        for (count, word) in (1..).zip(WORDS) {
            furnish(&machine.app, count, word);
        }
        let place = |remote: &Remote, name: &str| {
            format!("s3://bucket/{name}-{round} --endpoint {}", remote.server().endpoint())
        };
        machine.done(&format!("init --no-schedule --push --remote {}", place(&old, "old")));
        machine.run(&format!("purge {} --live --yes", id(2)));
        let killed = machine.app.is_killed_at(number, &format!("remote {} --encrypt", place(&new, "new")));
        let when = format!("killed before change {number}");
        let is_encrypted = machine.json("status")["encrypted"] == true;
        machine.json("sync --push");
        for (name, bytes) in new.objects() {
            let told = [name.as_bytes(), &bytes].iter().any(|bytes| holds(bytes, WORDS[0]));
            assert!(!told, "{when}: sent {name}");
        }
        if is_encrypted {
            let words = [WORDS[0], WORDS[1], "5e55-4000"];
            assert_eq!(readable(&machine.vault(), &words), [""; 0], "{when}");
            assert_eq!(machine.done("verify")["warnings"], serde_json::json!([]), "{when}");
        }
        machine.assert_whole();
        killed
    });
}
