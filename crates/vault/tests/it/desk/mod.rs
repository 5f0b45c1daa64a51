//! A Claude directory and a vault for tests.

#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use steno_vault::{
    Cached, Candidate, Catalog, Checked, Error, Keep, Outcome, Owners, Role, Store, VaultStore, Volume,
    Writer, path_of, text_of, verify,
};
use tempfile::TempDir;

pub const MACHINE: &str = "desk";

pub struct Desk {
    directory: PathBuf,
    machine: String,
    _temporary: Option<TempDir>,
}

impl Desk {
    pub fn new() -> Self {
        Self::at(MACHINE)
    }

    /// For a machine of another name.
    pub fn at(machine: &str) -> Self {
        let temporary = TempDir::new().unwrap();
        let desk = Self::of(temporary.path());
        Self { machine: machine.to_owned(), _temporary: Some(temporary), ..desk }
    }

    /// In a directory that stays.
    pub fn of(directory: &Path) -> Self {
        fs::create_dir_all(directory.join("live")).unwrap();
        fs::create_dir_all(directory.join("vault")).unwrap();
        Self { directory: directory.to_owned(), machine: MACHINE.to_owned(), _temporary: None }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn live(&self, path: &str) -> PathBuf {
        self.directory.join("live").join(path)
    }

    pub fn root(&self) -> PathBuf {
        self.directory.join("vault")
    }

    pub fn vault_path(&self, name: &str) -> PathBuf {
        self.root().join("machines").join(&self.machine).join(name)
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.live(path).parent().unwrap()).unwrap();
        fs::write(self.live(path), bytes).unwrap();
    }

    /// A new file under the old name.
    pub fn replace(&self, path: &str, bytes: &[u8]) {
        let beside = self.directory.join("beside");
        fs::write(&beside, bytes).unwrap();
        fs::rename(beside, self.live(path)).unwrap();
    }

