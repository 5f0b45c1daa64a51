//! The promises of every store, of sealed ones too.

use std::io::Read;
use std::sync::Arc;

use steno_testkit::store::conformance;
use steno_vault::encryption::Encryption;
use steno_vault::{Batch, Entry, Error, Store, VaultStore};
use tempfile::TempDir;

use crate::encrypted::stage::{self, Shared, listed, put};

/// A directory that lives as long as its store.
#[derive(Debug)]
struct Temporary {
    store: VaultStore,
    _shared: Shared,
}

impl Temporary {
    fn new() -> Self {
        let shared = Shared::default();
        Self { store: shared.of(stage::seal(), "m"), _shared: shared }
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
    shared: Shared,
    seal: Arc<Encryption>,
    memory: Option<TempDir>,
}

impl Anew {
    fn new(is_remembering: bool) -> Self {
        let memory = is_remembering.then(|| TempDir::new().unwrap());
        Self { shared: Shared::default(), seal: stage::seal(), memory }
    }

    fn store(&self) -> VaultStore {
        let seal = self.seal.clone();
        match &self.memory {
            Some(memory) => self.shared.remembering(seal, "m", &memory.path().join("deep")),
            None => self.shared.of(seal, "m"),
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
    conformance(|| Box::new(Temporary::new()));
}

#[test]
fn a_store_opened_anew_knows_all_names_from_the_objects() {
    conformance(|| Box::new(Anew::new(false)));
    conformance(|| Box::new(Anew::new(true)));
}

#[test]
fn what_is_remembered_needs_no_key() {
    let directory = TempDir::new().unwrap();
    let (shared, seal) = (Shared::default(), stage::seal());
    let store = shared.remembering(seal.clone(), "nobody", directory.path());
    put(&store, "machines/m/a.json", b"bytes");
    put(&store, "machines/n/b.json", b"more bytes");
    let locked = stage::locked(&seal);
    let blind = shared.remembering(locked, "m", directory.path());
    assert_eq!(listed(&blind, ""), ["machines/m/a.json", "machines/n/b.json"]);
    assert_eq!(blind.list("machines/n").unwrap()[0].len, 10);
    assert!(matches!(blind.open("machines/m/a.json").err(), Some(Error::Locked { .. })));
    let object = seal.object_of("machines/m/a.json");
    assert_eq!(blind.name_of(&object).unwrap(), "machines/m/a.json");
    let sealed = shared.files().read(&object).unwrap();
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
    let (shared, seal) = (Shared::default(), stage::seal());
    let open = || shared.remembering(seal.clone(), "nobody", directory.path());
    put(&open(), "a", b"1");
    let lie = format!(r#"{{"object":"{}","name":"lie","length":1,"sealed":2}}"#, seal.object_of("a"));
    let torn = r#"{"object":"older/"#;
    let mut lines = std::fs::read(&file).unwrap();
    lines.extend([b"\xff\xfe\nno json\n[]\n", lie.as_bytes(), b"\n", torn.as_bytes()].concat());
    std::fs::write(&file, lines).unwrap();
    put(&open(), "b", b"2");
    assert_eq!(listed(&open(), ""), ["a", "b"]);
    assert_eq!(listed(&shared.remembering(stage::locked(&seal), "nobody", directory.path()), ""), ["a", "b"]);
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
    let (shared, seal) = (Shared::default(), stage::seal());
    let store = shared.remembering(seal.clone(), "nobody", directory.path());
    put(&store, "a", b"1");
    let line = std::fs::read(&file).unwrap();
    std::fs::write(&file, line.repeat(3000)).unwrap();
    let again = shared.remembering(stage::locked(&seal), "nobody", directory.path());
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
        let other = store.shared.of(store.seal.clone(), "m");
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
    let shared = Shared::default();
    let is_open = |seal: Arc<Encryption>| shared.of(seal, "m").is_open();
    assert!(is_open(seal.clone()) && !is_open(Arc::new(wrong)) && !is_open(stage::locked(&seal)));
}
