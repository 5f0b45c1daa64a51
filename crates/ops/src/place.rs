//! A file under another name → under its own, for good.
//!
//! Separate from the stages of `clone`, `restore` and `move`, which all end with this.

use std::fs;
use std::io;
use std::path::Path;

/// A second name is only given where there is none; some file systems know no second names.
pub(crate) fn become_new(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => steno_vault::rename(from, to),
        linked => linked,
    }
}

/// The bytes of a file. Windows flushes only files open for writing.
pub(crate) fn flush_file(path: &Path) -> io::Result<()> {
    fs::File::options().read(true).write(cfg!(windows)).open(path)?.sync_all()
}

/// The names in a directory.
#[cfg(unix)]
pub(crate) fn flush_directory(directory: &Path) -> io::Result<()> {
    fs::File::open(directory)?.sync_all()
}

/// Elsewhere directories cannot be opened, and need not be.
#[cfg(not(unix))]
pub(crate) fn flush_directory(_: &Path) -> io::Result<()> {
    Ok(())
}
