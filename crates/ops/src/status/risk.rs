//! LiveHome sessions, the client's retention and what is kept → what is about to be lost.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use steno_conversation::Warning;
use steno_source::{Class, KeptFile, RetentionRequest};
use steno_vault::{Catalog, Generation, Stream, Tombstone, VaultStore, text_of};

use super::Retention;
use crate::candidate::transcript;
use crate::error::Error;
use crate::sync::MISSING_DIRECTORY;
use crate::warning;
use crate::workspace::{Vault, Workspace};

const SOON: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A Claude directory as it is now.
#[derive(Debug)]
pub(super) struct LiveHome {
    claude_dir: PathBuf,
    /// Nothing where the directory is not there.
    files: Option<Vec<KeptFile>>,
    retention: steno_source::Retention,
    warnings: Vec<Warning>,
}

#[derive(Debug)]
pub(super) struct Risk {
    pub(super) retention: Retention,
    pub(super) warnings: Vec<Warning>,
    /// Those not kept that do not run: a sync is not behind again at once.
    pub(super) at_rest: u64,
    pub(super) sessions: Vec<Judged>,
}

/// A live session, as it stands with the client and with the vault.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) id: String,
    pub(crate) transcript: PathBuf,
    pub(crate) modified: SystemTime,
    /// When the client deletes it; nothing while it deletes nothing.
    pub(crate) deletion: Option<SystemTime>,
    /// Whether that is within 7 days.
    pub(crate) is_at_risk: bool,
    pub(crate) is_kept: bool,
    /// Whether some of it is.
    pub(crate) is_begun: bool,
    pub(crate) is_running: bool,
}

/// What is kept, where there is a vault.
#[derive(Debug, Clone, Copy)]
pub(super) struct VaultContents<'a> {
    pub(super) vault: &'a Vault,
    pub(super) store: &'a VaultStore,
    pub(super) catalog: &'a Catalog,
}

/// Everything on the disk that has to be looked at.
pub(super) fn look(workspace: &Workspace) -> Vec<LiveHome> {
    workspace.dirs.paths.iter().map(|claude_dir| look_at(workspace, claude_dir)).collect()
}

fn look_at(workspace: &Workspace, claude_dir: &Path) -> LiveHome {
    let retention = steno_source::retention(&RetentionRequest {
        claude_dir,
        project_dir: workspace.project.as_deref(),
        managed_settings: workspace.managed_settings.as_deref(),
    });
    let mut warnings: Vec<Warning> = retention.warnings.iter().map(warning::on_disk).collect();
    let files = match steno_source::inventory(claude_dir) {
        Ok(inventory) => {
            warnings.extend(inventory.warnings.iter().map(warning::on_disk));
            Some(inventory.files)
        }
        Err(steno_source::Error::MissingDirectory { .. }) => None,
        // The vault has its status all the same.
        Err(error) => {
            warnings.push(warning::at(claude_dir, "unreadable", error.to_string()));
            Some(Vec::new())
        }
    };
    LiveHome { claude_dir: claude_dir.to_owned(), files, retention, warnings }
}

/// How many kept sessions the client has no more. Of a directory that is not there nothing is known.
pub(super) fn deleted(held: VaultContents<'_>, live: &[LiveHome]) -> u64 {
    let known = || live.iter().filter_map(|home| Some((home, home.files.as_ref()?)));
    let ids = known().flat_map(|(_, files)| files).filter_map(|file| match &file.class {
        Class::Transcript(id) => Some(id.to_string()),
        _ => None,
    });
    let ids: HashSet<String> = ids.collect();
    let machines = known().filter_map(|(home, _)| crate::home::known(held.vault, &home.claude_dir));
    let machines: HashSet<&str> = machines.collect();
    let kept = machines.into_iter().filter_map(|machine| held.catalog.machines.get(machine));
    let kept = kept.flat_map(|machine| machine.streams.values());
    let kept: HashSet<String> = kept.filter_map(|stream| Some(transcript(&stream.path)?.1)).collect();
    kept.into_iter().filter(|id| !ids.contains(id)).count() as u64
}

/// The retention told is that of the first directory; each session is judged by its own.
pub(super) fn weigh(
    workspace: &Workspace,
    held: Option<VaultContents<'_>>,
    live: Vec<LiveHome>,
) -> Result<Risk, Error> {
    let retention = told(live.first().map(|live| &live.retention));
    let mut risk = Risk { retention, warnings: Vec::new(), at_rest: 0, sessions: Vec::new() };
    let running = workspace.dirs.running();
    let soon = SystemTime::from(workspace.dirs.now) + SOON;
    let mut next: Option<SystemTime> = None;
    for live in live {
        let kept = match held {
            Some(held) => kept(held, &live.claude_dir)?,
            None => KeptHome::default(),
        };
        risk.warnings.extend(missing(workspace, &live, &kept));
        for session in sessions(&live, &kept) {
            let deletion = live.retention.deletion_of(session.modified);
            let deletion = Some(deletion).filter(|_| !live.retention.suspended);
            let is_at_risk = deletion.is_some_and(|deletion| deletion <= soon);
            let is_running = running.has(&session.id);
            let retention = &mut risk.retention;
            retention.not_kept += u64::from(!session.is_kept);
            risk.at_rest += u64::from(!session.is_kept && !is_running);
            retention.at_risk += u64::from(is_at_risk);
            retention.at_risk_not_kept += u64::from(is_at_risk && !session.is_kept);
            next = next.into_iter().chain(deletion).min();
            risk.sessions.push(Judged { deletion, is_at_risk, is_running, ..session });
        }
        risk.warnings.extend(live.warnings);
    }
    let next = next.and_then(|next| Timestamp::try_from(next).ok());
    risk.retention.next_deletion = next.map(|next| next.to_string());
    Ok(risk)
}

