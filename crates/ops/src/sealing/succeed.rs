//! One key of the names → another, after a recipient was removed, here or on another machine.
//!
//! Every recipient knows the key of the names, and can write a valid `vault.json` with it. A removed recipient must not:
//! the key is given up, and a `vault.json` that only it proves is ignored. The old key does not tell other machines who
//! removed whom, and the new one only that it was made for them. So a person accepts it there, by its fingerprint.

use std::path::Path;
use std::sync::Arc;

use steno_conversation::Warning;
use steno_vault::encryption::{Encryption, NameKey, Recipients, fingerprint};
use steno_vault::{Identity, Manifest, Writer, remove_outdated};

use super::enclose::{seal_rest, succeeding};
use super::history::history;
use super::{is_proven, pin, store, told};
use crate::error::{Error, ErrorKind};
use crate::push::Push;
use crate::workspace::{Vault, Workspace};
use crate::{heal, remote_vault, warning};

/// Everything of this machine is sealed anew, and named anew where the key of the names is another. Killed anywhere,
/// the next sync goes on.
pub(crate) fn succeed(
    workspace: &Workspace,
    vault: &mut Vault,
    seal: &Encryption,
    command: &str,
) -> Result<u64, Error> {
    let mut writer = workspace.writer(vault, command)?;
    let is_renamed = vault.store.encryption().is_some_and(|old| old.names() != seal.names());
    let repository = history(workspace, vault).filter(|_| vault.has_remote() && !vault.has_object_store());
    // What is gone from the disk, and still in git, is there under its old name only.
    if let Some(repository) = repository.filter(|_| is_renamed) {
        heal::heal(&repository, &mut writer, vault)?;
    }
    let seal = Arc::new(succeeding(seal, vault.store.encryption()));
    pin(vault, &seal)?;
    vault.manifest.sealing = true;
    vault.manifest.disputed = false;
    vault.manifest.write(&workspace.vault)?;
    if let Some(identity) = &vault.identity {
        identity.write(&workspace.vault)?;
    }
    vault.store = store(workspace, Some(seal), vault.slug());
    let files = seal_rest(workspace, vault)?;
    workspace.settle(vault);
    drop(writer);
    Ok(files)
}

/// The keys that another machine gave the vault, if they are those that a person has seen there.
pub(crate) fn accept(workspace: &Workspace, vault: &mut Vault, seen: &str) -> Result<u64, Error> {
    let theirs = vault_there(workspace, vault)?;
    let seal = told(&theirs, workspace.keys.ring_of(&vault.manifest)).map_err(|error| match error.kind {
        ErrorKind::Locked => error.hint("the key that is here may be the one that was shut out"),
        _ => error,
    })?;
    let shown = fingerprint(seal.names(), seal.recipients(), theirs.edition);
    if digits(seen) != digits(&shown) || is_given_up(&vault.manifest, &theirs) {
        let message = "the vault there does not have this fingerprint";
        return Err(Error::new(ErrorKind::Invalid, message)
            .hint("`steno key` shows it on the machine that changed the keys; nothing was changed here")
            .hint(
                "if it is right, somebody else has changed the vault there: run `steno sync --full` on that machine",
            ));
    }
    if vault.store.encryption().is_some_and(|own| own.names() == seal.names()) {
        vault.manifest.disputed = false;
        workspace.restate(|manifest| manifest.disputed = false)?;
        return Ok(0);
    }
    vault.manifest.edition = theirs.edition;
    let original = vault.identity.take().and_then(|identity| identity.original);
    vault.identity = Some(Identity { original: theirs.original.clone().or(original), ..theirs });
    succeed(workspace, vault, &seal, "key accept")
}

fn vault_there(workspace: &Workspace, vault: &Vault) -> Result<Identity, Error> {
    let Some(url) = vault.manifest.remote.clone().filter(|_| vault.has_remote()) else {
        return Err(Error::new(
            ErrorKind::Invalid,
            "the vault is sent nowhere, so nobody else can change its keys",
        ));
    };
    let there = remote_vault::vault(workspace, vault, &url)?.filter(|theirs| !theirs.recipients.is_empty());
    there.ok_or_else(|| {
        Error::new(ErrorKind::Outside, "no encrypted vault was found there")
            .hint("`steno sync` tells whether it can be reached")
            .hint("`steno remote URL` sends the vault to another place, with the keys that it has here")
    })
}

/// As people copy them.
fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_hexdigit).map(|digit| digit.to_ascii_lowercase()).collect()
}

/// Whether a `vault.json` is proven by nothing but a key that does not count any more.
pub(crate) fn is_given_up(manifest: &Manifest, theirs: &Identity) -> bool {
    let Ok(recipients) = Recipients::parse(&theirs.recipients) else { return false };
    let keys = manifest.former_name_keys.iter().chain(&manifest.given_up_name_keys);
    let mut keys = keys.filter(|key| manifest.name_key.as_ref() != Some(key));
    keys.any(|key| NameKey::from_hex(key).is_some_and(|names| is_proven(theirs, &names, &recipients)))
}

/// The warning of a `vault.json` by a key that was given up. While this machine changes its own keys there is none.
pub(crate) fn suspicion(manifest: &Manifest, identity: &Identity) -> Option<Warning> {
    (!manifest.sealing && is_given_up(manifest, identity)).then(|| {
        let message = "somebody who knows only keys that were given up, as who was shut out does, has changed it at \
            the remote; nobody was let in, and it is put back: take away their access to the remote, too";
        warning::at(Path::new("vault.json"), "given-up-key", message.to_owned())
    })
}

/// What a remote has brought counts for nothing, if it is by a key that was given up. Whether ours has to be sent anew.
pub(crate) fn put_back(
    workspace: &Workspace,
    vault: &mut Vault,
    warnings: &mut Vec<Warning>,
) -> Result<bool, Error> {
    let (Ok(Some(there)), Some(ours)) = (Identity::read(&workspace.vault), &vault.identity) else {
        return Ok(false);
    };
    if !is_given_up(&vault.manifest, &there) {
        return Ok(false);
    }
    ours.write(&workspace.vault)?;
    warnings.extend(suspicion(&vault.manifest, &there));
    Ok(true)
}

/// What other machines have named anew is here twice, and then goes; a key that nothing is named by any more is only
/// remembered as one that does not count.
pub(crate) fn let_go(vault: &mut Vault, writer: &mut Writer, push: Option<&Push>) -> Result<(), Error> {
    if vault.manifest.former_name_keys.is_empty() || vault.manifest.sealing {
        return Ok(());
    }
    let outdated = remove_outdated(&vault.store)?;
    if outdated.removed > 0 {
        writer.refresh()?;
    }
    let is_told = !vault.has_remote() || push.is_some_and(Push::is_done);
    if outdated.waiting == 0 && is_told {
        let former = std::mem::take(&mut vault.manifest.former_name_keys);
        let known = &mut vault.manifest.given_up_name_keys;
        known.extend(former.into_iter().filter(|key| !known.contains(key)).collect::<Vec<_>>());
    }
    Ok(())
}
