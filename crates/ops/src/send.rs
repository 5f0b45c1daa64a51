//! What was kept → the remote, and what other machines sent → the vault.

mod gate;
mod object_store;
mod relabel;
mod searched;
mod secrets;

use std::path::Path;

use steno_conversation::Warning;
use steno_vault::Writer;
use steno_vault::git::{Error as GitError, Git, Repository, Request as GitRequest};
use steno_vault::remote::{Outcome, Synced};

use self::gate::Verdict;
pub(crate) use self::gate::is_open;
pub(crate) use self::object_store::{ObjectRemote, record_gone};
pub(crate) use self::relabel::finish as finish_relabel;
pub(crate) use self::searched::NAME as SEARCHED;
use crate::error::Error;
use crate::machine::machines;
use crate::push::{Push, Secrets, State};
use crate::workspace::{Vault, Workspace};
use crate::{heal, remote_vault, sealing, warning};

/// How a push is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// Compare everything with what is there.
    pub(crate) full: bool,
    /// Send, although something that looks secret was found.
    pub(crate) push: bool,
    /// Files of the configuration are new, or have changed.
    pub(crate) has_new_config: bool,
}

pub(crate) fn push(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    request: Request,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Push>, Error> {
    if !vault.has_remote() {
        remember_config(workspace, vault, request.has_new_config, warnings);
        return Ok(None);
    }
    let push = if vault.has_object_store() {
        match pass(workspace, vault, writer, request, warnings)? {
            Pass::Held(held) => held,
            Pass::Free(secrets) => {
                Push { secrets, ..object_store::push(workspace, vault, writer, request.full, warnings)? }
            }
        }
    } else {
        push_by_git(workspace, vault, writer, request, warnings)?
    };
    Ok(Some(push))
}

fn push_by_git(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    request: Request,
    warnings: &mut Vec<Warning>,
) -> Result<Push, Error> {
    let Some(git) = workspace.git() else {
        return Ok(Push::because(State::Refused, "git is not installed"));
    };
    let repository = match Repository::open_or_init(&git, &workspace.vault, &vault.own_directory()) {
        Ok(repository) => repository.leaving_behind(vault.directories_left()),
        Err(error) => return Ok(Push::because(State::Refused, error.to_string())),
    };
    // A file that was lost here must not be removed at the remote, too.
    match heal::heal(&repository, writer, vault) {
        Ok(healed) => {
            let is_back = |lost: &Warning| healed.iter().any(|healed| healed.file == lost.file);
            warnings.retain(|one| one.kind != "lost" || !is_back(one));
            warnings.extend(healed);
        }
        Err(error) => return Ok(Push::because(State::Refused, error.to_string())),
    }
    vault.manifest.sent.get_or_insert(workspace.dirs.now);
    if let Err(error) = record(workspace, vault, &repository) {
        return Ok(Push::because(State::Refused, error.to_string()));
    }
    if let Some(reason) = objection_before(workspace, vault, &repository, &git)? {
        return Ok(Push::because(State::Refused, reason));
    }
    let secrets = match pass(workspace, vault, writer, request, warnings)? {
        Pass::Held(held) => return Ok(held),
        Pass::Free(secrets) => secrets,
    };
    let known = vault.clone();
    let objection = |theirs: &[u8]| objection(&known, theirs);
    let request =
        GitRequest { now: workspace.dirs.now, objection: &objection, encryption: known.store.encryption() };
    let synced = match repository.sync(request) {
        Ok(Synced { outcome: Outcome::SlugTaken, .. }) => {
            relabel::relabel(workspace, vault, writer)?;
            Repository::open_or_init(&git, &workspace.vault, &vault.own_directory()).and_then(|repository| {
                record(workspace, vault, &repository)?;
                repository.sync(request)
            })
        }
        synced => synced,
    };
    let push = match synced {
        Ok(synced) => concluded(synced, writer, warnings)?,
        Err(error) => Push::because(State::Refused, error.to_string()),
    };
    // A repository that is too large to tidy is still a repository.
    let _ = repository.maintain();
    Ok(Push { secrets, ..push })
}

enum Pass {
    /// With what goes along all the same.
    Free(Option<Secrets>),
    Held(Push),
}

fn pass(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    request: Request,
    warnings: &mut Vec<Warning>,
) -> Result<Pass, Error> {
    Ok(match gate::ask(workspace, vault, writer, request.push)? {
        Verdict::Free => Pass::Free(None),
        Verdict::Held(held) => Pass::Held(held),
        Verdict::Told(secrets) => {
            warnings.extend(gate::warnings(&secrets));
            Pass::Free(Some(secrets))
        }
    })
}

/// Why an encrypted vault must not even fetch from a new remote: git would keep the plain files there.
fn objection_before(
    workspace: &Workspace,
    vault: &Vault,
    repository: &Repository,
    git: &Git,
) -> Result<Option<String>, Error> {
    if !vault.store.is_encrypted() || repository.has_met_remote().unwrap_or(false) {
        return Ok(None);
    }
    let Some(url) = repository.remote().ok().flatten() else { return Ok(None) };
    let there = remote_vault::look(workspace, git, &url);
    Ok(there.and_then(|theirs| objection(vault, &theirs)))
}

fn record(workspace: &Workspace, vault: &Vault, repository: &Repository) -> Result<bool, GitError> {
    let own = format!("machines/{}", vault.own_directory());
    let paths = [own.as_str(), "vault.json"].into_iter().filter(|path| workspace.vault.join(path).exists());
    repository.record(&paths.collect::<Vec<_>>(), "Keep sessions", workspace.dirs.now)
}

/// Config and manifests get a history where git is at hand; sessions stand on the disk once.
fn remember_config(workspace: &Workspace, vault: &Vault, has_new_config: bool, warnings: &mut Vec<Warning>) {
    let Some(git) = workspace.git() else { return };
    if !has_new_config && workspace.vault.join(".git").exists() {
        return;
    }
    let paths = documents(vault).into_iter().chain(["vault.json".to_owned()]);
    let paths: Vec<String> = paths.filter(|path| workspace.vault.join(path).exists()).collect();
    let recorded = Repository::open_or_init(&git, &workspace.vault, &vault.own_directory())
        .map(|repository| repository.leaving_behind(vault.directories_left()))
        .and_then(|repository| repository.record(&paths, "Keep config", workspace.dirs.now));
    if let Err(error) = recorded {
        let message = format!("the config has no history: {error}");
        warnings.push(warning::at(Path::new(".git"), "git", message));
    }
}

/// Where the files and directories lie that a local vault has a history of.
fn documents(vault: &Vault) -> Vec<String> {
    if vault.store.is_encrypted() {
        return vec![format!("machines/{}/documents", vault.own_directory())];
    }
    let own = machines(&vault.store).unwrap_or_default().into_iter().filter(|machine| vault.is_own(machine));
    let names = ["config", "executable.json", "manifest.json"];
    own.flat_map(|machine| names.map(|name| format!("machines/{machine}/{name}"))).collect()
}

fn concluded(synced: Synced, writer: &mut Writer, warnings: &mut Vec<Warning>) -> Result<Push, Error> {
    let told = synced.warnings.iter();
    warnings.extend(told.map(|one| warning::at(Path::new(&one.path), "remote", one.message.clone())));
    if synced.received + synced.removed > 0 {
        heal::look_again(writer, warnings)?;
    }
    let state = match synced.outcome {
        Outcome::Pushed => State::Pushed,
        Outcome::UpToDate => State::UpToDate,
        Outcome::Offline { .. } => State::Offline,
        Outcome::Refused { .. } | Outcome::SlugTaken => State::Refused,
    };
    let reason = synced.outcome.failure().map(str::to_owned);
    Ok(Push { received: synced.received, reason, ..Push::new(state) })
}

/// A vault of a newer version is not ours to add to, nor is one that is encrypted otherwise. Where none is, there may
/// have been one.
pub(crate) fn objection(vault: &Vault, theirs: &[u8]) -> Option<String> {
    if theirs.is_empty() {
        return sealing::dispute(vault);
    }
    let identity: Result<steno_vault::Identity, _> = serde_json::from_slice(theirs);
    match identity {
        Ok(identity) if identity.is_newer() => {
            Some("it was made by a newer version; install that one here".to_owned())
        }
        Ok(identity) => sealing::objection(vault, &identity),
        Err(_) => Some("its vault.json cannot be understood".to_owned()),
    }
}
