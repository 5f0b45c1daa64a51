//! A key under a passphrase: keeping never asks for it, reading does.

use std::fs;
use std::path::Path;

use crate::elsewhere::stage::{Machine, Remote, configure, furnish, id, session};

const PASSPHRASE: &str = "a long passphrase";

/// The same machine for somebody who knows the passphrase; where nothing says it, nobody does.
fn knowing(machine: &Machine, arguments: &str) -> serde_json::Value {
    let mut command = machine.app.command();
    command.env("STENO_PASSPHRASE", PASSPHRASE).args(arguments.split_whitespace()).arg("--json");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("`{arguments}`: {said}"))
}

fn protected(remote: &Remote) -> Machine {
    let machine = Machine::with("laptop", 1);
    let init = format!("init --no-schedule --remote {} --encrypt --protect", remote.named());
    let answer = knowing(&machine, &init);
    assert_eq!((&answer["ok"], &answer["sync"]["pushed"]), (&true.into(), &true.into()), "{answer:#}");
    let key = fs::read(machine.key()).unwrap();
    assert!(!String::from_utf8_lossy(&key).contains("AGE-SECRET-KEY"));
    machine
}

#[test]
fn a_sync_needs_no_passphrase() {
    for remote in Remote::both() {
        let machine = protected(&remote);
        assert_eq!(machine.sync()["push"]["state"], "up-to-date");
        furnish(&machine.app, 2, "harbour");
        assert_eq!(machine.sync()["sessions"]["added"], 2);
        // What grew continues what is kept, and is no new generation.
        machine.app.home().append(&session(1), b"{\"type\":\"user\"}\n");
        assert_eq!(machine.sync()["sessions"]["updated"], 1);
        let rows = knowing(&machine, "restore --list")["sessions"].clone();
        let row = rows.as_array().unwrap().iter().find(|row| row["uuid"] == id(1)).unwrap().clone();
        assert_eq!(row["generations"], 1, "{row}");
        // Also when all that is remembered is what stands in files, and when everything is compared.
        machine.app.home().append(&session(1), b"{\"type\":\"user\"}\n");
        machine.done("sync --full");
        // Written anew as a whole: the same bytes, other ones of the same length, and longer ones.
        let (first, plan) = (machine.app.home().path().join("tasks"), "plans/harbour-plan.md");
        let task = first.join(format!("{}/1.json", id(2)));
        fs::write(&task, fs::read(&task).unwrap()).unwrap();
        machine.app.home().file(plan, "another");
        machine.sync();
        machine.app.home().file(plan, "another one, which is longer");
        machine.sync();
        compare(&machine);
    }
}

fn compare(machine: &Machine) {
    let live = machine.live();
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    let report = knowing(machine, "restore --all");
    assert_eq!(report["ok"], true, "{report:#}");
    for (path, bytes) in live {
        let back = fs::read(machine.app.home().path().join(&path)).unwrap_or_default();
        assert!(back == bytes, "{} came back otherwise", path.display());
    }
    assert_eq!(knowing(machine, "verify")["ok"], true);
}

/// What was plain before, and what was erased, are no reason to ask either.
#[test]
fn a_vault_that_was_encrypted_later_is_kept_without_the_passphrase() {
    let remote = Remote::s3();
    let machine = Machine::with("laptop", 1);
    furnish(&machine.app, 2, "harbour");
    configure(&machine.app, "harbour");
    machine.done("init --local --no-schedule");
    let answer = knowing(&machine, &format!("remote {} --encrypt --protect", remote.named()));
    assert_eq!(answer["pushed"], true, "{answer:#}");
    machine.app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    assert_eq!(machine.sync()["sessions"]["updated"], 1);
    assert_eq!(machine.sync()["push"]["state"], "up-to-date");
    configure(&machine.app, "meadow");
    machine.sync();
    knowing(&machine, &format!("purge {} --live --yes", id(2)));
    machine.app.write(&session(3));
    assert_eq!(machine.sync()["sessions"]["added"], 1);
    let rows = knowing(&machine, "restore --list")["sessions"].to_string();
    assert!(!rows.contains(&id(2)) && rows.contains(&id(3)), "{rows}");
    hook_runs(&machine);
    compare(&machine);
}

