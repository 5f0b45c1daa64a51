//! `key`: what an encrypted vault is opened with, and whom it is encrypted for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::encryption::{Encryption, Keyring, NameKey, Recipients, is_protected, unwrap_names};

use crate::error::{Error, ErrorKind};
use crate::journal::{self, Ending};
use crate::sealing::{self, key_file};
use crate::sync::{self, Push};
use crate::warning;
use crate::workspace::{Vault, Workspace};

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
}

impl Ending for Report {
    fn push(&self) -> Option<&Push> {
        self.push.as_ref()
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let report = match request {
        Request::Show => show(workspace, workspace.look_closed()?.as_ref()),
        Request::Export(path) => export(workspace, path.as_deref()),
        Request::Import(path) => import(workspace, path),
        Request::Add(named) => {
            let added = sealing::recipients(named)?;
            let all = |known: &Recipients| known.texts().chain(added.texts()).map(str::to_owned).collect();
            journal::record(workspace, "key add", || change(workspace, "key add", all))
        }
        Request::Remove(named) => {
            let removed = sealing::recipients(named)?;
            let left = |known: &Recipients| {
                known.texts().filter(|text| !removed.contains(text)).map(str::to_owned).collect()
            };
            journal::record(workspace, "key remove", || {
                meet_others(workspace)?;
                change(workspace, "key remove", left)
            })
        }
        Request::Accept(seen) => journal::record(workspace, "key accept", || accept(workspace, seen)),
    }?;
    Ok(report)
}

/// Asks for no passphrase.
fn show(workspace: &Workspace, vault: Option<&Vault>) -> Result<Report, Error> {
    let place = workspace.keys.identity.as_deref().filter(|path| path.is_file());
    let bytes = place.map(key_file::read).transpose()?;
    let protected = bytes.as_deref().is_some_and(is_protected);
    let keyring = if protected { Keyring::none() } else { workspace.keys.ring() };
    let identity = vault.and_then(|vault| vault.identity.as_ref());
    let recipients = match vault {
        Some(vault) if !vault.manifest.recipients.is_empty() => vault.manifest.recipients.clone(),
        _ => identity.map(|identity| identity.recipients.clone()).unwrap_or_default(),
    };
    let names = identity.and_then(|identity| identity.names.as_deref());
    let opens = || names.map(|names| unwrap_names(names, &keyring).is_ok());
    let opens = if protected || recipients.is_empty() { None } else { opens() };
    let mut warnings: Vec<Warning> =
        vault.and_then(|vault| sealing::pending(workspace, vault)).into_iter().collect();
    if opens == Some(false) || place.is_none() && !recipients.is_empty() {
        let message =
            "no key on this machine opens the vault: what only the vault holds cannot be read".to_owned();
        let path = workspace.keys.identity.clone().unwrap_or_default();
        warnings.push(warning::at(&path, "locked", message));
    }
    Ok(Report {
        ok: true,
        encrypted: !recipients.is_empty(),
        recipients,
        fingerprint: vault.and_then(|vault| sealing::fingerprint_of(&vault.manifest)),
        identity: place.map(|path| path.display().to_string()),
        protected,
        public_keys: key_file::recipients(&keyring).unwrap_or_default(),
        opens,
        warnings,
        ..Report::default()
    })
}

/// As it is: one that is under a passphrase stays so.
fn export(workspace: &Workspace, path: Option<&Path>) -> Result<Report, Error> {
    let bytes = key_file::read(key_file::place(&workspace.keys)?)?;
    let report = show(workspace, workspace.look_closed()?.as_ref())?;
    if let Some(path) = path {
        key_file::check_outside(workspace, path)?;
        key_file::write_new(path, &bytes)?;
        return Ok(Report { exported: Some(path.display().to_string()), ..report });
    }
    let secret = String::from_utf8(bytes).map_err(|_| {
        Error::new(ErrorKind::Invalid, "the key is not text").hint("`steno key export FILE` copies it")
    })?;
    Ok(Report { secret: Some(secret), ..report })
}

/// A key that is there already stays; another one is added to it.
fn import(workspace: &Workspace, path: &Path) -> Result<Report, Error> {
    let bytes = key_file::read(path)?;
    let new =
        Keyring::bytes(bytes.clone(), &path.display().to_string(), Arc::clone(&workspace.keys.passphrase));
    let keys = key_file::recipients(&new)?;
    let place = key_file::place(&workspace.keys)?;
    key_file::check_outside(workspace, place)?;
    if place.exists() {
        key_file::append(&workspace.keys, &bytes, &keys)?;
    } else {
        key_file::write_new(place, &bytes)?;
    }
    let vault = workspace.look_closed()?;
    let mut report = show(workspace, vault.as_ref())?;
    let names = vault.and_then(|vault| vault.identity?.names);
    // The passphrase was given a moment ago, if there is one.
    report.opens = names.map(|names| unwrap_names(&names, &new).is_ok());
    if report.opens == Some(false) {
        let message = "this key does not open the vault".to_owned();
        report.warnings.push(warning::at(path, "other-key", message));
    }
    Ok(report)
}

/// Pulls first what only the remote has: after the change its names could no longer be found.
fn meet_others(workspace: &Workspace) -> Result<(), Error> {
    let vault = workspace.open()?;
    if vault.has_remote() && vault.store.is_encrypted() {
        sync::sync(workspace, vault, &sync::Request { full: true, ..Default::default() })?;
    }
    Ok(())
}

/// A removed recipient knows the name key, which is therefore replaced.
fn next_names(known: &Encryption, wanted: &Recipients) -> NameKey {
    let is_shut_out = known.recipients().texts().any(|text| !wanted.contains(text));
    if is_shut_out { NameKey::random() } else { known.names().clone() }
}

fn accept(workspace: &Workspace, seen: &str) -> Result<Report, Error> {
    let mut vault = workspace.adopt(workspace.open()?)?;
    if !vault.store.is_encrypted() {
        return Err(plain());
    }
    let resealed = sealing::accept(workspace, &mut vault, seen)?;
    told(workspace, resealed, true)
}

fn plain() -> Error {
    Error::new(ErrorKind::Invalid, "the vault is not encrypted")
        .hint("`steno init --encrypt` encrypts it on this disk; `steno remote URL --encrypt` sends it so")
}

/// What is changed here must be what counts.
fn check_undisputed(vault: &Vault) -> Result<(), Error> {
    if !vault.manifest.disputed || !vault.has_remote() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Invalid, "the keys of the vault were changed elsewhere, and not accepted here yet").hint(
        "`steno key accept FINGERPRINT` takes them, with what `steno key` shows on the machine that changed them",
    ))
}

