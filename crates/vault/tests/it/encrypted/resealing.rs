//! What is kept in one form becomes another one, and nothing is lost on the way.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use steno_vault::{LocalStore, Reencrypted, Store, VaultStore, reencrypt};

use crate::encrypted::stage::{self, listed, put};

const NAMES: [&str; 2] = ["machines/m/projects/-a/a.jsonl.g1.000001.zst", "machines/m/config/b.json"];

fn all(from: &VaultStore, to: &VaultStore) -> Reencrypted {
    reencrypt(from, to, &|_, _| true, &|_| ()).unwrap()
}

fn plain(root: &Path) -> LocalStore {
    let files = LocalStore::new(root);
    NAMES.iter().for_each(|name| put(&files, name, b"as it was"));
    files
}

#[test]
fn a_plain_file_goes_when_its_object_holds_the_same() {
    let root = tempfile::tempdir().unwrap();
    let files = plain(root.path());
    let sealed = VaultStore::encrypted(root.path(), stage::seal(), "m");
    assert_eq!(
        all(&VaultStore::plain(root.path()), &sealed),
        Reencrypted { files: 2, differing: Vec::new() }
    );
    // A run that was killed before it removed them.
    plain(root.path());
    assert_eq!(all(&sealed, &sealed), Reencrypted { files: 2, differing: Vec::new() });
    assert!(NAMES.iter().all(|name| !root.path().join(name).exists()));
    assert_eq!(listed(&files, "machines").len(), 2);
}

#[test]
fn a_plain_file_that_its_object_does_not_hold_stays() {
    let root = tempfile::tempdir().unwrap();
    let sealed = VaultStore::encrypted(root.path(), stage::seal(), "m");
    put(&sealed, NAMES[0], b"sealed");
    put(&sealed, NAMES[1], b"as it was");
    plain(root.path());
    let resealed = all(&sealed, &sealed);
    assert_eq!(resealed, Reencrypted { files: 2, differing: vec![NAMES[0].to_owned()] });
    assert_eq!(fs::read(root.path().join(NAMES[0])).unwrap(), b"as it was");
    assert!(!root.path().join(NAMES[1]).exists());
    assert_eq!(sealed.read(NAMES[0]).unwrap(), b"sealed");
}

#[test]
fn other_names_replace_the_old_ones() {
    let root = tempfile::tempdir().unwrap();
    let files = plain(root.path());
    let former = VaultStore::encrypted(root.path(), stage::seal(), "m");
    all(&VaultStore::plain(root.path()), &former);
    let before = listed(&files, "machines");
    let key = stage::new_key();
    let names = steno_vault::encryption::NameKey::random();
    let recipients = stage::recipients(&[key.recipient()]);
    let seal = steno_vault::encryption::Encryption::new(recipients, names, stage::keyring(key.text()));
    let sealed = VaultStore::encrypted(root.path(), Arc::new(seal), "m");
    assert_eq!(all(&former, &sealed).files, 2);
    let after = listed(&files, "machines");
    assert!(after.len() == 2 && before.iter().all(|name| !after.contains(name)), "{after:?}");
    assert!(NAMES.iter().all(|name| sealed.read(name).unwrap() == b"as it was"));
}
