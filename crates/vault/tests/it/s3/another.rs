//! A server that others wrote: `STENO_S3` names its endpoint. It has a bucket called `steno-test` that everybody may
//! write to, or that the credentials `test` and `testtest` open. Without one, these tests are skipped.

use std::collections::BTreeSet;

use steno_testkit::store::conformance;
use steno_vault::s3::{Access, Address, Credentials, ObjectStore};
use steno_vault::{Error, Existing, Store};

use crate::s3::{fresh, put};

/// More than a page.
const MANY: usize = 1_050;

/// How to reach it, and a prefix of this run's own.
fn another() -> Option<(Access, String)> {
    let Some(endpoint) = std::env::var("STENO_S3").ok().filter(|endpoint| !endpoint.is_empty()) else {
        eprintln!("skipped: STENO_S3 names no server");
        return None;
    };
    let credentials =
        Some(Credentials { key_id: "test".to_owned(), secret: "testtest".to_owned(), token: None });
    let access = Access { endpoint: Some(endpoint), credentials, ..Access::default() };
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    Some((access, format!("s3://steno-test/{now}/{}", fresh())))
}

fn remote((access, prefix): &(Access, String), below: &str) -> ObjectStore {
    ObjectStore::open(&Address::parse(&format!("{prefix}/{below}")).unwrap(), access.clone()).unwrap()
}

#[test]
fn another_server_is_a_store() {
    let Some(another) = another() else { return };
    conformance(|| Box::new(remote(&another, &fresh())));
}

#[test]
fn another_server_lists_all_pages() {
    let Some(another) = another() else { return };
    let remote = remote(&another, "pages");
    let names: BTreeSet<String> = (0..MANY).map(|number| format!("machines/ä {number}")).collect();
    let batch = remote.batch().unwrap();
    for name in &names {
        batch.put(name, b"bytes", Existing::Replace).unwrap();
    }
    batch.commit().unwrap();
    let before = remote.requests();
    let listed: BTreeSet<String> =
        remote.list("machines").unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(listed, names);
    assert!(remote.requests() > before + 1, "that was one page");
}

/// Both see the first one, whoever asks second.
#[test]
fn another_server_tells_who_was_first() {
    let Some(another) = another() else { return };
    let (one, two) = (remote(&another, "first"), remote(&another, "first"));
    put(&one, "heads/a/00000001", b"one", Existing::Refuse).unwrap();
    let refused = put(&two, "heads/a/00000001", b"two", Existing::Refuse);
    assert!(matches!(refused, Err(Error::Exists { .. })), "{refused:?}");
    assert_eq!(two.read("heads/a/00000001").unwrap(), b"one");
}
