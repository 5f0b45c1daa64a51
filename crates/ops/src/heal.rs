//! Recorded files that are gone from the disk, or damaged there → as they were recorded.
//!
//! A vault only ever grows, and what was recorded once never changes: unless a session was purged, what git has of
//! this machine belongs on the disk. It is looked at before anything is recorded, so that no damage is ever sent.

use std::path::Path;

use steno_conversation::Warning;
use steno_vault::git::{Altered, Repository};
use steno_vault::{Batch, Existing, Header, Store, Tombstones, VaultStore, Writer};

use crate::error::Error;
use crate::warning;
use crate::workspace::Vault;

/// The caller holds the vault's lock.
pub(crate) fn heal(
    repository: &Repository,
    writer: &mut Writer,
    vault: &Vault,
) -> Result<Vec<Warning>, Error> {
    let altered = repository.altered()?;
    if altered.gone.is_empty() && altered.changed.is_empty() {
        return Ok(Vec::new());
    }
    let store = writer.store().clone();
    let batch = store.files().batch()?;
    let healing = Healing {
        repository,
        store: &store,
        batch: batch.as_ref(),
        tombstones: tombstones(&store, repository, vault, &altered)?,
    };
    let mut healed = Vec::new();
    for file in &altered.gone {
        healed.extend(healing.put_back(file)?);
    }
    for file in &altered.changed {
        healed.extend(healing.mend(file)?);
    }
    batch.commit()?;
    if !healed.is_empty() {
        look_again(writer, &mut healed)?;
    }
    Ok(healed)
}

/// Reads the catalogue again after files came from a remote. Files that cannot be read without a key are a warning only.
pub(crate) fn look_again(writer: &mut Writer, warnings: &mut Vec<Warning>) -> Result<(), Error> {
    match writer.refresh() {
        Err(steno_vault::Error::Locked { reason }) => {
            let message = format!("what came back to the vault cannot be read yet: {reason}");
            warnings.push(warning::at(Path::new("machines"), "locked", message));
            Ok(())
        }
        refreshed => Ok(refreshed?),
    }
}

struct Healing<'a> {
    repository: &'a Repository,
    store: &'a VaultStore,
    /// Of the files as they lie on the disk.
    batch: &'a dyn Batch,
    tombstones: Tombstones,
}

impl Healing<'_> {
    fn put_back(&self, file: &str) -> Result<Option<Warning>, Error> {
        let Some(bytes) = self.repository.read(file)? else { return Ok(None) };
        let Some((name, header)) = self.opened(file, &bytes) else { return Ok(None) };
        let is_kept = name.ends_with(".zst") || name.ends_with(".gz") || name.contains("/config/");
        if !is_kept || self.tombstones.cover(&name, header.as_ref()) {
            return Ok(None);
        }
        self.batch.put(file, &bytes, Existing::Refuse)?;
        Ok(Some(healed(&name, "it was gone from the vault, and was taken from git again")))
    }

    /// A file's name and header; of an encrypted one without its key, the remembered ones.
    fn opened(&self, file: &str, bytes: &[u8]) -> Option<(String, Option<Header>)> {
        match self.store.open_file(file, bytes.to_vec()) {
            Some((name, content)) => Some((name, Header::of(&content))),
            None => {
                let name = self.store.name_of(file)?;
                let header = self.store.header_of(&name);
                Some((name, header))
            }
        }
    }

    /// Whether a file is what was kept; of an encrypted one without its key, whether it looks so.
    fn is_whole(&self, file: &str, bytes: &[u8]) -> bool {
        self.store.is_whole(file, bytes)
    }

    /// The original tool writes its files anew; ours are never written twice.
    fn mend(&self, file: &str) -> Result<Option<Warning>, Error> {
        let is_plain = self.store.root().join(file).symlink_metadata().is_ok_and(|found| found.is_file());
        let standing = if is_plain { self.store.files().read(file).unwrap_or_default() } else { Vec::new() };
        let name = self.store.name_of(file).or_else(|| {
            let recorded = self.repository.read(file).ok()??;
            Some(self.store.open_file(file, recorded)?.0)
        });
        let Some(name) = name else { return Ok(None) };
        let is_ours = name.ends_with(".zst");
        if !is_ours && !name.ends_with(".gz") {
            return Ok(None);
        }
        let is_standing_whole = self.is_whole(file, &standing);
        if is_standing_whole && !is_ours {
            return Ok(None);
        }
        let recorded = self.repository.read(file)?.filter(|bytes| *bytes != standing);
        let Some(bytes) = recorded.filter(|bytes| self.is_whole(file, bytes)) else { return Ok(None) };
        if is_standing_whole && self.first(file)? == Some(standing) {
            return Ok(Some(healed(
                &name,
                "git had something else of it, though it is what was recorded first",
            )));
        }
        self.batch.put(file, &bytes, Existing::Replace)?;
        let message = if is_standing_whole {
            "it was not what had been recorded, and was taken from git again"
        } else {
            "it was damaged, and was taken from git again"
        };
        Ok(Some(healed(&name, message)))
    }

    /// The oldest version in git: a segment is written once, so any later one was written over it.
    fn first(&self, file: &str) -> Result<Option<Vec<u8>>, Error> {
        let versions = self.repository.versions(file)?;
        Ok(versions.last().map(|version| self.repository.bytes_of(version)).transpose()?)
    }
}

fn healed(name: &str, message: &str) -> Warning {
    warning::at(Path::new(name), "healed", message.to_owned())
}

/// What this machine has purged. Shared files count as purged only while a purge was not recorded yet.
fn tombstones(
    store: &VaultStore,
    repository: &Repository,
    vault: &Vault,
    altered: &Altered,
) -> Result<Tombstones, Error> {
    if altered.gone.is_empty() {
        return Ok(Tombstones::default());
    }
    let mut is_fresh = false;
    for entry in store.list(&format!("machines/{}/tombstones", vault.slug()))? {
        let file = store.file_of(&entry.name);
        is_fresh |= repository.read(&*file)? != Some(store.files().read(&file)?);
    }
    let mut tombstones = Tombstones::read(store, vault.slug())?;
    if !is_fresh {
        tombstones.forget_shared();
    }
    Ok(tombstones)
}
