//! The promises of every store, of sealed ones too.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use steno_testkit::store::{MemoryStore, conformance};
use steno_vault::encryption::Encryption;
use steno_vault::{Batch, EncryptedStore, Entry, Error, LocalStore, Store};
use tempfile::TempDir;

use crate::encrypted::stage::{self, Shared, listed, put};

/// A directory that lives as long as its store.
#[derive(Debug)]
struct Temporary {
    store: EncryptedStore<LocalStore>,
    _directory: TempDir,
}

impl Temporary {
    fn new(is_remembering: bool) -> Self {
        let directory = TempDir::new().unwrap();
        let files = LocalStore::new(directory.path());
        let memory = directory.path().join(".cache/names.jsonl");
        let store = if is_remembering {
            EncryptedStore::remembering(files, stage::seal(), memory)
        } else {
            EncryptedStore::new(files, stage::seal())
        };
        Self { store, _directory: directory }
    }
}

impl Store for Temporary {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        self.store.list(below)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        self.store.open(name)
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        self.store.batch()
    }
}

/// A store that knows nothing from before, each time.
#[derive(Debug)]
struct Anew {
    inner: Shared,
    seal: Arc<Encryption>,
    memory: Option<PathBuf>,
    _directory: TempDir,
}

impl Anew {
    fn new(is_remembering: bool) -> Self {
        let directory = TempDir::new().unwrap();
        let memory = is_remembering.then(|| directory.path().join("deep/names.jsonl"));
        Self { inner: Shared::default(), seal: stage::seal(), memory, _directory: directory }
    }

    fn store(&self) -> EncryptedStore<Shared> {
        match &self.memory {
            Some(file) => EncryptedStore::remembering(self.inner.clone(), self.seal.clone(), file.clone()),
            None => EncryptedStore::new(self.inner.clone(), self.seal.clone()),
        }
    }
}

impl Store for Anew {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        self.store().list(below)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        self.store().open(name)
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        // It goes with the test.
        Box::leak(Box::new(self.store())).batch()
    }
}

#[test]
fn a_sealed_directory_is_a_store() {
    conformance(|| Box::new(Temporary::new(false)));
    conformance(|| Box::new(Temporary::new(true)));
}

#[test]
fn sealed_memory_is_a_store() {
    conformance(|| Box::new(EncryptedStore::new(MemoryStore::new(), stage::seal())));
}

#[test]
fn a_store_opened_anew_knows_all_names_from_the_objects() {
    conformance(|| Box::new(Anew::new(false)));
    conformance(|| Box::new(Anew::new(true)));
}

#[test]
fn what_is_remembered_needs_no_key() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("names.jsonl");
    let (inner, seal) = (Shared::default(), stage::seal());
    let store = EncryptedStore::remembering(inner.clone(), seal.clone(), file.clone());
    put(&store, "machines/m/a.json", b"bytes");
    put(&store, "machines/n/b.json", b"more bytes");
    let locked = stage::locked(&seal);
    let blind = EncryptedStore::remembering(inner.clone(), locked.clone(), file.clone()).of_machine("m");
    assert_eq!(listed(&blind, ""), ["machines/m/a.json", "machines/n/b.json"]);
    assert_eq!(blind.list("machines/n").unwrap()[0].len, 10);
    assert!(matches!(blind.open("machines/m/a.json").err(), Some(Error::Locked { .. })));
    let object = seal.object_of("machines/m/a.json");
    assert_eq!(blind.name_of(&object).unwrap(), "machines/m/a.json");
    let sealed = inner.read(&object).unwrap();
    let remembered = blind.remembered(&object).unwrap();
    assert_eq!(remembered.is_same(&sealed), Some(true));
    assert_eq!(remembered.is_same(&[sealed.as_slice(), b"x"].concat()), None);
    let other: Vec<u8> = sealed.iter().rev().copied().collect();
    assert_eq!(remembered.is_same(&other), Some(false));
}

