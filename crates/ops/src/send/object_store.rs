//! What was kept → an object store, and what other machines put there → the vault.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use steno_conversation::Warning;
use steno_vault::object_sync::{ObjectSync, Transfer};
use steno_vault::remote::{Outcome, Synced};
use steno_vault::{Store, Writer};

use super::relabel;
use crate::error::Error;
use crate::progress::Progress;
use crate::push::{Push, State};
use crate::workspace::{Vault, Workspace, random_id};
use crate::{remote_vault, warning};

const COMPARE_EVERY: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A vault and the object store that it is synced with. The caller holds the vault's lock.
pub(crate) struct ObjectRemote<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) vault: &'a Vault,
    pub(crate) remote: &'a dyn Store,
    pub(crate) full: bool,
}

impl ObjectRemote<'_> {
    pub(crate) fn sync(&self) -> Result<Synced, Error> {
        self.with(|sync| sync.run())
    }

    fn with<T>(&self, act: impl FnOnce(ObjectSync<'_>) -> Result<T, steno_vault::Error>) -> Result<T, Error> {
        let Self { workspace, vault, remote, full } = *self;
        let manifest = &vault.manifest;
        let progress = workspace.progress.as_ref();
        let done = act(ObjectSync {
            store: &vault.store,
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
pub(crate) fn record_gone(vault: &Vault, names: &[String]) -> Result<(), Error> {
    let root = vault.store.root();
    let store = &vault.store;
    let files = names.iter().flat_map(|name| [store.file_of(name), store.next_file_of(name)]);
    let files: BTreeSet<String> = files.map(Cow::into_owned).collect();
    Ok(steno_vault::object_sync::record_gone(root, &vault.own_directory(), &Vec::from_iter(files))?)
}

fn told(progress: &dyn Progress, step: Transfer) {
    match step {
        Transfer::Sending(bytes) => progress.begin("Sending", bytes),
        Transfer::Receiving(bytes) => progress.begin("Receiving", bytes),
        Transfer::Sent(bytes) | Transfer::Received(bytes) => progress.advance(bytes),
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
    let object_store = match remote_vault::object_store(workspace, &vault.manifest, &url) {
        Ok(object_store) => object_store,
        Err(error) => return Ok(Push::because(State::Refused, error.to_string())),
    };
    vault.manifest.installation.get_or_insert_with(random_id);
    vault.manifest.sent.get_or_insert(workspace.dirs.now);
    // Should this run be killed after something was sent, the next one has to know.
    vault.manifest.write(&workspace.vault)?;
    let full = full || is_due(vault.manifest.compared, workspace.dirs.now);
    let mut done = ObjectRemote { workspace, vault, remote: &object_store, full }.sync()?;
    if done.outcome == Outcome::SlugTaken {
        relabel::relabel(workspace, vault, writer)?;
        done = ObjectRemote { workspace, vault, remote: &object_store, full }.sync()?;
    }
    if full && matches!(done.outcome, Outcome::Pushed | Outcome::UpToDate) {
        vault.manifest.compared = Some(workspace.dirs.now);
    }
    let push = super::concluded(done, writer, warnings)?;
    let strange = object_store.strange();
    let strange = strange.iter().take(STRANGE);
    warnings.extend(strange.map(|key| {
        let message = "an object of this name is no file of a vault, and is passed over".to_owned();
        warning::at(Path::new(key), "strange-key", message)
    }));
    Ok(push)
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
