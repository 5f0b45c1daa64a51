//! A vault whose key is missing says so, and goes on with what needs none.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::elsewhere::stage::{Machine, Remote, configure, furnish, id, session};

/// The key is elsewhere, in a safe place.
fn without_key(machine: &Machine) -> PathBuf {
    let safe = machine.root().join("safe.txt");
    fs::rename(machine.key(), &safe).unwrap();
    safe
}

fn kept(remote: &Remote) -> Machine {
    let machine = Machine::new("laptop");
    furnish(&machine.app, 1, "harbour");
    configure(&machine.app, "harbour");
    machine.join(remote, "--encrypt");
    machine
}

#[test]
fn keeping_goes_on_without_the_key() {
    for remote in Remote::both() {
        let machine = kept(&remote);
        let safe = without_key(&machine);
        let status = machine.json("status");
        assert_eq!((&status["encrypted"], &status["pending"]), (&json!(true), &json!(false)), "{status:#}");
        assert_eq!(machine.sync()["push"]["state"], "up-to-date");
        machine.app.write(&session(2));
        machine.app.home().file("CLAUDE.md", "another one");
        machine.sync();
        machine.app.home().append(&session(2), b"{\"type\":\"user\"}\n");
        assert_eq!(machine.sync()["sessions"]["updated"], 1);
        assert!(machine.json("list")["sessions"].to_string().contains(&id(2)));
        machine.json("stats");
        assert!(machine.run(&format!("show {}", id(2))).starts_with("exit: 0"));
        fs::rename(safe, machine.key()).unwrap();
        machine.assert_whole();
    }
}

/// New bytes of a known session are kept, and new sessions, in no more generations than with the key.
fn assert_keeps_on(machine: &Machine, with_key: impl FnOnce()) {
    assert_eq!(machine.sync()["push"]["state"], "up-to-date");
    machine.app.home().append(&session(2), b"{\"type\":\"user\"}\n");
    assert_eq!(machine.sync()["sessions"]["updated"], 1);
    machine.app.home().append(&session(2), b"{\"type\":\"user\"}\n");
    machine.app.write(&session(4));
    machine.app.home().file("CLAUDE.md", "another one");
    let answer = machine.done("sync --full");
    assert_eq!((&answer["sessions"]["updated"], &answer["sessions"]["added"]), (&json!(1), &json!(1)));
    assert_eq!(answer["warnings"], json!([]), "{answer:#}");
    with_key();
    machine.assert_whole();
    let rows = machine.json("restore --list")["sessions"].clone();
    assert!(rows.as_array().unwrap().iter().all(|row| row["generations"] == 1), "{rows}");
}

/// What was remembered was lost, and learned again with the key. Then the key is gone, or another lies in its place.
#[test]
fn keeping_goes_on_by_what_was_learned_again() {
    let other = Machine::with("other", 3);
    other.done("init --local --encrypt --no-schedule");
    for remote in Remote::both() {
        let machine = kept(&remote);
        machine.app.write(&session(2));
        machine.sync();
        fs::remove_dir_all(machine.vault().join(".cache")).unwrap();
        machine.sync();
        let safe = without_key(&machine);
        if matches!(remote, Remote::Git(_)) {
            machine.take_key(&other);
        }
        assert_keeps_on(&machine, || fs::rename(safe, machine.key()).unwrap());
    }
}

/// The live file is gone, or still there to be kept anew.
#[test]
fn what_was_lost_comes_back_without_the_key() {
    for (remote, is_live) in Remote::both().into_iter().chain(Remote::both()).zip([true, true, false, false])
    {
        let machine = kept(&remote);
        machine.app.write(&session(2));
        machine.sync();
        let safe = without_key(&machine);
        let mut files: Vec<_> = machine.kept().into_iter().collect();
        files.retain(|(path, _)| !path.to_str().unwrap().contains("/documents/"));
        if !is_live {
            fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
        }
        for (path, _) in files.iter().step_by(2) {
            fs::remove_file(machine.vault().join(path)).unwrap();
        }
        machine.app.write(&session(3));
        let answer = machine.sync();
        assert_eq!(answer["push"]["state"], "pushed", "{answer:#}");
        assert!(answer["sessions"]["added"].as_u64() >= Some(1), "{answer:#}");
        let there = remote.files();
        for (path, bytes) in &files {
            assert!(fs::read(machine.vault().join(path)).unwrap() == *bytes, "{}", path.display());
            assert!(there[path.to_str().unwrap()] == *bytes, "{}", path.display());
        }
        machine.app.home().append(&session(3), b"{\"type\":\"user\"}\n");
        assert_eq!(machine.sync()["warnings"], json!([]));
        fs::rename(safe, machine.key()).unwrap();
        machine.assert_whole();
        let rows = machine.json("restore --list")["sessions"].to_string();
        assert!((1..4).all(|number| rows.contains(&id(number))), "{rows}");
    }
}

