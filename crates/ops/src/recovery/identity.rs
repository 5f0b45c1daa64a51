//! A `vault.json` that was lost → the one that git, a copy or an object store still has.
//!
//! An encrypted vault without it must never pass for a plain one: the next sync would write readable files. The names of
//! its objects tell that it is encrypted, and where nothing tells for whom, every command refuses.

use std::fs;
use std::path::{Path, PathBuf};

use steno_vault::encryption::{Encryption, NameKey, Recipients, is_object};
use steno_vault::git::Repository;
use steno_vault::object_sync::last_remote;
use steno_vault::{Identity, Manifest, Store, private};

use super::VAULT;
use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace, text_of};
use crate::{remote_vault, sealing};

/// Beside the user's key: what the vaults are that it opens.
const COPIES: &str = "vaults";
/// Where encrypted files lie in a vault.
const PLACES: [&str; 2] = ["machines", "older"];
/// How many objects are tried.
const FEW: usize = 20;

/// The one that git or the copy on this machine has. Changes nothing.
pub(crate) fn known_identity(workspace: &Workspace, manifest: &Manifest) -> Option<Identity> {
    let copied =
        || copied(workspace).filter(|copy| may_be_of(copy, manifest) && holds_objects(&workspace.vault));
    let known = recorded(workspace).into_iter().chain(copied());
    // Of two, the later one: an older one may still have a recipient that was removed.
    known.max_by_key(|identity| (!identity.recipients.is_empty(), identity.edition))
}

/// As git last saw it.
fn recorded(workspace: &Workspace) -> Option<Identity> {
    let git = workspace.git().filter(|_| workspace.vault.join(".git").exists())?;
    let repository = Repository::look(&git, &workspace.vault, "").ok()?;
    understood(&repository.read(VAULT).ok()??)
}

fn copied(workspace: &Workspace) -> Option<Identity> {
    understood(&fs::read(copy(workspace)?).ok()?)
}

fn understood(bytes: &[u8]) -> Option<Identity> {
    serde_json::from_slice(bytes).ok().filter(|identity: &Identity| !identity.is_newer())
}

fn copy(workspace: &Workspace) -> Option<PathBuf> {
    let vault = text_of(&workspace.vault);
    let name = format!("{}.json", steno_index::name_of([vault.as_str()]));
    Some(workspace.keys.usual.as_ref()?.parent()?.join(COPIES).join(name))
}

/// A copy of an encrypted vault's, outside of it. What cannot be written is written another time.
pub(crate) fn keep_copy(workspace: &Workspace, vault: &Vault) {
    let stated = fs::read(workspace.vault.join(VAULT)).ok().filter(|_| vault.store.is_encrypted());
    if let Some((bytes, copy)) = stated.zip(copy(workspace))
        && understood(&bytes).is_some_and(|identity| !identity.recipients.is_empty())
        && fs::read(&copy).ok().as_ref() != Some(&bytes)
    {
        let _ = private::replace(&copy, &bytes);
    }
}

/// Takes it from the object store that the vault was last sent to, and says whether one was there.
pub(crate) fn fetch_identity(workspace: &Workspace) -> bool {
    if Identity::read(&workspace.vault).is_ok_and(|stated| stated.is_some()) {
        return false;
    }
    let Some(last) = last_remote(&workspace.vault) else { return false };
    let manifest = Manifest { endpoint: last.endpoint, region: last.region, ..Manifest::default() };
    let read = remote_vault::object_store(workspace, &manifest, &last.address)
        .ok()
        .and_then(|object_store| object_store.read(VAULT).ok());
    let identity =
        read.and_then(|bytes| understood(&bytes)).filter(|identity| !identity.recipients.is_empty());
    identity.is_some_and(|identity| identity.write(&workspace.vault).is_ok())
}

/// Removes the copy, with the vault.
pub(crate) fn forget_copy(workspace: &Workspace) {
    if let Some(copy) = copy(workspace) {
        let _ = fs::remove_file(copy);
    }
}

/// Refuses a vault that holds encrypted objects while its documents say that it is plain, or were lost.
pub(crate) fn check_plain(workspace: &Workspace, vault: &Vault) -> Result<(), Error> {
    let is_whole = vault.identity.is_some() && !vault.manifest.homes.is_empty();
    // Documents from before it was encrypted are whole, too.
    let was_sealed = || copied(workspace).is_some_and(|copy| copy.id == vault.id());
    if is_whole && !was_sealed() || !holds_objects(&workspace.vault) {
        return Ok(());
    }
    Err(unknown(workspace))
}

fn unknown(workspace: &Workspace) -> Error {
    let message = format!(
        "{} is encrypted, and neither vault.json nor manifest.json say for whom any more; nothing was changed",
        workspace.vault.display()
    );
    Error::new(ErrorKind::Damaged, message)
        .hint("copy vault.json back into it: it is the same at its remote, and on every other machine of the vault")
        .hint("where it is nowhere, each file opens by hand: `age -d -i KEY FILE.age | zstd -dc`; `steno key export` writes the key")
}

/// Another vault may have lain in the same place before, of which the copy is then.
fn may_be_of(copy: &Identity, manifest: &Manifest) -> bool {
    let Some(names) = manifest.name_key.as_deref() else { return true };
    let recipients = Recipients::parse(&copy.recipients).unwrap_or_default();
    NameKey::from_hex(names).is_some_and(|names| sealing::is_proven(copy, &names, &recipients))
}

/// Refuses a `vault.json` from elsewhere that does not open the objects of this vault.
pub(crate) fn check_found(workspace: &Workspace, vault: &Vault, seal: &Encryption) -> Result<(), Error> {
    let is_stated = Identity::read(&workspace.vault).is_ok_and(|stated| stated.is_some());
    if is_stated || vault.manifest.name_key.is_some() {
        return Ok(());
    }
    let mut objects = Vec::new();
    for place in PLACES {
        collect(&workspace.vault, Path::new(place), &mut objects);
    }
    // Some of them may be damaged.
    let mut is_any = false;
    for object in objects {
        let Ok(file) = fs::File::open(workspace.vault.join(&object)) else { continue };
        match seal.envelope(&object, file) {
            Ok(_) => return Ok(()),
            Err(locked @ steno_vault::Error::Locked { .. }) => return Err(locked.into()),
            Err(_) => is_any = true,
        }
    }
    if is_any { Err(unknown(workspace)) } else { Ok(()) }
}

/// Whether anything in it has the name of an encrypted file.
fn holds_objects(vault: &Path) -> bool {
    PLACES.iter().any(|place| has_object(vault, Path::new(place)))
}

fn collect(vault: &Path, below: &Path, objects: &mut Vec<String>) {
    for entry in fs::read_dir(vault.join(below)).into_iter().flatten().flatten() {
        let name = below.join(entry.file_name());
        let text = text_of_name(&name);
        match entry.file_type() {
            _ if objects.len() == FEW => return,
            Ok(kind) if kind.is_dir() => collect(vault, &name, objects),
            _ if is_object(&text) => objects.push(text),
            _ => {}
        }
    }
}

fn text_of_name(name: &Path) -> String {
    name.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

fn has_object(vault: &Path, below: &Path) -> bool {
    let entries = fs::read_dir(vault.join(below)).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let name = below.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => has_object(vault, &name),
            _ => is_object(&text_of_name(&name)),
        }
    })
}
