//! A vault → the machines that have a directory in it, whether anything is kept in that or not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use steno_vault::{Store, VaultStore};

use crate::error::Error;

/// As a catalogue calls them: `<slug>`, and `<slug>/homes/<label>` for another Claude directory of the same machine.
/// In order.
pub fn machines(store: &VaultStore) -> Result<Vec<String>, Error> {
    if store.is_encrypted() {
        return named(store);
    }
    let root = store.root().join("machines");
    let mut found = Vec::new();
    for slug in directories(&root) {
        let homes = directories(&root.join(&slug).join("homes"));
        found.extend(homes.into_iter().map(|label| format!("{slug}/homes/{label}")));
        found.push(slug);
    }
    found.sort();
    Ok(found)
}

/// Directories of a sealed vault tell nothing; the names in it do.
fn named(store: &VaultStore) -> Result<Vec<String>, Error> {
    let entries = store.list("machines")?;
    let names = entries.iter().filter_map(|entry| machine_of(&entry.name));
    let all: BTreeSet<&str> = names.flat_map(|machine| [machine, root_of(machine)]).collect();
    Ok(all.into_iter().map(str::to_owned).collect())
}

fn machine_of(name: &str) -> Option<&str> {
    let (slug, rest) = name.strip_prefix("machines/")?.split_once('/')?;
    let label = rest.strip_prefix("homes/").and_then(|rest| rest.split_once('/'));
    let length = label.map_or(slug.len(), |(label, _)| slug.len() + "/homes/".len() + label.len());
    name.get("machines/".len()..)?.get(..length)
}

/// The machine itself, whichever of its Claude directories is meant.
pub fn root_of(machine: &str) -> &str {
    machine.split_once("/homes/").map_or(machine, |(slug, _)| slug)
}

fn directories(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    directories.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
