//! A Claude directory and a vault for tests.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test uses its part")]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use steno_vault::{
    Cached, Candidate, Catalog, Checked, Keep, Outcome, Role, Store, Volume, Writer, path_of, text_of, verify,
};
use tempfile::TempDir;

pub const MACHINE: &str = "desk";

pub struct Desk {
    directory: TempDir,
}

impl Desk {
    pub fn new() -> Self {
        let directory = TempDir::new().unwrap();
        fs::create_dir_all(directory.path().join("live")).unwrap();
        fs::create_dir_all(directory.path().join("vault")).unwrap();
        Self { directory }
    }

    pub fn live(&self, path: &str) -> PathBuf {
        self.directory.path().join("live").join(path)
    }

    pub fn root(&self) -> PathBuf {
        self.directory.path().join("vault")
    }

    pub fn vault_path(&self, name: &str) -> PathBuf {
        self.root().join("machines").join(MACHINE).join(name)
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.live(path).parent().unwrap()).unwrap();
        fs::write(self.live(path), bytes).unwrap();
    }

    /// A new file under the old name.
    pub fn replace(&self, path: &str, bytes: &[u8]) {
        let beside = self.directory.path().join("beside");
        fs::write(&beside, bytes).unwrap();
        fs::rename(beside, self.live(path)).unwrap();
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
        walk(&self.directory.path().join("live"), Path::new(""), &mut candidates);
        candidates.sort_by(|one, two| one.path.cmp(&two.path));
        candidates
    }

    pub fn writer(&self) -> Writer {
        Writer::open(&self.root(), "id", MACHINE, "a test", Duration::ZERO).unwrap()
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
        let now = "2026-12-01T12:00:00Z".parse().unwrap();
        let purged = std::collections::HashSet::new();
        let keep = Keep { full, ..Keep::new(MACHINE, now, &purged) };
        self.writer().keep(&keep, candidates).unwrap().outcomes
    }

    pub fn cached(&self) -> Cached {
        Cached::new(&self.root(), "id", MACHINE)
    }

    pub fn catalog(&self) -> Catalog {
        self.cached().catalog().unwrap()
    }

    pub fn restore(&self, path: &str, generation: Option<u32>) -> Vec<u8> {
        let cached = self.cached();
        let catalog = cached.catalog().unwrap();
        let text = text_of(Path::new(path)).unwrap();
        assert_eq!(path_of(&text).unwrap(), Path::new(path));
        let (machine, _, stream) = catalog.streams().find(|(_, _, stream)| stream.path == text).unwrap();
        let generation = generation.map_or(stream.latest(), |number| stream.generation(number)).unwrap();
        let volume = Volume { store: cached.store(), machine, stream, generation };
        let mut bytes = Vec::new();
        volume.copy(&mut bytes).unwrap();
        let mut again = Vec::new();
        volume.reader().read_to_end(&mut again).unwrap();
        assert_eq!(bytes, again);
        bytes
    }

    /// Every generation of everything.
    pub fn everything(&self) -> Vec<Vec<u8>> {
        let cached = self.cached();
        let catalog = cached.catalog().unwrap();
        let mut all = Vec::new();
        for (machine, _, stream) in catalog.streams() {
            for generation in &stream.generations {
                let mut bytes = Vec::new();
                Volume { store: cached.store(), machine, stream, generation }.copy(&mut bytes).unwrap();
                all.push(bytes);
            }
        }
        all
    }

    pub fn verify(&self) -> Checked {
        let cached = self.cached();
        let (catalog, known) = cached.look_again().unwrap();
        verify(cached.store(), &catalog, known.as_ref(), &|_| {})
    }

    /// The names of all segments, below the machine.
    pub fn segments(&self) -> Vec<String> {
        let listed = self.cached().store().list(&format!("machines/{MACHINE}")).unwrap();
        let prefix = format!("machines/{MACHINE}/");
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
        let metadata = entry.metadata().unwrap();
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
