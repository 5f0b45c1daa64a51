//! What a user calls a session → its id, among those that are kept here and those that were purged before.

use std::collections::BTreeSet;

use crate::custody::{Custody, Opened};
use crate::error::{Error, ErrorKind};
use crate::shelf::{Shelf, Wish, find, tombstone_of};

pub(super) fn resolve(custody: &Custody, opened: &Opened, name: &str) -> Result<String, Error> {
    let shelf = Shelf::open(custody)?;
    let index = shelf.index();
    match find(custody, &shelf, &index, Wish { session: name, machine: None, project: None }) {
        Ok(found) if opened.is_own(found.kept.machine) => Ok(found.kept.id),
        Ok(found) => {
            let message =
                format!("session {} is kept by {}, not by this machine", found.kept.id, found.kept.machine);
            let foreign = || Error::new(ErrorKind::NotFound, message).hint("purge it there");
            purged(opened, &found.kept.id)?.ok_or_else(foreign)
        }
        Err(error) if error.kind == ErrorKind::NotFound => purged(opened, name)?.ok_or(error),
        // Several other machines may keep what was purged here.
        Err(error) => purged(opened, name)?.filter(|id| id == name).ok_or(error),
    }
}

/// A session that was purged before, of which something may remain.
fn purged(opened: &Opened, name: &str) -> Result<Option<String>, Error> {
    let cached = opened.cached();
    let homes = homes(opened);
    let tombstone = tombstone_of(cached.store(), homes.iter().map(String::as_str), name)?;
    Ok(tombstone.map(|tombstone| tombstone.session))
}

/// The names that this machine's Claude directories are kept under.
pub(super) fn homes(opened: &Opened) -> BTreeSet<String> {
    let homes = opened.manifest.homes.iter().map(|home| home.slug.clone());
    homes.chain([opened.slug().to_owned()]).collect()
}
