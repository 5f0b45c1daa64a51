//! A directory → what is in it, as the system gives it.
//!
//! Every command begins with a walk through thousands of directories. The standard library asks for more than is needed
//! here, and allocates a buffer for each.

use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fd::AsFd;
use rustix::fs::{AtFlags, FileType, RawDir, RawDirEntry, Stat, statat};

use super::{Found, Kind, is_measured, joined, start_of};
use crate::atlas;

/// No name that is given to us is nearly as long.
const BUFFER: usize = 32 * 1024;

/// Gives each entry, or its path and what is wrong with it.
pub(super) fn each(
    roots: &atlas::Roots,
    directory: &Path,
    mut visit: impl FnMut(Result<Found, (PathBuf, io::Error)>),
) -> io::Result<()> {
    let descriptor = roots.open(directory)?;
    let start = start_of(directory);
    let mut buffer = [const { MaybeUninit::uninit() }; BUFFER];
    let mut entries = RawDir::new(&descriptor, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let path = joined(&start, name);
        visit(match look(&descriptor, &entry) {
            Ok((kind, measured)) => Ok(Found { path, kind, measured }),
            Err(error) => Err((path, error)),
        });
    }
    Ok(())
}

/// What is there itself, and how long it is.
type Look = (Option<Kind>, Option<(u64, SystemTime)>);

fn look(directory: impl AsFd, entry: &RawDirEntry<'_>) -> io::Result<Look> {
    let name = entry.file_name();
    let stat = || statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW);
    // Some file systems do not tell.
    let asked = if entry.file_type() == FileType::Unknown { Some(stat()?) } else { None };
    let own = asked.as_ref().map_or(entry.file_type(), |stat| FileType::from_raw_mode(stat.st_mode));
    if own != FileType::RegularFile || !is_measured(name.to_bytes()) {
        return Ok((kind_of(own), None));
    }
    let stat = asked.map_or_else(stat, Ok).ok();
    Ok((kind_of(own), stat.as_ref().map(measures)))
}

/// Length and time of a file that is no link, and how it looks; nothing where it is gone or something else by now.
pub(super) fn measure(roots: &atlas::Roots, path: &Path) -> Option<((u64, SystemTime), Option<atlas::Look>)> {
    let stat = roots.stat(path, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    is_file.then(|| (measures(&stat), atlas::Look::of(&stat)))
}

fn measures(stat: &Stat) -> (u64, SystemTime) {
    (natural(stat.st_size), modified_of(stat))
}

/// Nothing for a link.
fn kind_of(own: FileType) -> Option<Kind> {
    match own {
        FileType::Symlink => None,
        FileType::RegularFile => Some(Kind::File),
        FileType::Directory => Some(Kind::Directory),
        _ => Some(Kind::Special),
    }
}

/// As the standard library has it.
fn modified_of(stat: &Stat) -> SystemTime {
    let seconds = i128::from(stat.st_mtime);
    let is_before = seconds < 0;
    let seconds = Duration::from_secs(natural(seconds.abs()));
    let whole = if is_before {
        SystemTime::UNIX_EPOCH.checked_sub(seconds)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(seconds)
    };
    let nanoseconds = Duration::from_nanos(natural(stat.st_mtime_nsec));
    whole.and_then(|whole| whole.checked_add(nanoseconds)).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// How wide a number is, and whether it has a sign, is another on every system.
fn natural(number: impl Into<i128>) -> u64 {
    u64::try_from(number.into()).unwrap_or_default()
}
