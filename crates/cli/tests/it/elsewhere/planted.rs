//! Words that stand in everything a machine has, and nowhere at an encrypted remote: in no object, and in no name.

use std::time::Duration;

use crate::elsewhere::stage::{Machine, Remote, configure, ended, furnish, id};

const WORD: &str = "xylophone";
const OTHER: &str = "marzipan";

/// Its prompts, paths, titles, names, config, branches, and its own name.
fn planted() -> Machine {
    let machine = Machine::new(&format!("{WORD}-host"));
    furnish(&machine.app, 1, WORD);
    furnish(&machine.app, 2, OTHER);
    configure(&machine.app, WORD);
    machine
}

/// Also what every vault of ours would hold.
fn assert_silent(remote: &Remote) {
    let objects = remote.objects();
    assert!(objects.len() > 10, "there is something to look at");
    // Five letters in any case stand in the base64 of some seal in a hundred runs, a dot never does.
    let told = [WORD, OTHER, ".jsonl", "projects", "settings", &id(1)[..], "harbour", "home/dev", "-home-"];
    for (name, bytes) in &objects {
        let plain = [name.as_bytes(), bytes].map(|text| text.to_ascii_lowercase());
        for word in told {
            let word = word.to_ascii_lowercase();
            let place =
                |text: &Vec<u8>| text.windows(word.len()).position(|window| window == word.as_bytes());
            if let Some((text, at)) = plain.iter().find_map(|text| Some((text, place(text)?))) {
                let around = &text[at.saturating_sub(80)..text.len().min(at + 80)];
                panic!("{word} stands in {name}: {:?}", String::from_utf8_lossy(around));
            }
        }
        let is_packed = bytes.windows(4).any(|four| four == [0x28, 0xb5, 0x2f, 0xfd]);
        assert!(!is_packed || zstd::decode_all(bytes.as_slice()).is_err(), "{name} is only packed");
    }
}

#[test]
fn an_encrypted_remote_tells_nothing() {
    for remote in Remote::both() {
        let machine = planted();
        machine.join(&remote, "--encrypt");
        assert_silent(&remote);
        let key = Machine::with("friend", 9);
        key.done("init --local --encrypt --no-schedule");
        let public = key.json("key show")["publicKeys"][0].as_str().unwrap().to_owned();
        machine.done(&format!("key add {public}"));
        assert_silent(&remote);
        machine.app.home().file("projects/-tmp-late/notes.txt", WORD);
        machine.sync();
        machine.json(&format!("purge {} --live --yes", id(1)));
        assert_silent(&remote);
        machine.sync();
        assert_silent(&remote);
        machine.assert_whole();
    }
}

#[test]
fn a_plain_vault_that_is_encrypted_later_takes_nothing_readable_along() {
    for remote in Remote::both() {
        let machine = planted();
        machine.done("init --local --no-schedule");
        machine.app.home().file("CLAUDE.md", format!("Now of the {OTHER}"));
        machine.done("sync");
        machine.done(&format!("remote {} --encrypt", remote.named()));
        assert_silent(&remote);
        machine.sync();
        assert_silent(&remote);
        machine.assert_whole();
    }
}

/// Sent plain to one place, and encrypted to another.
#[test]
fn history_that_was_sent_plain_does_not_go_along() {
    for remote in Remote::both() {
        let machine = planted();
        machine.join(&Remote::git(), "");
        let answer = machine.done(&format!("remote {} --encrypt", remote.named()));
        assert!(answer["warnings"].to_string().contains("still readable"), "{answer:#}");
        assert_silent(&remote);
        machine.assert_whole();
    }
}

#[test]
fn a_killed_conversion_sends_nothing_readable_later() {
    for delay in [20, 40, 60, 90] {
        for remote in Remote::both() {
            let machine = planted();
            machine.done("init --local --no-schedule");
            let mut child = machine.spawn(&format!("remote {} --encrypt", remote.named()));
            std::thread::sleep(Duration::from_millis(delay));
            let _ = child.kill();
            ended(child);
            machine.json("sync");
            if machine.json("remote")["repo"].is_null() || machine.json("remote")["encrypted"] == false {
                machine.json(&format!("remote {} --encrypt", remote.named()));
            }
            machine.sync();
            assert_silent(&remote);
            machine.assert_whole();
        }
    }
}
