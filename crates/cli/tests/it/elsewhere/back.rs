//! The home is gone, with the vault in it. The remote is left, and the key where there is one.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use steno_testkit::{Home, Session, encode_project};

use crate::elsewhere::stage::{Machine, Remote, below, configure, furnish, id};

/// Sends all that two machines have, and gives what is left of them: their live files, to compare with.
fn sent(remote: &Remote, flags: &str) -> (Machine, Machine) {
    let laptop = Machine::new("laptop");
    furnish(&laptop.app, 1, "harbour");
    furnish(&laptop.app, 2, "lantern");
    configure(&laptop.app, "harbour");
    laptop.join(remote, flags);
    let tower = Machine::new("tower");
    if !flags.is_empty() {
        tower.take_key(&laptop);
    }
    furnish(&tower.app, 3, "meadow");
    configure(&tower.app, "meadow");
    tower.join(remote, "");
    // Grown since, and sent in pieces.
    laptop
        .app
        .home()
        .append(&Session::numbered(2).cwd("/home/dev/lantern-project"), b"{\"type\":\"user\"}\n");
    laptop.sync();
    (laptop, tower)
}

/// A new machine with nothing but the key, in a file somewhere.
fn newcomer(remote: &Remote, key: Option<&Machine>) -> Machine {
    let new = Machine::new("newcomer");
    let flags = key.map_or_else(String::new, |other| {
        let stick = new.root().join("stick.txt");
        fs::copy(other.key(), &stick).unwrap();
        format!("--identity {}", stick.display())
    });
    new.join(remote, &flags);
    new
}

fn ids(rows: &Value, key: &str) -> BTreeSet<String> {
    rows.as_array().unwrap().iter().map(|row| row[key].as_str().unwrap().to_owned()).collect()
}

fn everything_comes_back(remote: &Remote, flags: &str) {
    let (laptop, tower) = sent(remote, flags);
    let new = newcomer(remote, (!flags.is_empty()).then_some(&laptop));
    let all: BTreeSet<String> = [1, 2, 3].map(id).into();
    assert!(ids(&new.json("restore --list")["sessions"], "uuid").is_superset(&all));
    assert!(ids(&new.json("list")["sessions"], "id").is_superset(&all), "{:#}", new.json("list"));
    assert!(new.run(&format!("show {}", id(1))).contains("Tell me of the harbour"));
    assert!(new.run(&format!("peek {}", id(3))).contains("Tell me of the meadow"));
    let found = new.json("search lantern");
    assert!(found["hits"].to_string().contains(&id(2)), "{found:#}");
    assert_eq!(new.done("verify")["damaged"], serde_json::json!([]));

    for (machine, name) in [(&laptop, "laptop"), (&tower, "tower")] {
        let to = Home::new();
        new.done(&format!("restore --all --machine {name} --to {}", to.path().display()));
        let (before, after) = (machine.live(), below(&to.path(), &to.path()));
        for (path, bytes) in &before {
            assert!(after.get(path) == Some(bytes), "{} of {name} came back otherwise", path.display());
        }
    }
    config_comes_back(&new, &laptop);
    rehomed(&new);
}

fn config_comes_back(new: &Machine, laptop: &Machine) {
    let archive = new.root().join("config.tar.gz");
    new.done(&format!("export-config --kept --machine laptop {}", archive.display()));
    new.done(&format!("import-config {}", archive.display()));
    for path in ["settings.json", "CLAUDE.md", "agents/harbour.md", "hooks/harbour.sh"] {
        let there = new.app.home().path().join(path);
        assert_eq!(fs::read(&there).unwrap(), fs::read(laptop.app.home().path().join(path)).unwrap());
    }
    let hook = new.app.home().path().join("hooks/harbour.sh");
    assert!(hook.metadata().unwrap().permissions().mode() & 0o100 != 0, "the hook runs no more");
}

fn rehomed(new: &Machine) {
    let here = new.root().join("work");
    fs::create_dir_all(&here).unwrap();
    new.done(&format!("restore {} --machine tower --cwd {}", id(3), here.display()));
    let project = encode_project(here.canonicalize().unwrap().to_str().unwrap());
    let transcript = new.app.home().path().join(format!("projects/{project}/{}.jsonl", id(3)));
    assert!(fs::read_to_string(transcript).unwrap().contains("Tell me of the meadow"));
}

#[test]
fn from_git() {
    everything_comes_back(&Remote::git(), "");
}

#[test]
fn from_git_encrypted() {
    everything_comes_back(&Remote::git(), "--encrypt");
}

#[test]
fn from_s3() {
    everything_comes_back(&Remote::s3(), "");
}

#[test]
fn from_s3_encrypted() {
    everything_comes_back(&Remote::s3(), "--encrypt");
}

/// The name is taken back with everything below it, as its owner has it.
#[test]
fn a_machine_of_the_same_name_does_not_lose_what_the_lost_one_kept() {
    for remote in Remote::both() {
        let lost = Machine::with("laptop", 1);
        lost.join(&remote, "--encrypt");
        let new = Machine::with("laptop", 2);
        new.take_key(&lost).join(&remote, "");
        let sessions = new.json("restore --list")["sessions"].clone();
        assert!(ids(&sessions, "uuid").is_superset(&[id(1), id(2)].into()), "{sessions}");
        new.done("verify");
        let files = remote.files();
        let of_lost: Vec<_> = lost.kept().into_keys().map(|path| path.to_str().unwrap().to_owned()).collect();
        assert!(of_lost.iter().all(|name| files.contains_key(name)), "what was sent is still there");
    }
}
