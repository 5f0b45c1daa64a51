//! Copies of one session from several machines → the copy that counts here.

use std::collections::{BTreeMap, HashSet};

use super::KeptSessions;
use super::index::{Index, KeptSession, recency};
use crate::Sources;

/// Each session as this machine keeps it, else as another one does; of several, the one that was written to last.
pub fn once_each<'k, 'a>(
    sources: &dyn Sources,
    kept_sessions: &KeptSessions,
    index: &'k Index<'a>,
) -> Vec<&'k KeptSession<'a>> {
    let homes = homes(sources, kept_sessions);
    let rank = |kept: &KeptSession<'_>| (homes.contains(kept.machine), recency(kept.stream));
    let mut kept: BTreeMap<&str, &KeptSession<'_>> = BTreeMap::new();
    for one in index.sessions.iter().filter(|kept| is_listed(kept_sessions, &homes, kept.machine)) {
        let known = kept.entry(&one.id).or_insert(one);
        if rank(known) < rank(one) {
            *known = one;
        }
    }
    kept.into_values().collect()
}

/// The names under which the directories that are listed are kept.
pub fn homes<'s>(sources: &dyn Sources, kept_sessions: &'s KeptSessions) -> HashSet<&'s str> {
    let homes = sources.dirs().paths.iter().filter_map(|directory| kept_sessions.vault.home(directory));
    homes.map(|home| home.slug.as_str()).collect()
}

/// Leaves out this machine's other directories; other machines are listed.
pub fn is_listed(kept_sessions: &KeptSessions, homes: &HashSet<&str>, machine: &str) -> bool {
    homes.contains(machine) || !kept_sessions.vault.is_own(machine)
}

pub fn is_agent(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("agent-") && name.ends_with(".jsonl")
}
