//! A vault that is killed on its way to being encrypted loses nothing.

use std::time::{Duration, Instant};

use steno_testkit::Rng;

use crate::elsewhere::stage::{Machine, Remote, configure, ended, furnish, id};

pub(crate) fn rounds(usual: u64) -> u64 {
    std::env::var("STENO_FAULT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

/// About a hundred files.
fn large(name: &str) -> Machine {
    let machine = Machine::new(name);
    for number in 1..=10 {
        furnish(&machine.app, number, &format!("word{number}"));
    }
    configure(&machine.app, "word");
    machine
}

pub(crate) fn killed_after(machine: &Machine, arguments: &str, delay: Duration) {
    let mut child = machine.spawn(arguments);
    std::thread::sleep(delay);
    let _ = child.kill();
    ended(child);
}

#[test]
fn a_killed_conversion_loses_nothing() {
    let measured = large("measured");
    measured.done("init --local --no-schedule --no-sync");
    measured.done("sync");
    let begun = Instant::now();
    measured.done("init --encrypt --no-schedule --no-sync");
    let longest = u64::try_from(begun.elapsed().as_micros()).unwrap() * 5 / 4;
    let mut rng = Rng::new(8);
    let machine = large("desk");
    machine.done("init --local --no-schedule");
    for round in 0..rounds(20) {
        killed_after(&machine, "init --encrypt --no-schedule", Duration::from_micros(rng.below(longest)));
        if machine.json("status")["encrypted"] == true {
            assert_eq!(machine.json("restore --list")["sessions"].as_array().unwrap().len(), 10 + 10);
        }
        if round % 5 == 4 {
            machine.done("sync");
            machine.assert_whole();
            // From the start, with the same files.
            std::fs::remove_dir_all(machine.vault()).unwrap();
            machine.done("init --local --no-schedule");
        }
    }
    machine.done("init --encrypt --no-schedule");
    machine.assert_whole();
    let plain = machine.kept().into_keys().find(|path| path.extension().is_none_or(|end| end != "age"));
    assert_eq!(plain, None, "nothing is left as it was");
}

/// The names of all files change, for those of the vault that is there.
#[test]
fn a_killed_meeting_of_two_vaults_loses_nothing() {
    let remote = Remote::s3();
    let founder = Machine::with("founder", 90);
    founder.join(&remote, "--encrypt");
    let mut rng = Rng::new(5);
    for _ in 0..rounds(20) / 4 {
        let machine = Machine::new("desk");
        (1..=8).for_each(|number| furnish(&machine.app, number, &format!("word{number}")));
        machine.take_key(&founder).done("init --local --encrypt --no-schedule");
        let arguments = format!("remote {}", remote.named());
        killed_after(&machine, &arguments, Duration::from_millis(20 + rng.below(120)));
        machine.json("sync");
        machine.assert_whole();
        machine.done(&arguments);
        machine.assert_whole();
    }
}

#[test]
fn a_killed_change_of_recipients_loses_nothing() {
    for remote in Remote::both() {
        let machine = Machine::new("desk");
        (1..=4).for_each(|number| furnish(&machine.app, number, &format!("word{number}")));
        machine.join(&remote, "--encrypt");
        let mut rng = Rng::new(3);
        for _ in 0..rounds(20) / 5 {
            let other = Machine::new("other");
            other.done("init --local --encrypt --no-schedule");
            let public = other.json("key show")["publicKeys"][0].as_str().unwrap().to_owned();
            killed_after(&machine, &format!("key add {public}"), Duration::from_millis(rng.below(250)));
            machine.done("verify");
            machine.done(&format!("key add {public}"));
            machine.sync();
            let friend = Machine::new("friend");
            friend.take_key(&other).join(&remote, "");
            let held = friend.json("restore --list --machine desk");
            assert!(held["sessions"].to_string().contains(&id(4)), "{held:#}");
            assert_eq!(friend.done("verify")["damaged"], serde_json::json!([]));
        }
        machine.assert_whole();
    }
}
