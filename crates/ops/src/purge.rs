//! `purge`: one session of this machine is erased, and what remains of it elsewhere is said.
//!
//! Everything is done again when it is asked for again, so that a purge that was interrupted, or that left something,
//! can be brought to its end.

mod belonging;
mod depot;
mod history;
mod live;
mod name;
mod sent;
mod vault;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::{Catalog, Store};

use crate::custody::{Custody, Opened};
use crate::error::Error;
use crate::journal;
use crate::memory::forget_everything;
use crate::next::{self, Step};
use crate::sync;
use belonging::Belongings;
use live::Live;
use sent::Gone;
pub(crate) use sent::HELD;

/// The hint where something stood against it.
const AGAIN: &str = "run it again once that works: a purge goes on where it stopped";

#[derive(Debug, Clone)]
pub struct Request {
    /// An id, a unique prefix of one, or `last`.
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
    /// What to do next, where that is obvious.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Step>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purged {
    pub uuid: String,
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

pub fn run(custody: &Custody, request: &Request) -> Result<Report, Error> {
    let opened = custody.open()?;
    let id = name::resolve(custody, &opened, &request.session)?;
    let live = live::look(custody, &id)?;
    if request.live {
        live::refuse_running(custody, &id)?;
    }
    if request.dry_run {
        let report = preview(custody, &opened, request, &id, live)?;
        return Ok(Report { next: next::purge(custody, request, &report), ..report });
    }
    let report = purge(custody, opened, request, &id, live);
    let told = match &report {
        Ok(report) => format!("{} files, {} places remain", report.purged.files, report.remaining.len()),
        Err(error) => format!("{}: {error}", error.kind.name()),
    };
    journal::write(custody, "purge", &told);
    report.map(|report| Report { next: next::purge(custody, request, &report), ..report })
}

/// Its live files cannot go then.
pub(crate) fn is_running(custody: &Custody, id: &str) -> bool {
    live::refuse_running(custody, id).is_err()
}

fn preview(
    custody: &Custody,
    opened: &Opened,
    request: &Request,
    id: &str,
    live: Live,
) -> Result<Report, Error> {
    let cached = custody.cached(opened);
    let catalog = cached.catalog()?;
    let belongings = belonging::gather(cached.store(), &catalog, opened, id, &live);
    let mut report = report(request, id, &belongings, &live);
    report.remaining.extend(foreign(opened, &catalog, id));
    report.remaining.extend(mentions(cached.store(), &catalog, opened, id));
    if live.prompts > 0 && !request.live {
        report.remaining.push(history::untouched(&live));
    }
    if !request.rewrite_history && sent::is_in_history(custody, opened, id, &belongings.files) {
        report.remaining.push(sent::in_history(id));
    }
    Ok(report)
}

fn purge(
    custody: &Custody,
    opened: Opened,
    request: &Request,
    id: &str,
    live: Live,
) -> Result<Report, Error> {
    let (opened, mut writer) = custody.begin(opened, "purge")?;
    let healed = sent::heal(custody, &opened, &mut writer);
    let store = writer.store().clone();
    let catalog = writer.catalog()?.clone();
    let belongings = belonging::gather(&store, &catalog, &opened, id, &live);
    let mut report = report(request, id, &belongings, &live);
    report.warnings.extend(healed);
    report.remaining.extend(foreign(&opened, &catalog, id));
    depot::renounce(&opened, &catalog, &belongings.files)?;
    report.purged.files = vault::erase(custody, &opened, &mut writer, &belongings, id)?;
    if request.live {
        let (deleted, remaining) = live::delete(&live, &belongings, id);
        report.purged.live_files = deleted;
        report.remaining.extend(remaining);
    }
    let prompts = history::erase(custody, &opened, &mut writer, request, id, &live)?;
    report.remaining.extend(prompts.remaining);
    report.remaining.extend(mentions(&store, &catalog, &opened, id));
    vault::tidy(custody, &mut writer, &belongings)?;
    let is_open = sync::is_open(custody, &opened, &mut writer)?;
    let gone = Gone { id, files: &belongings.files, prompts: &prompts.files, is_open };
    sent::settle(custody, &opened, request, &gone, &mut report)?;
    writer.refresh()?;
    if let Err(error) = forget_everything(custody) {
        report.remaining.push(Remaining::new("index", error.to_string()));
    }
    report.ok = report.remaining.is_empty();
    Ok(report)
}

fn report(request: &Request, id: &str, belongings: &Belongings, live: &Live) -> Report {
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
        files: belongings.files.len() as u64,
        paths: belongings.paths.iter().cloned().collect(),
        live_files: if request.live { files } else { 0 },
    };
    let warnings = belongings.warnings.iter().chain(&live.warnings).cloned().collect();
    Report { ok: true, purged, remaining, dry_run: request.dry_run, warnings, next: Vec::new() }
}

/// What other machines keep is theirs.
fn foreign(opened: &Opened, catalog: &Catalog, id: &str) -> Vec<Remaining> {
    let others = belonging::machines_of(catalog, id).into_iter().filter(|machine| !opened.is_own(machine));
    others
        .map(|machine| {
            Remaining::new(format!("machine:{machine}"), "that machine keeps it, too; purge it there")
        })
        .collect()
}

/// Lists of sessions that lie beside them may tell of it; they are not rewritten.
fn mentions(store: &dyn Store, catalog: &Catalog, opened: &Opened, id: &str) -> Vec<Remaining> {
    let naming = belonging::naming(store, catalog, opened, id).into_iter();
    naming.map(|path| Remaining::new("file", format!("{path} names the session"))).collect()
}
