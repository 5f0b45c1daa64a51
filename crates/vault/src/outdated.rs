//! Files named by a key that was given up → gone, where what they hold is here under its new name.
//!
//! Each machine names its own files anew. Until then those of others are read under their old names, and afterwards the
//! old ones are in nobody's way.

use std::collections::BTreeMap;

use crate::encryption::{Encryption, is_object};
use crate::error::Error;
use crate::exchange::graves::{Graves, machine_of};
use crate::header::Header;
use crate::store::{Store, VaultStore};

/// What became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outdated {
    pub removed: u64,
    /// Nothing has taken their place yet, or nobody can tell without the key.
    pub waiting: u64,
}

/// The caller holds the vault's lock. Nobody is asked for a passphrase.
pub fn remove_outdated(chest: &VaultStore) -> Result<Outdated, Error> {
    let mut found = Outdated::default();
    let Some(seal) = chest.encryption().filter(|seal| !seal.former().is_empty()) else { return Ok(found) };
    if !chest.is_open() {
        return Ok(Outdated { waiting: 1, ..found });
    }
    let mut search = Search { chest, seal, alone: chest.alone(), graves: BTreeMap::new() };
    let batch = chest.files().batch()?;
    for entry in chest.files().list("")?.into_iter().filter(|entry| is_object(&entry.name)) {
        let Some(name) = chest.name_of(&entry.name) else {
            found.waiting += 1;
            continue;
        };
        if seal.object_of(&name) == entry.name {
            continue;
        }
        if search.has_successor(&name) || search.is_buried(&entry.name, &name) {
            batch.remove(&entry.name)?;
            found.removed += 1;
        } else {
            found.waiting += 1;
        }
    }
    batch.commit()?;
    Ok(found)
}

struct Search<'a> {
    chest: &'a VaultStore,
    seal: &'a Encryption,
    /// Who knows a former key can make tombstones by it.
    alone: VaultStore,
    graves: BTreeMap<String, Graves>,
}

impl Search<'_> {
    fn has_successor(&self, name: &str) -> bool {
        let object = self.seal.object_of(name);
        let bytes = self.chest.files().read(&object);
        bytes.is_ok_and(|bytes| self.seal.is_whole(&object, &bytes) == Some(true))
    }

    /// Its machine has purged it, and so gave it no new name.
    fn is_buried(&mut self, object: &str, name: &str) -> bool {
        let Some((slug, machine)) = machine_of(name) else { return false };
        let graves = self.graves.entry(slug.to_owned()).or_default();
        for machine in [slug, machine] {
            graves.look_at(&self.alone, machine);
        }
        let bytes = self.chest.files().read(object).unwrap_or_default();
        let header = self.chest.open_file(object, bytes).and_then(|(_, plain)| Header::of(&plain));
        graves.hold(header, name)
    }
}
