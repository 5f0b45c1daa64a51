//! Live sessions, the client's retention and what is kept → what is about to be lost.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use steno_conversation::Warning;
use steno_source::{Class, KeptFile, RetentionRequest};
use steno_vault::{Catalog, Generation, LocalStore, Stream, Tombstone, text_of};

use super::Retention;
use crate::custody::{Custody, Opened};
use crate::error::Error;
use crate::warning;

const SOON: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A Claude directory as it is now.
#[derive(Debug)]
pub(super) struct Live {
    claude_dir: PathBuf,
    files: Vec<KeptFile>,
    retention: steno_source::Retention,
    warnings: Vec<Warning>,
}

#[derive(Debug)]
pub(super) struct Risk {
    pub(super) retention: Retention,
    pub(super) warnings: Vec<Warning>,
}

/// Everything on the disk that has to be looked at.
pub(super) fn look(custody: &Custody) -> Vec<Live> {
    custody.library.claude_dirs.iter().map(|claude_dir| look_at(custody, claude_dir)).collect()
}

fn look_at(custody: &Custody, claude_dir: &Path) -> Live {
    let retention = steno_source::retention(&RetentionRequest {
        claude_dir,
        project_dir: custody.project.as_deref(),
        managed_settings: custody.managed_settings.as_deref(),
    });
    let mut warnings: Vec<Warning> = retention.warnings.iter().map(warning::on_disk).collect();
    let files = match steno_source::inventory(claude_dir) {
        Ok(inventory) => {
            warnings.extend(inventory.warnings.iter().map(warning::on_disk));
            inventory.files
        }
        Err(steno_source::Error::MissingDirectory { .. }) if custody.library.is_default => Vec::new(),
        // The vault has its status all the same.
        Err(error) => {
            warnings.push(warning::at(claude_dir, "unreadable", error.to_string()));
            Vec::new()
        }
    };
    Live { claude_dir: claude_dir.to_owned(), files, retention, warnings }
}

/// The retention told is that of the first directory; each session is judged by its own.
pub(super) fn weigh(
    custody: &Custody,
    opened: &Opened,
    store: &LocalStore,
    catalog: &Catalog,
    live: Vec<Live>,
) -> Result<Risk, Error> {
    let mut risk = Risk { retention: told(live.first().map(|live| &live.retention)), warnings: Vec::new() };
    let soon = SystemTime::from(custody.library.now) + SOON;
    let mut next: Option<SystemTime> = None;
    for live in live {
        for session in sessions(&live, &kept(opened, store, catalog, &live.claude_dir)?) {
            let deletion = live.retention.deletion_of(session.modified);
            let is_at_risk = !live.retention.suspended && deletion <= soon;
            let retention = &mut risk.retention;
            retention.not_kept += u64::from(!session.is_kept);
            retention.at_risk += u64::from(is_at_risk);
            retention.at_risk_not_kept += u64::from(is_at_risk && !session.is_kept);
            if !live.retention.suspended {
                next = Some(next.map_or(deletion, |next| next.min(deletion)));
            }
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
struct Kept<'a> {
    by_path: HashMap<&'a str, &'a Generation>,
    purged: HashSet<String>,
}

fn kept<'a>(
    opened: &Opened,
    store: &LocalStore,
    catalog: &'a Catalog,
    claude_dir: &Path,
) -> Result<Kept<'a>, Error> {
    let home = opened.home(claude_dir).map(|home| home.slug.as_str());
    let machine = home.or_else(|| opened.manifest.homes.is_empty().then(|| opened.slug()));
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
    Ok(Kept { by_path, purged })
}

fn latest(stream: &Stream) -> Option<(&str, &Generation)> {
    stream.latest().map(|latest| (stream.path.as_str(), latest))
}

impl Kept<'_> {
    /// Nothing is read: a transcript only grows, and one of the same length is the same. Its time tells nothing: a
    /// restore gives it a new one.
    fn has(&self, file: &KeptFile) -> bool {
        let Some(path) = text_of(&file.path) else { return false };
        let Some(kept) = self.by_path.get(path.as_str()) else { return false };
        kept.len() == file.len && kept.is_contiguous()
    }
}

struct Session {
    /// The client goes by the transcript's.
    modified: SystemTime,
    is_kept: bool,
}

/// Every session with a live transcript that somebody wants kept.
fn sessions(live: &Live, kept: &Kept<'_>) -> Vec<Session> {
    let mut sessions: BTreeMap<&str, (Option<SystemTime>, bool)> = BTreeMap::new();
    for file in &live.files {
        let Some(id) = file.session().map(steno_transcript::SessionId::as_str) else { continue };
        let (modified, is_kept) = sessions.entry(id).or_insert((None, true));
        *is_kept = *is_kept && kept.has(file);
        if matches!(file.class, Class::Transcript(_)) {
            *modified = Some(modified.map_or(file.modified, |known| known.max(file.modified)));
        }
    }
    let wanted = sessions.into_iter().filter(|(id, _)| !kept.purged.contains(*id));
    wanted.filter_map(|(_, (modified, is_kept))| Some(Session { modified: modified?, is_kept })).collect()
}
