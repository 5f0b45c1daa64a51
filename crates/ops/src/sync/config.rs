//! Config files → plain copies of them in the vault.

use std::fs;
use std::path::Path;
use std::time::Duration;

use steno_conversation::Warning;
use steno_source::KeptFile;
use steno_vault::{Existing, LocalStore, Store, text_of};

use crate::error::Error;
use crate::warning;

#[derive(Debug, Default)]
pub(super) struct Copied {
    pub(super) files: u64,
    pub(super) bytes: u64,
    pub(super) warnings: Vec<Warning>,
}

/// A copy that is not older than its file, and as long, is taken for the same unless `full` says otherwise.
pub(super) fn copy(
    store: &LocalStore,
    machine: &str,
    files: &[KeptFile],
    full: bool,
) -> Result<Copied, Error> {
    let mut copied = Copied::default();
    let batch = store.batch()?;
    let mut placed = Vec::new();
    for file in files {
        let Some(path) = text_of(&file.path) else { continue };
        let name = format!("machines/{machine}/config/{path}");
        let place = store.root().join(&name);
        if !full && looks_copied(file, &place) {
            continue;
        }
        match fs::read(&file.absolute) {
            Ok(bytes) if fs::read(&place).is_ok_and(|copy| copy == bytes) => {
                touch(&place, file);
                placed.push((file, place));
            }
            Ok(bytes) => {
                batch.put(&name, &bytes, Existing::Replace)?;
                copied.files += 1;
                copied.bytes += bytes.len() as u64;
                placed.push((file, place));
            }
            Err(error) => {
                let message = format!("it cannot be read: {error}");
                copied.warnings.push(warning::at(&file.absolute, "unreadable", message));
            }
        }
    }
    if copied.files > 0 {
        batch.commit()?;
    }
    placed.iter().for_each(|(file, place)| resemble(&file.absolute, place));
    Ok(copied)
}

fn looks_copied(file: &KeptFile, place: &Path) -> bool {
    let Ok(copy) = fs::metadata(place) else { return false };
    let is_same = fs::metadata(&file.absolute).is_ok_and(|file| is_executable(&file) == is_executable(&copy));
    is_same && copy.len() == file.len && copy.modified().is_ok_and(|time| time > file.modified)
}

/// A hook that comes back shall run again. Where that fails, its bytes are kept all the same.
#[cfg(unix)]
fn resemble(file: &Path, place: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let is_meant = fs::metadata(file).is_ok_and(|file| is_executable(&file));
    if fs::metadata(place).is_ok_and(|copy| is_executable(&copy) != is_meant) {
        let mode = if is_meant { 0o700 } else { 0o600 };
        let _ = fs::set_permissions(place, fs::Permissions::from_mode(mode));
    }
}

#[cfg(not(unix))]
fn resemble(_: &Path, _: &Path) {}

#[cfg(unix)]
fn is_executable(file: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

/// So that it need not be read again; where that fails, it is.
fn touch(place: &Path, file: &KeptFile) {
    if let Ok(copy) = fs::OpenOptions::new().append(true).open(place) {
        let _ = copy.set_modified(file.modified + Duration::from_secs(1));
    }
}
