//! Every store keeps the promises that the vault is built on.

use steno_testkit::store::{MemoryStore, conformance};
use steno_vault::{Existing, LocalStore, Store};
use tempfile::TempDir;

/// A directory that lives as long as its store.
#[derive(Debug)]
struct Temporary {
    store: LocalStore,
    _directory: TempDir,
}

impl Temporary {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        Self { store: LocalStore::new(directory.path()), _directory: directory }
    }
}

impl Store for Temporary {
    fn list(&self, below: &str) -> Result<Vec<steno_vault::Entry>, steno_vault::Error> {
        self.store.list(below)
    }

    fn open(&self, name: &str) -> Result<Box<dyn std::io::Read + Send>, steno_vault::Error> {
        self.store.open(name)
    }

    fn batch(&self) -> Result<Box<dyn steno_vault::Batch + '_>, steno_vault::Error> {
        self.store.batch()
    }
}

#[test]
fn a_directory_is_a_store() {
    conformance(|| Box::new(Temporary::new()));
}

#[test]
fn memory_is_a_store() {
    conformance(|| Box::new(MemoryStore::new()));
}

#[test]
fn what_belongs_to_the_vault_itself_is_no_name_in_a_directory() {
    let own = Temporary::new();
    for name in [".cache/a", ".git/config", ".lock"] {
        let batch = own.batch().unwrap();
        assert!(batch.put(name, b"bytes", Existing::Replace).is_err(), "{name}");
        assert!(own.open(name).is_err(), "{name}");
    }
}

#[test]
fn a_dropped_batch_leaves_no_temporary_file() {
    let own = Temporary::new();
    let batch = own.batch().unwrap();
    batch.put("a", b"bytes", Existing::Refuse).unwrap();
    batch.put("b", b"bytes", Existing::Refuse).unwrap();
    batch.withdraw("b").unwrap();
    drop(batch);
    let places = std::fs::read_dir(own.store.root().join(".cache/new")).unwrap();
    let left = places.flat_map(|place| std::fs::read_dir(place.unwrap().path()).unwrap());
    assert_eq!(left.count(), 0);
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_what_is_put() {
    use std::os::unix::fs::PermissionsExt;
    let own = Temporary::new();
    let batch = own.batch().unwrap();
    batch.put("a/b/c", b"bytes", Existing::Refuse).unwrap();
    batch.commit().unwrap();
    for (name, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/c", 0o600)] {
        let metadata = std::fs::metadata(own.store.root().join(name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{name}");
    }
}

#[test]
fn what_was_never_there_is_removed_without_a_word_even_its_directory() {
    let own = Temporary::new();
    let batch = own.batch().unwrap();
    batch.remove("no/such/place/a").unwrap();
    batch.commit().unwrap();
}
