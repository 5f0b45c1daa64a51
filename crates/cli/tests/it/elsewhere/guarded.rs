//! What an encrypted vault must not lose, nor give away, when a key, a remote or a run goes wrong.

use std::fs;

use serde_json::{Value, json};

use crate::elsewhere::stage::{Machine, Remote, below, furnish, git, id, session};

fn stranger() -> Machine {
    let stranger = Machine::with("stranger", 9);
    stranger.done("init --local --encrypt --no-schedule");
    stranger
}

fn public(machine: &Machine) -> String {
    machine.json("key show")["publicKeys"][0].as_str().unwrap().to_owned()
}

#[test]
fn git_forgets_a_purged_session_of_an_encrypted_vault() {
    let remote = Remote::git();
    let machine = Machine::with("laptop", 2);
    furnish(&machine.app, 1, "harbour");
    machine.join(&remote, "--encrypt");
    let before = remote.files();
    let answer = machine.json(&format!("purge {} --live --rewrite-history --yes", id(1)));
    assert!(!answer["remaining"].to_string().contains("git-history"), "{answer:#}");
    let after = remote.files();
    assert!(before.keys().any(|name| !after.contains_key(name)));
    let Remote::Git(home) = &remote else { panic!("it is git") };
    let commits = git(&home.root().join("remote.git"), &["rev-list", "--all", "--count"]);
    assert_eq!(String::from_utf8(commits).unwrap().trim(), "1", "{answer:#}");
    machine.sync();
    machine.assert_whole();
}

#[test]
fn a_vault_that_nobody_here_could_open_is_not_made() {
    let machine = Machine::with("desk", 1);
    machine.done("init --local --no-schedule");
    let before = machine.kept();
    let friend = stranger();
    let error =
        machine.refused(&format!("init --local --encrypt --no-schedule --recipient {}", public(&friend)));
    assert_eq!((&error["kind"], &error["code"]), (&json!("locked"), &json!(1)), "{error}");
    assert!(error["hints"].to_string().contains("--identity"), "{error}");
    assert_eq!(machine.kept(), before);
    machine.done("sync");
    assert_eq!(machine.json("status")["encrypted"], false);
}

/// Another key lies where the right one was.
#[test]
fn keeping_goes_on_with_the_wrong_key() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        machine.join(&remote, "--encrypt");
        let safe = machine.root().join("safe.txt");
        fs::rename(machine.key(), &safe).unwrap();
        machine.take_key(&stranger());
        machine.app.home().append(&session(1), b"{\"type\":\"user\"}\n");
        machine.app.write(&session(2));
        let report = machine.sync();
        assert_eq!(report["sessions"], json!({"added": 1, "updated": 1, "removed": 0}), "{report:#}");
        machine.done("sync --full");
        // Also where something was to be encrypted anew.
        mark(&machine, "sealing", json!(true));
        machine.app.home().append(&session(2), b"{\"type\":\"user\"}\n");
        assert_eq!(machine.sync()["sessions"]["updated"], 1);
        fs::rename(&safe, machine.key()).unwrap();
        machine.sync();
        machine.assert_whole();
        let rows = machine.json("restore --list")["sessions"].clone();
        assert!(rows.as_array().unwrap().iter().all(|row| row["generations"] == 1), "{rows}");
    }
}

fn mark(machine: &Machine, key: &str, value: Value) {
    let path = machine.vault().join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest[key] = value;
    fs::write(path, manifest.to_string()).unwrap();
}

#[test]
fn whom_another_machine_lets_in_is_said() {
    for remote in Remote::both() {
        let (laptop, tower) = (Machine::with("laptop", 1), Machine::with("tower", 2));
        laptop.join(&remote, "--encrypt");
        tower.take_key(&laptop).join(&remote, "");
        let friend = public(&stranger());
        laptop.done(&format!("key add {friend}"));
        let told = |report: Value| report["warnings"].to_string().contains(&friend);
        let first = told(tower.sync());
        assert!(first || told(tower.sync()), "nobody said who was let in");
        assert!(!told(tower.sync()), "once is enough");
    }
}

