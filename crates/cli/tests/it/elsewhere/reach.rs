//! How an object store is reached, and by what name a machine is known there; and where a secret key may be printed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::elsewhere::stage::{Machine, Remote, session};

fn manifest(machine: &Machine) -> Value {
    serde_json::from_slice(&fs::read(machine.vault().join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn what_is_said_of_one_address_is_not_said_of_another() {
    let remote = Remote::s3();
    let machine = Machine::with("desk", 1);
    machine.join(&remote, "--region eu-south-1");
    machine.done("remote s3://bucket/sessions");
    assert_eq!(manifest(&machine)["endpoint"], remote.server().endpoint());
    assert_eq!(manifest(&machine)["region"], "eu-south-1");
    // Nothing answers there, and nothing else is asked.
    machine.json("remote s3://bucket/others --endpoint http://127.0.0.1:9 --force");
    assert_eq!(manifest(&machine)["endpoint"], "http://127.0.0.1:9");
    assert!(manifest(&machine)["region"].is_null());
}

#[test]
fn a_slip_in_an_address_leaves_the_remote_that_works() {
    for remote in Remote::both() {
        let machine = Machine::with("desk", 1);
        machine.join(&remote, "");
        let before = (manifest(&machine)["remote"].clone(), manifest(&machine)["endpoint"].clone());
        let mut slips = vec!["/nowhere/remote.git", "http://127.0.0.1:9/remote.git"];
        slips.push("s3://bucket/others --endpoint http://127.0.0.1:9");
        for slip in slips {
            for line in [format!("remote {slip}"), format!("init --no-schedule --remote {slip}")] {
                let error = machine.refused(&line);
                assert_eq!(error["kind"], "outside", "{error}");
                assert!(error["error"].as_str().unwrap().contains("as before"), "{error}");
                assert!(error["hints"].to_string().contains("--force"), "{error}");
            }
            let after = (manifest(&machine)["remote"].clone(), manifest(&machine)["endpoint"].clone());
            assert_eq!((after, &machine.json("status")["lastError"]), (before.clone(), &Value::Null));
            machine.app.write(&session(2));
            machine.sync();
        }
        let set = machine.json("remote /nowhere/remote.git --force");
        assert_eq!((&set["ok"], &set["push"]["state"]), (&false.into(), &"offline".into()), "{set}");
        machine.join(&remote, "");
    }
}

#[test]
fn without_credentials_it_is_told_where_they_are_looked_for() {
    let machine = Machine::with("desk", 1);
    let machine =
        Machine { app: machine.app.variable("AWS_ACCESS_KEY_ID", "").variable("AWS_SECRET_ACCESS_KEY", "") };
    machine.done("init --local --no-schedule");
    let error = machine.refused("remote s3://bucket/sessions --endpoint http://127.0.0.1:9");
    assert!(error["error"].as_str().unwrap().contains("~/.aws/credentials"), "{error}");
    assert!(error["hints"].to_string().contains("AWS_PROFILE"), "{error}");
}

#[test]
fn a_secret_key_is_printed_only_where_that_is_said() {
    let machine = Machine::with("desk", 1);
    machine.done("init --local --encrypt --no-schedule");
    let secret = fs::read_to_string(machine.key()).unwrap();
    let error = machine.refused("key export");
    assert!(error["hints"].to_string().contains("FILE"), "{error}");
    assert!(!machine.run("key export").contains("AGE-SECRET-KEY"));
    assert_eq!(machine.json("key export -")["secret"], secret);
    assert!(machine.run("key export -").contains(secret.trim()));
}

fn moved(machines: &Path, from: &str, to: &str) {
    fs::rename(machines.join(from), machines.join(to)).unwrap();
}

/// As a run leaves it that was killed while it took another name, before and after the directory moved.
#[test]
fn a_killed_change_of_name_is_brought_to_its_end() {
    for has_moved in [false, true] {
        let machine = Machine::with("desk", 1);
        machine.done("init --local --no-schedule");
        let (mut told, machines) = (manifest(&machine), machine.vault().join("machines"));
        told["nextSlug"] = "desk-ab12".into();
        fs::write(machine.vault().join("manifest.json"), told.to_string()).unwrap();
        if has_moved {
            moved(&machines, "desk", "desk-ab12");
        }
        machine.app.write(&session(2));
        let report = machine.done("sync");
        assert_eq!(report["sessions"]["added"], 1, "{report:#}");
        let told = manifest(&machine);
        assert_eq!((&told["machineSlug"], &told["nextSlug"]), (&"desk-ab12".into(), &Value::Null));
        assert_eq!(told["homes"][0]["slug"], "desk-ab12");
        let there: Vec<_> = fs::read_dir(&machines).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert_eq!(there, ["desk-ab12"]);
        machine.assert_whole();
    }
}
