//! A catalogue and the copies of the config → totals, of the whole vault and of each machine.

use std::collections::{BTreeMap, BTreeSet};

use steno_vault::{Catalog, MachineManifest, Store, VaultStore};

use super::{Config, Index, Machine, Sessions};
use crate::candidate::transcript;
use crate::error::Error;
use crate::machine::{machines, root_of};
use crate::size::size_text;
use crate::workspace::Vault;

/// Where the original tool, before it knew of machines, kept the config.
pub(crate) const OLD_CONFIG: &str = "config";

#[derive(Debug)]
pub(super) struct Totals {
    pub(super) config: Config,
    pub(super) sessions: Sessions,
    pub(super) index: Index,
    pub(super) machines: Vec<Machine>,
}

pub(super) fn count(vault: &Vault, store: &VaultStore, catalog: &Catalog) -> Result<Totals, Error> {
    let names = machines(store)?;
    let mut sessions = Sessions::default();
    let mut ids = BTreeSet::new();
    let mut projects = BTreeSet::new();
    let mut of_machines: BTreeMap<&str, Machine> = BTreeMap::new();
    for name in &names {
        let slug = root_of(name);
        of_machines.entry(slug).or_insert_with(|| machine(store, vault, slug));
    }
    for (name, _, stream) in catalog.streams() {
        let slug = root_of(name);
        let of_machine = of_machines.entry(slug).or_insert_with(|| machine(store, vault, slug));
        let packed = stream.packed();
        of_machine.size_bytes += packed;
        sessions.size_bytes += packed;
        sessions.uncompressed_bytes +=
            stream.generations.iter().map(steno_vault::Generation::len).sum::<u64>();
        if let Some((project, id)) = transcript(&stream.path) {
            of_machine.sessions += 1;
            sessions.files += 1;
            projects.insert((slug, project));
            ids.insert(id);
        }
    }
    sessions.projects = projects.len() as u64;
    sessions.size = size_text(sessions.size_bytes);
    let index = Index { sessions: ids.len() as u64 };
    let machines = of_machines.into_values().collect();
    Ok(Totals { config: config(store, &names)?, sessions, index, machines })
}

fn machine(store: &VaultStore, vault: &Vault, slug: &str) -> Machine {
    let manifest = MachineManifest::read(store, slug).ok().flatten();
    let last_backup = manifest.and_then(|manifest| super::rfc3339(&manifest.last_sync?));
    Machine { machine: slug.to_owned(), own: slug == vault.slug(), sessions: 0, size_bytes: 0, last_backup }
}

fn config(store: &VaultStore, machines: &[String]) -> Result<Config, Error> {
    let mut config = Config::default();
    let places = machines.iter().map(|machine| format!("machines/{machine}/config"));
    for place in places.chain([OLD_CONFIG.to_owned()]) {
        for entry in store.list(&place)? {
            config.files += 1;
            config.size_bytes += entry.len;
        }
    }
    config.size = size_text(config.size_bytes);
    Ok(config)
}
