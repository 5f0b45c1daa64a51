//! A remote's `vault.json` → whether ours goes with it, and what ours has to become first.
//!
//! A vault is plain everywhere or encrypted everywhere: what one machine encrypts must not be sent plain by another.

use std::path::Path;
use std::sync::Arc;

use steno_conversation::Warning;
use steno_vault::Identity;
use steno_vault::encryption::{Encryption, Recipients, mac};

use super::enclose::succeeding;
use super::{Conversion, convert, told};
use crate::error::{Error, ErrorKind};
use crate::push::Push;
use crate::warning;
use crate::workspace::{Vault, Workspace};

/// Why this vault must not be sent to the remote vault, if there is a reason.
pub(crate) fn objection(vault: &Vault, theirs: &Identity) -> Option<String> {
    let is_sealed = !theirs.recipients.is_empty();
    match vault.store.encryption() {
        None if is_sealed => {
            Some("it is encrypted, and this vault is not; `steno remote URL` joins it".to_owned())
        }
        Some(_) if !is_sealed => Some("it is not encrypted, and this vault is".to_owned()),
        Some(seal) => {
            let recipients = Recipients::parse(&theirs.recipients).unwrap_or_default();
            // In place of one by a key that was given up ours goes there.
            let is_known = super::is_proven(theirs, seal.names(), &recipients)
                || super::is_given_up(&vault.manifest, theirs);
            match is_known {
                true => dispute(vault),
                false => Some(changed(vault, seal, theirs, &recipients)),
            }
        }
        None => None,
    }
}

/// How refusals begin that only a person can settle.
const CHANGED: &str = "its keys were changed elsewhere";
const ACCEPT: &str = "nothing is sent or taken until `steno key accept FINGERPRINT` is run here, with the \
    fingerprint that `steno key` shows on the machine that changed them";

/// Once a remote had other keys, only a person can settle it: a former recipient may have removed them again.
pub(crate) fn dispute(vault: &Vault) -> Option<String> {
    vault.manifest.disputed.then(|| format!("{CHANGED}, and are gone from there since; {ACCEPT}"))
}

/// Whether a push was refused because a person has to say which keys count.
pub(crate) fn is_dispute(push: &Push) -> bool {
    push.is_refused() && push.reason.as_deref().is_some_and(|reason| reason.starts_with(CHANGED))
}

/// Anyone can make a key of names and encrypt it for us. So the remote does not tell who removed whom: both sides know
/// the key that counted until then.
fn changed(vault: &Vault, seal: &Encryption, theirs: &Identity, recipients: &Recipients) -> String {
    if theirs.id != vault.id() {
        return "it is encrypted with another key".to_owned();
    }
    let is_forged =
        || told(theirs, seal.keyring().clone()).is_err_and(|error| error.kind == ErrorKind::Damaged);
    if seal.keyring().is_open() && is_forged() {
        return "somebody without the key has changed whom it is encrypted for".to_owned();
    }
    let changes = changes(seal.recipients(), recipients, "somebody").join("; ");
    let changes = if changes.is_empty() { "for the same recipients".to_owned() } else { changes };
    format!("{CHANGED}: {changes}; {ACCEPT}")
}