#[test]
fn two_that_let_somebody_in_at_once_agree_in_the_end() {
    for remote in Remote::both() {
        let (laptop, tower) = (Machine::with("laptop", 1), Machine::with("tower", 2));
        laptop.join(&remote, "--encrypt");
        tower.take_key(&laptop).join(&remote, "");
        laptop.sync();
        let added = [&laptop, &tower].map(|machine| {
            let friend = public(&stranger());
            machine.json(&format!("key add {friend}"));
            friend
        });
        for _ in 0..4 {
            laptop.json("sync");
            tower.json("sync");
        }
        let [one, other] = [&laptop, &tower].map(|machine| machine.json("key show")["recipients"].clone());
        assert_eq!(one, other);
        assert!(added.iter().any(|friend| one.to_string().contains(friend)), "{one}");
        laptop.assert_whole();
        tower.assert_whole();
    }
}

/// Git is not there while the vault becomes encrypted, and is there again when it is sent.
#[test]
fn a_history_that_nobody_could_look_into_is_not_sent() {
    let remote = Remote::git();
    let machine = Machine::with("laptop", 1);
    machine.app.home().file("CLAUDE.md", "Always think of the xylophone.\n");
    machine.done("init --local --no-schedule");
    let mut command = machine.app.command();
    command.env("PATH", machine.root()).args(["init", "--local", "--encrypt", "--no-schedule"]);
    assert!(command.output().unwrap().status.success());
    machine.done(&format!("remote {}", remote.named()));
    for (name, bytes) in remote.objects() {
        assert!(!bytes.windows(9).any(|window| window == b"xylophone"), "it stands in {name}");
    }
    let commits = String::from_utf8(git(&machine.vault(), &["log", "--all", "--name-only", "--format="]));
    let is_plain = |name: &str| name.starts_with("machines/") && !name.ends_with(".age");
    assert!(!commits.unwrap().lines().any(is_plain), "no plain file is remembered");
}

/// Killed while it was encrypted, and then without a key: what git remembers of before is not sent.
#[test]
fn a_plain_history_is_not_sent_for_want_of_a_key() {
    let remote = Remote::git();
    let machine = Machine::with("laptop", 1);
    machine.app.home().file("CLAUDE.md", "Always think of the xylophone.\n");
    machine.done("init --local --no-schedule");
    let (vault, aside) = (machine.vault(), machine.root().join("aside"));
    let copy = |from: &std::path::Path, to: &std::path::Path| {
        for (path, bytes) in below(from, from) {
            fs::create_dir_all(to.join(&path).parent().unwrap()).unwrap();
            fs::write(to.join(path), bytes).unwrap();
        }
    };
    copy(&vault.join(".git"), &aside);
    fs::create_dir_all(aside.join("refs")).unwrap();
    machine.done("init --local --encrypt --no-schedule");
    fs::remove_dir_all(vault.join(".git")).unwrap();
    fs::rename(&aside, vault.join(".git")).unwrap();
    git(&vault, &["remote", "add", "origin", &remote.named()]);
    mark(&machine, "sealing", json!(true));
    mark(&machine, "remote", json!(remote.named()));
    mark(&machine, "mode", json!("github"));
    fs::rename(machine.key(), machine.root().join("safe.txt")).unwrap();
    machine.json("sync");
    for (name, bytes) in remote
        .objects()
        .into_iter()
        .chain(below(&vault, &vault).into_iter().map(|(path, bytes)| (path.display().to_string(), bytes)))
    {
        assert!(!bytes.windows(9).any(|window| window == b"xylophone"), "it stands in {name}");
    }
    let commits = String::from_utf8(git(&vault, &["log", "--all", "--name-only", "--format="])).unwrap();
    let is_plain = |name: &str| name.starts_with("machines/") && !name.ends_with(".age");
    assert!(!commits.lines().any(is_plain), "{commits}");
}
