//! `move`: a project directory has moved → its sessions are found in the new one.
//!
//! Each keeps its id and gets a copy that says where it works now, in the project directory that the client looks into.
//! The originals are read, and deleted only where that is asked for and the vault has them.

mod address;
mod carry;
mod load;
mod remove;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_edit::rewrite::Move;
use steno_source::Discovery;

use crate::draft;
use crate::error::{Error, ErrorKind};
use crate::kept::KeptSessions;
use crate::restore::one::client_home;
use crate::restore::{Options, Planned};
use crate::rewrite::Rewrite;
use crate::shell;
use crate::sync::settle_left;
use crate::workspace::Workspace;
use crate::{journal, warning};
use address::{address, is_directory, is_native, real_address};
use carry::{Carrier, Done, Refusal};
use load::{Load, Map, is_not_moved_yet, one_per_place};
use remove::{Proof, is_inhabited, keep};

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The directory as it was, as the user wrote it; of this system or of another one.
    pub from: String,
    pub to: String,
    /// What becomes of paths in what was said and done.
    pub rewrites: Vec<Rewrite>,
    /// Delete what was copied, once the vault has every byte of it.
    pub remove_originals: bool,
    /// Read and compare everything, and write nothing.
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether everything that was asked for is done.
    pub ok: bool,
    pub moved: Vec<Moved>,
    /// Sessions that are in the new project directory already.
    pub there: u64,
    pub skipped: Vec<Skipped>,
    /// Only with `--remove-originals`.
    pub removed: Vec<Removed>,
    pub others: Others,
    /// The directory that moved, in full.
    pub from: String,
    /// Where it is now: the real path, if it is there.
    pub to: String,
    pub dry_run: bool,
    /// Only with `--dry-run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    pub warnings: Vec<Warning>,
    /// How to go on in the new directory, for a shell; null where it is of another system.
    pub resume: Option<String>,
}

/// A session that is in the new project directory now.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    pub uuid: String,
    /// The transcript as it was.
    pub from: String,
    pub to: String,
    /// How many files were written.
    pub files: u64,
}

/// A session that was not moved, or whose originals were not removed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// Empty for files of no session.
    pub uuid: String,
    pub reason: Reason,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Another file of the session is there, and stays.
    Exists,
    Running,
    /// Another process wrote to it meanwhile.
    Changed,
    /// The vault does not hold every byte of the original, which therefore stays.
    Unkept,
    Failed,
}

/// Originals that are gone.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Removed {
    pub uuid: String,
    pub files: u64,
}

/// What belongs to no session, such as memory.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Others {
    /// How many were written.
    pub files: u64,
    /// How many originals are gone.
    pub removed: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    pub files: Vec<Planned>,
    /// Originals that would be removed, if the vault has them by then.
    pub remove: Vec<String>,
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    if !request.dry_run {
        // Before anything is looked for: what a killed run took away may come back. Where that is not possible now, it
        // stays for the next run.
        let claude_dirs = workspace.dirs.paths.iter();
        claude_dirs.for_each(|directory| drop(settle_left(workspace, directory, "move")));
    }
    let discovery = discover(workspace)?;
    let found = discovery.warnings.iter().map(warning::on_disk).collect();
    let map = Map::of(discovery);
    let (route, loads) = choose(workspace, request, &map)?;
    if request.remove_originals {
        workspace.open()?;
    }
    let mut report = Report::empty(workspace, request, &route, found);
    if request.remove_originals && !request.dry_run {
        keep(workspace, &loads)?;
    }
    if !request.dry_run {
        sweep(request, &loads);
    }
    let outcomes = carry(workspace, request, &route, &loads);
    for (load, outcome) in loads.iter().zip(&outcomes) {
        report.add(request, load, outcome);
    }
    if request.remove_originals && !request.dry_run {
        report.remove(workspace, &loads, &outcomes)?;
        journal::write(workspace, "move", &format!("originals of {} sessions removed", report.removed.len()));
    }
    report.ok = report.skipped.is_empty();
    Ok(report)
}

fn discover(workspace: &Workspace) -> Result<Discovery, Error> {
    match steno_source::discover(&workspace.dirs.paths) {
        Err(steno_source::Error::MissingDirectory { .. }) if workspace.dirs.is_default => {
            Ok(Discovery::default())
        }
        discovery => Ok(discovery?),
    }
}

/// What leaves for where. The directory that moved is meant as it is written; where nothing worked in that, by the path
/// that its links lead to.
fn choose(workspace: &Workspace, request: &Request, map: &Map) -> Result<(Move, Vec<Load>), Error> {
    let here = workspace.project.as_deref();
    let to = real_address(&address(&request.to, here)?);
    let written = Move { from: address(&request.from, here)?, to };
    if written.is_of_root() {
        return Err(Error::new(ErrorKind::Invalid, "the root cannot move")
            .hint("name the directory that was moved, in full"));
    }
    let followed = Move { from: real_address(&written.from), to: written.to.clone() };
    let itself = Move { from: written.to.clone(), to: written.to.clone() };
    if written.is_of_same(&itself) {
        return Err(Error::new(ErrorKind::Invalid, format!("{} is both OLD and NEW", written.to))
            .hint("first the directory as it was, then as it is now"));
    }
    let loads = map.loads(&written);
    if !loads.is_empty() {
        return Ok((written, loads));
    }
    let loads = if followed.is_of_same(&itself) { Vec::new() } else { map.loads(&followed) };
    if loads.is_empty() { Err(nothing(workspace, &written, map)) } else { Ok((followed, loads)) }
}

