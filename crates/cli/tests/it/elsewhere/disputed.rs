//! Somebody is shut out while a remote cannot be reached, or while another machine has not accepted it yet.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::elsewhere::shut_out::{fingerprint, friend, held, manifest, public, shared, two};
use crate::elsewhere::stage::{Machine, Remote, git, id, session};

/// Nothing can be reached while it goes on.
fn offline(machine: &Machine, remote: &Remote, act: impl FnOnce()) {
    let endpoint = |from: &str, to: &str| {
        let path = machine.vault().join("manifest.json");
        fs::write(&path, fs::read_to_string(&path).unwrap().replace(from, to)).unwrap();
    };
    match remote {
        Remote::Git(home) => {
            let [there, away] = ["remote.git", "away.git"].map(|name| home.root().join(name));
            fs::rename(&there, &away).unwrap();
            act();
            fs::rename(&away, &there).unwrap();
        }
        Remote::S3(server) => {
            endpoint(&server.endpoint(), "http://127.0.0.1:9");
            act();
            endpoint("http://127.0.0.1:9", &server.endpoint());
        }
    }
}

/// What goes between the new names and the first time that they are sent is not kept there under its old one.
#[test]
fn what_was_purged_before_new_names_were_sent_is_gone_there() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, known) = shared(&remote, "laptop", &friend);
        offline(&laptop, &remote, || {
            laptop.json(&format!("key remove {}", public(&friend)));
            laptop.json(&format!("purge {} --live --yes", id(2)));
        });
        let report = laptop.sync();
        assert!(!report["warnings"].to_string().contains("stays"), "{report:#}");
        known.assert_strange(&remote);
        assert_eq!(manifest(&laptop)["formerNameKeys"], Value::Null);
        laptop.sync();
        laptop.assert_whole();
    }
}

/// A file that was lost here, and is at the remote under its old name, is not lost there, too.
#[test]
fn what_only_the_remote_has_gets_its_new_name() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, known) = shared(&remote, "laptop", &friend);
        let all = laptop.kept();
        fs::remove_dir_all(laptop.app.home().path().join("projects")).unwrap();
        offline(&laptop, &remote, || {
            let is_segment = |path: &&std::path::PathBuf| !path.to_str().unwrap().contains("/documents/");
            let lost: Vec<_> = all.keys().filter(is_segment).collect();
            lost.iter().for_each(|path| fs::remove_file(laptop.vault().join(path)).unwrap());
            laptop.json(&format!("key remove {}", public(&friend)));
        });
        for _ in 0..2 {
            laptop.json("sync");
        }
        assert!(held(&laptop).is_superset(&BTreeSet::from([1, 2].map(id))), "{:?}", held(&laptop));
        let report = laptop.sync();
        assert!(!report["warnings"].to_string().contains("stays"), "{report:#}");
        known.assert_strange(&remote);
        assert_eq!(manifest(&laptop)["formerNameKeys"], Value::Null);
        laptop.assert_whole();
    }
}

/// Whoever can write there can take the proof away that keys were changed.
#[test]
fn a_machine_that_waits_sends_nothing_to_a_place_that_was_emptied() {
    for remote in Remote::both() {
        let friend = friend();
        let (laptop, tower, _) = two(&remote, &friend);
        assert_eq!(tower.json("sync")["push"]["state"], "refused");
        match &remote {
            Remote::Git(home) => {
                let bare = home.root().join("remote.git");
                git(&bare, &["update-ref", "-d", "refs/heads/main"]);
            }
            Remote::S3(server) => server.objects().keys().for_each(|key| server.remove(key)),
        }
        tower.app.write(&session(22));
        for _ in 0..2 {
            let report = tower.json("sync");
            assert_eq!(report["push"]["state"], "refused", "{report:#}");
            assert_eq!(remote.files().into_keys().collect::<Vec<_>>(), Vec::<String>::new());
        }
        // The other one fills it again.
        laptop.json("sync --full");
        laptop.sync();
        tower.done(&format!("key accept {}", fingerprint(&laptop)));
        laptop.sync();
        assert!(held(&laptop).contains(&id(22)));
        tower.assert_whole();
        laptop.assert_whole();
    }
}

/// Somebody who was shut out before does not end the waiting with a key that was given up then.
#[test]
fn a_machine_that_waits_is_not_talked_out_of_it_by_an_older_key() {
    for remote in Remote::both() {
        let first = friend();
        let (laptop, tower, known) = two(&remote, &first);
        tower.done(&format!("key accept {}", fingerprint(&laptop)));
        laptop.sync();
        tower.sync();
        let second = friend();
        laptop.done(&format!("key add {}", public(&second)));
        tower.sync();
        laptop.done(&format!("key remove {}", public(&second)));
        assert_eq!(tower.json("sync")["push"]["state"], "refused");
        remote.put("vault.json", &known.forged(99));
        tower.app.write(&session(22));
        let before = remote.files();
        assert_eq!(tower.json("sync")["push"]["state"], "refused");
        assert_eq!(remote.files(), before, "nothing was sent");
        // As the refusal says.
        let wrong = tower.refused(&format!("key accept {}", fingerprint(&laptop)));
        assert!(wrong["hints"].to_string().contains("steno sync --full"), "{wrong}");
        laptop.done("sync --full");
        tower.done(&format!("key accept {}", fingerprint(&laptop)));
        laptop.sync();
        assert!(held(&laptop).contains(&id(22)));
        tower.assert_whole();
    }
}

/// A machine that was sent nowhere when the keys were changed comes back.
#[test]
fn a_place_whose_keys_were_changed_can_be_named_again() {
    for remote in Remote::both() {
        for is_told in [false, true] {
            let remote = match &remote {
                Remote::Git(_) => Remote::git(),
                Remote::S3(_) => Remote::s3(),
            };
            let friend = friend();
            let (laptop, tower, known) = two(&remote, &friend);
            if is_told {
                tower.json("sync");
            }
            tower.done("remote off");
            tower.app.write(&session(22));
            tower.done("sync");
            let before = remote.files();
            let answer = tower.json(&format!("remote {}", remote.named()));
            assert_eq!(answer["push"]["state"], "refused", "{answer:#}");
            assert_eq!(remote.files(), before, "nothing was sent");
            tower.done(&format!("key accept {}", fingerprint(&laptop)));
            laptop.sync();
            tower.sync();
            known.assert_strange(&remote);
            assert!(held(&laptop).contains(&id(22)));
            laptop.assert_whole();
            tower.assert_whole();
        }
    }
}

/// Keys that nobody accepts hold up nothing anywhere else.
#[test]
fn a_machine_that_waits_can_go_to_another_place_and_come_back() {
    for (remote, other) in Remote::both().into_iter().zip([Remote::s3(), Remote::git()]) {
        let friend = friend();
        let (laptop, tower, known) = two(&remote, &friend);
        assert_eq!(tower.json("sync")["push"]["state"], "refused");
        tower.app.write(&session(22));
        assert_eq!(tower.done(&format!("remote {}", other.named()))["pushed"], true);
        tower.sync();
        assert_eq!(tower.json(&format!("remote {}", remote.named()))["push"]["state"], "refused");
        tower.done(&format!("key accept {}", fingerprint(&laptop)));
        laptop.sync();
        tower.sync();
        known.assert_strange(&remote);
        assert!(held(&laptop).contains(&id(22)));
        tower.assert_whole();
    }
}
