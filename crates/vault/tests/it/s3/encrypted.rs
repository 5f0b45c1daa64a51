//! A sealed store over an object store, and what the provider sees of it.

use std::sync::Arc;

use steno_testkit::s3::{Faults, Server};
use steno_testkit::store::conformance;
use steno_vault::encryption::{Encryption, Keyring, NameKey, NewKey, NoPassphrase, Recipients};
use steno_vault::s3::ObjectStore;
use steno_vault::{EncryptedStore, Existing, Store};

use crate::s3::{fresh, put};

pub(crate) fn seal() -> Arc<Encryption> {
    let key = NewKey::generate("2026-01-02T03:04:05Z".parse().unwrap());
    let keyring = Keyring::bytes(key.text().as_bytes().to_vec(), "here", Arc::new(NoPassphrase));
    let recipients = Recipients::parse(&[key.recipient().to_owned()]).unwrap();
    Arc::new(Encryption::new(recipients, NameKey::random(), keyring))
}

#[test]
fn a_sealed_depot_is_a_store() {
    let server = Server::start();
    conformance(|| Box::new(EncryptedStore::new(server.object_store(&fresh()), seal())));
}

#[test]
fn a_sealed_depot_is_a_store_while_the_network_breaks() {
    let server = Server::start();
    let proxy = server.behind(Faults::random(7, 20));
    conformance(|| {
        let remote = ObjectStore::open(&server.address(&fresh()), server.access(proxy.endpoint())).unwrap();
        Box::new(EncryptedStore::new(remote, seal()))
    });
    assert!(proxy.made().len() > 50, "{} faults", proxy.made().len());
}

#[test]
fn the_provider_reads_nothing() {
    let server = Server::start();
    let store = EncryptedStore::new(server.object_store("p"), seal());
    let name = "machines/planted-laptop/projects/-planted-project/planted.jsonl.g1.000001.zst";
    let text = "the planted words ".repeat(100);
    for name in [name, "machines/planted-laptop/manifest.json", "planted at the root"] {
        put(&store, name, text.as_bytes(), Existing::Refuse).unwrap();
        assert_eq!(store.read(name).unwrap(), text.as_bytes());
    }
    assert_eq!(server.objects().len(), 3);
    for (key, bytes) in server.objects() {
        assert!(!key.contains("planted"), "{key}");
        assert!(!bytes.windows(7).any(|seven| seven == b"planted"), "{key}");
    }
    assert!(!server.requests().iter().any(|line| line.contains("planted")));
}
