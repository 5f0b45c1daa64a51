//! `sync`: live files → the vault, and from there to wherever it is sent.

mod config;
mod rescue;
mod total;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::{Keep, LastPush, Outcome, Tombstone, Trouble, Writer};

use crate::candidate::{self, Candidates};
use crate::error::{Error, ErrorKind};
pub use crate::journal::UNREADABLE;
use crate::journal::{self, Ending};
pub use crate::push::{Push, Secrets, SecretsPlace, State};
use crate::rescue::Rescue;
use crate::workspace::{Vault, Workspace};
use crate::{home, purge, recovery, sealing, send};
pub(crate) use config::executables;
pub(crate) use rescue::{keep_aside, keep_live, settle_left};

/// What warnings are called that tell of a Claude directory which is not there.
pub(crate) const MISSING_DIRECTORY: &str = "missing-directory";

#[derive(Debug, Clone, Default)]
pub struct Request {
    pub config_only: bool,
    pub sessions_only: bool,
    /// Compare every kept byte with the live one.
    pub full: bool,
    /// Send, although something that looks secret was found.
    pub push: bool,
    /// On a new machine even a Claude directory that was named may be still to come.
    pub is_new_machine: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    /// Null with `--sessions-only`.
    pub config: Option<Config>,
    /// Null with `--config-only`.
    pub sessions: Option<Sessions>,
    pub pushed: bool,
    /// Sessions that are gone from the live directory, and still held.
    pub kept: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
    /// What became of sending; null where nothing is sent.
    pub push: Option<Push>,
    pub vault: String,
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

impl Report {
    /// Whether every file could be read; what was kept may still wait to be sent.
    pub fn has_kept_all(&self) -> bool {
        !self.warnings.iter().any(|warning| warning.kind == UNREADABLE)
    }

