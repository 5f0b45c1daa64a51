//! Stores in which not everything is sealed, or not for us, or not whole.

use std::sync::Arc;

use steno_vault::encryption::{Encryption, Keyring};
use steno_vault::{Error, Existing, Store};

use crate::encrypted::stage::{self, Shared, keyring, listed, new_key, put, recipients};

#[test]
fn a_vault_on_its_way_to_being_sealed_has_both() {
    let shared = Shared::default();
    let inner = shared.files();
    put(&inner, "machines/m/plain.zst", b"plain");
    put(&inner, "machines/m/both.zst", b"as it was");
    put(&inner, "history.jsonl.gz", b"older");
    put(&inner, "vault.json", b"{}");
    let store = shared.of(stage::seal(), "nobody");
    put(&store, "machines/m/both.zst", b"sealed");
    put(&store, "vault.json", b"{1}");
    assert_eq!(
        listed(&store, ""),
        ["history.jsonl.gz", "machines/m/both.zst", "machines/m/plain.zst", "vault.json"]
    );
    assert_eq!(listed(&store, "machines/m"), ["machines/m/both.zst", "machines/m/plain.zst"]);
    assert_eq!(store.read("machines/m/both.zst").unwrap(), b"sealed");
    assert_eq!(store.read("machines/m/plain.zst").unwrap(), b"plain");
    assert_eq!(inner.read("vault.json").unwrap(), b"{1}");
    let batch = store.batch().unwrap();
    batch.remove("machines/m/both.zst").unwrap();
    batch.remove("machines/m/plain.zst").unwrap();
    batch.commit().unwrap();
    assert_eq!(listed(&inner, ""), ["history.jsonl.gz", "vault.json"]);
}

#[test]
fn nothing_but_the_four_is_plain() {
    let shared = Shared::default();
    let store = shared.of(stage::seal(), "nobody");
    let plain = [".gitattributes", ".gitignore", "manifest.json", "vault.json"];
    for name in plain.iter().chain(&["machines/m/manifest.json", "config/vault.json", "machines"]) {
        put(&store, name, b"bytes");
        assert_eq!(store.read(name).unwrap(), b"bytes");
    }
    let is_sealed = |name: &String| name.ends_with(".age");
    let (sealed, rest): (Vec<String>, Vec<String>) =
        listed(store.files(), "").into_iter().partition(is_sealed);
    assert_eq!(rest, plain);
    assert_eq!(sealed.len(), 3);
}

#[test]
fn without_a_key_the_own_objects_are_locked_and_those_of_others_wait() {
    let (shared, seal) = (Shared::default(), stage::seal());
    let store = shared.of(seal.clone(), "nobody");
    put(&store, "machines/own/a", b"1");
    put(&store, "machines/other/b", b"2");
    put(&store, "machines/other/c", b"3");
    let blind = shared.of(stage::locked(&seal), "own");
    assert!(!blind.encryption().unwrap().can_read() && seal.can_read());
    assert_eq!(listed(&blind, "machines/other"), [""; 0]);
    assert_eq!(blind.waiting(), 2);
    assert!(matches!(blind.list(""), Err(Error::Locked { .. })));
    assert!(matches!(blind.list("machines/own"), Err(Error::Locked { .. })));
    assert_eq!(blind.name_of(&seal.object_of("machines/own/a")), None);
    // It can still seal.
    put(&blind, "machines/own/d", b"4");
    assert_eq!(store.read("machines/own/d").unwrap(), b"4");
}

#[test]
fn what_was_sealed_for_somebody_else_waits_until_it_is_sealed_for_us() {
    let shared = Shared::default();
    let (theirs, ours) = (new_key(), new_key());
    let of = |recipients, key: &str| Arc::new(Encryption::new(recipients, stage::names(), keyring(key)));
    let before = shared.of(of(recipients(&[theirs.recipient()]), theirs.text()), "nobody");
    put(&before, "machines/theirs/a", b"1");
    let both = recipients(&[theirs.recipient(), ours.recipient()]);
    let store = shared.of(of(both.clone(), ours.text()), "ours");
    put(&store, "machines/ours/b", b"2");
    assert_eq!(listed(&store, ""), ["machines/ours/b"]);
    assert_eq!(store.waiting(), 1);
    put(&shared.of(of(both, theirs.text()), "nobody"), "machines/theirs/a", b"1");
    assert_eq!(listed(&store, ""), ["machines/ours/b", "machines/theirs/a"]);
    assert_eq!(store.waiting(), 0);
}

