//! Files that are gone → whether a tombstone of their machine accounts for them.
//!
//! A vault only grows. A file that vanished was lost, and stays or comes back, unless its machine purged it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::catalog::split_machine;
use crate::error::Error;
use crate::header::Header;
use crate::purge::Tombstone;
use crate::store::{Store, VaultStore};

/// The sessions that one machine has purged.
#[derive(Debug, Default)]
pub struct Tombstones {
    /// As tombstones are called: the id, or its hash.
    stems: BTreeSet<String>,
    /// Plans and lists of prompts belong to no session alone, and are written anew by a purge: those that are not newer
    /// than this went with it.
    shared_until: Option<Timestamp>,
}

impl Tombstones {
    pub fn read(store: &dyn Store, machine: &str) -> Result<Self, Error> {
        let mut tombstones = Self::default();
        for tombstone in Tombstone::all(store, machine)? {
            tombstones.add(Tombstone::stem(&tombstone.session));
            tombstones.add_shared(tombstone.purged);
        }
        Ok(tombstones)
    }

    pub(crate) fn add(&mut self, stem: String) {
        self.stems.insert(stem);
    }

    /// Files of no session that were taken until then may be missing, too.
    pub(crate) fn add_shared(&mut self, until: Timestamp) {
        self.shared_until = self.shared_until.max(Some(until));
    }

    /// Only files of purged sessions may be missing.
    pub fn forget_shared(&mut self) {
        self.shared_until = None;
    }

    /// `header` is the segment's own. A damaged segment and a file of the original tool tell by their name alone whose
    /// they are.
    pub fn cover(&self, name: &str, header: Option<&Header>) -> bool {
        let is_history = name.ends_with("/history.jsonl.gz");
        match header.map(|header| (&header.session, header.taken)) {
            Some((Some(session), _)) => self.stems.contains(&Tombstone::stem(session)),
            Some((None, taken)) => self.shared_until.is_some_and(|until| taken <= until),
            None if is_history => self.shared_until.is_some(),
            None => self.stems.iter().any(|stem| is_named(name, stem)),
        }
    }
}

/// The tombstones of all machines of a vault, read where they are needed.
pub(crate) struct AllTombstones {
    store: VaultStore,
    machines: BTreeMap<String, Tombstones>,
}

impl AllTombstones {
    /// Believes only tombstones under the name key of now: a removed recipient could make others.
    pub(crate) fn of(store: &VaultStore) -> Self {
        Self { store: store.without_former(), machines: BTreeMap::new() }
    }

    /// Whether a file below `machines/` may be gone. A Claude directory of a machine may rely on the tombstones of the
    /// machine itself.
    pub(crate) fn cover(&mut self, name: &str, header: Option<&Header>) -> bool {
        let Some((slug, machine)) = machine_of(name) else { return false };
        [slug, machine].into_iter().any(|machine| self.machine(machine).cover(name, header))
    }

    /// The same of a file by its name on the disk. What no key here opens is not covered.
    pub(crate) fn cover_file(&mut self, file: &str) -> bool {
        let Some(name) = self.store.is_open().then(|| self.store.name_of(file)).flatten() else {
            return false;
        };
        let opened = self.store.files().read(file).ok().and_then(|bytes| self.store.open_file(file, bytes));
        self.cover(&name, opened.and_then(|(_, plain)| Header::of(&plain)).as_ref())
    }

    fn machine(&mut self, machine: &str) -> &Tombstones {
        let read = || Tombstones::read(&self.store, machine).unwrap_or_default();
        self.machines.entry(machine.to_owned()).or_insert_with(read)
    }
}

/// The slug, and what a catalogue calls the machine.
pub(crate) fn machine_of(name: &str) -> Option<(&str, &str)> {
    let (machine, _) = split_machine(name)?;
    Some((machine.split_once('/').map_or(machine, |(slug, _)| slug), machine))
}

/// Whether a path is one of those that the client builds from a session's id.
fn is_named(path: &str, id: &str) -> bool {
    let is_of = |rest: &str| rest.is_empty() || rest.starts_with('.') || rest.starts_with("-agent-");
    !id.is_empty() && path.split('/').skip(2).any(|part| part.strip_prefix(id).is_some_and(is_of))
}