/// Before a remote at `url` is used: makes ours what theirs is. `wants_encryption` is what the user asked for.
pub(crate) fn meet(
    workspace: &Workspace,
    vault: &mut Vault,
    theirs: Option<Identity>,
    url: &str,
    wants_encryption: bool,
) -> Result<(), Error> {
    let Some(theirs) = theirs else { return Ok(()) };
    let is_ours_sealed = vault.store.is_encrypted();
    if theirs.recipients.is_empty() {
        if is_ours_sealed || wants_encryption {
            let message = "the vault there is not encrypted, and what it holds stays readable";
            return Err(Error::new(ErrorKind::Invalid, message)
                .hint("name a new, empty place: everything that is kept goes along, encrypted"));
        }
        return Ok(());
    }
    if super::is_given_up(&vault.manifest, &theirs) {
        return Ok(());
    }
    let seal = told(&theirs, workspace.keys.ring()).map_err(|error| match error.kind {
        ErrorKind::Locked => {
            error.hint("the vault there is encrypted: its key is on the machine that made it")
        }
        _ => error,
    })?;
    if has_other_names(vault, &theirs, &seal) {
        vault.manifest.disputed = true;
        return Ok(());
    }
    let has_same_names = vault.store.encryption().is_some_and(|own| own.names() == seal.names());
    let has_same_recipients =
        vault.store.encryption().is_some_and(|own| own.recipients() == seal.recipients());
    let original = vault.identity.take().and_then(|identity| identity.original);
    vault.identity = Some(Identity { original: theirs.original.clone().or(original), ..theirs });
    let edition = vault.identity.as_ref().map_or(0, |identity| identity.edition);
    let is_older = edition < vault.manifest.edition;
    if has_same_names && (has_same_recipients || is_older) {
        return Ok(());
    }
    vault.manifest.edition = edition;
    if has_same_names {
        let seal = succeeding(&seal, vault.store.encryption());
        // The next sync encrypts this machine's files anew, and says so.
        vault.manifest.sealing = true;
        super::pin(vault, &seal)?;
        vault.store = super::store(workspace, Some(Arc::new(seal)), vault.slug());
        return Ok(());
    }
    convert(workspace, vault, Conversion { seal: Arc::new(seal), target: Some(url) })
}

/// Other keys of the same vault are not taken for the asking. A place that was not ours until now may be named, so that
/// they can be accepted.
fn has_other_names(vault: &Vault, theirs: &Identity, seal: &Encryption) -> bool {
    let is_other = vault.store.encryption().is_some_and(|own| own.names() != seal.names());
    is_other && theirs.id == vault.id()
}

/// Whom another machine let in, that has the key of the names. Nothing else that a `vault.json` says is followed.
pub(crate) fn follow(vault: &mut Vault, theirs: &Identity) -> bool {
    let Some(seal) = vault.store.encryption() else { return false };
    let Ok(recipients) = Recipients::parse(&theirs.recipients) else { return false };
    let is_news = recipients != *seal.recipients() && !recipients.is_empty();
    if !is_news || !super::is_proven(theirs, seal.names(), &recipients) || !is_later(vault, theirs, seal) {
        return false;
    }
    vault.warnings.push(told_changes(seal.recipients(), &recipients));
    vault.manifest.recipients = recipients.to_vec();
    vault.manifest.edition = theirs.edition;
    vault.manifest.sealing = true;
    true
}

/// Of two editions with one number, made at the same time, all machines take the same one.
fn is_later(vault: &Vault, theirs: &Identity, seal: &Encryption) -> bool {
    let own = vault.manifest.edition;
    let ours = mac(seal.names(), seal.recipients(), own);
    theirs.edition > own || theirs.edition == own && theirs.recipients_mac.as_deref() > Some(ours.as_str())
}

/// Every change of recipients is said.
fn told_changes(known: &Recipients, wanted: &Recipients) -> Warning {
    let changes = changes(known, wanted, "another machine").join("; ");
    let message = format!("{changes}; `steno key remove RECIPIENT` shuts out");
    warning::at(Path::new("vault.json"), "recipients", message)
}

fn changes(known: &Recipients, wanted: &Recipients, who: &str) -> Vec<String> {
    let lacking = |all: &Recipients, other: &Recipients| {
        all.texts().filter(|text| !other.contains(text)).map(str::to_owned).collect::<Vec<_>>().join(", ")
    };
    let (came, went) = (lacking(wanted, known), lacking(known, wanted));
    let mut changes = Vec::new();
    if !came.is_empty() {
        changes.push(format!("{who} let in {came}, who can read everything from now on"));
    }
    if !went.is_empty() {
        changes.push(format!("{who} shut out {went}"));
    }
    changes
}
