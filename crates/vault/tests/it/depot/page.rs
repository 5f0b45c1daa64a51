//! Lists that are longer than a page, and how many requests things take.

use std::collections::BTreeSet;

use steno_testkit::s3::{Faults, Server};
use steno_vault::{Existing, Store};

use crate::depot::{put, through};

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
    let depot = server.depot("p");
    let names = fill(&depot);
    // Looking, putting and trying out the first; then one for each.
    assert_eq!(depot.requests(), MANY as u64 + 2);
    assert_eq!(server.requests().len(), MANY + 2);
    let listed = depot.list("").unwrap();
    assert_eq!(depot.requests(), MANY as u64 + 5);
    assert!(listed.iter().all(|entry| entry.len == entry.name.len() as u64 && entry.modified.is_some()));
    let listed: BTreeSet<String> = listed.into_iter().map(|entry| entry.name).collect();
    assert_eq!(listed, names);
    assert_eq!(depot.list("machines/ä 3").unwrap().len(), MANY / 7);
    assert_eq!(depot.requests(), MANY as u64 + 6);
}

#[test]
fn a_list_has_all_pages_while_the_network_breaks() {
    let server = Server::start();
    let names = fill(&server.depot("p"));
    for seed in 0..8 {
        let proxy = server.behind(Faults::random(seed, 60));
        let depot = through(&server, &proxy);
        let listed = depot.list("machines").unwrap();
        assert_eq!(listed.into_iter().map(|entry| entry.name).collect::<BTreeSet<String>>(), names);
        assert_eq!(depot.requests(), proxy.requests().len() as u64);
    }
}

#[test]
fn what_others_put_beside_is_nobodys() {
    let server = Server::start();
    put(&server.depot("p"), "a", b"ours", Existing::Refuse).unwrap();
    put(&server.depot("p-2"), "b", b"of another vault", Existing::Refuse).unwrap();
    put(&server.depot(""), "p", b"of nobody", Existing::Refuse).unwrap();
    let listed = server.depot("p").list("").unwrap();
    assert_eq!(listed.into_iter().map(|entry| entry.name).collect::<Vec<_>>(), ["a"]);
}
