//! A vault that was to be encrypted, and something was in the way: it is encrypted then, or as it was, or not there.

use std::fs;

use serde_json::Value;

use crate::elsewhere::stage::{Machine, Remote, git, id};

/// What somebody may ask for in vain, after `--remote` or `remote`.
fn vain(plain: &[Remote; 2], s3: &Remote) -> Vec<String> {
    let endpoint = s3.server().endpoint();
    let mut all: Vec<String> = plain.iter().map(Remote::named).collect();
    all.extend([
        format!("s3://elsewhere/x --endpoint {endpoint}"),
        "s3://bucket/x --endpoint http://127.0.0.1:9".to_owned(),
        format!("s3://bucket/x --endpoint {endpoint} --recipient age1nonsense"),
        "/nowhere/remote.git".to_owned(),
        "/nowhere/remote.git --recipient age1nonsense".to_owned(),
        "http://127.0.0.1:9/remote.git".to_owned(),
        format!("s3://bucket/x --endpoint {endpoint} --identity-of-another"),
    ]);
    all
}

/// With a key of somebody else's as the only recipient, which opens nothing here.
fn line(arguments: &str, stranger: &str) -> String {
    arguments.replace("--identity-of-another", &format!("--recipient {stranger}"))
}

fn stranger() -> String {
    let other = Machine::with("stranger", 9);
    other.done("init --local --encrypt --no-schedule");
    let answer = other.json("key");
    answer["recipients"][0].as_str().unwrap().to_owned()
}

fn assert_sealed(machine: &Machine, what: &str) {
    assert_eq!(machine.json("status")["encrypted"], true, "{what}");
    for path in machine.kept().into_keys() {
        assert!(path.to_str().unwrap().ends_with(".age"), "{what}: {}", path.display());
    }
}

fn plain() -> [Remote; 2] {
    let remotes = Remote::both();
    for remote in &remotes {
        Machine::with("owner", 7).join(remote, "");
    }
    remotes
}

#[test]
fn a_new_vault_is_encrypted_or_not_there() {
    let (plain, s3, stranger) = (plain(), Remote::s3(), stranger());
    for arguments in vain(&plain, &s3) {
        let machine = Machine::with("laptop", 1);
        let line = line(&format!("init --no-schedule --encrypt --remote {arguments}"), &stranger);
        let said = machine.run(&line);
        if machine.vault().exists() {
            machine.json("sync");
            assert_sealed(&machine, &said);
        } else {
            assert_eq!(machine.refusal("sync"), "no-vault", "{said}");
            assert!(!said.starts_with("exit: 0"), "{said}");
        }
        // Nothing stands in the way of the next try.
        machine.json("init --no-schedule --local --encrypt");
        assert_sealed(&machine, &said);
        machine.assert_whole();
    }
}

#[test]
fn a_vault_without_credentials_is_not_left_plain() {
    let s3 = Remote::s3();
    let machine = Machine::with("laptop", 1);
    let mut command = machine.app.command();
    command.env_remove("AWS_SECRET_ACCESS_KEY").env_remove("AWS_ACCESS_KEY_ID");
    command.args(["init", "--no-schedule", "--encrypt", "--remote", "s3://bucket/x", "--endpoint"]);
    command.arg(s3.server().endpoint());
    assert!(!command.output().unwrap().status.success());
    assert!(!machine.vault().exists());
    assert_eq!(machine.refusal("init --no-schedule --local --encrypt --recipient nonsense"), "invalid");
    assert!(!machine.vault().exists());
}

#[test]
fn a_plain_vault_becomes_encrypted_or_stays_as_it_was() {
    let (plain, s3, stranger) = (plain(), Remote::s3(), stranger());
    let documents = |machine: &Machine| {
        let read = |name: &str| {
            let bytes = fs::read(machine.vault().join(name)).unwrap();
            let mut document: Value = serde_json::from_slice(&bytes).unwrap();
            document.as_object_mut().unwrap().remove("lastError");
            document
        };
        ["vault.json", "manifest.json"].map(read)
    };
    for arguments in vain(&plain, &s3) {
        let machine = Machine::with("laptop", 1);
        machine.done("init --no-schedule --local");
        let before = (documents(&machine), machine.kept());
        let said = machine.run(&line(&format!("remote {arguments} --encrypt"), &stranger));
        if machine.json("status")["encrypted"] == true {
            assert_sealed(&machine, &said);
        } else {
            assert!(!said.starts_with("exit: 0"), "{said}");
            assert_eq!((documents(&machine), machine.kept()), before, "{said}");
            assert_eq!(git(&machine.vault(), &["remote"]), b"", "{said}");
        }
        assert!(machine.json("restore --list")["sessions"].to_string().contains(&id(1)));
        machine.json("sync");
        machine.assert_whole();
    }
}
