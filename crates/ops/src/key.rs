//! `key`: what an encrypted vault is opened with, and whom it is encrypted for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::encryption::{Encryption, Keyring, NameKey, Recipients, is_protected, unwrap_names};

use crate::custody::{Custody, Opened};
use crate::error::{Error, ErrorKind};
use crate::next::{self, Step};
use crate::sealing::{self, key_file};
use crate::sync::{self, Push};
use crate::{journal, warning};

#[derive(Debug, Clone)]
pub enum Request {
    /// Change nothing.
    Show,
    /// The secret key, into a file or into the report.
    Export(Option<PathBuf>),
    /// A key from elsewhere.
    Import(PathBuf),
    /// Public keys, or files with such, that are let in.
    Add(Vec<String>),
    /// Those that are shut out of what is kept from now on, and of what this machine keeps.
    Remove(Vec<String>),
    /// The keys that another machine gave the vault, known by the fingerprint that is shown there.
    Accept(String),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    /// Whether there is a vault that is encrypted.
    pub encrypted: bool,
    /// Whom it is encrypted for.
    pub recipients: Vec<String>,
    /// What tells these recipients and the key of the names from any others; the same on all machines that agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The file with the secret key; null where there is none.
    pub identity: Option<String>,
    /// Whether it is under a passphrase.
    pub protected: bool,
    /// The public halves of the keys in it; none where only the passphrase tells them.
    pub public_keys: Vec<String>,
    /// Whether it opens the vault; null where nobody can say without the passphrase.
    pub opens: Option<bool>,
    /// Where the key was written to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exported: Option<String>,
    /// The key itself, where no file was named for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// How many files were encrypted anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resealed: Option<u64>,
    /// What became of sending them; null where nothing is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<Push>,
    pub warnings: Vec<Warning>,
    /// What to do next, where that is obvious.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Step>,
}

pub fn run(custody: &Custody, request: &Request) -> Result<Report, Error> {
    let report = match request {
        Request::Show => show(custody, custody.look_closed()?.as_ref()),
        Request::Export(path) => export(custody, path.as_deref()),
        Request::Import(path) => import(custody, path),
        Request::Add(named) => {
            let added = sealing::recipients(named)?;
            let all = |known: &Recipients| known.texts().chain(added.texts()).map(str::to_owned).collect();
            journal::record(custody, "key add", || change(custody, "key add", all))
        }
        Request::Remove(named) => {
            let removed = sealing::recipients(named)?;
            let left = |known: &Recipients| {
                known.texts().filter(|text| !removed.contains(text)).map(str::to_owned).collect()
            };
            journal::record(custody, "key remove", || {
                meet_others(custody)?;
                change(custody, "key remove", left)
            })
        }
        Request::Accept(seen) => journal::record(custody, "key accept", || accept(custody, seen)),
    }?;
    Ok(Report { next: next::key(custody, &report), ..report })
}

/// Asks for no passphrase.
fn show(custody: &Custody, opened: Option<&Opened>) -> Result<Report, Error> {
    let place = custody.keys.identity.as_deref().filter(|path| path.is_file());
    let bytes = place.map(key_file::read).transpose()?;
    let protected = bytes.as_deref().is_some_and(is_protected);
    let keyring = if protected { Keyring::none() } else { custody.keys.ring() };
    let identity = opened.and_then(|opened| opened.identity.as_ref());
    let recipients = match opened {
        Some(opened) if !opened.manifest.recipients.is_empty() => opened.manifest.recipients.clone(),
        _ => identity.map(|identity| identity.recipients.clone()).unwrap_or_default(),
    };
    let names = identity.and_then(|identity| identity.names.as_deref());
    let opens = || names.map(|names| unwrap_names(names, &keyring).is_ok());
    let opens = if protected || recipients.is_empty() { None } else { opens() };
    let mut warnings: Vec<Warning> =
        opened.and_then(|opened| sealing::pending(custody, opened)).into_iter().collect();
    if opens == Some(false) || place.is_none() && !recipients.is_empty() {
        let message = "nothing here opens the vault: what only the vault holds cannot be read".to_owned();
        let path = custody.keys.identity.clone().unwrap_or_default();
        warnings.push(warning::at(&path, "locked", message));
    }
    Ok(Report {
        ok: true,
        encrypted: !recipients.is_empty(),
        recipients,
        fingerprint: opened.and_then(|opened| sealing::fingerprint_of(&opened.manifest)),
        identity: place.map(|path| path.display().to_string()),
        protected,
        public_keys: key_file::recipients(&keyring).unwrap_or_default(),
        opens,
        warnings,
        ..Report::default()
    })
}

