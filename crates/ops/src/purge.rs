//! `purge`: one session of this machine is erased, and what remains of it elsewhere is said.
//!
//! Everything is done again when it is asked for again, so that a purge that was interrupted, or that left something,
//! can be brought to its end.

mod belonging;
mod history;
mod live;
mod name;
mod object_store;
mod sent;
mod vault;

use std::collections::BTreeSet;
use std::path::Path;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::{Catalog, MachineManifest, Purging, Store, Tombstone, Writer};

use crate::cache;
use crate::error::{Error, ErrorKind};
use crate::journal;
use crate::rescue::Rescue;
use crate::send;
use crate::warning;
use crate::workspace::{Vault, Workspace};
use belonging::Belongings;
use live::Live;
use name::{Named, homes};
use sent::Gone;
pub use sent::HELD;

/// The hint where it failed.
const AGAIN: &str = "run it again once that works: a purge goes on where it stopped";

#[derive(Debug, Clone)]
pub struct Request {
    /// An id, or a unique prefix of one.
    pub session: String,
    /// Delete the client's files, too.
    pub live: bool,
    /// Forget all of git's history, here and at the remote.
    pub rewrite_history: bool,
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether nothing of it remains.
    pub ok: bool,
    pub purged: Purged,
    pub remaining: Vec<Remaining>,
    pub dry_run: bool,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purged {
    pub uuid: String,
    pub title: Option<String>,
    /// Of what the vault holds of it, unpacked.
    pub size_bytes: u64,
    /// Where it was before: `vault`, `remote`, `live` and `machine:<slug>`.
    pub copies: Vec<String>,
    /// Of the vault.
    pub files: u64,
    /// The kept files that these were parts of, below the Claude directory.
    pub paths: Vec<String>,
    /// Files of the client.
    pub live_files: u64,
}

/// Where something of the session still is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remaining {
    /// `git-history`, `history.jsonl`, `live`, `file`, `index`, `machine:<slug>` or `remote`.
    #[serde(rename = "where")]
    pub place: String,
    pub detail: String,
}

impl Remaining {
    fn new(place: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { place: place.into(), detail: detail.into() }
    }
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let vault = workspace.open()?;
    let Named { id, title } = name::resolve(workspace, &vault, &request.session)?;
    let live = live::look(workspace, &id)?;
    if request.live {
        live::refuse_running(workspace, &id)?;
    }
    let with_title = |mut report: Report| {
        report.purged.title = title;
        report
    };
    if request.dry_run {
        return preview(workspace, &vault, request, &id, live).map(with_title);
    }
    let report = purge(workspace, vault, request, &id, live).map(with_title);
    let told = match &report {
        Ok(report) => format!("{} files, {} places remain", report.purged.files, report.remaining.len()),
        Err(error) => format!("{}: {error}", error.kind.name()),
    };
    journal::write(workspace, "purge", &told);
    report
}

impl Report {
    fn add_foreign(&mut self, foreign: Vec<Remaining>) {
        self.purged.copies.extend(foreign.iter().map(|remaining| remaining.place.clone()));
        self.remaining.extend(foreign);
    }
}

/// Its live files cannot go then.
pub fn is_running(workspace: &Workspace, id: &str) -> bool {
    live::refuse_running(workspace, id).is_err()
}

fn preview(
    workspace: &Workspace,
    vault: &Vault,
    request: &Request,
    id: &str,
    live: Live,
) -> Result<Report, Error> {
    let cached = vault.cached();
    let catalog = cached.catalog()?;
    let belongings = belonging::gather(cached.store(), &catalog, vault, id, &live, &[]);
    let mut report = report(vault, request, id, &belongings, &live);
    report.add_foreign(foreign(vault, &catalog, id));
    report.remaining.extend(mentions(cached.store(), &catalog, vault, id));
    if live.prompts > 0 && !request.live {
        report.remaining.push(history::untouched(&live));
    }
    if !request.rewrite_history && sent::is_in_history(workspace, vault, id, &belongings.files) {
        report.remaining.push(sent::in_history(id));
    }
    Ok(report)
}

fn purge(
    workspace: &Workspace,
    vault: Vault,
    request: &Request,
    id: &str,
    live: Live,
) -> Result<Report, Error> {
    let (mut vault, mut writer) = workspace.begin(vault, "purge")?;
    let unfinished = Purging {
        session: id.to_owned(),
        live: request.live,
        rewrite_history: request.rewrite_history,
        plans: Vec::new(),
        replaced: Vec::new(),
    };
    let known = vault.manifest.purging.iter().position(|one| one.session == id);
    let unfinished = match known {
        Some(place) => join(vault.manifest.purging.remove(place), unfinished),
        None => unfinished,
    };
    vault.manifest.purging.insert(0, unfinished);
    erase(workspace, &mut vault, &mut writer, &live, known.is_some())
}