fn told(retention: Option<&steno_source::Retention>) -> Retention {
    Retention {
        cleanup_period_days: retention
            .map_or(steno_source::DEFAULT_CLEANUP_PERIOD_DAYS, |retention| retention.cleanup_period_days),
        source: retention
            .map_or(steno_source::Source::Default, |retention| retention.source)
            .name()
            .to_owned(),
        path: retention.and_then(|retention| Some(retention.path.as_ref()?.display().to_string())),
        suspended: retention.is_some_and(|retention| retention.suspended),
        at_risk: 0,
        at_risk_not_kept: 0,
        not_kept: 0,
        next_deletion: None,
    }
}

/// What the vault has of a Claude directory.
#[derive(Default)]
struct KeptHome<'a> {
    by_path: HashMap<&'a str, &'a Generation>,
    purged: HashSet<String>,
}

fn kept<'a>(held: VaultContents<'a>, claude_dir: &Path) -> Result<KeptHome<'a>, Error> {
    let VaultContents { vault, store, catalog } = held;
    let machine = crate::home::known(vault, claude_dir);
    let streams = machine.and_then(|machine| catalog.machines.get(machine));
    let mut by_path: HashMap<&str, &Generation> = HashMap::new();
    for (path, latest) in streams.into_iter().flat_map(|kept| kept.streams.values()).filter_map(latest) {
        let known = by_path.entry(path).or_insert(latest);
        if known.taken() < latest.taken() {
            *known = latest;
        }
    }
    let tombstones = machine.map(|machine| Tombstone::all(store, machine)).transpose()?.unwrap_or_default();
    let purged = tombstones.into_iter().map(|tombstone| tombstone.session).collect();
    Ok(KeptHome { by_path, purged })
}

fn latest(stream: &Stream) -> Option<(&str, &Generation)> {
    stream.latest().map(|latest| (stream.path.as_str(), latest))
}

impl KeptHome<'_> {
    /// Nothing is read: a transcript only grows, and one of the same length is the same. Its time tells nothing: a
    /// restore gives it a new one.
    fn has(&self, file: &KeptFile) -> bool {
        let Some(path) = text_of(&file.path) else { return false };
        let Some(kept) = self.by_path.get(path.as_str()) else { return false };
        kept.len() == file.len && kept.is_contiguous()
    }

    fn has_some(&self, file: &KeptFile) -> bool {
        let kept = text_of(&file.path).and_then(|path| self.by_path.get(path.as_str()));
        kept.is_some_and(|kept| !kept.segments.is_empty())
    }
}

/// About a directory that is not there, where the user named it or sessions of it are kept.
fn missing(workspace: &Workspace, live: &LiveHome, kept: &KeptHome<'_>) -> Option<Warning> {
    let held: HashSet<String> =
        kept.by_path.keys().filter_map(|path| Some(crate::candidate::transcript(path)?.1)).collect();
    let message = match held.len() {
        0 if workspace.dirs.is_default => return None,
        0 => "it is not there".to_owned(),
        number => {
            let line = format!("steno restore --all{}", workspace.flags());
            let (sessions, them) = if number == 1 { ("session", "it") } else { ("sessions", "them") };
            format!("it is not there; the vault holds {number} {sessions} of it: `{line}` puts {them} back")
        }
    };
    live.files.is_none().then(|| warning::at(&live.claude_dir, MISSING_DIRECTORY, message))
}

/// Every session with a live transcript that was not purged; what the client does with it comes later.
fn sessions(live: &LiveHome, kept: &KeptHome<'_>) -> Vec<Judged> {
    let mut sessions: BTreeMap<&str, (Option<&KeptFile>, bool, bool)> = BTreeMap::new();
    for file in live.files.iter().flatten() {
        let Some(id) = file.session().map(steno_transcript::SessionId::as_str) else { continue };
        let (transcript, is_kept, is_begun) = sessions.entry(id).or_insert((None, true, false));
        *is_kept = *is_kept && kept.has(file);
        *is_begun = *is_begun || kept.has_some(file);
        // The client goes by the transcript's time.
        if matches!(file.class, Class::Transcript(_))
            && transcript.is_none_or(|known| known.modified < file.modified)
        {
            *transcript = Some(file);
        }
    }
    let wanted = sessions.into_iter().filter(|(id, _)| !kept.purged.contains(*id));
    let judged = wanted.filter_map(|(id, (transcript, is_kept, is_begun))| {
        let transcript = transcript?;
        Some(Judged {
            id: id.to_owned(),
            transcript: transcript.absolute.clone(),
            modified: transcript.modified,
            deletion: None,
            is_at_risk: false,
            is_kept,
            is_begun,
            is_running: false,
        })
    });
    judged.collect()
}
