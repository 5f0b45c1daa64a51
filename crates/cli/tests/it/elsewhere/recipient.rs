//! The key and those who are let in: where it lies, how it travels, and who reads what.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use steno_testkit::Home;

use crate::elsewhere::stage::{Machine, Remote, id};

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn public(machine: &Machine) -> String {
    machine.json("key show")["publicKeys"][0].as_str().unwrap().to_owned()
}

/// A machine with a key of its own, and a vault that has nothing to do with others.
fn stranger() -> Machine {
    let machine = Machine::with("stranger", 90);
    machine.done("init --local --encrypt --no-schedule");
    machine
}

/// A pair of keys as ssh makes it; gives the secret one.
fn ssh_key(machine: &Machine, kind: &str) -> PathBuf {
    let path = machine.root().join(format!(".ssh/id_{kind}"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-N", "", "-C", "someone@somewhere", "-t", kind, "-f"]).arg(&path);
    assert!(command.status().unwrap().success());
    path
}

#[test]
fn the_key_is_the_owners_alone_and_outside_the_vault() {
    let machine = Machine::with("desk", 1);
    let answer = machine.done("init --local --encrypt --no-schedule");
    assert_eq!(answer["newKey"], "$HOME/.config/steno/identity.txt");
    assert_eq!((mode(&machine.key()), mode(machine.key().parent().unwrap())), (0o600, 0o700));
    let secret = fs::read_to_string(machine.key()).unwrap();
    let line = secret.lines().find(|line| line.starts_with("AGE-SECRET-KEY-1")).unwrap();
    for (path, bytes) in crate::elsewhere::stage::below(&machine.vault(), &machine.vault()) {
        let is_there = bytes.windows(line.len()).any(|window| window == line.as_bytes());
        assert!(!is_there, "the key stands in {}", path.display());
    }
    // Never written over, not even by a new vault.
    fs::remove_dir_all(machine.vault()).unwrap();
    let answer = machine.done("init --local --encrypt --no-schedule");
    assert!(answer["newKey"].is_null(), "{answer}");
    assert_eq!(fs::read_to_string(machine.key()).unwrap(), secret);
    machine.assert_whole();
}

#[test]
fn a_key_that_would_lie_in_the_vault_is_not_made_there() {
    let machine = Machine::with("desk", 1);
    let inside = machine.vault().join("key.txt");
    let error =
        machine.refused(&format!("init --local --encrypt --no-schedule --identity {}", inside.display()));
    assert_eq!(error["kind"], "invalid", "{error}");
    assert!(!inside.exists());
}

#[test]
fn a_key_is_shown_exported_and_imported() {
    let machine = Machine::with("desk", 1);
    machine.done("init --local --encrypt --no-schedule");
    let shown = machine.json("key show");
    assert_eq!((&shown["encrypted"], &shown["opens"]), (&true.into(), &true.into()));
    assert_eq!(shown["recipients"], shown["publicKeys"]);
    let secret = fs::read_to_string(machine.key()).unwrap();
    assert!(!shown.to_string().contains("AGE-SECRET-KEY"));
    assert_eq!(machine.json("key export -")["secret"], secret);
    let copy = machine.root().join("safe/copy.txt");
    machine.done(&format!("key export {}", copy.display()));
    assert_eq!((fs::read_to_string(&copy).unwrap(), mode(&copy)), (secret.clone(), 0o600));
    assert_eq!(machine.refusal(&format!("key export {}", copy.display())), "exists");

    fs::remove_file(machine.key()).unwrap();
    let gone = machine.json("key show");
    assert!(gone["identity"].is_null() && gone["warnings"][0]["kind"] == "locked", "{gone}");
    let report = machine.done(&format!("key import {}", copy.display()));
    assert_eq!(report["opens"], true);
    assert_eq!((fs::read_to_string(machine.key()).unwrap(), mode(&machine.key())), (secret.clone(), 0o600));
    // A second key is added to the first.
    let other = stranger();
    let report = machine.done(&format!("key import {}", other.key().display()));
    assert_eq!(report["opens"], false, "{report}");
    let both = fs::read_to_string(machine.key()).unwrap();
    assert!(both.contains(secret.trim()) && both.matches("AGE-SECRET-KEY-1").count() == 2);
    machine.assert_whole();
    fs::write(machine.root().join("nonsense"), "no key at all").unwrap();
    machine.refused(&format!("key import {}", machine.root().join("nonsense").display()));
    assert_eq!(fs::read_to_string(machine.key()).unwrap(), both);
}

#[test]
fn who_is_let_in_reads_everything_once_all_machines_have_synced() {
    for remote in Remote::both() {
        let (laptop, tower) = (Machine::with("laptop", 1), Machine::with("tower", 2));
        laptop.join(&remote, "--encrypt");
        tower.take_key(&laptop).join(&remote, "");
        laptop.sync();
        let friend = stranger();
        laptop.done(&format!("key add {}", public(&friend)));
        tower.sync();
        tower.sync();
        laptop.sync();
        let new = Machine::new("new");
        new.take_key(&friend).join(&remote, "");
        let sessions = new.json("restore --list")["sessions"].to_string();
        assert!(sessions.contains(&id(1)) && sessions.contains(&id(2)), "{sessions}");
        assert_eq!(new.done("verify")["damaged"], serde_json::json!([]));
        // What is kept later is for both, too.
        tower.app.write(&crate::elsewhere::stage::session(3));
        tower.sync();
        new.sync();
        assert!(new.json("restore --list")["sessions"].to_string().contains(&id(3)));
        laptop.assert_whole();
        tower.assert_whole();
    }
}

#[test]
fn who_is_shut_out_reads_nothing_new() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        machine.join(&remote, "--encrypt");
        let friend = stranger();
        machine.done(&format!("key add {}", public(&friend)));
        let report = machine.done(&format!("key remove {}", public(&friend)));
        assert_eq!(report["recipients"], serde_json::json!([public(&machine)]));
        let new = Machine::new("new");
        new.take_key(&friend);
        let error = new.refused(&format!("init --no-schedule --remote {}", remote.named()));
        assert_eq!((&error["kind"], &error["code"]), (&"locked".into(), &1.into()), "{error}");
        assert!(!error["hints"].as_array().unwrap().is_empty());
        machine.assert_whole();
        let last = machine.refused(&format!("key remove {}", public(&machine)));
        assert_eq!(last["kind"], "invalid", "nobody would be left: {last}");
    }
}

