//! Recorded files that are gone from the disk → there again.
//!
//! A vault only ever grows: unless a session was purged, what git has of this machine belongs on the disk.

use std::collections::HashSet;
use std::path::Path;

use steno_conversation::Warning;
use steno_vault::git::Repository;
use steno_vault::{Existing, Header, Store, Tombstone, Writer};

use crate::custody::Opened;
use crate::error::Error;
use crate::warning;

pub(super) fn heal(
    repository: &Repository,
    writer: &mut Writer,
    opened: &Opened,
) -> Result<Vec<Warning>, Error> {
    let lost = repository.lost()?;
    if lost.is_empty() {
        return Ok(Vec::new());
    }
    let tombstones = Tombstone::all(writer.store(), opened.slug())?;
    let purged: HashSet<String> = tombstones.into_iter().map(|tombstone| tombstone.session).collect();
    let mut healed = Vec::new();
    let batch = writer.store().batch()?;
    for name in lost {
        let Some(bytes) = repository.read(&name)? else { continue };
        let session = Header::of(&bytes).and_then(|header| header.session);
        let is_purged = session.is_some_and(|session| purged.contains(&session));
        let is_kept = name.ends_with(".zst") || name.ends_with(".gz") || name.contains("/config/");
        if is_kept && !is_purged {
            batch.put(&name, &bytes, Existing::Refuse)?;
            let message = "it was gone from the vault, and was taken from git again".to_owned();
            healed.push(warning::at(Path::new(&name), "healed", message));
        }
    }
    batch.commit()?;
    writer.refresh()?;
    Ok(healed)
}
