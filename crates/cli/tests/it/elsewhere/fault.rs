//! An object store that is away, slow, wrong, or says no.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use steno_testkit::s3::{Fault, Faults};

use crate::elsewhere::stage::{Machine, Remote, id, session};

/// From now on the vault is sent by way of another endpoint.
fn redirect(machine: &Machine, from: &str, to: &str) {
    let path = machine.vault().join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    assert!(manifest.contains(from), "{manifest}");
    fs::write(path, manifest.replace(from, to)).unwrap();
}

fn sent() -> (Remote, Machine) {
    let remote = Remote::s3();
    let machine = Machine::with("laptop", 1);
    machine.join(&remote, "--encrypt");
    (remote, machine)
}

#[test]
fn an_unchanged_sync_asks_once() {
    for flags in ["", "--encrypt"] {
        let remote = Remote::s3();
        let (first, second) = (Machine::with("first", 1), Machine::with("second", 2));
        first.join(&remote, flags);
        if !flags.is_empty() {
            second.take_key(&first);
        }
        second.join(&remote, "");
        first.sync();
        second.sync();
        for machine in [&first, &second] {
            let before = remote.server().requests().len();
            assert_eq!(machine.sync()["push"]["state"], "up-to-date");
            let asked = remote.server().requests()[before..].to_vec();
            assert_eq!(asked.len(), 1, "{asked:?}");
            assert!(asked[0].starts_with("GET ") && asked[0].contains("list-type=2"), "{asked:?}");
        }
    }
}

#[test]
fn without_a_connection_it_is_kept_and_sent_later() {
    let (remote, machine) = sent();
    redirect(&machine, &remote.server().endpoint(), "http://127.0.0.1:9");
    machine.app.write(&session(2));
    let begun = Instant::now();
    let report = machine.json("sync");
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!((&report["sessions"]["added"], &report["pushed"]), (&json!(1), &json!(false)), "{report:#}");
    assert_eq!(report["push"]["state"], "offline");
    assert!(report["push"]["reason"].as_str().unwrap().len() > 5);
    let status = machine.json("status");
    assert_eq!((&status["pending"], &status["push"]["state"]), (&json!(true), &json!("offline")));
    assert!(machine.json("restore --list")["sessions"].to_string().contains(&id(2)));
    redirect(&machine, "http://127.0.0.1:9", &remote.server().endpoint());
    assert_eq!(machine.sync()["push"]["state"], "pushed");
    assert_eq!(machine.json("status")["pending"], false);
    let new = Machine::new("new");
    new.take_key(&machine).join(&remote, "");
    assert!(new.json("restore --list")["sessions"].to_string().contains(&id(2)));
}

#[test]
fn a_store_that_says_no_is_named_with_its_reason() {
    let (remote, machine) = sent();
    for status in [403, 404] {
        let proxy = remote.server().behind(Faults::always(Fault::Status(status)));
        redirect(&machine, &remote.server().endpoint(), &proxy.endpoint());
        machine.app.write(&session(u32::from(status)));
        let report = machine.json("sync");
        assert_eq!(
            (&report["ok"], &report["push"]["state"]),
            (&json!(false), &json!("refused")),
            "{report:#}"
        );
        assert_eq!(report["sessions"]["added"], 1);
        assert_eq!(machine.json("status")["pending"], true);
        assert!(machine.run("sync").starts_with("exit: 3"));
        redirect(&machine, &proxy.endpoint(), &remote.server().endpoint());
    }
    machine.sync();
    assert_eq!(machine.json("status")["pending"], false);
}

#[test]
fn another_bucket_or_another_key_is_refused_at_once() {
    let remote = Remote::s3();
    let endpoint = remote.server().endpoint();
    let machine = Machine::with("laptop", 1);
    let output =
        machine.run(&format!("init --no-schedule --remote s3://elsewhere/x --endpoint {endpoint} --json"));
    assert!(output.contains("elsewhere") || output.contains("bucket"), "{output}");
    assert!(!output.starts_with("exit: 0"), "{output}");
    let stranger = Machine::with("laptop", 2);
    let mut command = stranger.app.command();
    command.env("AWS_SECRET_ACCESS_KEY", "another secret");
    command.args(["init", "--no-schedule", "--remote", "s3://bucket/x", "--endpoint", &endpoint, "--json"]);
    let output = command.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(!said.contains("another secret"), "{said}");
    assert!(remote.objects().is_empty());
    let mut command = stranger.app.command();
    command.env_remove("AWS_SECRET_ACCESS_KEY").env_remove("AWS_ACCESS_KEY_ID");
    command.args(["init", "--no-schedule", "--remote", "s3://bucket/x", "--endpoint", &endpoint, "--json"]);
    let output = command.output().unwrap();
    assert!(!output.status.success(), "nobody said who we are");
    assert!(remote.objects().is_empty());
}