/// Encrypts all files of this machine again. Other machines follow with their next sync; where a recipient was removed,
/// with `key accept`.
fn change(
    workspace: &Workspace,
    command: &str,
    wanted: impl FnOnce(&Recipients) -> Vec<String>,
) -> Result<Report, Error> {
    let mut vault = workspace.adopt(workspace.open()?)?;
    check_undisputed(&vault)?;
    let Some(known) = vault.store.encryption() else { return Err(plain()) };
    let wanted = Recipients::parse(&wanted(known.recipients()))?;
    if wanted.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, "nobody would be left who can read the vault"));
    }
    let is_same = wanted == *known.recipients();
    let names = next_names(known, &wanted);
    let seal = Encryption::new(wanted, names, workspace.keys.ring());
    if !seal.is_for_us() {
        let message = "this machine's own key could no longer open the vault";
        return Err(Error::new(ErrorKind::Invalid, message).hint("add a key of your own first"));
    }
    if is_same {
        return told(workspace, 0, false);
    }
    vault.manifest.edition += 1;
    let resealed = sealing::succeed(workspace, &mut vault, &seal, command)?;
    told(workspace, resealed, true)
}

/// Says it to the remote, and how things are then.
fn told(workspace: &Workspace, resealed: u64, is_news: bool) -> Result<Report, Error> {
    let vault = workspace.open()?;
    let synced = match vault.has_remote() && is_news {
        true => Some(sync::sync(workspace, vault, &sync::Request::default())?),
        false => None,
    };
    let mut report = show(workspace, workspace.look_closed()?.as_ref())?;
    report.ok = synced.as_ref().is_none_or(|synced| synced.ok);
    report.resealed = Some(resealed);
    if let Some(synced) = synced {
        report.push = synced.push;
        report.warnings.extend(synced.warnings);
    }
    Ok(report)
}
