//! Files named by a key that was given up → removed, where their content is here under its new name.
//!
//! Each machine names its own files anew. Until then the files of other machines are read under their old
//! names; afterwards the old files can go.

use crate::encryption::{Encryption, is_object};
use crate::error::Error;
use crate::header::Header;
use crate::store::{Store, VaultStore};
use crate::tombstones::AllTombstones;

/// The outcome, in numbers of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outdated {
    pub removed: u64,
    /// They have no successor yet, or no key here tells.
    pub waiting: u64,
}

/// The caller holds the vault's lock. No passphrase is asked for.
pub fn remove_outdated(store: &VaultStore) -> Result<Outdated, Error> {
    let mut found = Outdated::default();
    let Some(encryption) = store.encryption().filter(|encryption| !encryption.former().is_empty()) else {
        return Ok(found);
    };
    if !store.is_open() {
        return Ok(Outdated { waiting: 1, ..found });
    }
    let mut tombstones = AllTombstones::of(store);
    let batch = store.files().batch()?;
    for entry in store.files().list("")?.into_iter().filter(|entry| is_object(&entry.name)) {
        let Some(name) = store.name_of(&entry.name) else {
            found.waiting += 1;
            continue;
        };
        if encryption.object_of(&name) == entry.name {
            continue;
        }
        // Its machine gave no new name to what it has purged.
        let mut is_purged = || tombstones.cover(&name, header_of(store, &entry.name).as_ref());
        if has_successor(store, encryption, &name) || is_purged() {
            batch.remove(&entry.name)?;
            found.removed += 1;
        } else {
            found.waiting += 1;
        }
    }
    batch.commit()?;
    Ok(found)
}

fn has_successor(store: &VaultStore, encryption: &Encryption, name: &str) -> bool {
    let object = encryption.object_of(name);
    store.files().read(&object).is_ok_and(|bytes| encryption.is_whole(&object, &bytes) == Some(true))
}

fn header_of(store: &VaultStore, object: &str) -> Option<Header> {
    let (_, plain) = store.open_file(object, store.files().read(object).ok()?)?;
    Header::of(&plain)
}
