//! `remote`: where the vault is sent. What is kept goes along.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::git::{Repository, check_address, display_url};

use crate::custody::{Custody, Opened, mode_of};
use crate::error::{Error, ErrorKind};
use crate::journal;
use crate::next::{self, Step};
use crate::sync::{self, Push};

/// What the repository is called that is made for a vault.
pub(crate) const REPOSITORY: &str = "claude-backup-data";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Change nothing.
    Show,
    Off,
    GitHub,
    Address(String),
}

#[derive(Debug, Clone)]
pub struct Request {
    pub target: Target,
    /// Send, although something that looks secret was found.
    pub push: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub mode: String,
    /// The remote's address, without credentials.
    pub repo: Option<String>,
    pub pushed: bool,
    pub push: Option<Push>,
    pub warnings: Vec<Warning>,
    /// What to do next, where that is obvious.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Step>,
}

pub fn run(custody: &Custody, request: &Request) -> Result<Report, Error> {
    let opened = custody.open()?;
    if let Target::Address(url) = &request.target {
        check(url)?;
    }
    let report = match &request.target {
        Target::Show => Ok(report(&opened, None)),
        Target::Off => journal::record(custody, "remote off", || off(custody, opened)),
        Target::GitHub | Target::Address(_) => journal::record(custody, "remote", || {
            let url = address(custody, &request.target)?;
            let mut opened = custody.adopt(opened)?;
            set(custody, &mut opened, &url)?;
            let synced =
                sync::sync(custody, opened, &sync::Request { push: request.push, ..Default::default() })?;
            Ok(report(&custody.open()?, Some(synced)))
        }),
    }?;
    Ok(Report { next: next::remote(custody, &report), ..report })
}

fn report(opened: &Opened, synced: Option<sync::Report>) -> Report {
    let repo = opened.manifest.remote.as_deref().map(display_url).filter(|_| opened.has_remote());
    let (ok, pushed, push, warnings) = match synced {
        None => (true, false, None, Vec::new()),
        Some(synced) => (synced.ok, synced.pushed, synced.push, synced.warnings),
    };
    Report { ok, mode: opened.manifest.mode.clone(), repo, pushed, push, warnings, next: Vec::new() }
}

/// The address that is meant; a repository that is missing at GitHub is made.
pub(crate) fn address(custody: &Custody, target: &Target) -> Result<String, Error> {
    match target {
        Target::Address(url) => check(url).map(|()| url.clone()),
        _ => {
            let missing = || {
                Error::new(ErrorKind::Outside, "gh, the command of GitHub, is not installed")
                    .hint("install gh and run `gh auth login`; or name any git address: `steno remote URL`")
            };
            let github = custody.github().ok_or_else(missing)?;
            let made = github.ensure_repository(REPOSITORY).map_err(Error::from);
            made.map_err(|error| error.hint("`gh auth status` tells whether you are signed in"))
        }
    }
}

/// Before anything is changed.
fn check(url: &str) -> Result<(), Error> {
    const ADDRESSES: &str = "a git address is: https://…, ssh://…, git@host:path, or a directory";
    let invalid = |message: String| Err(Error::new(ErrorKind::Invalid, message).hint(ADDRESSES));
    match check_address(url) {
        _ if url.starts_with("s3:") => invalid("object stores are not supported yet".to_owned()),
        Err(error) => invalid(error.to_string()),
        Ok(()) => Ok(()),
    }
}

/// From now on the vault is sent there. Another place has to be looked at for secrets anew.
pub(crate) fn set(custody: &Custody, opened: &mut Opened, url: &str) -> Result<(), Error> {
    check(url)?;
    let no_git = || {
        Error::new(ErrorKind::Outside, "git is not installed").hint("install git, or stay with a local vault")
    };
    let git = custody.git().ok_or_else(no_git)?;
    let writer = custody.writer(opened, "remote")?;
    let repository = Repository::open_or_init(&git, &custody.vault, opened.slug())?;
    if repository.remote()?.as_deref() != Some(url) {
        repository.set_remote(url)?;
        opened.manifest.cleared = None;
    }
    mode_of(url).clone_into(&mut opened.manifest.mode);
    opened.manifest.remote = Some(url.to_owned());
    opened.manifest.write(&custody.vault)?;
    drop(writer);
    Ok(())
}

fn off(custody: &Custody, opened: Opened) -> Result<Report, Error> {
    let mut opened = custody.adopt(opened)?;
    let writer = custody.writer(&opened, "remote off")?;
    if let Some(git) = custody.git().filter(|_| custody.vault.join(".git").exists()) {
        Repository::open_or_init(&git, &custody.vault, opened.slug())?.remove_remote()?;
    }
    "local".clone_into(&mut opened.manifest.mode);
    opened.manifest.remote = None;
    opened.manifest.cleared = None;
    opened.manifest.write(&custody.vault)?;
    drop(writer);
    Ok(report(&opened, None))
}
