//! Lists that are longer than a page, and how many requests things take.

use std::collections::BTreeSet;

use steno_testkit::s3::{Faults, Server};
use steno_vault::{Existing, Store};

use crate::s3::{put, through};

const MANY: usize = 2_345;

fn fill(store: &dyn Store) -> BTreeSet<String> {
    let names: BTreeSet<String> =
        (0..MANY).map(|number| format!("machines/ä {}/{number}", number % 7)).collect();
    let batch = store.batch().unwrap();
    for name in &names {
        batch.put(name, name.as_bytes(), Existing::Refuse).unwrap();
    }
    batch.commit().unwrap();
    names
}

#[test]
fn a_list_has_all_pages() {
    let server = Server::start();
    let remote = server.object_store("p");
    let names = fill(&remote);
    // Looking, putting and trying out the first; then one for each.
    assert_eq!(remote.requests(), MANY as u64 + 2);
    assert_eq!(server.requests().len(), MANY + 2);
    let listed = remote.list("").unwrap();
    assert_eq!(remote.requests(), MANY as u64 + 5);
    assert!(listed.iter().all(|entry| entry.len == entry.name.len() as u64 && entry.modified.is_some()));
    let listed: BTreeSet<String> = listed.into_iter().map(|entry| entry.name).collect();
    assert_eq!(listed, names);
    assert_eq!(remote.list("machines/ä 3").unwrap().len(), MANY / 7);
    assert_eq!(remote.requests(), MANY as u64 + 6);
}

#[test]
fn a_list_has_all_pages_while_the_network_breaks() {
    let server = Server::start();
    let names = fill(&server.object_store("p"));
    for seed in 0..8 {
        let proxy = server.behind(Faults::random(seed, 60));
        let remote = through(&server, &proxy);
        let listed = remote.list("machines").unwrap();
        assert_eq!(listed.into_iter().map(|entry| entry.name).collect::<BTreeSet<String>>(), names);
        assert_eq!(remote.requests(), proxy.requests().len() as u64);
    }
}

#[test]
fn what_others_put_beside_is_nobodys() {
    let server = Server::start();
    put(&server.object_store("p"), "a", b"ours", Existing::Refuse).unwrap();
    put(&server.object_store("p-2"), "b", b"of another vault", Existing::Refuse).unwrap();
    put(&server.object_store(""), "p", b"of nobody", Existing::Refuse).unwrap();
    let listed = server.object_store("p").list("").unwrap();
    assert_eq!(listed.into_iter().map(|entry| entry.name).collect::<Vec<_>>(), ["a"]);
}
