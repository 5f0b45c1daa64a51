//! Somebody who may write to the remote, but has no key.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::elsewhere::stage::{Machine, Remote, id, session};

fn vault_there(remote: &Remote) -> Value {
    serde_json::from_slice(&remote.files()["vault.json"]).unwrap()
}

fn public(machine: &Machine) -> String {
    machine.json("key show")["publicKeys"][0].as_str().unwrap().to_owned()
}

/// What a machine has is as it was, and can be read.
fn assert_unharmed(machine: &Machine, before: &BTreeMap<std::path::PathBuf, Vec<u8>>) {
    let after = machine.kept();
    for (path, bytes) in before {
        let is_document = path.to_str().unwrap().contains("/documents/");
        assert!(is_document || after.get(path) == Some(bytes), "{} was changed", path.display());
    }
    machine.assert_whole();
}

/// After `change`, nothing is sent in the clear, nor for anybody else.
fn after(remotes: impl IntoIterator<Item = Remote>, change: impl Fn(&Machine, &mut Value)) {
    for remote in remotes {
        let machine = Machine::with("laptop", 1);
        machine.join(&remote, "--encrypt");
        let (own, kept) = (public(&machine), machine.kept());
        let stranger = Machine::with("stranger", 9);
        stranger.done("init --local --encrypt --no-schedule");
        let mut vault = vault_there(&remote);
        change(&stranger, &mut vault);
        remote.put("vault.json", vault.to_string().as_bytes());
        let before = remote.files();
        machine.app.write(&session(2));
        let report = machine.json("sync");
        assert_eq!(report["sessions"]["added"], 1, "what is new is kept: {report:#}");
        assert_eq!(machine.json("key show")["recipients"], json!([own]), "nobody was let in");
        for (name, bytes) in remote.files() {
            if before.get(&name) == Some(&bytes) || !name.starts_with("machines/") {
                continue;
            }
            assert!(name.ends_with(".age") && bytes.starts_with(b"age-encryption.org/v1"), "{name}");
            let lines = bytes.split(|byte| *byte == b'\n').take_while(|line| !line.starts_with(b"---"));
            assert_eq!(lines.filter(|line| line.starts_with(b"-> X25519")).count(), 1, "{name}");
        }
        let state = report["push"]["state"].as_str().unwrap();
        assert!(["refused", "pushed"].contains(&state), "{report:#}");
        assert!(state == "pushed" || report["push"]["reason"].is_string());
        assert_unharmed(&machine, &kept);
        // Also not after a while, nor when everything is compared.
        machine.json("sync --full");
        machine.json("sync");
        assert_eq!(machine.json("key show")["recipients"], json!([own]), "nobody was let in");
        assert_eq!(machine.json("status")["encrypted"], true);
        assert_unharmed(&machine, &kept);
    }
}

#[test]
fn a_remote_cannot_turn_encryption_off() {
    after(Remote::both(), |_, vault| {
        for key in ["recipients", "names", "seal"] {
            vault.as_object_mut().unwrap().remove(key);
        }
    });
    after([Remote::s3()], |_, vault| vault["recipients"] = json!([]));
}

#[test]
fn a_remote_cannot_let_somebody_in() {
    after(Remote::both(), |stranger, vault| {
        vault["recipients"].as_array_mut().unwrap().push(json!(public(stranger)));
    });
}

#[test]
fn a_remote_cannot_name_another_key() {
    after([Remote::git()], |stranger, vault| {
        let text = std::fs::read_to_string(stranger.vault().join("vault.json")).unwrap();
        let other: Value = serde_json::from_str(&text).unwrap();
        for key in ["recipients", "names", "seal"] {
            vault[key] = other[key].clone();
        }
    });
}

#[test]
fn a_remote_cannot_spoil_the_key_of_the_names() {
    after([Remote::s3()], |_, vault| vault["names"] = json!("AAAA"));
    after([Remote::git()], |_, vault| {
        vault.as_object_mut().unwrap().remove("names");
    });
}

/// Whoever was shut out puts the `vault.json` back that let them in.
#[test]
fn a_remote_cannot_let_somebody_in_again() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        machine.join(&remote, "--encrypt");
        let friend = Machine::with("friend", 9);
        friend.done("init --local --encrypt --no-schedule");
        machine.done(&format!("key add {}", public(&friend)));
        let old = remote.files()["vault.json"].clone();
        machine.done(&format!("key remove {}", public(&friend)));
        remote.put("vault.json", &old);
        machine.app.write(&session(2));
        machine.json("sync");
        machine.json("sync");
        machine.json("sync --full");
        assert_eq!(machine.json("key show")["recipients"], json!([public(&machine)]), "they are in again");
        machine.sync();
        assert_eq!(vault_there(&remote)["recipients"], json!([public(&machine)]), "it is as it was");
        machine.assert_whole();
    }
}