    /// Whether a Claude directory that is backed up by default is not there.
    pub fn lacks_directory(&self) -> bool {
        self.warnings.iter().any(|warning| warning.kind == MISSING_DIRECTORY)
    }
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    /// Files that were new or had changed.
    pub files_synced: u64,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sessions {
    /// Kept for the first time.
    pub added: u64,
    /// With new bytes.
    pub updated: u64,
    /// Nothing is ever removed.
    pub removed: u64,
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let vault = match workspace.open() {
        // Without its documents an encrypted vault takes nothing, unless its remote has them.
        Err(error) if error.kind == ErrorKind::Damaged && recovery::fetch_identity(workspace) => {
            workspace.open().map_err(|_| error)?
        }
        vault => vault?,
    };
    let report = journal::record(workspace, "sync", || sync(workspace, vault, request))?;
    Ok(report)
}

/// Without the log: for commands that sync as a part of their work.
pub(crate) fn sync(workspace: &Workspace, vault: Vault, request: &Request) -> Result<Report, Error> {
    let (mut vault, mut writer) = workspace.begin(vault, "sync")?;
    match send::finish_relabel(workspace, &mut vault, &mut writer) {
        // Backing up works without the key.
        Err(error) if error.kind == ErrorKind::Locked => {}
        finished => finished?,
    }
    let mut report = Report { warnings: vault.warnings.clone(), ..empty(workspace, request) };
    report.warnings.extend(purge::finish(workspace, &mut vault, &mut writer)?);
    let mut run = Run { workspace, request, writer: &mut writer, report };
    for claude_dir in &workspace.dirs.paths {
        run.keep_home(&mut vault, claude_dir)?;
    }
    let mut report = run.report;
    let was = vault.slug().to_owned();
    report.push = push(workspace, &mut vault, &mut writer, request, &mut report)?;
    if sealing::put_back(workspace, &mut vault, &mut report.warnings)? {
        report.push = push(workspace, &mut vault, &mut writer, request, &mut report)?;
    }
    vault.manifest.disputed |= report.push.as_ref().is_some_and(sealing::is_dispute);
    sealing::let_go(&mut vault, &mut writer, report.push.as_ref())?;
    report.pushed = report.push.as_ref().is_some_and(Push::is_done);
    report.ok = report.push.as_ref().is_none_or(Push::is_done) && report.has_kept_all();
    workspace.restate_original(&vault, &was)?;
    vault.manifest.last_push = report.push.as_ref().map(|push| last_push(workspace, push));
    for (machine, reached) in writer.ledger_ends() {
        let known = vault.manifest.ledgers.entry(machine).or_default();
        *known = reached.max(*known);
    }
    vault.manifest.last_sync = Some(workspace.dirs.now.to_string());
    vault.manifest.version.clone_from(&workspace.version);
    vault.manifest.write(&workspace.vault)?;
    Ok(report)
}

fn push(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    request: &Request,
    report: &mut Report,
) -> Result<Option<Push>, Error> {
    let has_new_config = report.config.is_some_and(|config| config.files_synced > 0);
    let sending = send::Request { full: request.full, push: request.push, has_new_config };
    send::push(workspace, vault, writer, sending, &mut report.warnings)
}

fn last_push(workspace: &Workspace, push: &Push) -> LastPush {
    let state = serde_json::to_value(push.state).ok();
    let state = state.and_then(|state| Some(state.as_str()?.to_owned())).unwrap_or_default();
    LastPush { time: workspace.dirs.now, state, reason: push.reason.clone() }
}

fn empty(workspace: &Workspace, request: &Request) -> Report {
    Report {
        ok: true,
        config: (!request.sessions_only).then(Config::default),
        sessions: (!request.config_only).then(Sessions::default),
        pushed: false,
        kept: 0,
        bytes_read: 0,
        bytes_written: 0,
        push: None,
        vault: workspace.vault.display().to_string(),
        warnings: Vec::new(),
    }
}

struct Run<'a> {
    workspace: &'a Workspace,
    request: &'a Request,
    writer: &'a mut Writer,
    report: Report,
}

impl Run<'_> {
    fn keep_home(&mut self, vault: &mut Vault, claude_dir: &Path) -> Result<(), Error> {
        let mut rescue = Rescue { workspace: self.workspace, vault, writer: self.writer, claude_dir };
        let left = rescue.settle_left()?;
        self.report.warnings.extend(left.iter().map(|file| set_aside(file)));
        let inventory = match steno_source::inventory(claude_dir) {
            Err(steno_source::Error::MissingDirectory { .. })
                if self.workspace.dirs.is_default || self.request.is_new_machine =>
            {
                let message = "it is not there: nothing could be kept from it".to_owned();
                self.report.warnings.push(crate::warning::at(claude_dir, MISSING_DIRECTORY, message));
                return self.count_held(vault, claude_dir);
            }
            inventory => inventory?,
        };
        let machine = home::claim(self.workspace, vault, claude_dir)?;
        self.report.warnings.extend(inventory.warnings.iter().map(crate::warning::on_disk));
        let candidates = Candidates::of(inventory.files, &mut self.report.warnings);
        if let Some(synced) = &mut self.report.config {
            let store = self.writer.store();
            let copied = config::copy(store, &machine, &candidates.config, self.request.full)?;
            synced.files_synced += copied.files;
            self.report.bytes_written += copied.bytes;
            self.report.warnings.extend(copied.warnings);
        }
        if self.report.sessions.is_some() {
            self.keep_sessions(vault, &machine, candidates)?;
        }
        Ok(())
    }

    /// What is held of a directory that is not there.
    fn count_held(&mut self, vault: &Vault, claude_dir: &Path) -> Result<(), Error> {
        let Some(machine) = home::known(vault, claude_dir).filter(|_| self.report.sessions.is_some()) else {
            return Ok(());
        };
        self.report.kept += total::settle(self.workspace, self.writer, machine, &BTreeSet::new(), false)?;
        Ok(())
    }

