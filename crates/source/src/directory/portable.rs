//! A directory → what is in it, on any system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Found, is_measured, kind_of};
use crate::atlas::Roots;
use crate::layout::modified_of;

/// Gives each entry, or its path and what is wrong with it.
pub(super) fn each(
    _: &Roots,
    directory: &Path,
    mut visit: impl FnMut(Result<Found, (PathBuf, io::Error)>),
) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        visit(look(&entry?));
    }
    Ok(())
}

/// Length and time of a file that is no link; nothing where it is gone or something else by now.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn measure(
    _: &Roots,
    path: &Path,
) -> Option<((u64, std::time::SystemTime), Option<crate::atlas::Look>)> {
    let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(((metadata.len(), modified_of(&metadata)), None))
}

fn look(entry: &fs::DirEntry) -> Result<Found, (PathBuf, io::Error)> {
    let path = entry.path();
    let own = match entry.file_type() {
        Ok(own) => own,
        Err(error) => return Err((path, error)),
    };
    let kind = (!own.is_symlink()).then(|| kind_of(own));
    // Windows tells the size of an open file late there.
    let is_wanted = cfg!(unix) && own.is_file() && is_measured(entry.file_name().as_encoded_bytes());
    let metadata = if is_wanted { entry.metadata().ok() } else { None };
    let measured = metadata.map(|metadata| (metadata.len(), modified_of(&metadata)));
    Ok(Found { path, kind, measured })
}
