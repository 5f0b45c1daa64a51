//! The catalogue, and the stat of each live file when it was last kept, as files that can be deleted at any time.
//!
//! The cache is believed only as long as no other process changed the directories that hold segments.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, Machine, Owners};
use crate::error::Error;
use crate::private;
use crate::store::VaultStore;

const FORMAT: u64 = 6;
const CATALOG: &str = "catalog.jsonl";
const CHECKPOINTS: &str = "checkpoints.json";
const DIRECTORIES: &str = "shelves.json";
/// Exists while segments are being renamed: then the rest of the cache is not believed.
const UNFINISHED: &str = "unfinished";

#[derive(Debug, Clone)]
pub(crate) struct Cache {
    /// Knows what the files are called.
    store: VaultStore,
    directory: PathBuf,
    /// The vault it is about, and whose the oldest files in it are: a copied or exchanged vault has its own.
    vault: String,
}

/// How a live file looked when its first `len` bytes had been kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) len: u64,
    /// Nanoseconds since the epoch.
    pub(crate) modified: i64,
    pub(crate) inode: Option<u64>,
    pub(crate) head: u64,
    pub(crate) tail: u64,
}

/// Of one machine's Claude directory.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Checkpoints {
    /// When all kept bytes were last compared with the live ones.
    pub(crate) compared: Option<Timestamp>,
    pub(crate) files: HashMap<String, Checkpoint>,
}

impl Checkpoints {
    /// A checkpoint speaks of bytes that the vault must still have.
    pub(crate) fn forget_what_is_gone(&mut self, kept: Option<&Machine>) {
        let streams = kept.into_iter().flat_map(|kept| kept.streams.values());
        let lengths: HashMap<&str, u64> = streams
            .filter_map(|stream| Some((stream.path.as_str(), stream.latest()?)))
            .filter(|(_, generation)| generation.is_contiguous())
            .map(|(path, generation)| (path, generation.len()))
            .collect();
        self.files.retain(|path, checkpoint| lengths.get(path.as_str()) == Some(&checkpoint.len));
    }
}

#[derive(Serialize, Deserialize)]
struct Document<T> {
    format: u64,
    vault: String,
    content: T,
}

impl Cache {
    pub(crate) fn new(store: &VaultStore, vault: &str, owners: &Owners) -> Self {
        let of = owners.original.as_ref().map(|original| format!(" of {original}")).unwrap_or_default();
        let encrypted = if store.is_encrypted() { " encrypted" } else { "" };
        let vault = format!("{vault}{of}{encrypted}");
        Self { store: store.clone(), directory: store.cache(), vault }
    }

    /// Removes what killed processes left behind. A process that writes here just now does without.
    pub(crate) fn sweep(&self) {
        private::sweep(&self.directory);
    }

    /// Whether the cache agrees with the disk.
    pub(crate) fn is_current(&self) -> bool {
        if self.directory.join(UNFINISHED).exists() {
            return false;
        }
        let known: Option<BTreeMap<String, i64>> = self.load(DIRECTORIES);
        known.is_some_and(|known| known.iter().all(|(name, time)| self.modified(name) == Some(*time)))
    }

    /// The catalogue as it was last written, which may be out of date.
    pub(crate) fn catalog(&self) -> Option<Catalog> {
        self.load(CATALOG)
    }

    pub(crate) fn checkpoints(&self, machine: &str) -> Checkpoints {
        self.all_checkpoints().remove(machine).unwrap_or_default()
    }

    /// By machine.
    pub(crate) fn all_checkpoints(&self) -> HashMap<String, Checkpoints> {
        self.load(CHECKPOINTS).unwrap_or_default()
    }

    /// The machines that have checkpoints.
    pub(crate) fn machines(&self) -> Vec<String> {
        let all: HashMap<String, serde::de::IgnoredAny> = self.load(CHECKPOINTS).unwrap_or_default();
        let mut machines: Vec<String> = all.into_keys().collect();
        machines.sort();
        machines
    }

    /// Until [`Self::save`], nothing of it is believed.
    pub(crate) fn begin(&self) -> Result<(), Error> {
        let path = self.directory.join(UNFINISHED);
        crate::fault::point();
        private::create_dir_all(&self.directory)
            .and_then(|()| fs::write(&path, b""))
            .map_err(Error::write(path))
    }

    pub(crate) fn save(&self, catalog: &Catalog) -> Result<(), Error> {
        if !self.is_current() {
            self.forget_what_is_gone(catalog)?;
        }
        let known: BTreeMap<String, i64> = self.load(DIRECTORIES).unwrap_or_default();
        self.publish(catalog, |name| self.mark(name, known.get(name).copied()))
    }