    fn keep_sessions(
        &mut self,
        vault: &Vault,
        machine: &str,
        mut candidates: Candidates,
    ) -> Result<(), Error> {
        let tombstones = Tombstone::all(self.writer.store(), machine)?;
        let purged: HashSet<String> = tombstones.into_iter().map(|tombstone| tombstone.session).collect();
        candidates.forget(&purged);
        let files = candidates.files;
        let progress = self.workspace.progress.as_ref();
        let keep = Keep {
            full: self.request.full,
            merge: !vault.has_remote() && vault.manifest.sent.is_none(),
            session_of: &|path| steno_source::session_of_old_agent(path).map(|session| session.to_string()),
            progress: &|bytes| progress.advance(bytes),
            ..Keep::new(machine, self.workspace.dirs.now, &purged)
        };
        progress.begin("Keeping", files.iter().map(|file| file.len).sum());
        let kept = self.writer.keep(&keep, &files);
        progress.end();
        let kept = kept?;
        self.report.bytes_read += kept.bytes_read;
        self.report.bytes_written += kept.bytes_written;
        let changed =
            kept.outcomes.iter().any(|outcome| !matches!(outcome, Outcome::Unchanged | Outcome::Failed(_)));
        if let Some(sessions) = &mut self.report.sessions {
            count(&files, &kept.outcomes, sessions);
        }
        self.report.warnings.extend(kept.healed.iter().map(healed));
        for (file, outcome) in files.iter().zip(&kept.outcomes) {
            if let Outcome::Failed(trouble) = outcome {
                self.report.warnings.push(failed(file, trouble));
            }
        }
        self.report.warnings.extend(self.writer.lost().iter().map(lost));
        let live = candidate::sessions(&files);
        self.report.kept += total::settle(self.workspace, self.writer, machine, &live, changed)?;
        Ok(())
    }
}

fn set_aside(file: &Path) -> Warning {
    let message = "it was replaced, and holds bytes that could not be kept yet: it stays here".to_owned();
    crate::warning::at(file, "set-aside", message)
}

fn healed(damage: &steno_vault::Damage) -> Warning {
    let message = "it was gone from the vault, and was taken from the live file again".to_owned();
    crate::warning::at(Path::new(&damage.segment), "healed", message)
}

fn lost(damage: &steno_vault::Damage) -> Warning {
    let message = "this part of the vault is gone; `steno verify --repair` tries to get it back".to_owned();
    crate::warning::at(Path::new(&damage.segment), "lost", message)
}

fn failed(file: &steno_vault::Candidate, trouble: &Trouble) -> Warning {
    let (kind, message) = match trouble {
        Trouble::Vanished => ("vanished", "it vanished while it was being kept".to_owned()),
        Trouble::Changed => {
            ("changed", "it became shorter while it was being read; the next sync takes it".to_owned())
        }
        Trouble::Unreadable(reason) => (UNREADABLE, format!("it cannot be read: {reason}")),
    };
    crate::warning::at(&file.absolute, kind, message)
}

/// A session is added when its transcript is new, and updated when any of its files has new bytes.
fn count(files: &[steno_vault::Candidate], outcomes: &[Outcome], sessions: &mut Sessions) {
    let mut seen: BTreeMap<&str, bool> = BTreeMap::new();
    for (file, outcome) in files.iter().zip(outcomes) {
        let is_new = matches!(outcome, Outcome::Added { .. });
        let has_bytes = matches!(outcome, Outcome::Grown { .. } | Outcome::Rewritten { .. });
        let Some(session) = file.session.as_deref().filter(|_| is_new || has_bytes) else { continue };
        *seen.entry(session).or_default() |= is_new && file.role == steno_vault::Role::Transcript;
    }
    let added = seen.values().filter(|added| **added).count() as u64;
    sessions.added += added;
    sessions.updated += seen.len() as u64 - added;
}