#[test]
fn a_key_of_ssh_opens_the_vault() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        let secret = ssh_key(&machine, "ed25519");
        let recipient = secret.with_extension("pub");
        let flags = format!("--encrypt --recipient {} --identity {}", recipient.display(), secret.display());
        machine.join(&remote, &flags);
        // Found again without being named.
        machine.assert_whole();
        let vault = fs::read_to_string(machine.vault().join("vault.json")).unwrap();
        assert!(vault.contains("ssh-ed25519") && !vault.contains("someone@somewhere"));
        let new = Machine::new("new");
        let carried = new.root().join("carried");
        fs::copy(&secret, &carried).unwrap();
        new.join(&remote, &format!("--identity {}", carried.display()));
        assert!(new.json("restore --list")["sessions"].to_string().contains(&id(1)));
    }
}

#[test]
fn several_are_let_in_at_once() {
    let remote = Remote::s3();
    let (machine, friend) = (Machine::with("laptop", 1), stranger());
    let secret = ssh_key(&machine, "rsa");
    let own = stranger();
    let keys = Home::new();
    let file = keys.file("keys.txt", format!("# friends\n{}\n\n{}\n", public(&friend), public(&own)));
    machine.take_key(&own).join(
        &remote,
        &format!(
            "--encrypt --recipient {} --recipient {}",
            file.display(),
            secret.with_extension("pub").display()
        ),
    );
    assert_eq!(machine.json("key show")["recipients"].as_array().unwrap().len(), 3);
    for (name, identity) in [("one", friend.key()), ("two", own.key()), ("three", secret)] {
        let new = Machine::new(name);
        new.join(&remote, &format!("--identity {}", identity.display()));
        assert!(new.json("restore --list")["sessions"].to_string().contains(&id(1)));
    }
}

#[test]
fn strange_recipients_are_refused_before_anything_happens() {
    let machine = Machine::with("desk", 1);
    for strange in ["age1nonsense", "ssh-dss AAAA", "somebody", "AGE-SECRET-KEY-1QQQ"] {
        let strange = strange.split(' ').next().unwrap();
        let error = machine.refused(&format!("init --local --encrypt --no-schedule --recipient {strange}"));
        assert_eq!(error["kind"], "invalid", "{error}");
        assert!(!error.to_string().contains("SECRET-KEY-1QQQ"), "a secret is not repeated: {error}");
    }
    assert!(!machine.key().exists());
    machine.done("init --local --no-schedule");
    assert_eq!(machine.json("status")["encrypted"], false);
    assert_eq!(machine.refusal("key add age1nonsense"), "invalid");
}
