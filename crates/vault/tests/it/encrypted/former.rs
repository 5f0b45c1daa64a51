//! Names by a key that was given up: read while nothing has taken their place, and never believed.

use std::path::Path;
use std::sync::Arc;

use steno_vault::encryption::{Encryption, Keyring, NameKey, unwrap_former, wrap_former};
use steno_vault::{LocalStore, Outdated, Store, VaultStore, reencrypt, remove_outdated};

use crate::encrypted::stage::{self, keyring, listed, new_key, put, recipients};

const OWN: &str = "machines/own/config/a.json";
const THEIRS: &str = "machines/other/config/b.json";
const DOCUMENT: &str = "machines/other/manifest.json";

/// One directory, as it was sealed before and as it is now.
struct Scene {
    root: tempfile::TempDir,
    before: VaultStore,
    now: VaultStore,
}

fn scene() -> Scene {
    let root = tempfile::tempdir().unwrap();
    let key = new_key();
    let seal = |names| Encryption::new(recipients(&[key.recipient()]), names, keyring(key.text()));
    let former = NameKey::random();
    let now = seal(NameKey::random()).after(vec![former.clone()]);
    let store = |root: &Path, seal: Encryption| VaultStore::encrypted(root, Arc::new(seal), "own");
    let (before, now) = (store(root.path(), seal(former)), store(root.path(), now));
    for name in [OWN, THEIRS] {
        put(&before, name, name.as_bytes());
    }
    put(&before, DOCUMENT, b"{}");
    Scene { root, before, now }
}

impl Scene {
    fn files(&self) -> Vec<String> {
        listed(&LocalStore::new(self.root.path()), "machines")
    }

    /// What the other machine did.
    fn rename(&self, name: &str) {
        let seal = self.now.encryption().unwrap();
        let sealed = seal.encrypt(name, &self.before.read(name).unwrap()).unwrap();
        put(&LocalStore::new(self.root.path()), &seal.object_of(name), &sealed);
    }

    fn object(&self, name: &str) -> String {
        self.before.encryption().unwrap().object_of(name)
    }
}

#[test]
fn old_names_are_read_and_new_ones_count_more() {
    let scene = scene();
    assert_eq!(listed(&scene.now, ""), [THEIRS, DOCUMENT, OWN]);
    assert_eq!(listed(&scene.now, "machines/other"), [THEIRS, DOCUMENT]);
    assert_eq!(scene.now.read(OWN).unwrap(), OWN.as_bytes());
    assert_eq!(*scene.now.file_of(OWN), scene.object(OWN));
    assert_eq!(scene.now.look(DOCUMENT).unwrap().len, 2);
    put(&scene.now, DOCUMENT, b"newer");
    assert_eq!(scene.now.read(DOCUMENT).unwrap(), b"newer");
    assert_eq!(scene.now.look(DOCUMENT).unwrap().len, 5);
    assert_eq!(listed(&scene.now, "machines/other"), [THEIRS, DOCUMENT]);
    assert_eq!(scene.before.read(DOCUMENT).unwrap(), b"{}", "it has another name");
    let batch = scene.now.batch().unwrap();
    batch.remove(DOCUMENT).unwrap();
    batch.commit().unwrap();
    assert!(
        scene.now.read(DOCUMENT).is_err() && scene.before.read(DOCUMENT).is_err(),
        "nothing is left of it"
    );
}

/// The former key proves nothing.
#[test]
fn what_is_judged_is_judged_by_the_key_of_now() {
    let scene = scene();
    let seal = scene.now.encryption().unwrap();
    let bytes = scene.now.files().read(&scene.object(DOCUMENT)).unwrap();
    assert_eq!(seal.is_whole(&scene.object(DOCUMENT), &bytes), Some(false));
    assert!(!scene.now.is_whole(&scene.object(DOCUMENT), &bytes));
    let own = seal.encrypt(DOCUMENT, b"{}").unwrap();
    assert_eq!(seal.is_whole(&seal.object_of(DOCUMENT), &own), Some(true));
    assert_eq!(seal.is_whole(&scene.object(DOCUMENT), &own), Some(false), "a new object under an old name");
}

