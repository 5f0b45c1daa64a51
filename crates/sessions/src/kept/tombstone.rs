//! What a user calls a session → the one that was purged, where none is kept any more.

use std::collections::BTreeMap;

use steno_vault::{Store, Tombstone};

use super::name::SHORTEST_PREFIX;
use crate::error::Error;
use crate::nearest::begins;

/// Of that id, else the one whose id begins so; of several machines that purged it, the first one's.
pub fn tombstone_of<'a>(
    store: &dyn Store,
    machines: impl IntoIterator<Item = &'a str>,
    name: &str,
) -> Result<Option<Tombstone>, Error> {
    let mut tombstones: BTreeMap<String, Tombstone> = BTreeMap::new();
    for machine in machines {
        for tombstone in Tombstone::all(store, machine)? {
            tombstones.entry(tombstone.session.clone()).or_insert(tombstone);
        }
    }
    if let Some(tombstone) = tombstones.remove(name) {
        return Ok(Some(tombstone));
    }
    let is_prefix = name.chars().count() >= SHORTEST_PREFIX;
    let mut meant =
        tombstones.into_values().filter(|tombstone| is_prefix && begins(&tombstone.session, name));
    let first = meant.next();
    Ok(first.filter(|_| meant.next().is_none()))
}
