//! A remote's `vault.json` → whether ours goes with it, and what ours has to become first.
//!
//! A vault is plain everywhere or encrypted everywhere: what one machine encrypts must not be sent plain by another.

use std::sync::Arc;

use steno_vault::Identity;
use steno_vault::seal::Recipients;

use super::{convert, told};
use crate::custody::{Custody, Opened};
use crate::error::{Error, ErrorKind};

/// Why what is kept here must not be sent to a vault like this one.
pub(crate) fn objection(opened: &Opened, theirs: &Identity) -> Option<String> {
    let is_sealed = !theirs.recipients.is_empty();
    match opened.chest.seal() {
        None if is_sealed => {
            Some("it is encrypted, and this vault is not; `steno remote URL` joins it".to_owned())
        }
        Some(_) if !is_sealed => Some("it is not encrypted, and this vault is".to_owned()),
        Some(seal) => {
            let recipients = Recipients::parse(&theirs.recipients).unwrap_or_default();
            let is_proven = super::is_proven(theirs, seal.names(), &recipients);
            (!is_proven).then(|| "it is encrypted with another key".to_owned())
        }
        None => None,
    }
}

/// Before a remote is used: makes ours what theirs is. `wants_encryption` is what the user asked for.
pub(crate) fn meet(
    custody: &Custody,
    opened: &mut Opened,
    theirs: Option<Identity>,
    wants_encryption: bool,
) -> Result<(), Error> {
    let Some(theirs) = theirs else { return Ok(()) };
    let is_ours_sealed = opened.chest.is_sealed();
    if theirs.recipients.is_empty() {
        if is_ours_sealed || wants_encryption {
            let message = "the vault there is not encrypted, and what it holds stays readable";
            return Err(Error::new(ErrorKind::Invalid, message)
                .hint("name a new, empty place: everything that is kept goes along, encrypted"));
        }
        return Ok(());
    }
    let seal = told(&theirs, custody.keys.ring()).map_err(|error| match error.kind {
        ErrorKind::Locked => {
            error.hint("the vault there is encrypted: its key is on the machine that made it")
        }
        _ => error,
    })?;
    let has_same_names = opened.chest.seal().is_some_and(|own| own.names() == seal.names());
    let has_same_recipients = opened.chest.seal().is_some_and(|own| own.recipients() == seal.recipients());
    let original = opened.identity.take().and_then(|identity| identity.original);
    opened.identity = Some(Identity { original: theirs.original.clone().or(original), ..theirs });
    let edition = opened.identity.as_ref().map_or(0, |identity| identity.edition);
    let is_older = edition < opened.manifest.edition;
    if has_same_names && (has_same_recipients || is_older) {
        return Ok(());
    }
    opened.manifest.edition = edition;
    if has_same_names {
        // The next sync seals what is ours anew, and says so there.
        opened.manifest.sealing = true;
        super::pin(opened, &seal)?;
        opened.chest = super::chest(custody, Some(Arc::new(seal)), opened.slug());
        return Ok(opened.manifest.write(&custody.vault)?);
    }
    convert(custody, opened, Arc::new(seal))
}

/// Whom another machine let in, that has the key of the names. Nothing else that a `vault.json` says is followed.
pub(crate) fn follow(opened: &mut Opened, theirs: &Identity) -> bool {
    let Some(seal) = opened.chest.seal() else { return false };
    let Ok(recipients) = Recipients::parse(&theirs.recipients) else { return false };
    let is_older = theirs.edition < opened.manifest.edition;
    let is_news = recipients != *seal.recipients() && !recipients.is_empty() && !is_older;
    if !is_news || !super::is_proven(theirs, seal.names(), &recipients) {
        return false;
    }
    opened.manifest.recipients = recipients.to_vec();
    opened.manifest.edition = theirs.edition;
    opened.manifest.sealing = true;
    true
}