#[test]
fn reading_what_only_the_vault_has_says_what_is_missing() {
    let machine = kept(&Remote::s3());
    let safe = without_key(&machine);
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    for arguments in [
        format!("restore {}", id(1)),
        format!("peek {}", id(1)),
        "restore --all".to_owned(),
        "export-config --kept config.tar.gz".to_owned(),
    ] {
        let error = machine.refused(&arguments);
        assert_eq!((&error["kind"], &error["code"]), (&json!("locked"), &json!(1)), "`{arguments}`: {error}");
        assert!(error["hints"].to_string().contains("--identity"), "`{arguments}`: {error}");
    }
    let named = format!("restore --all --identity {}", safe.display());
    machine.done(&named);
}

#[test]
fn another_key_opens_nothing() {
    for remote in Remote::both() {
        let machine = kept(&remote);
        let other = Machine::with("other", 2);
        other.done("init --local --encrypt --no-schedule");
        let new = Machine::with("new", 3);
        new.take_key(&other);
        let before = remote.objects();
        let error = new.refused(&format!("init --no-schedule --remote {}", remote.named()));
        assert_eq!((&error["kind"], &error["code"]), (&json!("locked"), &json!(1)), "{error}");
        assert!(!error["hints"].as_array().unwrap().is_empty());
        assert_eq!(remote.objects(), before, "nothing was sent");
        let error = machine.refused(&format!("peek {} --identity {}", id(1), other.key().display()));
        assert_eq!(error["kind"], "locked", "{error}");
        let report = machine.json(&format!("verify --identity {}", other.key().display()));
        assert_eq!(report["locked"], true, "{report}");
        assert_eq!(report["ok"], true, "what is whole is not called damaged: {report}");
    }
}

#[test]
fn a_vault_without_a_key_is_still_verified() {
    for remote in Remote::both() {
        let machine = kept(&remote);
        let safe = without_key(&machine);
        let report = machine.done("verify");
        assert_eq!(report["locked"], true);
        let segment = |machine: &Machine| {
            let mut files: Vec<_> = machine.kept().into_iter().collect();
            files.retain(|(path, _)| !path.to_str().unwrap().contains("/documents/"));
            files.into_iter().max_by_key(|(_, bytes)| bytes.len()).unwrap()
        };
        let (path, bytes) = segment(&machine);
        let file = machine.vault().join(&path);
        let name = path.to_str().unwrap();
        for (what, spoilt) in [
            ("flipped", flipped(&bytes, bytes.len() - 5)),
            ("flipped in its head", flipped(&bytes, 60)),
            ("truncated", bytes[..bytes.len() / 2].to_vec()),
            ("cut by one byte", bytes[..bytes.len() - 1].to_vec()),
            ("empty", Vec::new()),
        ] {
            fs::write(&file, spoilt).unwrap();
            let report = machine.json("verify");
            assert_eq!(report["ok"], false, "{what}: {report:#}");
            assert!(report["damaged"].to_string().contains(name), "{what}: {report:#}");
        }
        fs::remove_file(&file).unwrap();
        let report = machine.json("verify");
        assert!(report["missing"].to_string().contains(name), "{report:#}");
        assert!(machine.run("verify").starts_with("exit: 2"));
        fs::rename(safe, machine.key()).unwrap();
        machine.done("sync --full");
        machine.assert_whole();
    }
}

fn flipped(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 0x20;
    bytes
}

#[test]
fn a_lost_cache_is_made_again_with_the_key_and_said_without() {
    let remote = Remote::s3();
    let machine = kept(&remote);
    let safe = without_key(&machine);
    fs::remove_dir_all(machine.vault().join(".cache")).unwrap();
    let before = machine.kept();
    machine.app.write(&session(2));
    let output = machine.app.output(&["sync", "--json"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() || said.contains("locked"), "{said}");
    for (path, bytes) in before.iter().filter(|(path, _)| !path.to_str().unwrap().contains("/documents/")) {
        assert_eq!(fs::read(machine.vault().join(path)).unwrap(), *bytes, "{}", path.display());
    }
    fs::rename(safe, machine.key()).unwrap();
    machine.sync();
    machine.assert_whole();
    let rows = machine.json("restore --list")["sessions"].clone();
    assert!(rows.as_array().unwrap().iter().all(|row| row["generations"] == 1), "{rows}");
}
