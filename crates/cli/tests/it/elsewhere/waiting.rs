//! Who waits for another process acts by what that one left, not by what was there before.

use std::fs;
use std::process::Child;
use std::time::Duration;

use crate::elsewhere::stage::{Machine, Remote, below, ended, id, session};

/// As somebody else's long work.
fn held(machine: &Machine) -> fs::File {
    let lock = fs::File::open(machine.vault().join(".lock")).unwrap();
    lock.lock().unwrap();
    lock
}

/// A command that has read the vault's documents, and waits.
fn waiting(machine: &Machine, arguments: &str) -> Child {
    let child = machine.spawn(arguments);
    std::thread::sleep(Duration::from_millis(700));
    child
}

/// Makes of the vault what `arguments` make of a copy of it.
fn meanwhile(machine: &Machine, arguments: &str) {
    let copy = machine.root().join("copy");
    for (path, bytes) in below(&machine.vault(), &machine.vault()) {
        fs::create_dir_all(copy.join(&path).parent().unwrap()).unwrap();
        fs::write(copy.join(path), bytes).unwrap();
    }
    machine.done(&format!("{arguments} --vault {}", copy.display()));
    fs::remove_dir_all(machine.vault().join("machines")).unwrap();
    for (path, bytes) in below(&copy, &copy).into_iter().filter(|(path, _)| !path.ends_with(".lock")) {
        let to = machine.vault().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    fs::remove_dir_all(copy).unwrap();
}

fn assert_sealed(machine: &Machine) {
    let plain = machine.kept().into_keys().find(|path| path.extension().is_none_or(|end| end != "age"));
    assert_eq!(plain, None, "nothing is kept in the clear");
    assert_eq!(machine.json("status")["encrypted"], true);
    machine.assert_whole();
}

#[test]
fn a_sync_that_waited_does_not_undo_an_encryption() {
    let machine = Machine::with("desk", 1);
    machine.done("init --local --no-schedule");
    machine.app.write(&session(2));
    let lock = held(&machine);
    let sync = waiting(&machine, "sync");
    meanwhile(&machine, "init --encrypt --no-schedule --no-sync");
    drop(lock);
    let output = ended(sync);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_sealed(&machine);
}

#[test]
fn nor_do_other_commands() {
    for command in ["remote off", "purge 00000001 --yes", "verify --repair"] {
        let machine = Machine::with("desk", 1);
        machine.app.write(&session(2));
        machine.done("init --local --no-schedule");
        if command.starts_with("verify") {
            let segment = machine.kept().into_keys().find(|path| path.to_string_lossy().contains(".g1."));
            fs::write(machine.vault().join(segment.unwrap()), "torn").unwrap();
        }
        let command = command.replace("00000001", &id(1));
        let lock = held(&machine);
        let child = waiting(&machine, &command);
        meanwhile(&machine, "init --encrypt --no-schedule --no-sync");
        drop(lock);
        let output = ended(child);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code != 1), "`{command}`: {said}");
        assert_eq!(machine.json("status")["encrypted"], true, "`{command}`: {said}");
        machine.done("sync");
        let plain = machine.kept().into_keys().find(|path| path.extension().is_none_or(|end| end != "age"));
        assert_eq!(plain, None, "`{command}`: nothing is kept in the clear");
    }
}

/// The lock is not to be had in time.
#[test]
fn who_cannot_wait_leaves_no_key_behind() {
    let machine = Machine { app: Machine::with("desk", 1).app.variable("STENO_WAIT", "0") };
    machine.done("init --local --no-schedule");
    let lock = held(&machine);
    for arguments in ["init --encrypt --no-schedule", "remote /nowhere.git --encrypt"] {
        let error = machine.refused(arguments);
        assert_eq!(error["kind"], "busy", "{error}");
        assert!(error["hints"].to_string().contains("run this again"), "{error}");
        assert!(!machine.key().exists(), "`{arguments}` made a key that nobody was told of");
    }
    drop(lock);
    let answer = machine.done("init --encrypt --no-schedule");
    assert!(answer["newKey"].as_str().is_some_and(|path| path.ends_with("identity.txt")), "{answer:#}");
    let lock = held(&machine);
    let public = machine.json("key")["publicKeys"][0].as_str().unwrap().to_owned();
    let error = machine.refused(&format!("key add {public}"));
    assert_eq!(error["kind"], "busy", "{error}");
    assert!(error["hints"].to_string().contains("run this again"), "{error}");
    drop(lock);
    assert_sealed(&machine);
}

#[test]
fn a_new_remote_is_not_forgotten_either() {
    let machine = Machine::with("desk", 1);
    machine.done("init --local --no-schedule");
    let remote = Remote::git();
    let lock = held(&machine);
    let sync = waiting(&machine, "sync");
    let path = machine.vault().join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["mode"] = "git".into();
    manifest["remote"] = remote.named().into();
    fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
    drop(lock);
    ended(sync);
    assert_eq!(machine.json("status")["mode"], "git");
}
