//! A directory as a store.
//!
//! Bytes are written below `.cache/`, made durable, and then renamed: a reader sees a name with all of its
//! bytes or no such name.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Batch, Entry, Existing, Store};
use crate::encryption::is_object;
use crate::error::Error;
use crate::name::{SegmentName, is_odd_on_windows};
use crate::private;
use crate::rename::rename;

/// Directories and files that hold no kept bytes.
const OWN: &[&str] = &[".cache", ".git", ".lock", "exchange.json"];
const SEGMENT: &str = ".zst";
const TEMPORARY: &str = ".cache/new";
/// Temporary directories of one process: files from git, a git history on its way out, a look at another remote.
const LEFT_BEHIND: [&str; 3] = [".cache/git", ".cache/forgotten", ".cache/look"];
const SPREAD: u64 = 8;
/// From so many files on, one flush of the file system costs less than one for each file.
const MANY: usize = 8;

#[derive(Debug, Clone)]
pub struct LocalStore {
    root: PathBuf,
}

impl LocalStore {
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Removes what killed processes left behind. Only the holder of the vault's lock may call it.
    pub fn sweep(&self) -> Result<(), Error> {
        for name in LEFT_BEHIND {
            // A git that outlives its parent by a moment may still write there: then the next sweep removes it.
            let _ = private::remove_all(&self.root.join(name));
        }
        let path = self.root.join(TEMPORARY);
        private::remove_all(&path).map_err(Error::write(path))
    }

    /// Removes empty directories: their names may tell of projects.
    pub fn remove_empty(&self, below: &str) -> Result<(), Error> {
        let place = self.place(below)?;
        match place.is_dir() {
            true => remove_empty(&place).map(drop).map_err(Error::write(place)),
            false => Ok(()),
        }
    }

    /// A plain file by its name.
    pub(crate) fn entry(&self, name: &str) -> Option<Entry> {
        let metadata = fs::symlink_metadata(self.place(name).ok()?).ok().filter(fs::Metadata::is_file)?;
        Some(Entry { name: name.to_owned(), len: metadata.len(), modified: metadata.modified().ok() })
    }

    fn place(&self, name: &str) -> Result<PathBuf, Error> {
        let path = Path::new(name);
        let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        let is_odd = cfg!(windows) && name.split('/').any(is_odd_on_windows);
        let first = name.split('/').next().unwrap_or_default();
        if name.is_empty() || !is_plain || is_odd || OWN.contains(&first) || name.contains('\0') {
            return Err(Error::BadName { name: name.to_owned() });
        }
        Ok(self.root.join(path))
    }

    fn walk(&self, directory: &Path, name: &str, entries: &mut Vec<Entry>) -> Result<(), Error> {
        let listed = match fs::read_dir(directory) {
            Ok(listed) => listed,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::read(directory)(error)),
        };
        for entry in listed {
            let entry = entry.map_err(Error::read(directory))?;
            // The vault has no names that are not UTF-8.
            let Ok(own) = entry.file_name().into_string() else { continue };
            if name.is_empty() && OWN.contains(&own.as_str()) {
                continue;
            }
            let full = if name.is_empty() { own } else { format!("{name}/{own}") };
            match entry.metadata() {
                // A directory that has the name of a segment or of an object is damage, and must be seen as such.
                Ok(metadata) if metadata.is_dir() && is_kept(&full) => {
                    entries.push(Entry { name: full, len: 0, modified: metadata.modified().ok() });
                }
                Ok(metadata) if metadata.is_dir() => self.walk(&entry.path(), &full, entries)?,
                Ok(metadata) if metadata.is_file() => {
                    entries.push(Entry {
                        name: full,
                        len: metadata.len(),
                        modified: metadata.modified().ok(),
                    });
                }
                // Links may lead out of the vault; other entries vanished since the directory was read.
                _ => {}
            }
        }
        Ok(())
    }
}

impl Store for LocalStore {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        let directory = if below.is_empty() { self.root.clone() } else { self.place(below)? };
        self.walk(&directory, below, &mut entries)?;
        entries.sort_by(|one, two| one.name.cmp(&two.name));
        Ok(entries)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        let path = self.place(name)?;
        match File::open(&path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Error::Missing { name: name.to_owned() })
            }
            Err(error) => Err(Error::read(path)(error)),
        }
    }

    fn is_taken(&self, name: &str) -> bool {
        self.place(name).is_ok_and(|place| fs::symlink_metadata(place).is_ok())
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        Ok(Box::new(LocalBatch { store: self, changes: Mutex::default() }))
    }
}

#[derive(Debug)]
struct LocalBatch<'a> {
    store: &'a LocalStore,
    changes: Mutex<Changes>,
}

#[derive(Debug, Default)]
struct Changes {
    written: Vec<Written>,
    removed: Vec<PathBuf>,
}

