//! What machines say they hold → what is missing, where no segment is left to tell.

use std::collections::BTreeSet;

use steno_conversation::Warning;
use steno_vault::{Catalog, Checked, Generation, MachineManifest, VaultStore};

use super::Damage;
use crate::machine::machines;
use crate::warning;

/// More than a manifest says is fine: a sync that was killed wrote none.
pub(crate) fn compare(
    store: &VaultStore,
    catalog: &Catalog,
    checked: &Checked,
) -> (Vec<Damage>, Vec<Warning>) {
    let mut missing = Vec::new();
    let mut warnings = Vec::new();
    for machine in machines(store).unwrap_or_default() {
        match MachineManifest::read(store, &machine) {
            Ok(Some(manifest)) => missing.extend(shortfall(&machine, &manifest, catalog, checked)),
            Ok(None) => {}
            Err(error) => {
                let path = store.root().join(&*store.file_of(&MachineManifest::name(&machine)));
                warnings.push(warning::at(&path, "bad-manifest", error.to_string()));
            }
        }
    }
    (missing, warnings)
}

fn shortfall(
    machine: &str,
    manifest: &MachineManifest,
    catalog: &Catalog,
    checked: &Checked,
) -> Option<Damage> {
    let streams = || catalog.machines.get(machine).into_iter().flat_map(|kept| kept.streams.values());
    let bytes: u64 = streams().flat_map(|stream| &stream.generations).map(Generation::len).sum();
    let known = || checked.damaged.iter().chain(&checked.missing).filter(|damage| damage.machine == machine);
    let there: BTreeSet<&str> = streams().map(|stream| stream.path.as_str()).collect();
    let gone: BTreeSet<&str> =
        known().map(|damage| damage.path.as_str()).filter(|path| !there.contains(path)).collect();
    let told: u64 = known().filter_map(|damage| damage.length).sum();
    let files = manifest.files.saturating_sub(streams().count() as u64 + gone.len() as u64);
    let bytes = manifest.bytes.saturating_sub(bytes.saturating_add(told));
    // A segment that does not even tell how long it is may be all of the difference.
    let is_explained = files == 0 && (bytes == 0 || known().any(|damage| damage.length.is_none()));
    (!is_explained).then(|| Damage {
        session: None,
        machine: machine.to_owned(),
        path: None,
        generation: None,
        segment: None,
        offset: None,
        length: Some(bytes),
        reason: "total".to_owned(),
        detail: format!("machines/{machine}: {files} files and {bytes} bytes fewer than its manifest says"),
    })
}
