//! Copies of one session from several machines → the copy that counts here.

use std::collections::{BTreeMap, HashSet};

use super::Shelf;
use super::index::{Index, Kept, recency};
use crate::Sources;

/// Each session as this machine keeps it, else as another one does; of several, the one that was written to last.
pub fn once_each<'k, 'a>(sources: &dyn Sources, shelf: &Shelf, index: &'k Index<'a>) -> Vec<&'k Kept<'a>> {
    let homes = homes(sources, shelf);
    let rank = |kept: &Kept<'_>| (homes.contains(kept.machine), recency(kept.stream));
    let mut kept: BTreeMap<&str, &Kept<'_>> = BTreeMap::new();
    for one in index.sessions.iter().filter(|kept| is_listed(shelf, &homes, kept.machine)) {
        let known = kept.entry(&one.id).or_insert(one);
        if rank(known) < rank(one) {
            *known = one;
        }
    }
    kept.into_values().collect()
}

/// The names under which the directories that are listed are kept.
pub fn homes<'s>(sources: &dyn Sources, shelf: &'s Shelf) -> HashSet<&'s str> {
    let homes = sources.dirs().paths.iter().filter_map(|directory| shelf.vault.home(directory));
    homes.map(|home| home.slug.as_str()).collect()
}

/// Leaves out this machine's other directories; other machines are listed.
pub fn is_listed(shelf: &Shelf, homes: &HashSet<&str>, machine: &str) -> bool {
    homes.contains(machine) || !shelf.vault.is_own(machine)
}

pub fn is_agent(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("agent-") && name.ends_with(".jsonl")
}
