//! Config files → copies of them in the vault.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use steno_conversation::Warning;
use steno_source::KeptFile;
use steno_vault::{Batch, Existing, Store, VaultStore, text_of};

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
    store: &VaultStore,
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
        let place = store.root().join(&*store.file_of(&name));
        if !full && looks_copied(store, file, &name, &place) {
            continue;
        }
        match fs::read(&file.absolute) {
            Ok(bytes) if store.read(&name).is_ok_and(|copy| copy == bytes) => {
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
    let is_noted = note_executables(store, batch.as_ref(), machine, files)?;
    if copied.files > 0 || is_noted {
        batch.commit()?;
    }
    if !store.is_encrypted() {
        placed.iter().for_each(|(file, place)| resemble(&file.absolute, place));
    }
    Ok(copied)
}

/// The name of the list of config files that can be run: not every store knows of that.
pub(crate) fn executables(machine: &str) -> String {
    format!("machines/{machine}/executable.json")
}

/// Whether the list is new. One that cannot be read is left alone.
fn note_executables(
    store: &VaultStore,
    batch: &dyn Batch,
    machine: &str,
    files: &[KeptFile],
) -> Result<bool, Error> {
    let can_run = |file: &&KeptFile| fs::metadata(&file.absolute).is_ok_and(|file| is_executable(&file));
    let now: BTreeSet<String> = files.iter().filter(can_run).filter_map(|file| text_of(&file.path)).collect();
    let name = executables(machine);
    let known: BTreeSet<String> = match store.read(&name) {
        Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
        Err(steno_vault::Error::Missing { .. }) => BTreeSet::new(),
        Err(_) => return Ok(false),
    };
    // What was kept stays: a file that is gone from the disk is still in the vault.
    let all: BTreeSet<String> = now.union(&known).cloned().collect();
    if all == known {
        return Ok(false);
    }
    let bytes = serde_json::to_vec(&all).unwrap_or_default();
    batch.put(&name, &bytes, Existing::Replace)?;
    Ok(true)
}

fn looks_copied(store: &VaultStore, file: &KeptFile, name: &str, place: &Path) -> bool {
    let Some(copy) = store.look(name) else { return false };
    let resembles = || {
        let files = fs::metadata(&file.absolute).ok().zip(fs::metadata(place).ok());
        files.is_some_and(|(file, copy)| is_executable(&file) == is_executable(&copy))
    };
    let is_newer = copy.modified.is_some_and(|time| time > file.modified);
    copy.len == file.len && is_newer && (store.is_encrypted() || resembles())
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