#[test]
fn torn_and_foreign_lines_are_skipped() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("names.jsonl");
    let (inner, seal) = (Shared::default(), stage::seal());
    let open = || EncryptedStore::remembering(inner.clone(), seal.clone(), file.clone());
    put(&open(), "a", b"1");
    let lie = format!(r#"{{"object":"{}","name":"lie","length":1,"sealed":2}}"#, seal.object_of("a"));
    let torn = r#"{"object":"older/"#;
    let mut lines = std::fs::read(&file).unwrap();
    lines.extend([b"\xff\xfe\nno json\n[]\n", lie.as_bytes(), b"\n", torn.as_bytes()].concat());
    std::fs::write(&file, lines).unwrap();
    put(&open(), "b", b"2");
    assert_eq!(listed(&open(), ""), ["a", "b"]);
    assert_eq!(
        listed(&EncryptedStore::remembering(inner.clone(), stage::locked(&seal), file.clone()), ""),
        ["a", "b"]
    );
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(listed(&open(), ""), ["a", "b"]);
    put(&open(), "c", b"3");
    assert_eq!(listed(&open(), ""), ["a", "b", "c"]);
}

#[test]
fn the_file_of_names_does_not_grow_for_ever() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("names.jsonl");
    let store = EncryptedStore::remembering(Shared::default(), stage::seal(), file.clone());
    put(&store, "a", b"1");
    let line = std::fs::read(&file).unwrap();
    std::fs::write(&file, line.repeat(3000)).unwrap();
    let again =
        EncryptedStore::remembering(store.inner().clone(), stage::locked(store.encryption()), file.clone());
    assert_eq!(listed(&again, ""), ["a"]);
    assert_eq!(std::fs::read(&file).unwrap(), line);
}

#[test]
fn a_replaced_document_has_its_new_length() {
    let store = Anew::new(true);
    // Bytes that do not compress: an object of the same length counts as known.
    let bytes = |length: u64| {
        let mut bytes = vec![0; usize::try_from(length).unwrap()];
        blake3::Hasher::new().finalize_xof().fill(&mut bytes);
        bytes
    };
    for length in [1000, 10, 0, 70_000] {
        put(&store, "machines/m/manifest.json", &bytes(length));
        assert_eq!(store.list("machines/m").unwrap()[0].len, length);
        // By another machine, with a memory of its own.
        let other = EncryptedStore::new(store.inner.clone(), store.seal.clone());
        put(&other, "machines/m/manifest.json", &bytes(3 * length + 5000));
        assert_eq!(store.list("").unwrap()[0].len, 3 * length + 5000);
    }
}

#[test]
fn many_objects_are_named_by_many_threads() {
    let store = Anew::new(false);
    let batch = store.batch().unwrap();
    let names: Vec<String> = (0..300).map(|number| format!("machines/m/{number:03}")).collect();
    std::thread::scope(|scope| {
        for part in names.chunks(names.len() / 15) {
            let batch = &batch;
            scope.spawn(move || {
                for name in part {
                    batch.put(name, name.as_bytes(), steno_vault::Existing::Refuse).unwrap();
                }
            });
        }
    });
    batch.commit().unwrap();
    assert_eq!(listed(&store, "machines/m"), names);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                names
                    .iter()
                    .step_by(15)
                    .for_each(|name| assert_eq!(store.read(name).unwrap(), name.as_bytes()))
            });
        }
    });
}

/// Whoever has a key that opens nothing must not go about as if everything could be read.
#[test]
fn a_store_is_open_to_its_own_key_only() {
    let seal = stage::seal();
    let other = stage::new_key();
    let wrong =
        Encryption::new(seal.recipients().clone(), seal.names().clone(), stage::keyring(other.text()));
    assert!(EncryptedStore::new(MemoryStore::default(), seal.clone()).is_open());
    assert!(!EncryptedStore::new(MemoryStore::default(), Arc::new(wrong)).is_open());
    assert!(!EncryptedStore::new(MemoryStore::default(), stage::locked(&seal)).is_open());
}
