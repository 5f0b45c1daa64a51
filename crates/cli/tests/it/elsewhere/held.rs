//! What looks like a secret, on its way to a remote that is not encrypted: held at first and later, until somebody says
//! that it goes; then it is told.

use serde_json::{Value, json};
use steno_testkit::secrets::{BASE62, draw};

use crate::elsewhere::stage::{Machine, Remote, id, session};

fn token(seed: u64) -> String {
    format!("{}{}", ["gh", "p_"].concat(), draw(BASE62, 36, seed))
}

/// A record that says it, appended to the first session.
fn say(machine: &Machine, text: &str) {
    let uuid = format!("00000000-0000-4000-8000-{:012}", text.len());
    let record = json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": text}});
    machine.app.home().append(&session(1), format!("{record}\n").as_bytes());
}

fn kinds(answer: &Value) -> Vec<String> {
    let warnings = answer["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["kind"].as_str().unwrap().to_owned()).collect()
}

/// Packed segments show nothing by themselves.
fn is_sent(remote: &Remote, text: &str) -> bool {
    remote.objects().iter().any(|(_, bytes)| {
        let plain = zstd::decode_all(bytes.as_slice()).unwrap_or_default();
        [bytes, &plain].iter().any(|bytes| String::from_utf8_lossy(bytes).contains(text))
    })
}

#[test]
fn a_later_find_holds_the_push_and_only_what_is_new_is_searched() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        let joined = machine.join(&remote, "");
        assert_eq!(kinds(&joined), ["not-encrypted"], "{joined:#}");
        let secret = token(1);
        say(&machine, &format!("my token is {secret}"));
        let held = machine.json("sync");
        assert_eq!(held["push"]["state"], "held", "{held:#}");
        assert_eq!(held["push"]["secrets"]["kinds"], json!({"github-token": 1}), "{held:#}");
        assert_eq!(held["push"]["secrets"]["places"][0]["line"], 3, "{held:#}");
        assert!(!held.to_string().contains(&secret[10..]) && !is_sent(&remote, &secret));
        say(&machine, "and nothing else");
        assert_eq!(machine.json("sync")["push"]["state"], "held");
        // Neither does another command send it.
        machine.app.write(&session(2));
        machine.json("sync");
        machine.json(&format!("purge {} --yes", id(2)));
        assert!(!is_sent(&remote, &secret));
        let sent = machine.done("sync --push");
        assert_eq!((&sent["pushed"], &sent["push"]["secrets"]), (&json!(true), &Value::Null), "{sent:#}");
        assert!(is_sent(&remote, &secret));
    }
}

#[test]
fn a_remote_that_was_cleared_is_sent_everything_and_told_of_what_is_new() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        say(&machine, &format!("my token is {}", token(1)));
        let held = machine.json(&format!("init --no-schedule --remote {}", remote.named()));
        assert_eq!(held["sync"]["push"]["state"], "held", "{held:#}");
        let sent = machine.done("sync --push");
        assert_eq!((&sent["pushed"], kinds(&sent).len()), (&json!(true), 0), "{sent:#}");
        assert_eq!(machine.sync()["push"]["secrets"], Value::Null);
        say(&machine, "DB_PASSWORD=Winter-2026-Sale");
        let told = machine.sync();
        assert_eq!(told["push"]["secrets"]["kinds"], json!({"password": 1}), "{told:#}");
        assert_eq!(kinds(&told), ["secret"], "{told:#}");
        assert!(is_sent(&remote, "Winter-2026-Sale"));
        assert_eq!(kinds(&machine.sync()), [""; 0]);
    }
}

#[test]
fn another_remote_is_cleared_anew_and_an_encrypted_one_needs_none() {
    let (first, second, sealed) = (Remote::git(), Remote::s3(), Remote::git());
    let machine = Machine::with("laptop", 1);
    say(&machine, &format!("my token is {}", token(1)));
    machine.done(&format!("init --no-schedule --push --remote {}", first.named()));
    let moved = machine.json(&format!("remote {}", second.named()));
    assert_eq!(moved["push"]["state"], "held", "{moved:#}");
    assert_eq!(kinds(&moved), ["not-encrypted"], "{moved:#}");
    assert_eq!(kinds(&machine.json(&format!("remote {}", second.named()))), [""; 0]);
    let moved = machine.done(&format!("remote {} --encrypt", sealed.named()));
    assert_eq!((&moved["pushed"], moved["push"]["secrets"].is_null()), (&json!(true), true), "{moved:#}");
    assert!(!kinds(&moved).contains(&"not-encrypted".to_owned()), "{moved:#}");
}

/// What `share` would mask, the gate finds, in whatever file it is kept.
#[test]
fn the_gate_looks_into_records_files_beside_them_and_settings() {
    let remote = Remote::git();
    let machine = Machine::with("laptop", 1);
    machine.join(&remote, "");
    let escaped = token(1).replace("ghp", r"\u0067h\u0070");
    let record =
        format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{escaped}\"}}}}\n");
    machine.app.home().append(&session(1), record.as_bytes());
    let project = machine.app.home().project_path(session(1).project());
    let project = project.strip_prefix(machine.app.home().path()).unwrap().to_str().unwrap().to_owned();
    machine
        .app
        .home()
        .file(&format!("{project}/{}/tool-results/a.txt", id(1)), "export MAIL_PASSWORD=qbcd-wfgh-42\n");
    machine.app.home().file("CLAUDE.md", format!("Use {} for it.\n", token(2)));
    machine.app.home().settings(&json!({"env": {"STRIPE_SECRET": draw(BASE62, 32, 3)}}));
    let held = machine.json("sync");
    assert_eq!(held["push"]["secrets"]["found"], 4, "{held:#}");
    let places = held["push"]["secrets"]["places"].as_array().unwrap();
    let paths: Vec<&str> = places.iter().map(|place| place["path"].as_str().unwrap()).collect();
    for ending in [".jsonl", "a.txt", "CLAUDE.md", "settings.json"] {
        assert!(paths.iter().any(|path| path.ends_with(ending)), "{ending}: {paths:?}");
    }
}