/// As it is: one that is under a passphrase stays so.
fn export(custody: &Custody, path: Option<&Path>) -> Result<Report, Error> {
    let bytes = key_file::read(key_file::place(&custody.keys)?)?;
    let report = show(custody, custody.look_closed()?.as_ref())?;
    if let Some(path) = path {
        key_file::check_outside(custody, path)?;
        key_file::write_new(path, &bytes)?;
        return Ok(Report { exported: Some(path.display().to_string()), ..report });
    }
    let secret = String::from_utf8(bytes).map_err(|_| {
        Error::new(ErrorKind::Invalid, "the key is no text").hint("`steno key export FILE` copies it")
    })?;
    Ok(Report { secret: Some(secret), ..report })
}

/// A key that is there already stays; another one is added to it.
fn import(custody: &Custody, path: &Path) -> Result<Report, Error> {
    let bytes = key_file::read(path)?;
    let new =
        Keyring::bytes(bytes.clone(), &path.display().to_string(), Arc::clone(&custody.keys.passphrase));
    let keys = key_file::recipients(&new)?;
    let place = key_file::place(&custody.keys)?;
    key_file::check_outside(custody, place)?;
    if place.exists() {
        key_file::append(&custody.keys, &bytes, &keys)?;
    } else {
        key_file::write_new(place, &bytes)?;
    }
    let opened = custody.look_closed()?;
    let mut report = show(custody, opened.as_ref())?;
    let names = opened.and_then(|opened| opened.identity?.names);
    // The passphrase was given a moment ago, if there is one.
    report.opens = names.map(|names| unwrap_names(&names, &new).is_ok());
    if report.opens == Some(false) {
        let message = "it does not open the vault that is here".to_owned();
        report.warnings.push(warning::at(path, "other-key", message));
    }
    Ok(report)
}

/// What is only at the remote, under names that nobody can find any more afterwards, comes first.
fn meet_others(custody: &Custody) -> Result<(), Error> {
    let opened = custody.open()?;
    if opened.has_remote() && opened.chest.is_encrypted() {
        sync::sync(custody, opened, &sync::Request { full: true, ..Default::default() })?;
    }
    Ok(())
}

/// Who is shut out knows the key of the names, which is therefore given up.
fn next_names(known: &Encryption, wanted: &Recipients) -> NameKey {
    let is_shut_out = known.recipients().texts().any(|text| !wanted.contains(text));
    if is_shut_out { NameKey::random() } else { known.names().clone() }
}

fn accept(custody: &Custody, seen: &str) -> Result<Report, Error> {
    let mut opened = custody.adopt(custody.open()?)?;
    if !opened.chest.is_encrypted() {
        return Err(plain());
    }
    let resealed = sealing::accept(custody, &mut opened, seen)?;
    told(custody, resealed, true)
}

fn plain() -> Error {
    Error::new(ErrorKind::Invalid, "the vault is not encrypted")
        .hint("`steno init --encrypt` encrypts it on this disk; `steno remote URL --encrypt` sends it so")
}

/// What is changed here must be what counts.
fn check_undisputed(opened: &Opened) -> Result<(), Error> {
    if !opened.manifest.disputed || !opened.has_remote() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Invalid, "the keys of the vault were changed elsewhere, and not accepted here yet").hint(
        "`steno key accept FINGERPRINT` takes them, with what `steno key` shows on the machine that changed them",
    ))
}

/// Everything of this machine is encrypted anew; other machines follow with their next sync, or where somebody was shut
/// out when they are told to.
fn change(
    custody: &Custody,
    command: &str,
    wanted: impl FnOnce(&Recipients) -> Vec<String>,
) -> Result<Report, Error> {
    let mut opened = custody.adopt(custody.open()?)?;
    check_undisputed(&opened)?;
    let Some(known) = opened.chest.encryption() else { return Err(plain()) };
    let wanted = Recipients::parse(&wanted(known.recipients()))?;
    if wanted.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, "nobody would be left who can read the vault"));
    }
    let is_same = wanted == *known.recipients();
    let names = next_names(known, &wanted);
    let seal = Encryption::new(wanted, names, custody.keys.ring());
    if !seal.is_for_us() {
        let message = "the key that is here could not open the vault any more";
        return Err(Error::new(ErrorKind::Invalid, message).hint("add a key of your own first"));
    }
    if is_same {
        return told(custody, 0, false);
    }
    opened.manifest.edition += 1;
    let resealed = sealing::succeed(custody, &mut opened, &seal, command)?;
    told(custody, resealed, true)
}

/// Says it to the remote, and how things are then.
fn told(custody: &Custody, resealed: u64, is_news: bool) -> Result<Report, Error> {
    let opened = custody.open()?;
    let synced = match opened.has_remote() && is_news {
        true => Some(sync::sync(custody, opened, &sync::Request::default())?),
        false => None,
    };
    let mut report = show(custody, custody.look_closed()?.as_ref())?;
    report.ok = synced.as_ref().is_none_or(|synced| synced.ok);
    report.resealed = Some(resealed);
    if let Some(synced) = synced {
        report.push = synced.push;
        report.warnings.extend(synced.warnings);
    }
    Ok(report)
}
