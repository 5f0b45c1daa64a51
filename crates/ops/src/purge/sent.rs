//! A session that is gone from the vault → gone from git, here and at the remote, as far as that is wished for.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use steno_conversation::Warning;
use steno_vault::Writer;
use steno_vault::git::{Error as GitError, Repository, Request as GitRequest};
use steno_vault::remote::Synced;

use super::{Remaining, Report, Request, object_store};
use crate::error::Error;
use crate::machine::{machines, root_of};
use crate::shell::quoted;
use crate::workspace::{Vault, Workspace};
use crate::{heal, send, warning};

/// What the remote has, while it learns nothing.
pub const HELD: &str = "it has the session, and a push is held: first `steno sync --push`";
const MESSAGE: &str = "Purge a session";
const REWRITTEN: &str = "Keep what is kept";

/// What is no longer in the vault.
#[derive(Debug)]
pub(super) struct Gone<'a> {
    pub(super) id: &'a str,
    /// Names below the vault.
    pub(super) files: &'a [String],
    /// Those of lists of prompts.
    pub(super) prompts: &'a [String],
    /// Whether the rest may be sent: it was searched for secrets.
    pub(super) is_open: bool,
    /// What went before it was killed is among neither of them.
    pub(super) is_resumed: bool,
}

/// Brings lost segments back first: the purge must not remove them at the remote, too.
pub(super) fn heal(workspace: &Workspace, vault: &Vault, writer: &mut Writer) -> Vec<Warning> {
    let is_sent = vault.has_remote() && !vault.has_object_store() && workspace.vault.join(".git").exists();
    let Some(git) = workspace.git().filter(|_| is_sent) else { return Vec::new() };
    let repository =
        Repository::open_or_init(&git, &workspace.vault, &vault.own_directory()).map_err(Error::from);
    repository.and_then(|repository| heal::heal(&repository, writer, vault)).unwrap_or_else(|error| {
        let message = format!("lost and damaged files could not be looked for: {error}");
        vec![warning::at(Path::new(".git"), "git", message)]
    })
}

/// The caller holds the vault's lock.
pub(super) fn settle(
    workspace: &Workspace,
    vault: &Vault,
    request: &Request,
    gone: &Gone<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    if vault.has_object_store() {
        return object_store::settle(workspace, vault, gone, report);
    }
    if !workspace.vault.join(".git").exists() {
        return Ok(());
    }
    let Some(git) = workspace.git() else {
        report.remaining.push(Remaining::new("git-history", "git is not installed, so nobody could look"));
        return Ok(());
    };
    let files: Vec<String> = gone.files.iter().chain(gone.prompts).cloned().collect();
    let may_be_known = gone.is_resumed && (request.rewrite_history || vault.store.is_encrypted());
    let is_known = may_be_known || is_in_history(workspace, vault, gone.id, &files);
    let repository = Repository::open_or_init(&git, &workspace.vault, &vault.own_directory())?;
    if vault.has_remote() || is_known {
        record(workspace, vault, gone, &repository)?;
    }
    // What was found secret, and held, is not sent for a purge, either.
    let is_sent = vault.has_remote() && gone.is_open;
    if is_known && is_sent {
        report.remaining.extend(copies(vault));
    }
    if is_known && vault.has_remote() && !is_sent && repository.has_met_remote()? {
        report.remaining.extend(held_back(request, gone.id));
        return Ok(());
    }
    if is_known && request.rewrite_history {
        rewrite(workspace, vault, &repository, is_sent, report);
        return Ok(());
    }
    if is_known {
        report.remaining.push(in_history(gone.id));
    }
    if is_sent {
        let objection = |theirs: &[u8]| send::objection(vault, theirs);
        let sent = repository.sync(GitRequest {
            now: workspace.dirs.now,
            objection: &objection,
            encryption: vault.store.encryption(),
        });
        report.remaining.extend(unsent(&sent, is_known, &mut report.warnings));
    }
    Ok(())
}

/// The remote has it from before, and does not learn of the purge while a push is held.
fn held_back(request: &Request, id: &str) -> [Remaining; 2] {
    let history = if request.rewrite_history {
        Remaining::new("git-history", "the remote has to be rewritten first")
    } else {
        in_history(id)
    };
    [history, Remaining::new("remote", HELD)]
}

pub(super) fn in_history(id: &str) -> Remaining {
    let id = quoted(id);
    Remaining::new(
        "git-history",
        format!("`steno purge {id} --rewrite-history` makes git forget all history"),
    )
}

