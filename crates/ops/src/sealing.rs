//! What a vault's documents and the user's key say of its encryption → the chest that opens it.
//!
//! This machine writes into its own manifest what it encrypts with, and no remote can change that file. A remote may
//! bring another `vault.json`, but cannot turn encryption off with it, and can add a recipient only if its writer has
//! the key of the names.

mod enclose;
mod history;
pub(crate) mod key_file;
mod meet;
mod recipient;
mod succeed;

use std::sync::Arc;

use steno_conversation::Warning;
use steno_vault::encryption::{
    Encryption, Keyring, NameKey, Recipients, fingerprint, is_protected, mac, unwrap_former, unwrap_names,
    wrap_former, wrap_names,
};
use steno_vault::{Identity, Manifest, VaultStore};

pub use crate::keys::Keys;
pub use enclose::Wish;
pub(crate) use enclose::{Conversion, Enclosed, convert, enclose, finish};
pub(crate) use meet::{dispute, follow, is_dispute, meet, objection};
pub(crate) use recipient::recipients;
pub use steno_vault::encryption::Passphrase;
pub(crate) use succeed::{accept, is_given_up, let_go, put_back, succeed, suspicion};

use crate::error::{Error, ErrorKind};
use crate::warning;
use crate::workspace::{Vault, Workspace};

/// A key that was named once, and opens the vault, is found from now on: a key of age's is copied to the usual place, one
/// of ssh's is remembered where it is.
pub(crate) fn remember_key(workspace: &Workspace, vault: &mut Vault) -> Result<(), Error> {
    let keys = &workspace.keys;
    let Some((named, usual)) = keys.identity.as_ref().zip(keys.usual.as_ref()) else { return Ok(()) };
    if !vault.store.is_encrypted() || named == usual || usual.exists() || !named.is_file() {
        return Ok(());
    }
    let bytes = key_file::read(named)?;
    let is_ssh = bytes.starts_with(b"-----BEGIN") && !is_protected(&bytes);
    if is_ssh {
        vault.manifest.identity = Some(named.to_string_lossy().into_owned());
        return Ok(());
    }
    key_file::write_new(usual, &bytes)
}

/// What seals and opens a vault; nothing for a plain one.
pub(crate) fn seal(
    workspace: &Workspace,
    identity: Option<&Identity>,
    manifest: &Manifest,
) -> Result<Option<Arc<Encryption>>, Error> {
    let keyring = workspace.keys.ring_of(manifest);
    if let Some(names) = pinned(manifest)? {
        let recipients = Recipients::parse(&manifest.recipients)?;
        let seal = Encryption::new(recipients, names, keyring).after(former(manifest));
        return Ok(Some(Arc::new(seal)));
    }
    let Some(identity) = identity.filter(|identity| !identity.recipients.is_empty()) else { return Ok(None) };
    told(identity, keyring).map(|seal| Some(Arc::new(seal)))
}

/// By what this machine wrote down.
fn pinned(manifest: &Manifest) -> Result<Option<NameKey>, Error> {
    let Some(text) = manifest.name_key.as_deref().filter(|_| !manifest.recipients.is_empty()) else {
        return Ok(None);
    };
    let names = NameKey::from_hex(text);
    let spoilt =
        || Error::new(ErrorKind::Damaged, "the key of the names in manifest.json cannot be understood");
    names.map(Some).ok_or_else(spoilt)
}

/// What names here may have been made with before.
pub(crate) fn former(manifest: &Manifest) -> Vec<NameKey> {
    manifest.former_name_keys.iter().filter_map(|text| NameKey::from_hex(text)).collect()
}

/// What people compare with another machine.
pub(crate) fn fingerprint_of(manifest: &Manifest) -> Option<String> {
    let names = pinned(manifest).ok()??;
    let recipients = Recipients::parse(&manifest.recipients).ok()?;
    Some(fingerprint(&names, &recipients, manifest.edition))
}

/// By what a `vault.json` says, which the user's key must open.
pub(crate) fn told(identity: &Identity, keyring: Keyring) -> Result<Encryption, Error> {
    let recipients = Recipients::parse(&identity.recipients)?;
    let names = unwrap_names(identity.names.as_deref().unwrap_or_default(), &keyring)?;
    if !is_proven(identity, &names, &recipients) {
        let message = "somebody without the key has changed whom the vault is encrypted for";
        return Err(Error::new(ErrorKind::Damaged, message)
            .hint("look at the recipients in vault.json; nothing was changed here"));
    }
    // Without them less can be read, and nothing else goes wrong.
    let former = identity.former.as_deref().map(|text| unwrap_former(text, &names, &keyring));
    let former = former.and_then(Result::ok).unwrap_or_default();
    Ok(Encryption::new(recipients, names, keyring).after(former))
}

pub(crate) fn is_proven(identity: &Identity, names: &NameKey, recipients: &Recipients) -> bool {
    identity.recipients_mac.as_deref() == Some(mac(names, recipients, identity.edition).as_str())
}

pub(crate) fn store(workspace: &Workspace, seal: Option<Arc<Encryption>>, slug: &str) -> VaultStore {
    match seal {
        Some(seal) => {
            workspace.take_outside();
            VaultStore::encrypted(&workspace.vault, seal, slug).remembering_in(&workspace.outside())
        }
        None => VaultStore::plain(&workspace.vault),
    }
}

/// Whether the vault's documents say that it is encrypted.
pub(crate) fn is_stated(vault: &Vault) -> bool {
    let named = vault.identity.as_ref().is_some_and(|identity| !identity.recipients.is_empty());
    named || !vault.manifest.recipients.is_empty()
}

/// The warning of commands that only read, where a conversion was killed: the next command that writes goes on with it.
pub(crate) fn pending(workspace: &Workspace, vault: &Vault) -> Option<Warning> {
    vault.manifest.sealing.then(|| {
        let message = "it is still being encrypted, and some of it may be readable without the key until then; \
            `steno sync` goes on with it";
        warning::at(&workspace.vault, "sealing", message.to_owned())
    })
}

/// Writes down what a vault is sealed with, for this machine and for all others.
pub(crate) fn pin(vault: &mut Vault, seal: &Encryption) -> Result<(), Error> {
    vault.manifest.recipients = seal.recipients().to_vec();
    note_keys(&mut vault.manifest, seal);
    if let Some(identity) = &mut vault.identity {
        state(identity, seal, vault.manifest.edition)?;
    }
    Ok(())
}

/// The keys that names are made with, and were made with before.
pub(crate) fn note_keys(manifest: &mut Manifest, seal: &Encryption) {
    manifest.name_key = Some(seal.names().to_hex());
    manifest.former_name_keys = seal.former().iter().map(NameKey::to_hex).collect();
}

/// `vault.json` says it, too. Each time it is put differently, so only where it does not yet.
pub(crate) fn state(identity: &mut Identity, seal: &Encryption, edition: u64) -> Result<bool, Error> {
    let recipients = seal.recipients();
    let is_stated = identity.recipients == recipients.to_vec()
        && identity.edition == edition
        && identity.names.is_some()
        && (identity.former.is_some() || seal.former().is_empty())
        && is_proven(identity, seal.names(), recipients);
    if is_stated {
        return Ok(false);
    }
    identity.recipients = recipients.to_vec();
    identity.names = Some(wrap_names(seal.names(), recipients)?);
    identity.former = wrap_former(seal.names(), seal.former(), recipients)?;
    identity.edition = edition;
    identity.recipients_mac = Some(mac(seal.names(), recipients, edition));
    Ok(true)
}
