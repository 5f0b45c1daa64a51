//! `verify`: every kept byte is read and compared with what was kept; `--repair` takes damaged ones again.

mod closed;
mod remains;
mod repair_source;
pub(crate) mod total;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::{Catalog, Checked, Reason, RepairSource, Writer};

use crate::error::{Error, ErrorKind};
use crate::purge::is_going;
use crate::workspace::{Vault, Workspace};
use crate::{journal, sync, warning};
use repair_source::Sources;

#[derive(Debug, Clone, Copy, Default)]
pub struct Request {
    pub repair: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether everything is there and as it was kept.
    pub ok: bool,
    /// Whether only what needs no key could be checked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    /// Kept files; each generation counts.
    pub files: u64,
    /// Unpacked.
    pub bytes: u64,
    pub segments: u64,
    /// Whether a repair was tried.
    pub repair: bool,
    pub damaged: Vec<Damage>,
    pub missing: Vec<Damage>,
    /// Are whole again.
    pub repaired: Vec<Damage>,
    /// Live sessions that could not be repaired, and were kept anew beside what is left of them.
    pub kept_anew: u64,
    pub warnings: Vec<Warning>,
}

/// Kept bytes that are not what they should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Damage {
    pub session: Option<String>,
    pub machine: String,
    /// Where the file lay in the Claude directory.
    pub path: Option<String>,
    pub generation: Option<u32>,
    /// The file of the vault; null where only a total tells that something is missing.
    pub segment: Option<String>,
    /// Of the bytes, where it is known.
    pub offset: Option<u64>,
    pub length: Option<u64>,
    /// `header`, `unpack`, `hash`, `chain`, `gone`, `unreadable`, `newer` or `total`.
    pub reason: String,
    /// The same in words.
    pub detail: String,
}

impl From<&steno_vault::Damage> for Damage {
    fn from(damage: &steno_vault::Damage) -> Self {
        Self {
            session: damage.session.clone(),
            machine: damage.machine.clone(),
            path: Some(damage.path.clone()),
            generation: Some(damage.generation),
            segment: Some(damage.segment.clone()),
            offset: damage.offset,
            length: damage.length,
            reason: damage.reason.name().to_owned(),
            detail: damage.to_string(),
        }
    }
}

/// One look at everything.
#[derive(Debug)]
struct Findings {
    catalog: Catalog,
    checked: Checked,
    totals: Vec<Damage>,
    warnings: Vec<Warning>,
}

impl Findings {
    fn is_clean(&self) -> bool {
        self.checked.damaged.is_empty() && self.checked.missing.is_empty() && self.totals.is_empty()
    }

    fn damages(&self) -> Vec<steno_vault::Damage> {
        self.checked.damaged.iter().chain(&self.checked.missing).cloned().collect()
    }

    fn report(self) -> Report {
        let told =
            |damages: &[steno_vault::Damage]| -> Vec<Damage> { damages.iter().map(Damage::from).collect() };
        let mut missing = told(&self.checked.missing);
        let ok = self.is_clean();
        missing.extend(self.totals);
        Report {
            ok,
            locked: false,
            files: self.checked.files,
            bytes: self.checked.bytes,
            segments: self.checked.segments,
            repair: false,
            damaged: told(&self.checked.damaged),
            missing,
            repaired: Vec::new(),
            kept_anew: 0,
            warnings: self.warnings,
        }
    }
}

pub fn run(workspace: &Workspace, request: Request) -> Result<Report, Error> {
    let mut report = check(workspace, request)?;
    let mut remains = remains::of(workspace)?;
    if request.repair && !remains.is_empty() {
        remains::clear(workspace)?;
        remains = remains::of(workspace)?;
    }
    report.warnings.extend(remains);
    Ok(report)
}

fn check(workspace: &Workspace, request: Request) -> Result<Report, Error> {
    let vault = match workspace.open() {
        Err(error) if error.kind == ErrorKind::Locked => {
            let vault = workspace.look_closed()?.ok_or(error)?;
            let error = Error::new(ErrorKind::Locked, "there is no key");
            return closed::check(workspace, &vault, &error);
        }
        vault => vault?,
    };
    if let Some(Err(error)) = vault.store.encryption().map(|seal| seal.keyring().keys().map(drop)) {
        return closed::check(workspace, &vault, &error.into());
    }
    let findings = match look(workspace, &vault) {
        // There is a key, and it is another one.
        Err(error) if error.kind == ErrorKind::Locked => return closed::check(workspace, &vault, &error),
        findings => findings?,
    };
    if findings.is_clean() {
        return Ok(findings.report());
    }
    // A sync that runs meanwhile looks like damage; while we hold the lock, nothing moves.
    let (vault, writer) = match workspace.hold(vault, "verify") {
        Ok(held) => held,
        Err(error) if request.repair => return Err(error),
        Err(_) => return Ok(findings.report()),
    };
    let findings = look(workspace, &vault)?;
    let report = if request.repair && !findings.is_clean() {
        repair(workspace, vault, writer, &findings)?
    } else {
        findings.report()
    };
    let found = (report.damaged.len() + report.missing.len(), report.repaired.len());
    journal::write(workspace, "verify", &format!("{} damaged or missing, {} repaired", found.0, found.1));
    Ok(report)
}

