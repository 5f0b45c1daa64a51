//! What was kept → an object store, and what other machines put there → the vault.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use steno_conversation::Warning;
use steno_vault::exchange::{Exchanged, Exchanging, State as Exchange, Step};
use steno_vault::{Store, Writer};

use super::relabel;
use crate::error::Error;
use crate::progress::Progress;
use crate::push::{Push, State};
use crate::workspace::{Vault, Workspace, random_id};
use crate::{heal, remote_vault, warning};

const COMPARE_EVERY: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Everything that this machine has to say to the object store. The caller holds the vault's lock.
pub(crate) struct Counter<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) vault: &'a Vault,
    pub(crate) remote: &'a dyn Store,
    pub(crate) full: bool,
}

impl Counter<'_> {
    pub(crate) fn exchange(&self) -> Result<Exchanged, Error> {
        self.with(|exchanging| exchanging.run())
    }

    fn with<T>(&self, act: impl FnOnce(Exchanging<'_>) -> Result<T, steno_vault::Error>) -> Result<T, Error> {
        let Self { workspace, vault, remote, full } = *self;
        let manifest = &vault.manifest;
        let progress = workspace.progress.as_ref();
        let done = act(Exchanging {
            chest: &vault.store,
            remote,
            address: manifest.remote.as_deref().unwrap_or_default(),
            endpoint: manifest.endpoint.as_deref(),
            region: manifest.region.as_deref(),
            own: &vault.own_directory(),
            installation: manifest.installation.as_deref().unwrap_or_default(),
            full,
            objection: &|theirs| super::objection(vault, theirs),
            progress: &|step| told(progress, step),
        });
        progress.end();
        Ok(done?)
    }
}

/// Says that files are about to go on purpose, which needs no remote. Names as they are kept. The caller holds the
/// vault's lock.
pub(crate) fn renounce(vault: &Vault, names: &[String]) -> Result<(), Error> {
    let root = vault.store.root();
    let store = &vault.store;
    let files = names.iter().flat_map(|name| [store.file_of(name), store.next_file_of(name)]);
    let files: BTreeSet<String> = files.map(Cow::into_owned).collect();
    Ok(steno_vault::exchange::renounce(root, &vault.own_directory(), &Vec::from_iter(files))?)
}

fn told(progress: &dyn Progress, step: Step) {
    match step {
        Step::Sending(bytes) => progress.begin("Sending", bytes),
        Step::Receiving(bytes) => progress.begin("Receiving", bytes),
        Step::Sent(bytes) | Step::Received(bytes) => progress.advance(bytes),
    }
}

pub(super) fn push(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    full: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Push, Error> {
    let url = vault.manifest.remote.clone().unwrap_or_default();
    let depot = match remote_vault::depot(workspace, &vault.manifest, &url) {
        Ok(depot) => depot,
        Err(error) => return Ok(Push::because(State::Refused, error.to_string())),
    };
    vault.manifest.installation.get_or_insert_with(random_id);
    vault.manifest.sent.get_or_insert(workspace.dirs.now);
    // Should this run be killed after something was sent, the next one has to know.
    vault.manifest.write(&workspace.vault)?;
    let full = full || is_due(vault.manifest.compared, workspace.dirs.now);
    let mut done = Counter { workspace, vault, remote: &depot, full }.exchange()?;
    if done.state == Exchange::SlugTaken {
        relabel::relabel(workspace, vault, writer)?;
        done = Counter { workspace, vault, remote: &depot, full }.exchange()?;
    }
    if full && matches!(done.state, Exchange::Pushed | Exchange::UpToDate) {
        vault.manifest.compared = Some(workspace.dirs.now);
    }
    if done.received + done.removed > 0 {
        heal::look_again(writer, warnings)?;
    }
    warnings.extend(
        done.warnings.iter().map(|one| warning::at(Path::new(&one.path), "remote", one.message.clone())),
    );
    let strange = depot.strange();
    let strange = strange.iter().take(STRANGE);
    warnings.extend(strange.map(|key| {
        let message = "an object of this name is no file of a vault, and is passed over".to_owned();
        warning::at(Path::new(key), "strange-key", message)
    }));
    Ok(Push { received: done.received, ..concluded(done.state) })
}

/// How many strange keys are named.
const STRANGE: usize = 5;

/// What is remembered of an object store is looked at again this often. A clock that went backwards looks once more.
fn is_due(compared: Option<Timestamp>, now: Timestamp) -> bool {
    compared.is_none_or(|compared| {
        let age = now.duration_since(compared);
        age.is_negative() || age >= COMPARE_EVERY
    })
}

fn concluded(state: Exchange) -> Push {
    match state {
        Exchange::Pushed => Push::new(State::Pushed),
        Exchange::UpToDate => Push::new(State::UpToDate),
        Exchange::Offline { reason } => Push::because(State::Offline, reason),
        Exchange::Refused { reason } => Push::because(State::Refused, reason),
        Exchange::SlugTaken => Push::because(State::Refused, "another machine has this one's name there"),
    }
}
