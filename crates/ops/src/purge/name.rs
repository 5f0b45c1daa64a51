//! What a user calls a session → its id, among those that are kept here and those that were purged before.

use std::collections::BTreeSet;

use crate::error::{Error, ErrorKind};
use crate::kept::{KeptQuery, KeptSessions, find, sketches, tombstone_of};
use crate::workspace::{Vault, Workspace};

/// The session to erase.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: String,
    /// `None` also where it was erased before.
    pub(super) title: Option<String>,
}

impl Named {
    fn erased(id: String) -> Self {
        Self { id, title: None }
    }
}

pub(super) fn resolve(workspace: &Workspace, vault: &Vault, name: &str) -> Result<Named, Error> {
    if name == "last" {
        let message = "`last` does not name a session to erase: another one may be the latest by then";
        return Err(
            Error::new(ErrorKind::Invalid, message).hint("give its id; `steno list` shows all of them")
        );
    }
    let kept_sessions = KeptSessions::open(workspace)?;
    let index = kept_sessions.index();
    match find(workspace, &kept_sessions, &index, KeptQuery { session: name, machine: None, project: None }) {
        Ok(found) if vault.is_own(found.kept.machine) => {
            let sketch = sketches(workspace, &kept_sessions, &index, &[&found.kept]).pop();
            Ok(Named { title: sketch.and_then(|sketch| sketch.title), id: found.kept.id })
        }
        Ok(found) => {
            let message =
                format!("session {} is kept by {}, not by this machine", found.kept.id, found.kept.machine);
            let foreign = || Error::new(ErrorKind::NotFound, message).hint("purge it there");
            purged(vault, &found.kept.id)?.map(Named::erased).ok_or_else(foreign)
        }
        Err(error) if error.kind == ErrorKind::NotFound => {
            purged(vault, name)?.map(Named::erased).ok_or(error)
        }
        // Several other machines may keep what was purged here.
        Err(error) => purged(vault, name)?.filter(|id| id == name).map(Named::erased).ok_or(error),
    }
}

/// A session that was purged before, of which something may remain.
fn purged(vault: &Vault, name: &str) -> Result<Option<String>, Error> {
    let cached = vault.cached();
    let homes = homes(vault);
    let tombstone = tombstone_of(cached.store(), homes.iter().map(String::as_str), name)?;
    Ok(tombstone.map(|tombstone| tombstone.session))
}

/// The names that this machine's Claude directories are kept under.
pub(super) fn homes(vault: &Vault) -> BTreeSet<String> {
    let homes = vault.manifest.homes.iter().map(|home| home.slug.clone());
    homes.chain([vault.slug().to_owned()]).collect()
}
