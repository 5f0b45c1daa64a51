//! A vault is plain everywhere, or encrypted everywhere.

use crate::elsewhere::stage::{Machine, Remote, id, session};

/// Nothing of the machine's own is there, and the place is as it was.
fn assert_untouched(remote: &Remote, before: &[(String, Vec<u8>)]) {
    assert_eq!(remote.objects(), before, "something was sent");
}

#[test]
fn a_plain_vault_does_not_go_to_an_encrypted_remote_without_its_key() {
    for remote in Remote::both() {
        let owner = Machine::with("owner", 1);
        owner.join(&remote, "--encrypt");
        let before = remote.objects();
        let plain = Machine::with("plain", 2);
        plain.done("init --local --no-schedule");
        let error = plain.refused(&format!("remote {}", remote.named()));
        assert_eq!(error["kind"], "locked", "{error}");
        assert!(!error["hints"].as_array().unwrap().is_empty());
        assert_untouched(&remote, &before);
        assert_eq!(plain.json("status")["mode"], "local");
        plain.assert_whole();
    }
}

/// With the key it joins: what is kept becomes encrypted first.
#[test]
fn a_plain_vault_becomes_encrypted_where_the_key_is_at_hand() {
    for remote in Remote::both() {
        let owner = Machine::with("owner", 1);
        owner.join(&remote, "--encrypt");
        let plain = Machine::with("plain", 2);
        plain.done("init --local --no-schedule");
        plain.take_key(&owner).done(&format!("remote {}", remote.named()));
        assert_eq!(plain.json("status")["encrypted"], true);
        plain.assert_whole();
        owner.sync();
        assert!(owner.json("restore --list")["sessions"].to_string().contains(&id(2)));
        for (name, _) in remote.files().iter().filter(|(name, _)| name.starts_with("machines/")) {
            assert!(name.ends_with(".age"), "{name}");
        }
    }
}

#[test]
fn an_encrypted_vault_does_not_go_to_a_plain_remote() {
    for remote in Remote::both() {
        let owner = Machine::with("owner", 1);
        owner.join(&remote, "");
        let before = remote.objects();
        let sealed = Machine::with("sealed", 2);
        sealed.done("init --local --encrypt --no-schedule");
        let error = sealed.refused(&format!("remote {}", remote.named()));
        assert_eq!(error["kind"], "invalid", "{error}");
        assert!(error["error"].as_str().unwrap().contains("not encrypted"), "{error}");
        let new = Machine::with("new", 3);
        let error = new.refused(&format!("init --no-schedule --encrypt --remote {}", remote.named()));
        assert_eq!(error["kind"], "invalid", "{error}");
        assert_untouched(&remote, &before);
        sealed.assert_whole();
    }
}

#[test]
fn what_was_sent_plain_is_not_called_encrypted() {
    for remote in Remote::both() {
        let machine = Machine::with("owner", 1);
        machine.join(&remote, "");
        for arguments in
            ["init --encrypt --no-schedule".to_owned(), format!("remote {} --encrypt", remote.named())]
        {
            let error = machine.refused(&arguments);
            assert_eq!(error["kind"], "invalid", "{error}");
            assert!(error["error"].as_str().unwrap().contains("readable"), "{error}");
        }
        assert!(!machine.key().exists(), "no key was made for nothing");
        machine.sync();
        machine.assert_whole();
    }
}

/// Both were sent to a readable place, and move one after the other.
#[test]
fn two_machines_move_to_an_encrypted_remote() {
    for remote in Remote::both() {
        let old = Remote::git();
        let (first, second) = (Machine::with("first", 1), Machine::with("second", 2));
        // Enough that some of them have another length when they are encrypted a second time.
        (3..12).for_each(|number| first.app.write(&session(number)));
        first.join(&old, "");
        second.join(&old, "");
        first.sync();
        first.done(&format!("remote {} --encrypt", remote.named()));
        let moved = second.take_key(&first).done(&format!("remote {}", remote.named()));
        let mut told = moved["warnings"].as_array().unwrap().clone();
        for machine in [&first, &second, &first, &second] {
            told.extend(machine.sync()["warnings"].as_array().unwrap().clone());
        }
        told.retain(|one| !one["message"].as_str().unwrap().contains("before it was encrypted"));
        assert!(told.is_empty(), "{told:#?}");
        for machine in [&first, &second] {
            let rows = machine.json("restore --list")["sessions"].to_string();
            assert!(rows.contains(&id(1)) && rows.contains(&id(2)), "{rows}");
            machine.assert_whole();
        }
        let new = Machine::new("new");
        new.take_key(&first).join(&remote, "");
        let rows = new.json("restore --list")["sessions"].to_string();
        assert!(rows.contains(&id(1)) && rows.contains(&id(2)), "{rows}");
    }
}

/// It was said where to send it, and nothing was sent yet.
#[test]
fn a_vault_that_was_not_sent_yet_is_sent_encrypted() {
    for remote in Remote::both() {
        let machine = Machine::with("laptop", 1);
        machine.done(&format!("init --no-schedule --no-sync --remote {}", remote.named()));
        machine.done("init --no-schedule --no-sync --encrypt");
        machine.sync();
        assert!(
            remote
                .files()
                .keys()
                .filter(|name| name.starts_with("machines/"))
                .all(|name| name.ends_with(".age"))
        );
        machine.assert_whole();
    }
}

#[test]
fn two_encrypted_vaults_of_one_key_become_one() {
    for remote in Remote::both() {
        let (first, second) = (Machine::with("first", 1), Machine::with("second", 2));
        first.join(&remote, "--encrypt");
        second.take_key(&first).done("init --local --encrypt --no-schedule");
        second.done(&format!("remote {}", remote.named()));
        second.assert_whole();
        first.sync();
        assert!(first.json("restore --list")["sessions"].to_string().contains(&id(2)));
        first.assert_whole();
    }
}
