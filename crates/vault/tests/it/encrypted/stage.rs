//! Seals with keys of their own, whoever is asked for passphrases, and stores to look behind.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use steno_vault::encryption::{Encryption, Keyring, NameKey, NewKey, Passphrase, Recipients};
use steno_vault::{Error, Existing, LocalStore, Store, VaultStore};
use tempfile::TempDir;

/// Gives one answer, and counts how often it was asked.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    text: Option<String>,
    asked: AtomicUsize,
}

impl Answer {
    pub(crate) fn new(text: &str) -> Arc<Self> {
        Arc::new(Self { text: Some(text.to_owned()), asked: AtomicUsize::default() })
    }

    pub(crate) fn nobody() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Passphrase for Answer {
    fn ask(&self, _: &str) -> Option<String> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.text.clone()
    }
}

pub(crate) fn new_key() -> NewKey {
    NewKey::generate(Timestamp::UNIX_EPOCH)
}

pub(crate) fn keyring(text: impl Into<Vec<u8>>) -> Keyring {
    Keyring::bytes(text.into(), "the key", Answer::nobody())
}

pub(crate) fn recipients(texts: &[&str]) -> Recipients {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    Recipients::parse(&texts).unwrap()
}

pub(crate) fn names() -> NameKey {
    NameKey::from_hex(&"5e".repeat(32)).unwrap()
}

/// With a new key, which it has.
pub(crate) fn seal() -> Arc<Encryption> {
    let key = new_key();
    Arc::new(Encryption::new(recipients(&[key.recipient()]), names(), keyring(key.text())))
}

/// The same without a key.
pub(crate) fn locked(seal: &Encryption) -> Arc<Encryption> {
    Arc::new(Encryption::new(seal.recipients().clone(), seal.names().clone(), Keyring::none()))
}

pub(crate) fn open(seal: &Encryption, object: &str, sealed: &[u8]) -> Result<Vec<u8>, Error> {
    let (_, mut reader) = seal.open(object, std::io::Cursor::new(sealed.to_vec()))?;
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|source| Error::Read { path: object.into(), source })?;
    Ok(bytes)
}

/// As the vault writes them: a skippable frame, and a compressed one.
pub(crate) fn segment(bytes: &[u8]) -> Vec<u8> {
    let about = br#"{"about":"planted-path"}"#;
    let mut segment = 0x184D_2A5C_u32.to_le_bytes().to_vec();
    segment.extend(u32::try_from(about.len()).unwrap().to_le_bytes());
    segment.extend(about);
    segment.extend(zstd::bulk::compress(bytes, 3).unwrap());
    segment
}

pub(crate) fn put(store: &dyn Store, name: &str, bytes: &[u8]) {
    let batch = store.batch().unwrap();
    batch.put(name, bytes, Existing::Replace).unwrap();
    batch.commit().unwrap();
}

pub(crate) fn listed(store: &dyn Store, below: &str) -> Vec<String> {
    store.list(below).unwrap().into_iter().map(|entry| entry.name).collect()
}

/// One directory, for several owners.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Arc<TempDir>);

impl Default for Shared {
    fn default() -> Self {
        Self(Arc::new(TempDir::new().unwrap()))
    }
}

impl Shared {
    /// The files as they are on the disk.
    pub(crate) fn files(&self) -> LocalStore {
        LocalStore::new(self.0.path())
    }

    /// The directory for a machine that remembers nothing.
    pub(crate) fn of(&self, seal: Arc<Encryption>, own: &str) -> VaultStore {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        self.remembering(seal, own, &self.0.path().join(format!(".cache/{number}")))
    }

    pub(crate) fn remembering(&self, seal: Arc<Encryption>, own: &str, memory: &Path) -> VaultStore {
        VaultStore::encrypted(self.0.path(), seal, own).remembering_in(memory)
    }
}
