//! What belongs to a session → gone from the vault, with its caches, totals and directories.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use steno_vault::{Generation, Machine, MachineManifest, Tombstone, Writer};

use super::AGAIN;
use super::belonging::Belongings;
use super::name::homes;
use crate::candidate::transcript;
use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace};

/// The vault's own, which it brings up to date itself, the log, and hashes that tell nothing.
const CACHES: [&str; 7] = [
    "catalog.jsonl",
    "checkpoints.json",
    "shelves.json",
    "names.jsonl",
    "steno.log",
    "steno.log.1",
    crate::send::SEARCHED,
];

/// Gives the number of files. Every Claude directory of this machine gets a tombstone: none shall bring it back.
pub(super) fn erase(
    workspace: &Workspace,
    vault: &Vault,
    writer: &mut Writer,
    belongings: &Belongings,
    id: &str,
) -> Result<u64, Error> {
    let mut streams: BTreeMap<String, Vec<String>> = belongings.streams.clone();
    for machine in homes(vault) {
        streams.entry(machine).or_default();
    }
    let mut files = 0;
    for (machine, streams) in streams {
        let tombstone = Tombstone { session: id.to_owned(), purged: workspace.dirs.now, machine };
        files += writer.purge(&tombstone, &streams)?;
        recount(writer, &tombstone.machine)?;
    }
    Ok(files)
}

/// Otherwise verify would report what was purged as missing.
pub(super) fn recount(writer: &mut Writer, machine: &str) -> Result<(), Error> {
    let Ok(Some(mut manifest)) = MachineManifest::read(writer.store(), machine) else { return Ok(()) };
    let kept = writer.catalog()?.machines.get(machine);
    let streams = || kept.into_iter().flat_map(|kept: &Machine| kept.streams.values());
    let transcripts = || streams().filter_map(|stream| transcript(&stream.path));
    manifest.files = streams().count() as u64;
    manifest.bytes = streams().flat_map(|stream| &stream.generations).map(Generation::len).sum();
    manifest.sessions = transcripts().map(|(_, session)| session).collect::<BTreeSet<_>>().len() as u64;
    manifest.projects = transcripts().map(|(project, _)| project).collect::<BTreeSet<_>>().len() as u64;
    Ok(manifest.write(writer.store())?)
}

/// Directories that are empty now, and caches that may still tell of it.
pub(super) fn tidy(workspace: &Workspace, writer: &mut Writer, belongings: &Belongings) -> Result<(), Error> {
    let root = writer.store().root().to_owned();
    for name in &belongings.files {
        let file = writer.store().file_of(name);
        let parents = Path::new(&*file).ancestors().skip(1);
        for parent in parents.take_while(|parent| parent.components().count() > 2) {
            if fs::remove_dir(root.join(parent)).is_err() {
                break;
            }
        }
    }
    writer.store().forget_gone();
    forget(&writer.store().cache())?;
    // Of an encrypted vault that is another place.
    forget(&workspace.vault.join(".cache"))
}

/// Whatever is in there can be made again.
fn forget(cache: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        if CACHES.iter().any(|own| entry.file_name() == *own) {
            continue;
        }
        steno_vault::fault::point();
        let path = entry.path();
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let removed = if is_directory { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|error| {
            Error::new(ErrorKind::Io, format!("cannot delete {}: {error}", path.display())).hint(AGAIN)
        })?;
    }
    Ok(())
}
