//! `status`: what is kept, where it goes, whether it goes on by itself, and what the client is about to delete.
//!
//! Asked often, so nothing is read that a catalogue or a look at the live files can tell.

mod held;
mod pending;
mod risk;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::git::display_url;
use steno_vault::{Catalog, Generation, Stream};

use crate::error::Error;
use crate::journal;
use crate::schedule::{self, Standing, State};
use crate::sealing;
use crate::size::size_text;
use crate::workspace::{Vault, Workspace};
pub(crate) use held::OLD_CONFIG;
use held::Totals;
pub(crate) use risk::Judged;
use risk::Risk;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub version: String,
    /// `local`, `github` or `git`.
    pub mode: String,
    /// The remote's address, without credentials.
    pub repo: Option<String>,
    /// Whether what is kept is encrypted.
    pub encrypted: bool,
    /// RFC 3339; null before the first backup.
    pub last_backup: Option<String>,
    /// As `du -h` says it; without git's own copies.
    pub backup_size: String,
    pub backup_size_bytes: u64,
    pub config: Config,
    pub sessions: Sessions,
    pub scheduler: State,
    /// How often it was asked to run: `daily`, `6h` or `hourly`.
    pub schedule: Option<String>,
    pub index: Index,
    pub retention: Retention,
    /// Until a run succeeds.
    pub last_error: Option<LastError>,
    pub vault: String,
    /// The name that this machine's files are kept under.
    pub machine: String,
    pub machines: Vec<Machine>,
    /// Whether something that was kept still waits to be sent; null where nothing is sent, or nobody knows.
    pub pending: Option<bool>,
    /// What became of sending when it was last tried; null where nothing is sent, or nothing was tried yet.
    pub push: Option<Push>,
    pub warnings: Vec<Warning>,
    /// Sessions that are not kept and do not run: those that a sync is not behind with at once.
    #[serde(skip)]
    pub at_rest: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    pub files: u64,
    pub size: String,
    pub size_bytes: u64,
}

/// Of all machines.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sessions {
    /// Kept transcripts.
    pub files: u64,
    pub projects: u64,
    /// Of everything that is kept but the config, as it lies on the disk.
    pub size: String,
    pub size_bytes: u64,
    pub uncompressed_bytes: u64,
    /// Of this machine: those that the client deleted.
    #[serde(default)]
    pub deleted: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Index {
    /// Sessions that can be listed, peeked and restored.
    pub sessions: u64,
}