    /// The same, whether there was one or not.
    pub fn replace_or_write(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.live(path).parent().unwrap()).unwrap();
        self.replace(path, bytes);
    }

    pub fn append(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.live(path).parent().unwrap()).unwrap();
        fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.live(path))
            .unwrap()
            .write_all(bytes)
            .unwrap();
    }

    pub fn truncate(&self, path: &str, len: u64) {
        if let Ok(file) = fs::OpenOptions::new().write(true).open(self.live(path)) {
            let len = len.min(file.metadata().unwrap().len());
            file.set_len(len).unwrap();
        }
    }

    pub fn rename(&self, from: &str, to: &str) {
        fs::create_dir_all(self.live(to).parent().unwrap()).unwrap();
        let _ = fs::rename(self.live(from), self.live(to));
    }

    pub fn remove(&self, path: &str) {
        let _ = fs::remove_file(self.live(path));
    }

    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.live(path)).ok()
    }

    pub fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        walk(&self.directory.join("live"), Path::new(""), &mut candidates);
        candidates.sort_by(|one, two| one.path.cmp(&two.path));
        candidates
    }

    pub fn writer(&self) -> Writer {
        // A process that another test starts holds the lock too, from its fork to its exec.
        self.try_writer(Duration::from_secs(10)).unwrap()
    }

    pub fn try_writer(&self, patience: Duration) -> Result<Writer, Error> {
        Writer::open(VaultStore::plain(self.root()), "id", Owners::alone(MACHINE), "a test", patience)
    }

    pub fn keep(&self) -> Vec<Outcome> {
        self.keep_so(&self.candidates(), false)
    }

    pub fn keep_full(&self) -> Vec<Outcome> {
        self.keep_so(&self.candidates(), true)
    }

    pub fn keep_these(&self, candidates: &[Candidate]) -> Vec<Outcome> {
        self.keep_so(candidates, false)
    }

    fn keep_so(&self, candidates: &[Candidate], full: bool) -> Vec<Outcome> {
        let purged = HashSet::new();
        let keep = Keep { full, ..self.usual(&purged) };
        self.writer().keep(&keep, candidates).unwrap().outcomes
    }

    pub fn usual<'a>(&'a self, purged: &'a HashSet<String>) -> Keep<'a> {
        Keep::new(&self.machine, "2026-12-01T12:00:00Z".parse().unwrap(), purged)
    }

    pub fn keep_at(&self, now: &str) -> Vec<Outcome> {
        let purged = HashSet::new();
        let keep = Keep { now: now.parse().unwrap(), ..self.usual(&purged) };
        self.writer().keep(&keep, &self.candidates()).unwrap().outcomes
    }

    /// Waits for others, and may fail.
    pub fn try_keep(&self, candidates: &[Candidate]) -> Result<Vec<Outcome>, Error> {
        let purged = HashSet::new();
        let mut writer = self.try_writer(Duration::from_secs(60))?;
        writer.keep(&self.usual(&purged), candidates).map(|kept| kept.outcomes)
    }

    pub fn cached(&self) -> Cached {
        Cached::new(VaultStore::plain(self.root()), "id", Owners::alone(MACHINE))
    }

    pub fn catalog(&self) -> Catalog {
        self.cached().catalog().unwrap()
    }

    pub fn restore(&self, path: &str, generation: Option<u32>) -> Vec<u8> {
        self.try_restore(path, generation).unwrap()
    }

    pub fn try_restore(&self, path: &str, generation: Option<u32>) -> Result<Vec<u8>, Error> {
        let cached = self.cached();
        let catalog = cached.catalog()?;
        let text = text_of(Path::new(path)).unwrap();
        assert_eq!(path_of(&text).unwrap(), Path::new(path));
        let (machine, _, stream) = catalog.streams().find(|(_, _, stream)| stream.path == text).unwrap();
        let generation = generation.map_or(stream.latest(), |number| stream.generation(number)).unwrap();
        let volume = Volume { store: cached.store(), machine, stream, generation };
        let mut bytes = Vec::new();
        let copied = volume.copy(&mut bytes);
        let mut again = Vec::new();
        let read = volume.reader().read_to_end(&mut again);
        assert_eq!(copied.is_ok(), read.is_ok());
        copied?;
        // Another process may have merged in between what came later.
        assert!(again.starts_with(&bytes), "{} of {} bytes", again.len(), bytes.len());
        Ok(bytes)
    }

    /// Every generation of everything.
    pub fn everything(&self) -> Vec<Vec<u8>> {
        self.generations().into_iter().map(Result::unwrap).collect()
    }

    /// Without what is damaged.
    pub fn everything_readable(&self) -> Vec<Vec<u8>> {
        self.generations().into_iter().filter_map(Result::ok).collect()
    }

    fn generations(&self) -> Vec<Result<Vec<u8>, Error>> {
        let cached = self.cached();
        let catalog = cached.catalog().unwrap();
        let mut all = Vec::new();
        for (machine, _, stream) in catalog.streams() {
            for generation in &stream.generations {
                let mut bytes = Vec::new();
                let volume = Volume { store: cached.store(), machine, stream, generation };
                all.push(volume.copy(&mut bytes).map(|_| bytes));
            }
        }
        all
    }

    /// Every file of the vault, with its bytes.
    pub fn snapshot(&self) -> Vec<(String, Vec<u8>)> {
        let cached = self.cached();
        let listed = cached.store().list("").unwrap();
        listed
            .into_iter()
            .map(|entry| (entry.name.clone(), cached.store().read(&entry.name).unwrap()))
            .collect()
    }

    pub fn verify(&self) -> Checked {
        let cached = self.cached();
        let (catalog, known) = cached.look_again().unwrap();
        verify(cached.store(), &catalog, known.as_ref(), &|_| {})
    }

    /// The names of all segments, below the machine, but those of the ledger.
    pub fn segments(&self) -> Vec<String> {
        self.files().into_iter().filter(|name| !name.starts_with("ledger/")).collect()
    }

    /// The names of all files below the machine.
    pub fn files(&self) -> Vec<String> {
        let listed = self.cached().store().list(&format!("machines/{}", self.machine)).unwrap();
        let prefix = format!("machines/{}/", self.machine);
        listed.into_iter().map(|entry| entry.name.replace(&prefix, "")).collect()
    }

    pub fn drop_cache(&self) {
        let _ = fs::remove_dir_all(self.root().join(".cache"));
    }

    pub fn spoil_cache(&self) {
        for entry in fs::read_dir(self.root().join(".cache")).unwrap() {
            let _ = fs::write(entry.unwrap().path(), b"{\"format\":1,");
        }
    }
}

fn walk(directory: &Path, relative: &Path, candidates: &mut Vec<Candidate>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let path = relative.join(entry.file_name());
        // Another process may have moved it.
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            walk(&entry.path(), &path, candidates);
            continue;
        }
        let (session, role) = role_of(&path);
        candidates.push(Candidate {
            path: text_of(&path).unwrap(),
            absolute: entry.path(),
            len: metadata.len(),
            modified: metadata.modified().unwrap(),
            inode: inode(&metadata),
            session,
            role,
        });
    }
}

fn role_of(path: &Path) -> (Option<String>, Role) {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    match parts.as_slice() {
        ["projects", _, name] => (Some(name.trim_end_matches(".jsonl").to_owned()), Role::Transcript),
        ["projects", _, session, rest @ ..] => {
            (Some((*session).to_owned()), Role::Part { rest: rest.join("/") })
        }
        _ => (None, Role::Other),
    }
}

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> Option<u64> {
    None
}