/// Whether a path may be missing in the vault because it is being erased.
pub(crate) fn is_going(unfinished: &Purging, session: Option<&str>, path: &str) -> bool {
    let is_plan = |slug: &String| belonging::is_plan(path, slug);
    session == Some(&unfinished.session) || path == history::HISTORY || unfinished.plans.iter().any(is_plan)
}

/// What either of them asked for.
fn join(one: Purging, other: Purging) -> Purging {
    Purging {
        live: one.live || other.live,
        rewrite_history: one.rewrite_history || other.rewrite_history,
        ..one
    }
}

/// Does, or does again, the first purge that the manifest names; it is named there until it is done. The caller holds
/// the vault's lock.
fn erase(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    live: &Live,
    is_resumed: bool,
) -> Result<Report, Error> {
    let Some(unfinished) = vault.manifest.purging.first().cloned() else {
        return Err(Error::new(ErrorKind::NotFound, "no purge is unfinished"));
    };
    let Purging { session: id, live: with_live, rewrite_history, plans, .. } = unfinished;
    let request = &Request { session: id.clone(), live: with_live, rewrite_history, dry_run: false };
    let id = id.as_str();
    let healed = sent::heal(workspace, vault, writer);
    if request.live {
        // A killed purge may have left the old list of prompts, with those of others.
        for claude_dir in &workspace.dirs.paths {
            Rescue { workspace, vault, writer, claude_dir }.settle_left()?;
        }
    }
    let store = writer.store().clone();
    let catalog = writer.catalog()?.clone();
    let belongings = belonging::gather(&store, &catalog, vault, id, live, &plans);
    if let Some(own) = vault.manifest.purging.first_mut() {
        own.plans = belongings.slugs.iter().cloned().collect();
    }
    vault.manifest.write(&workspace.vault)?;
    let mut report = report(vault, request, id, &belongings, live);
    report.warnings.extend(healed);
    report.add_foreign(foreign(vault, &catalog, id));
    object_store::record_gone(vault, &catalog, &belongings.files)?;
    report.purged.files = vault::erase(workspace, vault, writer, &belongings, id)?;
    if request.live {
        let (deleted, remaining) = live::delete(live, &belongings, id);
        report.purged.live_files = deleted;
        report.remaining.extend(remaining);
    }
    let prompts = history::erase(workspace, vault, writer, request, id, live)?;
    report.remaining.extend(prompts.remaining);
    report.remaining.extend(mentions(&store, &catalog, vault, id));
    vault::tidy(workspace, writer, &belongings)?;
    let is_open = send::is_open(workspace, vault, writer)?;
    let gone = Gone { id, files: &belongings.files, prompts: &prompts.files, is_open, is_resumed };
    sent::settle(workspace, vault, request, &gone, &mut report)?;
    writer.refresh()?;
    if let Err(error) = cache::remove_all(workspace) {
        report.remaining.push(Remaining::new("index", error.to_string()));
    }
    report.ok = report.remaining.is_empty();
    vault.manifest.purging.retain(|one| one.session != id);
    vault.manifest.write(&workspace.vault)?;
    Ok(report)
}

/// Finishes purges that were killed. One that cannot be finished is a warning, and the sync goes on.
pub(crate) fn finish(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
) -> Result<Vec<Warning>, Error> {
    let mut known: BTreeSet<String> = vault.manifest.purging.iter().map(|one| one.session.clone()).collect();
    for session in left(vault, writer)? {
        if known.insert(session.clone()) {
            let (plans, replaced) = (Vec::new(), Vec::new());
            let found = Purging { session, live: false, rewrite_history: false, plans, replaced };
            vault.manifest.purging.push(found);
        }
    }
    let mut warnings = Vec::new();
    let mut waiting = Vec::new();
    while let Some(unfinished) = vault.manifest.purging.first().cloned() {
        let id = unfinished.session.clone();
        let finished = live::look(workspace, &id).and_then(|live| {
            if unfinished.live && is_running(workspace, &id) {
                return Err(Error::new(ErrorKind::Running, "the session is running"));
            }
            erase(workspace, vault, writer, &live, true)
        });
        let message = match finished {
            Ok(report) => finished_text(&id, &report),
            Err(error) => {
                vault.manifest.purging.retain(|one| one.session != id);
                waiting.push(unfinished);
                format!("session {id} is not erased altogether yet: {error}")
            }
        };
        warnings.push(warning::at(Path::new(&id), "unfinished-purge", message));
    }
    vault.manifest.purging = waiting;
    Ok(warnings)
}

