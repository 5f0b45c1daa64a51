//! Where a document goes → whether it may go there, and then it is there as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::custody::Custody;
use crate::error::{Error, ErrorKind};

/// Nothing is written among the client's files or into the vault, whatever was typed.
pub(super) fn check(custody: &Custody, to: &Path, force: bool) -> Result<(), Error> {
    let invalid = |message: String| Error::new(ErrorKind::Invalid, message);
    if to.is_dir() {
        return Err(invalid(format!("{} is a directory", to.display())).hint("name the file itself"));
    }
    let parent = directory_of(to);
    let real = parent.canonicalize().map_err(|error| {
        let message = format!("cannot write to {}: {error}", parent.display());
        Error::new(ErrorKind::Io, message).hint("make the directory first, or give another name")
    })?;
    let projects = custody.library.claude_dirs.iter().map(|directory| directory.join("projects"));
    let guarded = projects.chain([custody.vault.clone()]);
    if guarded.filter_map(|place| place.canonicalize().ok()).any(|place| real.starts_with(place)) {
        let message = format!("{} would lie among the sessions themselves", to.display());
        return Err(invalid(message).hint("give a name in another directory"));
    }
    if !force && is_taken(to) {
        return Err(exists(to));
    }
    Ok(())
}

/// A file that is to be replaced stays whole until the new one is.
pub(super) fn write(to: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(to),
        _ => Error::new(ErrorKind::Io, format!("cannot write {}: {error}", to.display()))
            .hint("is there room on the disk, and may you write there?"),
    };
    if is_device(to) {
        return fs::write(to, bytes).map_err(failed);
    }
    let place = if force { beside(to) } else { to.to_owned() };
    let written = create(&place, bytes).and_then(|()| if force { fs::rename(&place, to) } else { Ok(()) });
    written.map_err(failed)
}

fn create(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(place)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| drop(fs::remove_file(place)))
}

fn beside(to: &Path) -> PathBuf {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    to.with_file_name(format!(".{name}.{}", std::process::id()))
}

fn directory_of(to: &Path) -> &Path {
    to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Also by a link that leads nowhere.
fn is_taken(to: &Path) -> bool {
    to.symlink_metadata().is_ok() && !is_device(to)
}

/// A terminal, a pipe: it is written to and not replaced.
fn is_device(to: &Path) -> bool {
    to.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn exists(to: &Path) -> Error {
    Error::new(ErrorKind::Exists, format!("{} exists", to.display()))
        .hint("--force replaces it; -o FILE gives another name")
}