#[test]
fn the_wrong_key_is_locked_and_not_damage() {
    let (shared, seal) = (Shared::default(), stage::seal());
    put(&shared.of(seal.clone(), "nobody"), "machines/own/a", b"1");
    let other = Encryption::new(seal.recipients().clone(), stage::names(), keyring(new_key().text()));
    let store = shared.of(Arc::new(other), "own");
    assert!(matches!(store.list(""), Err(Error::Locked { .. })));
    assert!(matches!(store.open("machines/own/a").err(), Some(Error::Locked { .. })));
}

#[test]
fn a_damaged_object_is_listed_by_its_own_name_and_stops_nothing() {
    let (shared, seal) = (Shared::default(), stage::seal());
    let inner = shared.files();
    let store = shared.of(seal.clone(), "nobody");
    put(&store, "machines/own/a", b"1");
    put(&store, "machines/own/b", b"2");
    let object = seal.object_of("machines/own/a");
    let whole = inner.read(&object).unwrap();
    // Where a stanza is damaged, no key fits any more; elsewhere, the key fits and the rest does not.
    let place = |text: &[u8]| whole.windows(text.len()).position(|window| window == text).unwrap();
    let stanza = place(b"-> X25519 ") + 12;
    for place in [0, stanza, place(b"\n--- ") + 8, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[place] = if damaged[place] == b'A' { b'B' } else { b'A' };
        put(&inner, &object, &damaged);
        let anew = shared.of(seal.clone(), "own");
        let expected = [object.as_str(), "machines/own/b"];
        let listed = listed(&anew, "");
        assert_eq!(listed, expected, "{place}");
        assert!(anew.open(&object).is_err() && anew.open("machines/own/a").is_err());
        assert_eq!(anew.waiting(), 0);
    }
}

#[test]
fn an_object_under_another_name_is_damage() {
    let (shared, seal) = (Shared::default(), stage::seal());
    let inner = shared.files();
    let store = shared.of(seal.clone(), "nobody");
    put(&store, "machines/own/a", b"1");
    put(&store, "machines/own/b", b"2");
    let moved = inner.read(&seal.object_of("machines/own/b")).unwrap();
    put(&inner, &seal.object_of("machines/own/a"), &moved);
    assert!(matches!(store.open("machines/own/a").err(), Some(Error::Damaged(_))));
}

#[test]
fn a_name_that_leads_elsewhere_is_no_name() {
    let (shared, seal) = (Shared::default(), stage::seal());
    let inner = shared.files();
    for name in ["machines/m/../../elsewhere", "/elsewhere", "machines//m"] {
        put(&inner, &seal.object_of(name), &seal.encrypt(name, b"bytes").unwrap());
    }
    let listed = listed(&shared.of(seal, "nobody"), "");
    assert_eq!(listed, stage::listed(&inner, ""));
}

#[test]
fn a_missing_name_is_told_by_its_plain_name() {
    let shared = Shared::default();
    let store = shared.of(stage::seal(), "nobody");
    for name in ["machines/m/a", "vault.json", "x"] {
        let error = store.open(name).err();
        assert!(matches!(&error, Some(Error::Missing { name: told }) if told == name), "{error:?}");
    }
    put(&store, "machines/m/a", b"1");
    let batch = store.batch().unwrap();
    batch.put("machines/m/a", b"2", Existing::Refuse).unwrap();
    let error = batch.commit().unwrap_err();
    assert!(matches!(&error, Error::Exists { name } if name == "machines/m/a"), "{error:?}");
}

#[test]
fn nobody_is_asked_for_what_needs_no_key() {
    let key = new_key();
    let answer = stage::Answer::nobody();
    let protected = Keyring::bytes(b"age-encryption.org/v1\n".to_vec(), "the key", answer.clone());
    let seal = Arc::new(Encryption::new(recipients(&[key.recipient()]), stage::names(), protected));
    let shared = Shared::default();
    let store = shared.of(seal, "m");
    put(&store, "machines/m/a", b"1");
    assert_eq!(listed(&store, ""), ["machines/m/a"]);
    put(store.files(), &store.encryption().unwrap().object_of("machines/m/x"), b"not age at all");
    assert_eq!(store.list("").unwrap().len(), 2);
    assert_eq!(answer.asked(), 0);
}
