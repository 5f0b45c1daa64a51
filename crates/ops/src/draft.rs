//! Names of files that are not whole yet, and the processes that are at work on them.
//!
//! The first file of a stage, `.steno-PID-NUMBER`, is locked as long as its process works; the others are called after
//! it, `.steno-PID-NUMBER-OTHER`. Where the lock of a first file is free, its process was killed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use steno_vault::private;

/// What names begin with that only processes of ours know.
pub(crate) const TEMPORARY: &str = ".steno-";

/// The first file of a stage.
#[derive(Debug)]
pub(crate) struct First {
    name: String,
    /// Holds the lock, where there are locks.
    _file: File,
}

/// A new file in a directory that is there. Where process numbers repeat, a killed one may have left its name.
pub(crate) fn create(directory: &Path, first: &mut Option<First>) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = match first {
            Some(first) => format!("{}-{number}", first.name),
            None => format!("{TEMPORARY}{}-{number}", std::process::id()),
        };
        let path = directory.join(&name);
        let file = match private::create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created?,
        };
        if first.is_none() {
            let _ = file.try_lock();
            *first = Some(First { name, _file: file.try_clone()? });
        }
        return Ok((path, file));
    }
}

/// Removes what killed processes left below some directories. Whose first file is not found may be at work elsewhere.
pub(crate) fn sweep(directories: &[PathBuf]) {
    let mut stages: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for path in drafts_below(directories) {
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(stage) = name.and_then(stage_of) {
            stages.entry(stage).or_default().push(path);
        }
    }
    for (stage, paths) in stages {
        let (first, others): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(|path| path.file_name().is_some_and(|name| *name == *stage));
        let locks: Option<Vec<File>> = first.iter().map(|path| held(path)).collect();
        // The first goes last: as long as it is there, the next run knows of the others.
        if locks.is_some_and(|locks| !locks.is_empty()) {
            others.iter().chain(&first).for_each(|path| {
                steno_vault::fault::point();
                let _ = fs::remove_file(path);
            });
        }
    }
}

/// The lock of a file, if no other process holds it.
pub(crate) fn held(path: &Path) -> Option<File> {
    let file = File::options().read(true).write(true).open(path).ok()?;
    file.try_lock().is_ok().then_some(file)
}

/// The name of the first file of a stage, by that of any of its files.
fn stage_of(name: &str) -> Option<String> {
    let numbers: Vec<&str> = name.strip_prefix(TEMPORARY)?.split('-').collect();
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match numbers.as_slice() {
        [process, number, ..] if numbers.len() <= 3 && numbers.iter().all(is_number) => {
            Some(format!("{TEMPORARY}{process}-{number}"))
        }
        _ => None,
    }
}

/// Links are not followed, and nothing is looked for in drafts of other commands.
fn drafts_below(directories: &[PathBuf]) -> Vec<PathBuf> {
    let (mut open, mut drafts) = (directories.to_owned(), Vec::new());
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let is_draft = entry.file_name().as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_draft => open.push(entry.path()),
                Ok(kind) if kind.is_file() && is_draft => drafts.push(entry.path()),
                _ => {}
            }
        }
    }
    drafts
}
