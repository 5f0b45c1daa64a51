//! `uninstall`: removes the schedule. The vault stays, unless the user says --delete-vault and --yes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::git::display_url;

use crate::cache::{cache_directories, remove_all};
use crate::error::{Error, ErrorKind};
use crate::schedule::{self, Choice};
use crate::workspace::Workspace;
use crate::{recovery, warning};

/// What a vault is made of. `vault.json` goes last: a deletion that was interrupted can be asked for again.
const CONTENTS: [&str; 13] = [
    "machines",
    "projects",
    "config",
    "history.jsonl.gz",
    ".git",
    ".gitignore",
    ".gitattributes",
    ".cache",
    "manifest.json",
    "exchange.json",
    "older",
    ".lock",
    "vault.json",
];

#[derive(Debug, Clone, Default)]
pub struct Request {
    pub delete_vault: bool,
    /// Said with `delete_vault`, that it is meant; what is only shown needs no such word.
    pub yes: bool,
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    /// `schedule`, `vault` and `index`, as far as there was one.
    pub removed: Vec<String>,
    pub vault_kept: bool,
    pub vault: String,
    /// Where copies of it were sent, which stay.
    pub repo: Option<String>,
    pub dry_run: bool,
    /// What was done about the schedule, or would be.
    pub steps: Vec<String>,
    pub warnings: Vec<Warning>,
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    // What cannot be done is said before anything is.
    let vault = request.delete_vault.then(|| deletable(workspace, request)).transpose()?;
    let known = workspace.look().ok().flatten();
    let scheduled = schedule::choose(workspace, Choice { dry_run: request.dry_run, ..Choice::default() })?;
    let mut report = Report {
        ok: scheduled.ok,
        removed: if scheduled.steps.is_empty() { Vec::new() } else { vec!["schedule".to_owned()] },
        vault_kept: workspace.vault.exists(),
        vault: workspace.vault.display().to_string(),
        repo: known.and_then(|known| known.manifest.remote).as_deref().map(display_url),
        dry_run: request.dry_run,
        steps: scheduled.steps,
        warnings: scheduled.warnings,
    };
    if let Some(vault) = vault {
        let strangers = strangers(&vault)?;
        if !request.dry_run {
            delete(workspace, &vault, strangers.is_empty())?;
        }
        report.removed.push("vault".to_owned());
        report.vault_kept = false;
        report.warnings.extend(
            strangers
                .iter()
                .map(|path| warning::at(path, "not-ours", "it is no part of a vault, and stays".to_owned())),
        );
    }
    if !cache_directories(workspace).is_empty() {
        if !request.dry_run {
            remove_all(workspace)?;
        }
        report.removed.push("index".to_owned());
    }
    Ok(report)
}

/// Its real directory, if it is a vault and nothing else.
fn deletable(workspace: &Workspace, request: &Request) -> Result<PathBuf, Error> {
    let shown = workspace.vault.display();
    if !request.yes && !request.dry_run {
        let message = format!("this would delete everything that is kept in {shown}");
        return Err(Error::new(ErrorKind::Invalid, message).hint("say --delete-vault --yes if that is meant"));
    }
    let vault = workspace.open()?;
    if vault.identity.is_none() {
        let message = format!("{shown} holds no vault.json, so it is not deleted");
        return Err(Error::new(ErrorKind::Invalid, message).hint("delete it by hand if it is not needed"));
    }
    let real =
        workspace.vault.canonicalize().map_err(|error| Error::unreadable(workspace.vault.clone(), error))?;
    let mut others = workspace.dirs.paths.iter().filter_map(|directory| directory.canonicalize().ok());
    match others.find(|directory| directory.starts_with(&real)) {
        Some(directory) => {
            let message = format!("{} lies inside the vault, so that is not deleted", directory.display());
            Err(Error::new(ErrorKind::Invalid, message).hint("move one of them away first"))
        }
        None => Ok(real),
    }
}

/// Files in a vault's directory that we did not put there.
fn strangers(vault: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(vault).map_err(|error| Error::unreadable(vault.to_owned(), error))?;
    let entries = entries.flatten().filter(|entry| !CONTENTS.iter().any(|own| entry.file_name() == *own));
    let mut strangers: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    strangers.sort();
    Ok(strangers)
}

/// Under the vault's lock: no other process may be at work in it.
fn delete(workspace: &Workspace, vault: &Path, is_all: bool) -> Result<(), Error> {
    let (_, writer) = workspace.hold(workspace.open()?, "uninstall")?;
    workspace.forget_outside()?;
    recovery::forget_copy(workspace);
    for name in CONTENTS {
        let path = vault.join(name);
        remove(&path).map_err(|error| undeleted(&path, &error))?;
    }
    if !is_all {
        return Ok(());
    }
    // On Windows its lock, still open, keeps the directory from going.
    drop(writer);
    fs::remove_dir(vault).map_err(|error| undeleted(vault, &error))?;
    if workspace.vault.is_symlink() {
        fs::remove_file(&workspace.vault).map_err(|error| undeleted(&workspace.vault, &error))?;
    }
    Ok(())
}

/// A link goes, what it leads to stays.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn undeleted(path: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot delete {}: {error}", path.display()))
        .hint("run it again once that works: it goes on where it stopped")
}