fn nothing(workspace: &Workspace, route: &Move, map: &Map) -> Error {
    let error = Error::new(ErrorKind::NotFound, format!("no session works in {} or below it", route.from));
    match map.count(&route.to) {
        0 if workspace.dirs.paths.is_empty() => error.hint(workspace.dirs.none_here()),
        0 => error
            .hint("`steno list` shows where sessions work")
            .hint("`steno restore ID --cwd NEW` puts back one that only the vault has"),
        number => error.hint(format!("sessions that work in {} already: {number}", route.to)),
    }
}

fn carry(
    workspace: &Workspace,
    request: &Request,
    route: &Move,
    loads: &[Load],
) -> Vec<Result<Done, Refusal>> {
    let running = workspace.dirs.running();
    let carrier = Carrier { workspace, request, route, running: &running };
    workspace.progress.begin("Moving", loads.iter().map(|load| load.bytes).sum());
    let carry = |(load, other): &(&Load, Option<&Load>)| match other {
        Some(other) => Err(Refusal::second(load, other)),
        None => carrier.carry(load),
    };
    let outcomes = one_per_place(loads).par_iter().with_max_len(1).map(carry).collect();
    workspace.progress.end();
    outcomes
}

/// Removes what a killed process left where files go, and where all of them leave.
fn sweep(request: &Request, loads: &[Load]) {
    let left = loads.iter().map(|load| &load.from).filter(|_| request.remove_originals);
    let places: BTreeSet<&PathBuf> = loads.iter().map(|load| &load.to).chain(left).collect();
    draft::sweep(&places.into_iter().cloned().collect::<Vec<PathBuf>>());
}

/// The client is started in the new directory, and asks which session.
fn resume(workspace: &Workspace, route: &Move) -> Option<String> {
    let options = Options::default();
    let home = client_home(workspace, &options);
    is_native(&route.to).then(|| shell::resume(Some(&route.to), home, None))
}

impl Report {
    fn empty(workspace: &Workspace, request: &Request, route: &Move, mut warnings: Vec<Warning>) -> Self {
        let place = Path::new(&route.to);
        if is_not_moved_yet(route) {
            let message =
                format!("this directory does not exist, and {} still does: move it, too", route.from);
            warnings.push(warning::at(place, "missing-directory", message));
        } else if is_native(&route.to) && !is_directory(&route.to) {
            let message =
                "this directory does not exist: make it before you resume a session there".to_owned();
            warnings.push(warning::at(place, "missing-directory", message));
        }
        Self {
            ok: true,
            moved: Vec::new(),
            there: 0,
            skipped: Vec::new(),
            removed: Vec::new(),
            others: Others::default(),
            from: route.from.clone(),
            to: route.to.clone(),
            dry_run: request.dry_run,
            plan: request.dry_run.then(Plan::default),
            warnings,
            resume: resume(workspace, route),
        }
    }

    fn add(&mut self, request: &Request, load: &Load, outcome: &Result<Done, Refusal>) {
        let done = match outcome {
            Ok(done) => done,
            Err(refusal) => return self.skip(load, refusal),
        };
        self.warnings.extend(done.warnings.iter().cloned());
        if let Some(plan) = &mut self.plan {
            plan.files.extend(done.planned.iter().cloned());
            let carried = load.files.iter().zip(&done.stamps);
            let removed = carried.filter(|(_, stamp)| request.remove_originals && stamp.is_some());
            plan.remove.extend(removed.map(|(file, _)| file.from.display().to_string()));
        }
        match (&load.id, load.files.first()) {
            (Some(_), _) if done.is_there => self.there += 1,
            (Some(id), Some(transcript)) => self.moved.push(Moved {
                uuid: id.clone(),
                from: transcript.from.display().to_string(),
                to: transcript.to.display().to_string(),
                files: done.files(),
            }),
            _ => self.others.files += done.files(),
        }
    }

    fn skip(&mut self, load: &Load, refusal: &Refusal) {
        let Refusal { reason, message } = refusal;
        self.skipped.push(Skipped { uuid: load.name(), reason: *reason, message: message.clone() });
    }

    /// Sessions first: what belongs to none goes only where no session is left.
    fn remove(
        &mut self,
        workspace: &Workspace,
        loads: &[Load],
        outcomes: &[Result<Done, Refusal>],
    ) -> Result<(), Error> {
        let kept_sessions = KeptSessions::open(workspace)?;
        let index = kept_sessions.index();
        let proof = Proof::of(workspace, &kept_sessions, &index);
        for is_session in [true, false] {
            let carried = loads.iter().zip(outcomes).filter(|(load, _)| load.id.is_some() == is_session);
            for (load, done) in carried.filter_map(|(load, outcome)| Some((load, outcome.as_ref().ok()?))) {
                if load.stays() || (!is_session && is_inhabited(load)) {
                    continue;
                }
                match (proof.remove(load, done), &load.id) {
                    (Ok(files), Some(id)) => self.removed.push(Removed { uuid: id.clone(), files }),
                    (Ok(files), None) => self.others.removed += files,
                    (Err(refusal), _) => self.skip(load, &refusal),
                }
            }
        }
        Ok(())
    }
}