/// What the client deletes, and whether it is kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retention {
    pub cleanup_period_days: u64,
    /// `default`, `user`, `project`, `local` or `managed`.
    pub source: String,
    /// The settings file that says so.
    pub path: Option<String>,
    /// A settings file does not load: the client deletes nothing until it does.
    pub suspended: bool,
    /// Live sessions that the client deletes within 7 days.
    pub at_risk: u64,
    /// Those of them of which the vault lacks bytes.
    pub at_risk_not_kept: u64,
    /// Live sessions of which the vault lacks bytes.
    pub not_kept: u64,
    /// When the first of all live sessions goes, RFC 3339; a time that is past means the client's next start.
    pub next_deletion: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct LastError {
    pub time: String,
    pub command: String,
    pub error: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Push {
    /// `pushed`, `up-to-date`, `held`, `offline` or `refused`.
    pub state: String,
    /// Why it was not sent.
    pub reason: Option<String>,
}

impl Push {
    /// Nothing is sent until the user does something about it.
    fn is_stuck(&self) -> bool {
        matches!(self.state.as_str(), "held" | "refused")
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Machine {
    /// The name its files are kept under.
    pub machine: String,
    /// Whether it is this one.
    pub own: bool,
    pub sessions: u64,
    pub size_bytes: u64,
    pub last_backup: Option<String>,
}

pub fn run(workspace: &Workspace) -> Result<Report, Error> {
    let vault = workspace.open()?;
    let (mut report, _) = survey(workspace, &vault)?;
    report.warnings.extend(lost(workspace, &vault.cached().catalog()?));
    Ok(report)
}

/// What is missing or damaged in the vault, as far as names and headers tell.
fn lost(workspace: &Workspace, catalog: &Catalog) -> Option<Warning> {
    let is_whole = |stream: &Stream| stream.generations.iter().all(Generation::is_contiguous);
    let files = catalog.streams().filter(|(_, _, stream)| !is_whole(stream)).count();
    let message = match files {
        0 => return None,
        1 => "a part of 1 kept file is missing or damaged; `steno verify` names it".to_owned(),
        _ => format!("parts of {files} kept files are missing or damaged; `steno verify` names them"),
    };
    Some(crate::warning::at(&workspace.vault, "lost", message))
}

/// With every live session by itself.
pub(crate) fn survey(workspace: &Workspace, vault: &Vault) -> Result<(Report, Vec<Judged>), Error> {
    let cached = vault.cached();
    // To ask the schedulers takes other programs, which run while we look at files.
    let (standing, live, catalog) = std::thread::scope(|scope| {
        let standing = scope.spawn(|| schedule::state(&workspace.schedule));
        let (catalog, live) = rayon::join(|| cached.catalog(), || risk::look(workspace));
        let standing = standing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (standing, live, catalog)
    });
    let catalog = catalog?;
    let mut held = held::count(vault, cached.store(), &catalog)?;
    let kept = risk::VaultContents { vault, store: cached.store(), catalog: &catalog };
    held.sessions.deleted = risk::deleted(kept, &live);
    let mut risk = risk::weigh(workspace, Some(kept), live)?;
    let (at_rest, sessions) = (risk.at_rest, std::mem::take(&mut risk.sessions));
    let report = report(workspace, vault, standing, held, risk);
    Ok((Report { at_rest, ..report }, sessions))
}

/// Live sessions, where nothing is kept or what is kept cannot be read.
pub(crate) fn unkept(workspace: &Workspace) -> Result<(Retention, Vec<Judged>, Vec<Warning>), Error> {
    let Risk { retention, sessions, warnings, .. } = risk::weigh(workspace, None, risk::look(workspace))?;
    Ok((retention, sessions, warnings))
}

fn report(workspace: &Workspace, vault: &Vault, standing: Standing, held: Totals, risk: Risk) -> Report {
    let manifest = &vault.manifest;
    let bytes = held.sessions.size_bytes + held.config.size_bytes;
    let mut warnings = vault.warnings.clone();
    warnings.extend(standing.warnings);
    warnings.extend(risk.warnings);
    warnings.extend(waiting(workspace, vault.store.waiting()));
    warnings.extend(sealing::pending(workspace, vault));
    let last_push = manifest.last_push.as_ref().filter(|_| vault.has_remote());
    let push = last_push.map(|last| Push { state: last.state.clone(), reason: last.reason.clone() });
    Report {
        at_rest: 0,
        version: workspace.version.clone(),
        mode: manifest.mode.clone(),
        repo: manifest.remote.as_deref().map(display_url).filter(|_| vault.has_remote()),
        encrypted: vault.store.is_encrypted(),
        last_backup: manifest.last_sync.as_deref().and_then(rfc3339),
        backup_size: size_text(bytes),
        backup_size_bytes: bytes,
        config: held.config,
        sessions: held.sessions,
        scheduler: standing.state,
        schedule: manifest.schedule.clone().filter(|_| standing.state == State::Active),
        index: held.index,
        retention: risk.retention,
        last_error: journal::last_error(workspace, manifest).map(|last| LastError {
            time: last.time.to_string(),
            command: last.command,
            error: last.error,
        }),
        vault: workspace.vault.display().to_string(),
        machine: vault.slug().to_owned(),
        machines: held.machines,
        pending: match &push {
            Some(push) if push.is_stuck() => Some(true),
            // Whatever is kept is sent by the same run.
            push if vault.has_object_store() => push.as_ref().map(|push| push.state == "offline"),
            _ => vault.has_remote().then(|| pending::is_pending(&workspace.vault)).flatten(),
        },
        push,
        warnings,
    }
}

/// What other machines sealed for a key that is not here.
fn waiting(workspace: &Workspace, files: usize) -> Option<Warning> {
    let message = format!("{files} files of other machines wait for the key");
    (files > 0).then(|| crate::warning::at(&workspace.vault, "locked", message))
}

/// Other tools wrote manifests, too.
fn rfc3339(text: &str) -> Option<String> {
    text.parse::<Timestamp>().ok().map(|time| time.to_string())
}
