//! Lock files that a killed git left behind → gone.
//!
//! The vault has a lock of its own and its owner is the only one to write here, so these are stale; except that a
//! git may outlive, by a moment, the process that started it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::error::Error;

const GRACE: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(25);

pub(super) fn free(directory: &Path) -> Result<(), Error> {
    let started = Instant::now();
    while !locks(directory).is_empty() && started.elapsed() < GRACE {
        thread::sleep(STEP);
    }
    for path in locks(directory) {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::file(&path)(error)),
            _ => {}
        }
    }
    Ok(())
}

fn locks(directory: &Path) -> Vec<PathBuf> {
    let mut found = locks_in(directory);
    let mut open = vec![directory.join("refs")];
    while let Some(directory) = open.pop() {
        found.extend(locks_in(&directory));
        open.extend(entries(&directory).filter(|path| path.is_dir() && !path.is_symlink()));
    }
    let housekeeping = directory.join("gc.pid");
    found.extend(housekeeping.exists().then_some(housekeeping));
    found
}

fn locks_in(directory: &Path) -> Vec<PathBuf> {
    entries(directory).filter(|path| path.extension().is_some_and(|end| end == "lock")).collect()
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}
