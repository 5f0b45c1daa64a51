//! Originals whose every byte is elsewhere → gone: in the other project directory as the session that goes on, and in
//! the vault as they were.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use steno_vault::{Candidate, Stream, text_of};

use super::Reason;
use super::carry::{Done, Refusal, Stamp, is_idle};
use super::load::{Carried, Load};
use crate::aside::{Aside, Print, Unfinished, check, unreadable};
use crate::compare::has_all;
use crate::error::Error;
use crate::kept::{Index, KeptSessions};
use crate::place::{flush_directory, flush_file};
use crate::sync;
use crate::workspace::Workspace;

/// Takes into the vault what it lacks, before anything is copied: then a moved file is still known by its path. It is
/// an error where there is no vault.
pub(super) fn keep(workspace: &Workspace, loads: &[Load]) -> Result<(), Error> {
    let mut claude_dirs: Vec<&Path> = loads.iter().map(|load| load.claude_dir.as_path()).collect();
    claude_dirs.dedup();
    let ids: HashSet<&str> = loads.iter().filter_map(|load| load.id.as_deref()).collect();
    let is_meant = |one: &Candidate| one.session.as_deref().is_none_or(|session| ids.contains(session));
    for claude_dir in claude_dirs {
        sync::keep_live(workspace, claude_dir, "move", &is_meant)?;
    }
    Ok(())
}

/// The vault, asked for what it holds of live files.
pub(super) struct Proof<'a> {
    workspace: &'a Workspace,
    kept_sessions: &'a KeptSessions,
    streams: HashMap<&'a str, Vec<(&'a str, &'a Stream)>>,
}

impl<'a> Proof<'a> {
    pub(super) fn of(workspace: &'a Workspace, kept_sessions: &'a KeptSessions, index: &Index<'a>) -> Self {
        let mut streams: HashMap<&str, Vec<(&str, &Stream)>> = HashMap::new();
        let transcripts = index.sessions.iter().map(|kept| (kept.machine, kept.stream));
        let others = index.others().map(|(machine, _, stream)| (machine, stream));
        for (machine, stream) in transcripts.chain(others) {
            streams.entry(&stream.path).or_default().push((machine, stream));
        }
        Self { workspace, kept_sessions, streams }
    }

    /// Whether some generation has all bytes of a file, read and compared.
    fn has(&self, claude_dir: &Path, file: &Path) -> bool {
        let path = file.strip_prefix(claude_dir).ok().and_then(text_of).unwrap_or_default();
        let streams = self.streams.get(path.as_str()).into_iter().flatten();
        let mut volumes = streams.flat_map(|(machine, stream)| {
            stream.generations.iter().map(|generation| self.kept_sessions.volume(machine, stream, generation))
        });
        volumes.any(|volume| has_all(&volume, file).unwrap_or(false))
    }

    /// Deletes what was carried of a load, nothing of it if the vault lacks a byte or somebody wrote to it. A file that
    /// was not carried stays.
    pub(super) fn remove(&self, load: &Load, done: &Done) -> Result<u64, Refusal> {
        let carried = load.files.iter().zip(&done.stamps);
        let carried: Vec<(&Carried, Stamp)> =
            carried.filter_map(|(file, stamp)| Some((file, (*stamp)?))).collect();
        let mut prints = Vec::new();
        for (Carried { from, .. }, stamp) in &carried {
            unchanged(from, *stamp)?;
            let print = Print::of(from).map_err(|error| unreadable(from, &error))?;
            if !self.has(&load.claude_dir, from) {
                let message = format!("the vault does not hold every byte of it: {}", from.display());
                return Err(Refusal { reason: Reason::Unkept, message });
            }
            prints.push(print);
        }
        flush(load, &carried)?;
        is_idle(load, &self.workspace.dirs.running())?;
        let _unfinished =
            Unfinished::begin(&load.claude_dir).map_err(|error| failed(&load.claude_dir, &error))?;
        let mut taken = Vec::new();
        // The transcript goes last: as long as it is there, the session is found again.
        let outcome =
            carried.iter().zip(&prints).rev().try_for_each(|((Carried { from, .. }, stamp), print)| {
                unchanged(from, *stamp)?;
                taken.push((Aside::take(from).map_err(|error| failed(from, &error))?, Some(*print)));
                Ok(())
            });
        let checked = outcome.and_then(|()| {
            let asides = taken.iter().map(|(aside, held)| (aside, *held));
            check(asides, &mut |_, _| Ok(false)).map_err(|_| written_to(&load.from))
        });
        if let Err(refusal) = checked {
            taken.into_iter().for_each(|(aside, _)| drop(aside.put_back(None)));
            return Err(refusal);
        }
        taken.into_iter().for_each(|(aside, _)| aside.forget());
        remove_empty(load);
        Ok(carried.len() as u64)
    }
}

fn failed(path: &Path, error: &io::Error) -> Refusal {
    Refusal { reason: Reason::Failed, message: format!("cannot delete {}: {error}", path.display()) }
}

/// Makes the copies durable, and the names that lead to them.
fn flush(load: &Load, carried: &[(&Carried, Stamp)]) -> Result<(), Refusal> {
    let failed = |path: &Path, error: io::Error| {
        let message = format!("cannot make {} durable, so the original stays: {error}", path.display());
        Refusal { reason: Reason::Failed, message }
    };
    let mut directories = BTreeSet::new();
    for (Carried { to, .. }, _) in carried {
        flush_file(to).map_err(|error| failed(to, error))?;
        directories.extend(to.ancestors().skip(1).take_while(|parent| parent.starts_with(&load.to)));
    }
    directories.extend(load.to.parent());
    directories.into_iter().try_for_each(|path| flush_directory(path).map_err(|error| failed(path, error)))
}

fn unchanged(path: &Path, stamp: Stamp) -> Result<(), Refusal> {
    if Stamp::of(path).ok() == Some(stamp) {
        return Ok(());
    }
    Err(written_to(path))
}

fn written_to(path: &Path) -> Refusal {
    let message = format!("it was changed meanwhile, and is left in place: {}", path.display());
    Refusal { reason: Reason::Changed, message }
}

/// Directories that have nothing left in them, up to that of the project.
fn remove_empty(load: &Load) {
    for file in load.files.iter().rev() {
        let parents = file.from.ancestors().skip(1).take_while(|parent| parent.starts_with(&load.from));
        for parent in parents {
            if fs::remove_dir(parent).is_err() {
                break;
            }
        }
    }
}

/// Whether a session is left in the project directory of a load: what belongs to no session may be its own.
pub(super) fn is_inhabited(load: &Load) -> bool {
    let entries = fs::read_dir(&load.from).into_iter().flatten().flatten();
    let is_transcript = |path: &Path| {
        let is_agent = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"agent-"));
        path.extension().is_some_and(|ending| ending == "jsonl") && !is_agent
    };
    entries.map(|entry| entry.path()).any(|path| is_transcript(&path))
}
