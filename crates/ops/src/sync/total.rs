//! What a machine holds after a sync → its manifest, and how many sessions only the vault still has.

use std::collections::BTreeSet;

use steno_vault::{MachineManifest, Writer};

use crate::candidate::transcript;
use crate::error::Error;
use crate::workspace::Workspace;

/// The number of sessions that are held and not among the live ones. Where nothing changed, the manifest knows
/// how many are held, and the catalogue need not be read.
pub(super) fn settle(
    workspace: &Workspace,
    writer: &mut Writer,
    machine: &str,
    live: &BTreeSet<String>,
    changed: bool,
) -> Result<u64, Error> {
    let known = MachineManifest::read(writer.store(), machine);
    // Without the key, a manifest that cannot be read is replaced only when there is news.
    let is_locked = matches!(known, Err(steno_vault::Error::Locked { .. }));
    let known = known.ok().flatten();
    if let Some(known) = known.as_ref().filter(|_| !changed) {
        return Ok(known.sessions.saturating_sub(live.len() as u64));
    }
    let mut manifest = known.unwrap_or_default();
    let mut sessions = BTreeSet::new();
    let mut projects = BTreeSet::new();
    let (mut files, mut bytes) = (0, 0);
    let streams = writer.catalog()?.machines.get(machine).into_iter().flat_map(|kept| kept.streams.values());
    for stream in streams {
        files += 1;
        bytes += stream.generations.iter().map(steno_vault::Generation::len).sum::<u64>();
        if let Some((project, session)) = transcript(&stream.path) {
            sessions.insert(session);
            projects.insert(project);
        }
    }
    let gone = sessions.iter().filter(|session| !live.contains(*session)).count() as u64;
    if is_locked && !changed {
        return Ok(gone);
    }
    // A vault only grows: smaller totals mean a loss, which verify reports.
    manifest.files = manifest.files.max(files);
    manifest.bytes = manifest.bytes.max(bytes);
    manifest.sessions = sessions.len() as u64;
    manifest.projects = projects.len() as u64;
    workspace.version.clone_into(&mut manifest.version);
    workspace.machine.clone_into(&mut manifest.machine);
    machine.clone_into(&mut manifest.machine_slug);
    let reached = writer.catalog()?.machines.get(machine).and_then(steno_vault::Machine::ledger_end);
    manifest.ledger = manifest.ledger.max(reached);
    manifest.last_sync = Some(workspace.dirs.now.to_string());
    manifest.write(writer.store())?;
    Ok(gone)
}