#[test]
fn a_remote_that_is_nonsense_is_refused() {
    after([Remote::s3()], |_, vault| *vault = json!("nonsense"));
    after([Remote::git()], |_, vault| vault["format"] = json!(99));
}

/// A new machine meets what a stranger wrote.
#[test]
fn a_new_machine_is_not_led_to_encrypt_for_a_stranger() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        machine.join(&remote, "--encrypt");
        let stranger = Machine::with("stranger", 9);
        stranger.done("init --local --encrypt --no-schedule");
        let mut vault = vault_there(&remote);
        vault["recipients"].as_array_mut().unwrap().push(json!(public(&stranger)));
        remote.put("vault.json", vault.to_string().as_bytes());
        let before = remote.objects();
        let new = Machine::with("new", 2);
        new.take_key(&machine);
        let error = new.refused(&format!("init --no-schedule --remote {}", remote.named()));
        assert_eq!(error["kind"], "damaged", "{error}");
        assert_eq!(remote.objects(), before, "nothing was sent");
    }
}

fn segments(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let is_segment = |name: &&String| name.ends_with(".age") && !name.contains("/documents/");
    files.keys().filter(is_segment).cloned().collect()
}

/// What other machines see of objects that are not what their names say.
#[test]
fn spoilt_objects_are_told_and_harm_nothing() {
    for remote in Remote::both() {
        let owner = Machine::with("owner", 1);
        owner.app.write(&session(2));
        owner.join(&remote, "--encrypt");
        let kept = owner.kept();
        let files = remote.files();
        let names = segments(&files);
        assert!(names.len() >= 2, "{names:?}");
        let (first, second) = (&files[&names[0]], &files[&names[1]]);
        let cases = [
            ("swapped", second.clone()),
            ("truncated", first[..first.len() / 2].to_vec()),
            ("flipped", {
                let mut bytes = first.clone();
                *bytes.last_mut().unwrap() ^= 1;
                bytes
            }),
            ("plain", b"{}".to_vec()),
        ];
        for (number, (what, bytes)) in cases.into_iter().enumerate() {
            remote.put(&names[0], &bytes);
            let new = Machine::new(&format!("new{number}"));
            new.take_key(&owner);
            new.json(&format!("init --no-schedule --remote {}", remote.named()));
            let synced = new.json("sync");
            let verified = new.json("verify");
            let is_told = verified["ok"] == false || !synced["warnings"].as_array().unwrap().is_empty();
            assert!(is_told, "{what}: {synced:#} {verified:#}");
            let listed = new.json("restore --list")["sessions"].to_string();
            assert!(listed.contains(&id(1)) || listed.contains(&id(2)), "{what}: the others are there");
        }
        owner.json("sync --full");
        assert_unharmed(&owner, &kept);
        remote.put(&names[0], first);
        owner.sync();
        assert_unharmed(&owner, &kept);
    }
}

/// Documents are replaced now and then; an older one must not win.
#[test]
fn older_documents_do_not_replace_newer_ones() {
    for remote in Remote::both() {
        let owner = Machine::with("owner", 1);
        owner.app.home().file("CLAUDE.md", "the first");
        owner.join(&remote, "--encrypt");
        let old = remote.files();
        owner.app.home().file("CLAUDE.md", "the second");
        owner.sync();
        let new = remote.files();
        for (name, bytes) in &old {
            if name.contains("/documents/") && new.get(name) != Some(bytes) {
                remote.put(name, bytes);
            }
        }
        let kept = owner.kept();
        owner.json("sync --full");
        assert_unharmed(&owner, &kept);
        let archive = owner.root().join("config.tar.gz");
        owner.done(&format!("export-config --kept {}", archive.display()));
        let packed = std::fs::read(archive).unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut text)
            .unwrap();
        assert!(text.contains("the second"), "its own config was put back to an older state");
    }
}

/// Segments that vanish at the remote are sent again, and are not removed here.
#[test]
fn what_vanishes_at_an_object_store_stays_here_and_is_sent_again() {
    let remote = Remote::s3();
    let (owner, other) = (Machine::with("owner", 1), Machine::with("other", 2));
    owner.join(&remote, "--encrypt");
    other.take_key(&owner).join(&remote, "");
    let kept = other.kept();
    let files = remote.files();
    for name in segments(&files) {
        remote.server().remove(&format!("sessions/{name}"));
    }
    other.json("sync --full");
    assert_unharmed(&other, &kept);
    owner.json("sync --full");
    owner.assert_whole();
    let back = remote.files();
    assert!(segments(&files).iter().all(|name| back.get(name) == files.get(name)), "it is there again");
}