/// Bytes under a temporary name.
#[derive(Debug)]
struct Written {
    temporary: PathBuf,
    place: PathBuf,
    name: String,
    existing: Existing,
}

impl LocalBatch<'_> {
    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Changes {
        std::mem::take(&mut *self.changes())
    }
}

impl Batch for LocalBatch<'_> {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        crate::fault::point();
        let place = self.store.place(name)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // In several directories, because threads wait for each other in one.
        let directory = self.store.root.join(TEMPORARY).join((number % SPREAD).to_string());
        let temporary = directory.join(format!("{}-{number}", std::process::id()));
        let written = Written { temporary, place, name: name.to_owned(), existing };
        let outcome = private::create_dir_all(&directory)
            .and_then(|()| private::create(&written.temporary))
            .and_then(|mut file| file.write_all(bytes));
        let temporary = written.temporary.clone();
        self.changes().written.push(written);
        outcome.map_err(Error::write(temporary))
    }

    fn withdraw(&self, name: &str) -> Result<(), Error> {
        let mut changes = self.changes();
        let (withdrawn, written) =
            std::mem::take(&mut changes.written).into_iter().partition(|written| written.name == name);
        changes.written = written;
        let withdrawn: Vec<Written> = withdrawn;
        for written in withdrawn {
            let _ = fs::remove_file(&written.temporary);
        }
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        let place = self.store.place(name)?;
        self.changes().removed.push(place);
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), Error> {
        let changes = self.take();
        let outcome = self.store.apply(&changes);
        if outcome.is_err() {
            for written in &changes.written {
                let _ = fs::remove_file(&written.temporary);
            }
        }
        outcome
    }
}

impl Drop for LocalBatch<'_> {
    fn drop(&mut self) {
        for written in self.take().written {
            let _ = fs::remove_file(&written.temporary);
        }
    }
}

impl LocalStore {
    fn apply(&self, changes: &Changes) -> Result<(), Error> {
        self.flush_files(&changes.written)?;
        let mut touched = BTreeSet::new();
        for written in &changes.written {
            self.make_directories(&written.place, &mut touched)?;
            if written.existing == Existing::Refuse && fs::symlink_metadata(&written.place).is_ok() {
                if written.place.is_dir() {
                    let source = io::Error::from(io::ErrorKind::IsADirectory);
                    return Err(Error::write(&written.place)(source));
                }
                return Err(Error::Exists { name: written.name.clone() });
            }
            rename(&written.temporary, &written.place).map_err(Error::write(&written.place))?;
        }
        self.flush_directories(&touched)?;
        if changes.removed.is_empty() {
            return Ok(());
        }
        let mut emptied = BTreeSet::new();
        for place in &changes.removed {
            private::remove_file(place).map_err(Error::write(place))?;
            emptied.extend(place.parent().filter(|parent| parent.is_dir()).map(Path::to_owned));
        }
        self.flush_directories(&emptied)
    }

    /// Every directory that gets a new name must be flushed for the name to last: also those above a new one.
    fn make_directories(&self, place: &Path, touched: &mut BTreeSet<PathBuf>) -> Result<(), Error> {
        let Some(directory) = place.parent().filter(|directory| !touched.contains(*directory)) else {
            return Ok(());
        };
        let missing = directory.ancestors().take_while(|directory| !directory.is_dir());
        let above = missing.filter_map(Path::parent).map(Path::to_owned);
        touched.extend(above.filter(|directory| directory.starts_with(&self.root)));
        touched.insert(directory.to_owned());
        private::create_dir_all(directory).map_err(Error::write(directory))
    }

    fn flush_files(&self, written: &[Written]) -> Result<(), Error> {
        if written.len() > MANY && self.flush_everything()? {
            return Ok(());
        }
        let mut paths = written.iter().map(|written| &written.temporary);
        paths.try_for_each(|path| private::flush(path).map_err(Error::write(path)))
    }

    fn flush_directories(&self, directories: &BTreeSet<PathBuf>) -> Result<(), Error> {
        if directories.len() > MANY && self.flush_everything()? {
            return Ok(());
        }
        let mut paths = directories.iter();
        paths.try_for_each(|path| private::flush_directory(path).map_err(Error::write(path)))
    }

    /// `false` where the system cannot flush a whole file system.
    fn flush_everything(&self) -> Result<bool, Error> {
        private::flush_file_system(&self.root).map_err(Error::write(&self.root))
    }
}

/// Whether the directory is gone.
fn remove_empty(directory: &Path) -> io::Result<bool> {
    let mut is_empty = true;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let is_directory = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        is_empty &= is_directory && remove_empty(&path)?;
    }
    if is_empty {
        crate::fault::point();
        fs::remove_dir(directory)?;
    }
    Ok(is_empty)
}

/// Whether a segment, or an encrypted object, could be called so.
fn is_kept(name: &str) -> bool {
    name.ends_with(SEGMENT) && SegmentName::parse(name).is_some() || is_object(name)
}
