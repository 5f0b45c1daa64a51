//! Machines with vaults, and a store between them that can be watched and broken.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use steno_testkit::store::MemoryStore;
use steno_vault::encryption::Encryption;
use steno_vault::object_sync::ObjectSync;
use steno_vault::remote::{Outcome, Synced};
use steno_vault::{Batch, Entry, Error, Existing, LocalStore, Store, VaultStore};
use tempfile::TempDir;

pub(crate) const VAULT: &str = r#"{"format":1,"id":"0123","created":"2026-01-01T00:00:00Z","recipients":[]}"#;

pub(crate) struct Machine {
    pub(crate) store: LocalStore,
    pub(crate) own: String,
    pub(crate) installation: String,
    /// What the vault is sealed with.
    pub(crate) seal: Option<Arc<Encryption>>,
    _directory: TempDir,
}

/// A segment as the vault writes it.
pub(crate) fn segment(session: &str, text: &str) -> Vec<u8> {
    packed(&format!("projects/-a/{session}.jsonl"), &format!("\"{session}\""), text)
}

/// One that is no session's alone.
pub(crate) fn shared_segment(path: &str, text: &str) -> Vec<u8> {
    packed(path, "null", text)
}

fn packed(path: &str, session: &str, text: &str) -> Vec<u8> {
    let hash = blake3::hash(text.as_bytes());
    let mut after = blake3::Hasher::new();
    after.update(&[0; 32]).update(hash.as_bytes());
    let fields = format!(
        r#"{{"format":1,"path":"{path}","session":{session},"generation":1,"offset":0,"length":{},"blake3":"{hash}","before":"{}","after":"{}","modified":"2026-01-01T00:00:00.000000000Z","taken":"2026-01-01T00:00:00Z","machine":"m""#,
        text.len(),
        "0".repeat(64),
        after.finalize()
    );
    let check = &blake3::hash(fields.as_bytes()).to_hex()[..16];
    let json = format!(r#"{fields},"check":"{check}"}}"#);
    let mut bytes = 0x184D_2A5C_u32.to_le_bytes().to_vec();
    bytes.extend(u32::try_from(json.len()).unwrap().to_le_bytes());
    bytes.extend(json.as_bytes());
    bytes.extend(zstd::encode_all(text.as_bytes(), 1).unwrap());
    bytes
}

impl Machine {
    pub(crate) fn new(own: &str) -> Self {
        let machine = Self::empty(own);
        machine.write("vault.json", VAULT.as_bytes());
        machine
    }

    pub(crate) fn empty(own: &str) -> Self {
        let directory = temporary();
        Self {
            store: LocalStore::new(directory.path()),
            own: own.to_owned(),
            installation: format!("{:032x}", fresh()),
            seal: None,
            _directory: directory,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.store.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let beside = path.with_file_name("writing");
        fs::write(&beside, bytes).unwrap();
        fs::rename(beside, path).unwrap();
    }

    pub(crate) fn own(&self, name: &str) -> String {
        format!("machines/{}/{name}", self.own)
    }

    /// Puts a segment into this machine's directory, and gives its name.
    pub(crate) fn keep(&self, session: &str, number: u32) -> String {
        let name = self.own(&format!("projects/-a/{session}.jsonl.g1.{number:06}.zst"));
        self.write(&name, &segment(session, &format!("{} {session} {number}\n", self.own).repeat(20)));
        name
    }

    /// Says that files are erased on purpose.
    pub(crate) fn record_gone(&self, names: &[String]) {
        steno_vault::object_sync::record_gone(self.store.root(), &self.own, names).unwrap();
    }

    /// Says that a session was purged.
    pub(crate) fn bury(&self, session: &str) {
        let tombstone =
            format!(r#"{{"session":"{session}","purged":"2026-01-02T00:00:00Z","machine":"{}"}}"#, self.own);
        self.write(&self.own(&format!("tombstones/{session}.json")), tombstone.as_bytes());
    }

    /// Writes a document of always the same length.
    pub(crate) fn tell(&self, number: u32) {
        self.write(&self.own("manifest.json"), format!(r#"{{"lastSync":"{number:09}"}}"#).as_bytes());
    }

    pub(crate) fn with<T>(&self, remote: &dyn Store, act: impl FnOnce(ObjectSync<'_>) -> T) -> T {
        let root = self.store.root();
        let store = match &self.seal {
            Some(seal) => VaultStore::encrypted(root, Arc::clone(seal), &self.own),
            None => VaultStore::plain(root),
        };
        act(ObjectSync {
            store: &store,
            remote,
            address: "memory://test",
            endpoint: None,
            region: None,
            own: &self.own,
            installation: &self.installation,
            full: false,
            objection: &|_| None,
            progress: &|_| {},
        })
    }

    pub(crate) fn run(&self, remote: &dyn Store) -> Synced {
        self.with(remote, |exchanging| exchanging.run()).unwrap()
    }

    pub(crate) fn full(&self, remote: &dyn Store) -> Synced {
        self.with(remote, |exchanging| ObjectSync { full: true, ..exchanging }.run()).unwrap()
    }

    /// A run that has nothing to complain of.
    pub(crate) fn calm(&self, remote: &dyn Store) -> Synced {
        let exchanged = self.run(remote);
        assert!(exchanged.warnings.is_empty(), "{}: {:?}", self.own, exchanged.warnings);
        assert!(
            matches!(exchanged.outcome, Outcome::Pushed | Outcome::UpToDate),
            "{}: {exchanged:?}",
            self.own
        );
        exchanged
    }

    /// Every file of the vault that is meant to be the same everywhere.
    pub(crate) fn shared(&self) -> BTreeMap<String, Vec<u8>> {
        let names = self.store.list("").unwrap();
        names.into_iter().map(|entry| (entry.name.clone(), self.store.read(&entry.name).unwrap())).collect()
    }

    pub(crate) fn forget(&self) {
        let _ = fs::remove_dir_all(self.path(".cache"));
    }

    /// The vault's directory as it is now, somewhere else.
    pub(crate) fn copy(&self) -> Self {
        let directory = temporary();
        copy_all(self.store.root(), directory.path());
        Self {
            store: LocalStore::new(directory.path()),
            own: self.own.clone(),
            installation: self.installation.clone(),
            seal: self.seal.clone(),
            _directory: directory,
        }
    }
}

fn fresh() -> usize {
    static NUMBER: AtomicUsize = AtomicUsize::new(1);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// In memory where there is such a place: tests lose no power, and a disk takes its time to be sure.
fn temporary() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap()
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(crate) fn names(store: &dyn Store, below: &str) -> Vec<String> {
    store.list(below).unwrap().into_iter().map(|entry| entry.name).collect()
}

pub(crate) fn put(store: &dyn Store, name: &str, bytes: &[u8]) {
    let batch = store.batch().unwrap();
    batch.put(name, bytes, Existing::Replace).unwrap();
    batch.commit().unwrap();
}

pub(crate) fn remove(store: &dyn Store, name: &str) {
    let batch = store.batch().unwrap();
    batch.remove(name).unwrap();
    batch.commit().unwrap();
}

pub(crate) fn contents(store: &dyn Store) -> BTreeMap<String, Vec<u8>> {
    names(store, "").into_iter().map(|name| (name.clone(), store.read(&name).unwrap())).collect()
}

/// When a link breaks, and for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    Never,
    /// Instead of an operation.
    Before(usize),
    /// The operation takes place, and nobody hears of it.
    After(usize),
}

type Lie = Box<dyn Fn(&str, Vec<Entry>) -> Vec<Entry> + Send + Sync>;

/// A store as one machine sees it: every operation is written down, may fail, and may be a lie.
pub(crate) struct Link<'a> {
    inner: &'a MemoryStore,
    fault: Break,
    count: AtomicUsize,
    is_broken: AtomicBool,
    log: Mutex<Vec<String>>,
    pub(crate) lie: Option<Lie>,
}

impl<'a> Link<'a> {
    pub(crate) fn new(inner: &'a MemoryStore) -> Self {
        Self::breaking(inner, Break::Never)
    }

    pub(crate) fn breaking(inner: &'a MemoryStore, fault: Break) -> Self {
        let (count, is_broken) = (AtomicUsize::new(0), AtomicBool::new(false));
        Self { inner, fault, count, is_broken, log: Mutex::default(), lie: None }
    }

    pub(crate) fn lying(
        inner: &'a MemoryStore,
        lie: impl Fn(&str, Vec<Entry>) -> Vec<Entry> + Send + Sync + 'static,
    ) -> Self {
        Self { lie: Some(Box::new(lie)), ..Self::new(inner) }
    }

    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::SeqCst)
    }

    fn act<T>(&self, what: String, act: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let offline = || Error::Offline { reason: "the link is broken".to_owned() };
        if self.is_broken() {
            return Err(offline());
        }
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        self.log.lock().unwrap().push(what);
        if self.fault == Break::Before(number) {
            self.is_broken.store(true, Ordering::SeqCst);
            return Err(offline());
        }
        let outcome = act();
        if self.fault == Break::After(number) {
            self.is_broken.store(true, Ordering::SeqCst);
            return Err(offline());
        }
        outcome
    }
}

impl std::fmt::Debug for Link<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Link")
    }
}

impl Store for Link<'_> {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        let listed = self.act(format!("list {below}"), || self.inner.list(below))?;
        Ok(match &self.lie {
            Some(lie) => lie(below, listed),
            None => listed,
        })
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        let bytes = self.act(format!("open {name}"), || self.inner.read(name))?;
        Ok(Box::new(Cursor::new(bytes)))
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        Ok(Box::new(LinkBatch { link: self, put: Mutex::default(), removed: Mutex::default() }))
    }
}

/// Every name is an operation of its own, as at an object store.
struct LinkBatch<'a> {
    link: &'a Link<'a>,
    put: Mutex<Vec<(String, Vec<u8>, Existing)>>,
    removed: Mutex<Vec<String>>,
}

impl std::fmt::Debug for LinkBatch<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("LinkBatch")
    }
}

impl Batch for LinkBatch<'_> {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
        self.put.lock().unwrap().push((name.to_owned(), bytes.to_owned(), existing));
        Ok(())
    }

    fn withdraw(&self, name: &str) -> Result<(), Error> {
        self.put.lock().unwrap().retain(|(put, ..)| put != name);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        self.removed.lock().unwrap().push(name.to_owned());
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), Error> {
        for (name, bytes, existing) in self.put.lock().unwrap().drain(..) {
            self.link.act(format!("put {name}"), || {
                let batch = self.link.inner.batch()?;
                batch.put(&name, &bytes, existing)?;
                batch.commit()
            })?;
        }
        for name in self.removed.lock().unwrap().drain(..) {
            self.link.act(format!("remove {name}"), || {
                let batch = self.link.inner.batch()?;
                batch.remove(&name)?;
                batch.commit()
            })?;
        }
        Ok(())
    }
}