/// Sessions with a tombstone of which something is still in the vault: a purge was killed, and the manifest was lost.
/// Where nothing is left of them, the totals may still count them.
fn left(vault: &Vault, writer: &mut Writer) -> Result<BTreeSet<String>, Error> {
    let store = writer.store().clone();
    let mut tombstones = Vec::new();
    for machine in homes(vault) {
        tombstones.extend(Tombstone::all(&store, &machine)?);
    }
    if tombstones.is_empty() {
        return Ok(BTreeSet::new());
    }
    let catalog = writer.catalog()?;
    let is_left = |tombstone: &&Tombstone| {
        let kept = catalog.machines.get(&tombstone.machine);
        let mut streams = kept.into_iter().flat_map(|kept| kept.streams.values());
        streams.any(|stream| stream.session.as_ref() == Some(&tombstone.session))
    };
    let left = tombstones.iter().filter(is_left).map(|tombstone| tombstone.session.clone()).collect();
    let is_counted = |tombstone: &&Tombstone| {
        let manifest = MachineManifest::read(&store, &tombstone.machine).ok().flatten();
        let last: Option<Timestamp> = manifest.and_then(|manifest| manifest.last_sync?.parse().ok());
        last.is_some_and(|last| last <= tombstone.purged)
    };
    let machines: BTreeSet<&String> =
        tombstones.iter().filter(is_counted).map(|tombstone| &tombstone.machine).collect();
    if writer.lost().is_empty() {
        machines.into_iter().try_for_each(|machine| vault::recount(writer, machine))?;
    }
    Ok(left)
}

fn finished_text(id: &str, report: &Report) -> String {
    let begun = format!("the purge of session {id}, which was interrupted, is finished");
    let remaining: Vec<&str> = report.remaining.iter().map(|one| one.place.as_str()).collect();
    if remaining.is_empty() { begun } else { format!("{begun}; something remains: {}", remaining.join(", ")) }
}

fn report(vault: &Vault, request: &Request, id: &str, belongings: &Belongings, live: &Live) -> Report {
    let mut remaining = Vec::new();
    let files = live.all(belongings).len() as u64;
    if !request.live && files > 0 {
        // A plan has no session's name, so that a sync cannot tell whose it is.
        let again =
            if belongings.slugs.is_empty() { "" } else { "; its plans are kept again by the next sync" };
        let detail = format!("{files} of the client's files, which --live deletes{again}");
        remaining.push(Remaining::new("live", detail));
    }
    let purged = Purged {
        uuid: id.to_owned(),
        title: None,
        size_bytes: belongings.bytes,
        copies: copies(vault, id, belongings, live),
        files: belongings.files.len() as u64,
        paths: belongings.paths.iter().cloned().collect(),
        live_files: if request.live { files } else { 0 },
    };
    let warnings = belongings.warnings.iter().chain(&live.warnings).cloned().collect();
    Report { ok: true, purged, remaining, dry_run: request.dry_run, warnings }
}

/// On this machine, and where it was sent from here.
fn copies(vault: &Vault, id: &str, belongings: &Belongings, live: &Live) -> Vec<String> {
    let is_kept = !belongings.files.is_empty();
    let is_sent = is_kept && vault.has_remote() && vault.manifest.sent.is_some();
    let places = [("vault", is_kept), ("remote", is_sent), ("live", live.has_transcript(id))];
    places.into_iter().filter(|(_, is_there)| *is_there).map(|(place, _)| place.to_owned()).collect()
}

/// What other machines keep is theirs.
fn foreign(vault: &Vault, catalog: &Catalog, id: &str) -> Vec<Remaining> {
    let others = belonging::machines_of(catalog, id).into_iter().filter(|machine| !vault.is_own(machine));
    others
        .map(|machine| {
            Remaining::new(format!("machine:{machine}"), "that machine keeps it, too; purge it there")
        })
        .collect()
}

/// Lists of sessions beside the transcripts may name it; they are not rewritten.
fn mentions(store: &dyn Store, catalog: &Catalog, vault: &Vault, id: &str) -> Vec<Remaining> {
    let naming = belonging::naming(store, catalog, vault, id).into_iter();
    naming.map(|path| Remaining::new("file", format!("{path} names the session"))).collect()
}