    /// The same, when the cache was current and only these files were written or removed since. A change by another
    /// process meanwhile must not pass for known: directories keep the time that they had, and those that were
    /// written to must hold all that they should.
    pub(crate) fn save_written(
        &self,
        catalog: &Catalog,
        checkpoints: &HashMap<String, Checkpoints>,
        written: &[String],
    ) -> Result<(), Error> {
        self.keep(CHECKPOINTS, checkpoints)?;
        let known: BTreeMap<String, i64> = self.load(DIRECTORIES).unwrap_or_default();
        let written: Vec<Cow<'_, str>> = written.iter().map(|name| self.store.file_of(name)).collect();
        let touched: BTreeSet<&str> = written.iter().flat_map(|file| above(file)).collect();
        let is_there = |file: &str| self.store.root().join(file).exists();
        let incomplete: BTreeSet<String> = catalog
            .files()
            .map(|name| self.store.file_of(name))
            .filter_map(|file| {
                let (directory, _) = file.rsplit_once('/')?;
                (touched.contains(directory) && !is_there(&file)).then(|| directory.to_owned())
            })
            .collect();
        self.publish(catalog, |name| match known.get(name).copied() {
            Some(time) if !touched.contains(name) => Some(time),
            known => self.mark(name, known).filter(|_| !incomplete.contains(name)),
        })
    }

    /// From here on, all of it is believed, as long as each directory has the time it is given; none is never true.
    fn publish(&self, catalog: &Catalog, time: impl Fn(&str) -> Option<i64>) -> Result<(), Error> {
        self.keep(CATALOG, catalog)?;
        let directories = catalog.directories(|name| self.store.file_of(name));
        let directories: BTreeMap<&str, Option<i64>> =
            directories.iter().map(|name| (name.as_str(), time(name))).collect();
        self.keep(DIRECTORIES, &directories)?;
        // What waits for a key is in no catalogue, and a loss is reported until it is mended: both are looked at anew.
        if self.store.waiting() > 0 || !catalog.is_complete() {
            return self.begin();
        }
        let path = self.directory.join(UNFINISHED);
        private::remove_file(&path).map_err(Error::write(path))
    }

    pub(crate) fn save_checkpoints(&self, machine: &str, checkpoints: &Checkpoints) -> Result<(), Error> {
        let mut all = self.all_checkpoints();
        all.insert(machine.to_owned(), checkpoints.clone());
        self.keep(CHECKPOINTS, &all)
    }

    /// The catalogue is about to be believed again, so the checkpoints must agree with it.
    fn forget_what_is_gone(&self, catalog: &Catalog) -> Result<(), Error> {
        let Some(mut all) = self.load::<HashMap<String, Checkpoints>>(CHECKPOINTS) else { return Ok(()) };
        let count =
            |all: &HashMap<String, Checkpoints>| all.values().map(|one| one.files.len()).sum::<usize>();
        let before = count(&all);
        for (machine, checkpoints) in &mut all {
            checkpoints.forget_what_is_gone(catalog.machines.get(machine));
        }
        if count(&all) == before { Ok(()) } else { self.keep(CHECKPOINTS, &all) }
    }

    fn modified(&self, name: &str) -> Option<i64> {
        let metadata = fs::metadata(self.store.root().join(name)).ok()?;
        metadata.modified().ok().map(nanoseconds)
    }

    /// The clock of a file system may not advance for some milliseconds: a change right after this one would leave the
    /// same time. A nanosecond more is a time that no change leaves.
    fn mark(&self, name: &str, known: Option<i64>) -> Option<i64> {
        let time = self.modified(name)?;
        let path = self.store.root().join(name);
        if known == Some(time) || !path.is_dir() {
            return Some(time);
        }
        let marked = File::open(&path).and_then(|directory| {
            let modified = directory.metadata()?.modified()?;
            directory.set_modified(modified + Duration::from_nanos(1))
        });
        // Where that is not possible, the time as it is tells most changes.
        marked.ok().and_then(|()| self.modified(name)).or(Some(time))
    }

    fn load<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = fs::read(self.directory.join(name)).ok()?;
        let document: Document<T> = serde_json::from_slice(&bytes).ok()?;
        (document.format == FORMAT && document.vault == self.vault).then_some(document.content)
    }

    fn keep(&self, name: &str, content: &impl Serialize) -> Result<(), Error> {
        let path = self.directory.join(name);
        let document = Document { format: FORMAT, vault: self.vault.clone(), content };
        let bytes = serde_json::to_vec(&document).map_err(|error| Error::write(&path)(error.into()))?;
        private::replace_cache(&path, &bytes).map_err(Error::write(path))
    }
}

/// The directories above a file.
fn above(file: &str) -> impl Iterator<Item = &str> {
    file.match_indices('/').filter_map(|(end, _)| file.get(..end))
}

/// Since the epoch; before it, negative.
pub(crate) fn nanoseconds(time: SystemTime) -> i64 {
    let signed = |duration: std::time::Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => signed(after),
        Err(before) => -signed(before.duration()),
    }
}

#[cfg(unix)]
pub(crate) fn inode_of(metadata: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

#[cfg(not(unix))]
pub(crate) fn inode_of(_: &fs::Metadata) -> Option<u64> {
    None
}
