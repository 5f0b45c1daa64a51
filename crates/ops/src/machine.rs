//! A vault → the machines that have a directory in it, whether anything is kept in that or not.

use std::fs;
use std::path::Path;

/// As a catalogue calls them: `<slug>`, and `<slug>/homes/<label>` for another Claude directory of the same machine.
/// In order.
pub(crate) fn machines(vault: &Path) -> Vec<String> {
    let root = vault.join("machines");
    let mut found = Vec::new();
    for slug in directories(&root) {
        let homes = directories(&root.join(&slug).join("homes"));
        found.extend(homes.into_iter().map(|label| format!("{slug}/homes/{label}")));
        found.push(slug);
    }
    found.sort();
    found
}

/// The machine itself, whichever of its Claude directories is meant.
pub(crate) fn root_of(machine: &str) -> &str {
    machine.split_once("/homes/").map_or(machine, |(slug, _)| slug)
}

fn directories(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    directories.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
