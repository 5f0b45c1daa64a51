//! An encrypted vault without its key → whether its files are still what they were when they were sealed.
//!
//! What is inside them cannot be told. But an age file has a shape, and this machine remembers the checksums of those
//! that it sealed or saw.

use steno_vault::encryption::is_sound;
use steno_vault::{Store, VaultStore};

use super::{Damage, Report};
use crate::error::Error;
use crate::warning;
use crate::workspace::{Vault, Workspace};

pub(super) fn check(workspace: &Workspace, vault: &Vault, reason: &Error) -> Result<Report, Error> {
    let files = vault.store.files();
    let entries = files.list("")?;
    let sealed: Vec<_> = entries.iter().filter(|entry| entry.name.ends_with(".age")).collect();
    let progress = workspace.progress.as_ref();
    progress.begin("Checking", sealed.iter().map(|entry| entry.len).sum());
    let mut damaged = Vec::new();
    let mut bytes = 0;
    for entry in &sealed {
        let found = match files.read(&entry.name) {
            Ok(file) => trouble(&vault.store, &entry.name, &file),
            Err(_) => Some(("unreadable", "it cannot be read")),
        };
        damaged.extend(found.map(|found| damage(&vault.store, &entry.name, found)));
        bytes += entry.len;
        progress.advance(entry.len);
    }
    progress.end();
    let missing = missing(workspace, vault);
    Ok(Report {
        ok: damaged.is_empty() && missing.is_empty(),
        locked: true,
        files: sealed.len() as u64,
        bytes,
        segments: sealed.len() as u64,
        repair: false,
        damaged,
        missing,
        repaired: Vec::new(),
        kept_anew: 0,
        warnings: vec![warning::at(
            &workspace.vault,
            "locked",
            format!("only what needs no key was checked: {reason}"),
        )],
    })
}

fn trouble(store: &VaultStore, file: &str, bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let is_same = store.remembered(file).and_then(|known| {
        // A segment is written once, so another length is damage; a document may have been replaced.
        let is_cut = known.blake3.is_some() && known.encrypted != bytes.len() as u64;
        known.is_same(bytes).or_else(|| (is_cut && !file.contains("/documents/")).then_some(false))
    });
    match is_same {
        _ if !is_sound(bytes) => Some(("header", "it is not a complete age file")),
        Some(false) => Some(("hash", "its bytes are not those that were encrypted")),
        _ => None,
    }
}

fn damage(store: &VaultStore, file: &str, (reason, detail): (&str, &str)) -> Damage {
    // Without a key only what is remembered has a name.
    let known = store.remembered(file).map(|known| known.name);
    let told = known.as_deref().unwrap_or(file);
    Damage {
        session: None,
        machine: String::new(),
        path: known.clone(),
        generation: None,
        segment: Some(file.to_owned()),
        offset: None,
        length: None,
        reason: reason.to_owned(),
        detail: format!("{told}: {detail}"),
    }
}

/// Files that the catalogue remembers and that are gone.
fn missing(workspace: &Workspace, vault: &Vault) -> Vec<Damage> {
    let known = vault.cached().remembered().unwrap_or_default();
    let names = known.streams().flat_map(|(_, _, stream)| stream.files());
    let gone =
        names.map(|name| vault.store.file_of(name)).filter(|file| !workspace.vault.join(&**file).exists());
    gone.map(|file| damage(&vault.store, &file, ("gone", "it is gone"))).collect()
}
