//! The directory for caches about the vault, which can be made again.
//!
//! For a plain vault it is `.cache/` in the vault. For an encrypted one it is outside, in the user's own cache: caches have
//! names of projects, titles and ids, which a thief of the vault must not find beside the encrypted files.

use std::fs;
use std::path::{Path, PathBuf};

use steno_vault::{Identity, Manifest, private};

use super::{Workspace, text_of};
use crate::error::{Error, ErrorKind};

/// Below the user's cache: one directory for each encrypted vault.
const VAULTS: &str = "vaults";
const INSIDE: &str = ".cache";
/// The files that move there when a vault becomes encrypted.
const TAKEN_ALONG: [&str; 7] = [
    "names.jsonl",
    "catalog.jsonl",
    "checkpoints.json",
    "shelves.json",
    "sessions.json",
    "steno.log.1",
    "steno.log",
];
/// The files that stay inside: they tell nothing that is not sent anyway.
const STAYS: [&str; 3] = ["holder", "sent", "new"];

impl Workspace {
    /// As the documents of the vault say.
    pub(crate) fn is_sealed(&self) -> bool {
        let names = |recipients: Vec<String>| !recipients.is_empty();
        Manifest::read(&self.vault).ok().flatten().is_some_and(|manifest| names(manifest.recipients))
            || Identity::read(&self.vault).ok().flatten().is_some_and(|vault| names(vault.recipients))
    }

    pub(crate) fn local(&self) -> PathBuf {
        if self.is_sealed() { self.outside() } else { self.vault.join(INSIDE) }
    }

    /// For an encrypted vault. If the user has no cache directory, it is beside the vault.
    pub(crate) fn outside(&self) -> PathBuf {
        let vault = text_of(&self.vault);
        match &self.cache {
            Some(cache) => cache.join(VAULTS).join(steno_index::name_of([vault.as_str()])),
            None => PathBuf::from(format!("{}.cache", vault.trim_end_matches(['/', '\\']))),
        }
    }

    /// Copies the caches to their new place. A cache that cannot be copied is made again.
    pub(crate) fn take_outside(&self) {
        let (inside, outside) = (self.vault.join(INSIDE), self.outside());
        for name in TAKEN_ALONG {
            let (from, to) = (inside.join(name), outside.join(name));
            if from.is_file() && !to.exists() {
                let _ = fs::read(from).and_then(|bytes| private::replace_cache(&to, &bytes));
            }
        }
    }

    /// Removes files with names from inside an encrypted vault. The caller holds its lock.
    pub(crate) fn clear_inside(&self) -> Result<(), Error> {
        self.take_outside();
        for entry in fs::read_dir(self.vault.join(INSIDE)).into_iter().flatten().flatten() {
            if !STAYS.iter().any(|name| entry.file_name() == *name) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Removes all caches outside the vault.
    pub(crate) fn forget_outside(&self) -> Result<(), Error> {
        remove(&self.outside())
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    private::remove_all(path).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot remove {}: {error}", path.display()))
            .hint("remove it by hand: it can be made again")
    })
}