#[test]
fn own_files_are_named_anew_and_those_of_others_are_not() {
    let scene = scene();
    assert!(scene.now.directories_left().is_empty());
    let is_own = |name: &str, _: bool| name.starts_with("machines/own/");
    assert_eq!(reencrypt(&scene.now, &scene.now, &is_own, &|_| ()).unwrap().files, 1);
    assert!(!scene.files().contains(&scene.object(OWN)) && scene.files().contains(&scene.object(THEIRS)));
    assert_eq!(scene.now.directories_left(), [scene.before.directory_of("own")]);
    assert_eq!(scene.now.read(OWN).unwrap(), OWN.as_bytes());
    assert_eq!(
        reencrypt(&scene.now, &scene.now, &is_own, &|_| ()).unwrap().files,
        1,
        "once more does no harm"
    );
    assert_eq!(scene.files().len(), 3);
}

#[test]
fn old_names_go_when_new_ones_have_come() {
    let scene = scene();
    assert_eq!(remove_outdated(&scene.now).unwrap(), Outdated { removed: 0, waiting: 3 });
    scene.rename(THEIRS);
    assert_eq!(remove_outdated(&scene.now).unwrap(), Outdated { removed: 1, waiting: 2 });
    // Damaged, it takes nobody's place.
    put(
        &LocalStore::new(scene.root.path()),
        &scene.now.encryption().unwrap().object_of(DOCUMENT),
        b"nonsense",
    );
    let found = remove_outdated(&scene.now).unwrap();
    assert!(found.removed == 0 && found.waiting >= 2, "{found:?}");
    scene.rename(DOCUMENT);
    scene.rename(OWN);
    assert_eq!(remove_outdated(&scene.now).unwrap(), Outdated { removed: 2, waiting: 0 });
    assert_eq!(listed(&scene.now, ""), [THEIRS, DOCUMENT, OWN]);
}

#[test]
fn without_a_key_everything_waits() {
    let scene = scene();
    let seal = scene.now.encryption().unwrap();
    let locked = Encryption::new(seal.recipients().clone(), seal.names().clone(), Keyring::none());
    let locked =
        VaultStore::encrypted(scene.root.path(), Arc::new(locked.after(seal.former().to_vec())), "own");
    scene.rename(THEIRS);
    assert!(remove_outdated(&locked).unwrap().waiting > 0);
    assert_eq!(scene.files().len(), 4);
}

/// What was purged gets no new name; only who has the key of now can say so.
#[test]
fn what_was_purged_goes_and_an_old_tombstone_says_nothing() {
    let scene = scene();
    let name = "machines/other/tombstones/b.json";
    let tombstone = br#"{"session":"b","purged":"2026-01-01T00:00:00Z","machine":"other"}"#;
    put(&scene.before, name, tombstone);
    assert_eq!(remove_outdated(&scene.now).unwrap().removed, 0);
    put(&scene.now, name, tombstone);
    assert_eq!(remove_outdated(&scene.now).unwrap().removed, 2, "the session and the old tombstone");
    assert!(scene.now.read(THEIRS).is_err());
}

#[test]
fn former_keys_travel_for_the_recipients_only() {
    let (key, other) = (new_key(), new_key());
    let keys = [NameKey::random(), NameKey::random()];
    let (now, to) = (NameKey::random(), recipients(&[key.recipient()]));
    let wrapped = wrap_former(&now, &keys, &to).unwrap().unwrap();
    assert_eq!(unwrap_former(&wrapped, &now, &keyring(key.text())).unwrap(), keys);
    assert!(unwrap_former(&wrapped, &now, &keyring(other.text())).is_err());
    // Who knows only the public key, or a key that was given up, adds none.
    for known in [&NameKey::random(), &keys[0]] {
        let forged = wrap_former(known, &keys, &to).unwrap().unwrap();
        assert!(unwrap_former(&forged, &now, &keyring(key.text())).is_err());
    }
    assert_eq!(wrap_former(&now, &[], &to).unwrap(), None);
    let seal = stage::seal();
    let names = seal.names().clone();
    assert!(
        Encryption::new(seal.recipients().clone(), names.clone(), Keyring::none())
            .after(vec![names])
            .former()
            .is_empty()
    );
}