/// The one that came without a key being at hand.
fn hook_runs(machine: &Machine) {
    let archive = machine.root().join("config.tar.gz");
    assert_eq!(knowing(machine, &format!("export-config --kept {}", archive.display()))["ok"], true);
    let other = Machine::new("other");
    other.done(&format!("import-config {}", archive.display()));
    let hook = other.app.home().path().join("hooks/meadow.sh").metadata().unwrap();
    assert!(std::os::unix::fs::PermissionsExt::mode(&hook.permissions()) & 0o100 != 0, "it runs no more");
}

/// Somebody was let in on another machine: what is new here is for them at once, the rest when the key is at hand.
#[test]
fn a_change_of_recipients_elsewhere_does_not_stop_it() {
    let remote = Remote::git();
    let machine = protected(&remote);
    let other = Machine::with("other", 5).knowing(PASSPHRASE);
    other.take_key(&machine).join(&remote, "");
    let friend = Machine::with("friend", 6);
    friend.done("init --local --encrypt --no-schedule");
    let public = friend.json("key show")["publicKeys"][0].as_str().unwrap().to_owned();
    other.done(&format!("key add {public}"));
    machine.sync();
    machine.app.write(&session(2));
    machine.sync();
    machine.app.home().append(&session(1), b"{\"type\":\"user\"}\n");
    machine.sync();
    assert_eq!(machine.json("key show")["recipients"].as_array().unwrap().len(), 2);
    assert_eq!(knowing(&machine, "sync")["pushed"], true);
    let new = Machine::new("new");
    new.take_key(&friend).join(&remote, "");
    let rows = new.json("restore --list")["sessions"].to_string();
    assert!([1, 2, 5].into_iter().all(|number| rows.contains(&id(number))), "{rows}");
    assert_eq!(new.done("verify")["damaged"], serde_json::json!([]));
    compare(&machine);
}

#[test]
fn reading_needs_the_passphrase() {
    let machine = protected(&Remote::s3());
    fs::remove_dir_all(machine.app.home().path().join("projects")).unwrap();
    for arguments in [format!("restore {}", id(1)), format!("peek {}", id(1)), format!("show {}", id(1))] {
        let error = machine.refused(&arguments);
        assert_eq!((&error["kind"], &error["code"]), (&"locked".into(), &1.into()), "`{arguments}`: {error}");
        assert!(error["hints"].to_string().contains("STENO_PASSPHRASE"), "{error}");
    }
    assert_eq!(knowing(&machine, &format!("restore {}", id(1)))["ok"], true);
    let shown = machine.json("key show");
    assert_eq!((&shown["protected"], &shown["opens"]), (&true.into(), &serde_json::Value::Null));
    let report = machine.done("verify");
    assert_eq!(report["locked"], true, "{report}");
}

#[test]
fn a_wrong_passphrase_opens_nothing_and_harms_nothing() {
    let remote = Remote::s3();
    let machine = protected(&remote);
    let new = Machine::new("new").knowing("another one");
    new.take_key(&machine);
    let error = new.refused(&format!("init --no-schedule --remote {}", remote.named()));
    assert_eq!((&error["kind"], &error["code"]), (&"locked".into(), &1.into()), "{error}");
    let before = remote.objects().len();
    let right = Machine::new("right").knowing(PASSPHRASE);
    right.take_key(&machine).join(&remote, "");
    assert!(right.json("restore --list")["sessions"].to_string().contains(&id(1)));
    assert!(remote.objects().len() > before);
}

#[test]
fn nobody_gave_a_passphrase_to_protect_with() {
    let machine = Machine::with("desk", 1);
    let error = machine.refused("init --local --no-schedule --encrypt --protect");
    assert_eq!(error["kind"], "locked", "{error}");
    assert!(!machine.key().exists());
    let is_plain = |path: &Path| path.extension().is_some_and(|end| end == "zst");
    assert!(!machine.kept().keys().any(|path| is_plain(path)), "nothing was kept in the clear either");
}
