//! What killed processes left in a Claude directory → settled by the next restore or sync.
//!
//! A process that puts files there first writes `.steno-unfinished-PID-NUMBER` at the top, and removes it at the end.
//! The next one looks through all directories only where such a file is left and its lock is free.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use steno_vault::{fault, private, rename_new};

use super::{ASIDE, Checked, Keeper, LOCK, SPARE, check_all, clear};
use crate::draft;
use crate::error::Error;

const MARK: &str = ".steno-unfinished-";
/// Where sessions have files.
const TREES: [&str; 5] = ["projects", "file-history", "plans", "tasks", "todos"];

/// A process at work in a Claude directory.
#[derive(Debug)]
pub(crate) struct Unfinished {
    root: PathBuf,
    path: PathBuf,
    /// Directories that were made for it, the inner ones first.
    made: Vec<PathBuf>,
    /// Holds the lock, where there are locks.
    _lock: File,
}

impl Unfinished {
    /// The directory is made where it is not there.
    pub(crate) fn begin(root: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let missing = root.ancestors().take_while(|directory| !directory.exists());
        let made = missing.map(Path::to_owned).collect();
        private::create_dir_all(root)?;
        fault::point();
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = root.join(format!("{MARK}{}-{number}", std::process::id()));
            let lock = match private::create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            let _ = lock.try_lock();
            return Ok(Self { root: root.to_owned(), path, made, _lock: lock });
        }
    }
}

impl Drop for Unfinished {
    /// What could not be settled is for the next process.
    fn drop(&mut self) {
        if asides_below(&self.root).is_empty() {
            fault::point();
            let _ = fs::remove_file(&self.path);
        }
        // Only empty ones go.
        for directory in &self.made {
            let _ = fs::remove_dir(directory);
        }
    }
}

/// Whether a killed process, or one that could not settle everything, left something.
pub(crate) fn is_left(root: &Path) -> bool {
    !free_marks(root).is_empty()
}

/// Gives files a place again that lost it, and removes those that `keeper` has. The others stay, and are returned.
pub(crate) fn recover(root: &Path, keeper: Keeper<'_>) -> Result<Vec<PathBuf>, Error> {
    let marks = free_marks(root);
    if marks.is_empty() {
        return Ok(Vec::new());
    }
    draft::sweep(&trees(root));
    let mut left = Vec::new();
    for directory in asides_below(root) {
        let Some(_lock) = draft::held(&directory.join(LOCK)) else {
            // Killed before there was a lock; it is empty. Otherwise it is at work.
            let _ = fs::remove_dir(&directory);
            continue;
        };
        for file in files_in(&directory) {
            if !is_settled(&directory, &file, keeper)? {
                left.push(file);
            }
        }
        clear(&directory);
    }
    if left.is_empty() {
        marks.iter().for_each(|(path, _)| drop(fs::remove_file(path)));
    }
    Ok(left)
}

fn is_settled(directory: &Path, file: &Path, keeper: Keeper<'_>) -> Result<bool, Error> {
    let parent = directory.parent().unwrap_or(Path::new("."));
    let place = parent.join(file.file_name().unwrap_or_default());
    if fs::symlink_metadata(&place).is_err() && rename_new(file, &place).is_ok() {
        return Ok(true);
    }
    let left = Checked { file: file.to_owned(), place, held: None };
    let left = if file.is_symlink() { Vec::new() } else { vec![left] };
    match check_all(left, keeper) {
        Ok(()) => {
            fault::point();
            let _ = fs::remove_file(file);
            Ok(true)
        }
        Err(error) if matches!(error.kind, crate::ErrorKind::Exists | crate::ErrorKind::Running) => Ok(false),
        Err(error) => Err(error),
    }
}

/// What had the place first comes first.
fn files_in(directory: &Path) -> Vec<PathBuf> {
    let is_file = |path: &PathBuf| !path.ends_with(LOCK) && !path.ends_with(SPARE);
    listed(&directory.join(SPARE)).chain(listed(directory)).filter(is_file).collect()
}

fn asides_below(root: &Path) -> Vec<PathBuf> {
    let mut open = trees(root);
    let mut asides: Vec<PathBuf> = listed(root).filter(|path| is_named(path, ASIDE)).collect();
    while let Some(directory) = open.pop() {
        for path in listed(&directory) {
            if is_named(&path, ASIDE) {
                asides.push(path);
            } else if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
                open.push(path);
            }
        }
    }
    asides
}

/// With project directories that are links: some people keep them on another disk.
fn trees(root: &Path) -> Vec<PathBuf> {
    let linked = listed(&root.join("projects")).filter(|path| path.is_symlink() && path.is_dir());
    TREES.iter().map(|tree| root.join(tree)).chain(linked).collect()
}

/// With the locks, which are held as long as these are.
fn free_marks(root: &Path) -> Vec<(PathBuf, File)> {
    let marks = listed(root).filter(|path| is_named(path, MARK));
    marks.filter_map(|path| Some((draft::held(&path)?, path))).map(|(lock, path)| (path, lock)).collect()
}

fn listed(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_named(path: &Path, start: &str) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(start.as_bytes()))
}
