//! Files that a machine is said to have erased → those that a tombstone of that machine speaks of.
//!
//! In a sealed vault nobody else can make one. What cannot be proven, because there is no key or no tombstone, stays.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::look;
use crate::header::Header;
use crate::purge::Tombstone;
use crate::store::{Store, VaultStore};

/// Names of files below `machines/<directory>/`.
pub(super) fn buried<'n>(chest: &VaultStore, directory: &str, files: &[&'n str]) -> Vec<&'n str> {
    if !chest.is_open() {
        return Vec::new();
    }
    // Nobody is believed who only knows a key that was given up.
    let chest = &chest.alone();
    let mut graves: BTreeMap<String, Graves> = BTreeMap::new();
    let mut buried = Vec::new();
    let named = |file: &&'n str| Some((*file, chest.name_of(file)?));
    let named: Vec<(&str, String)> = files.iter().filter_map(named).collect();
    for (_, name) in &named {
        let Some((slug, machine)) =
            machine_of(name).filter(|(slug, _)| chest.directory_of(slug) == directory)
        else {
            continue;
        };
        let graves = graves.entry(slug.to_owned()).or_default();
        for machine in [slug, machine] {
            graves.look_at(chest, machine);
        }
    }
    for (file, name) in named {
        let graves = machine_of(&name).and_then(|(slug, _)| graves.get(slug));
        let header = || {
            let bytes = chest.files().read(file).unwrap_or_default();
            look::open(chest, file, bytes).ok().and_then(|(_, plain)| Header::of(&plain))
        };
        if graves.is_some_and(|graves| graves.hold(header(), &name)) {
            buried.push(file);
        }
    }
    buried
}

/// What one machine has purged, in all of its Claude directories.
#[derive(Debug, Default)]
pub(crate) struct Graves {
    seen: BTreeSet<String>,
    sessions: BTreeSet<String>,
    last: Option<Timestamp>,
}

impl Graves {
    pub(crate) fn look_at(&mut self, chest: &VaultStore, machine: &str) {
        if !self.seen.insert(machine.to_owned()) {
            return;
        }
        for tombstone in Tombstone::all(chest, machine).unwrap_or_default() {
            self.last = self.last.max(Some(tombstone.purged));
            self.sessions.insert(tombstone.session);
        }
    }

    pub(crate) fn hold(&self, header: Option<Header>, name: &str) -> bool {
        match header.map(|header| (header.session, header.taken)) {
            Some((Some(session), _)) => self.sessions.contains(&session),
            // Plans and lists of prompts are no session's alone, and are written anew when one is purged.
            Some((None, taken)) => self.last.is_some_and(|last| taken <= last),
            None => self.sessions.iter().any(|id| is_named(name, id)),
        }
    }
}

/// The slug, and what a catalogue calls the machine.
pub(crate) fn machine_of(name: &str) -> Option<(&str, &str)> {
    let below = name.strip_prefix("machines/")?;
    let (slug, rest) = below.split_once('/')?;
    let label = rest.strip_prefix("homes/").and_then(|rest| rest.split_once('/'));
    let length = label.map_or(slug.len(), |(label, _)| slug.len() + "/homes/".len() + label.len());
    Some((slug, below.get(..length)?))
}

/// What is damaged, and files of the original tool, tell by their place alone whose they are.
fn is_named(name: &str, id: &str) -> bool {
    let is_of = |rest: &str| rest.is_empty() || rest.starts_with('.') || rest.starts_with("-agent-");
    !id.is_empty() && name.split('/').skip(2).any(|part| part.strip_prefix(id).is_some_and(is_of))
}