fn look(workspace: &Workspace, vault: &Vault) -> Result<Findings, Error> {
    let cached = vault.cached();
    let (catalog, known) = cached.look_again()?;
    let progress = workspace.progress.as_ref();
    progress.begin("Checking", catalog.streams().map(|(_, _, stream)| stream.packed()).sum());
    let advance = |bytes| progress.advance(bytes);
    let mut checked = steno_vault::verify(cached.store(), &catalog, known.as_ref(), &advance);
    progress.end();
    // What a killed purge has begun to erase is no loss.
    let purging = &vault.manifest.purging;
    let is_loss = |damage: &steno_vault::Damage| {
        let (session, path) = (damage.session.as_deref(), damage.path.as_str());
        !vault.is_own(&damage.machine) || !purging.iter().any(|one| is_going(one, session, path))
    };
    checked.damaged.retain(is_loss);
    checked.missing.retain(is_loss);
    let is_closed = |damage: &&steno_vault::Damage| {
        damage.reason == steno_vault::Reason::Locked && vault.is_own(&damage.machine)
    };
    if let Some(closed) = checked.newer.iter().find(is_closed) {
        return Err(Error::new(ErrorKind::Locked, closed.to_string()));
    }
    let (mut totals, mut warnings) = total::compare(&vault.store, &catalog, &checked);
    totals.retain(|total| purging.is_empty() || !vault.is_own(&total.machine));
    warnings.extend(purging.iter().map(|one| unfinished(&one.session)));
    totals.extend(vault.store.unopened()?.iter().map(|file| unopened(file)));
    let newer = checked.newer.iter();
    warnings
        .extend(newer.map(|one| warning::at(std::path::Path::new(&one.segment), "newer", one.to_string())));
    Ok(Findings { catalog, checked, totals, warnings })
}

fn unfinished(session: &str) -> Warning {
    let message = "its purge was interrupted; the next sync finishes it".to_owned();
    warning::at(std::path::Path::new(session), "unfinished-purge", message)
}

fn unopened(file: &str) -> Damage {
    Damage {
        session: None,
        machine: String::new(),
        path: None,
        generation: None,
        segment: Some(file.to_owned()),
        offset: None,
        length: None,
        reason: "header".to_owned(),
        detail: format!("{file}: no key opens it, though others of its kind open"),
    }
}

/// Takes again what can be proven to be the same, and then whatever of the rest is still live.
fn repair(
    workspace: &Workspace,
    vault: Vault,
    mut writer: Writer,
    found: &Findings,
) -> Result<Report, Error> {
    let sources = Sources::open(workspace, &vault);
    let outcome = writer.repair(&found.damages(), &sources, workspace.dirs.now)?;
    let is_lost_live =
        outcome.remaining.iter().any(|damage| sources.live(&damage.machine, &damage.path).is_some());
    drop(writer);
    let anew =
        if is_lost_live || !found.totals.is_empty() { keep_anew(workspace, vault.clone()) } else { Ok(0) };
    let after = look(workspace, &vault)?;
    // A total alone does not tell which sessions are lost.
    let unnamed = anew.map(|added| if found.totals.is_empty() { 0 } else { added });
    let anew = unnamed.map(|added| added.max(newly_kept(&outcome.remaining, &found.catalog, &after.catalog)));
    // A cache that has looked again does not remember what vanished; we do.
    let (back, lost): (Vec<_>, Vec<_>) = outcome
        .remaining
        .iter()
        .filter(|damage| damage.reason == Reason::Gone)
        .partition(|damage| is_back(&after.catalog, damage));
    let mut report = Report { repair: true, ..after.report() };
    for damage in lost.into_iter().map(Damage::from) {
        if !report.missing.iter().any(|known| known.segment == damage.segment) {
            report.missing.push(damage);
            report.ok = false;
        }
    }
    report.repaired = outcome.repaired.iter().chain(back).map(Damage::from).collect();
    match anew {
        Ok(kept) => report.kept_anew = kept,
        Err(error) => report.warnings.push(warning::at(&workspace.vault, "not-kept-anew", error.to_string())),
    }
    Ok(report)
}

/// Every byte is compared, so that nothing that a cache believes stands against it.
fn keep_anew(workspace: &Workspace, vault: Vault) -> Result<u64, Error> {
    let request = sync::Request { sessions_only: true, full: true, ..sync::Request::default() };
    Ok(sync::sync(workspace, vault, &request)?.sessions.unwrap_or_default().added)
}

/// Sessions that had lost something, and have a generation now that they had not.
fn newly_kept(lost: &[steno_vault::Damage], before: &Catalog, after: &Catalog) -> u64 {
    let latest = |catalog: &Catalog, damage: &steno_vault::Damage| {
        let kept = catalog.machines.get(&damage.machine);
        let streams = kept.into_iter().flat_map(|kept| kept.streams.values());
        let same = streams.filter(|stream| stream.path == damage.path);
        same.filter_map(|stream| Some(stream.latest()?.number)).max()
    };
    let is_new = |damage: &&steno_vault::Damage| latest(after, damage) > latest(before, damage);
    let name = |damage: &steno_vault::Damage| damage.session.clone().unwrap_or_else(|| damage.path.clone());
    let sessions = lost.iter().filter(is_new).map(|damage| (&damage.machine, name(damage)));
    sessions.collect::<BTreeSet<_>>().len() as u64
}

/// Whether the bytes are there again, in whatever segments.
fn is_back(catalog: &Catalog, damage: &steno_vault::Damage) -> bool {
    let (Some(offset), Some(length)) = (damage.offset, damage.length) else { return false };
    let kept = catalog.machines.get(&damage.machine);
    let streams = kept.into_iter().flat_map(|kept| kept.streams.values());
    streams.filter(|stream| stream.path == damage.path).any(|stream| {
        let generation = stream.generation(damage.generation);
        generation.is_some_and(|one| one.is_contiguous() && one.len() >= offset.saturating_add(length))
    })
}