/// Whole where the vault is sent; otherwise only that these files are gone, since git keeps no others.
fn record(
    workspace: &Workspace,
    vault: &Vault,
    gone: &Gone<'_>,
    repository: &Repository,
) -> Result<bool, GitError> {
    let own = format!("machines/{}", vault.own_directory());
    if vault.has_remote() {
        return repository.record(&[own], MESSAGE, workspace.dirs.now);
    }
    let files = gone.files.iter().chain(gone.prompts);
    let paths: Vec<String> = files.map(|file| vault.store.file_of(file).into_owned()).collect();
    let paths: Vec<&String> = paths.iter().filter(|file| Path::new(file).starts_with(&own)).collect();
    repository.record(&paths, MESSAGE, workspace.dirs.now)
}

/// While the first push is held, only this disk has a history.
fn rewrite(
    workspace: &Workspace,
    vault: &Vault,
    repository: &Repository,
    is_sent: bool,
    report: &mut Report,
) {
    let objection = |theirs: &[u8]| send::objection(vault, theirs);
    let request =
        GitRequest { now: workspace.dirs.now, objection: &objection, encryption: vault.store.encryption() };
    let rewritten = if is_sent {
        repository.rewrite_history(REWRITTEN, request)
    } else {
        repository.rewrite_local_history(REWRITTEN, request)
    };
    match rewritten {
        Ok(synced) => {
            if let Some(reason) = synced.outcome.failure() {
                report.remaining.push(Remaining::new("git-history", "the remote has to be rewritten first"));
                report.remaining.push(Remaining::new("remote", reason));
                return;
            }
            let others = synced.warnings.into_iter().map(|one| Remaining::new("remote", one.to_string()));
            report.remaining.extend(others);
            if is_sent {
                let message = "a host may keep what no branch leads to for a while, by rules of its own";
                report.warnings.push(warning::at(Path::new("remote"), "remote", message.to_owned()));
            }
        }
        Err(error) => report.remaining.push(Remaining::new("git-history", error.to_string())),
    }
}

/// What the remote still has after a sync.
fn unsent(sent: &Result<Synced, GitError>, is_known: bool, warnings: &mut Vec<Warning>) -> Option<Remaining> {
    let reason = match sent {
        Ok(synced) => match synced.outcome.failure() {
            Some(reason) => reason.to_owned(),
            None => {
                let told = synced.warnings.iter();
                warnings
                    .extend(told.map(|one| warning::at(Path::new(&one.path), "remote", one.message.clone())));
                return is_known.then(|| Remaining::new("remote", "its history holds the session"));
            }
        },
        Err(error) => error.to_string(),
    };
    Some(Remaining::new("remote", format!("the next sync removes it there: {reason}")))
}

/// Other machines that took from the same remote.
fn copies(vault: &Vault) -> Vec<Remaining> {
    let names = machines(&vault.store).unwrap_or_default();
    let others: BTreeSet<&str> =
        names.iter().map(|name| root_of(name)).filter(|name| *name != vault.slug()).collect();
    let detail =
        "its copy of the vault has the session until its next sync, and git's history there after that";
    others.into_iter().map(|slug| Remaining::new(format!("machine:{slug}"), detail)).collect()
}

/// Whether a commit that can still be reached has a file of the session, or one of these. Where git does not answer,
/// it may have.
pub(super) fn is_in_history(workspace: &Workspace, vault: &Vault, id: &str, files: &[String]) -> bool {
    let Some(git) = workspace.git.path().filter(|_| workspace.vault.join(".git").exists()) else {
        return false;
    };
    let own = format!("machines/{}", vault.own_directory());
    let is_sealed = vault.store.is_encrypted();
    if is_sealed && files.is_empty() {
        return false;
    }
    // Characters that mean something to git stand for any.
    let name: String = id.chars().map(|letter| if is_plain(letter) { letter } else { '?' }).collect();
    let mut command = Command::new(git);
    command.arg("-C").arg(&workspace.vault).args([
        "log",
        "--all",
        "--reflog",
        "--max-count=1",
        "--format=%H",
        "--",
    ]);
    // Names of sealed files tell nothing.
    if !is_sealed {
        command.args(
            ["{name}.*", "{name}/**", "{name}-agent-*"]
                .map(|way| format!(":(glob){own}/**/{}", way.replace("{name}", &name))),
        );
        command.arg(format!(":(exclude,glob){own}/**/tombstones/**"));
    }
    command.args(files.iter().map(|file| format!(":(literal){}", vault.store.file_of(file))));
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_LITERAL_PATHSPECS");
    command.stdin(Stdio::null()).stderr(Stdio::null());
    match command.output() {
        Ok(output) => !output.status.success() || !output.stdout.trim_ascii().is_empty(),
        Err(_) => true,
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.')
}
