//! Candidates and kept streams → which stream each candidate continues.

use std::collections::{HashMap, HashSet};

use super::{Candidate, Keep, Role};
use crate::cache::{Checkpoint, Checkpoints};
use crate::catalog::Machine;
use crate::name;
use crate::stream::Stream;

/// One file to look at.
#[derive(Debug)]
pub(super) struct Job<'a> {
    /// Of the candidate.
    pub(super) number: usize,
    pub(super) candidate: &'a Candidate,
    pub(super) session: Option<String>,
    /// The stream it becomes, or continues.
    pub(super) stream: String,
    /// Its kept stream.
    pub(super) kept: Option<Stream>,
    /// For a file that seems to have moved: the stream to start if it is another file after all.
    pub(super) otherwise: Option<String>,
    pub(super) checkpoint: Option<Checkpoint>,
    /// Compare all bytes.
    pub(super) full: bool,
}

pub(super) fn jobs<'a>(
    machine: Option<&Machine>,
    candidates: &'a [Candidate],
    changed: Vec<usize>,
    checkpoints: &Checkpoints,
    keep: &Keep<'_>,
) -> Vec<Job<'a>> {
    let mut streams = KnownStreams::new(machine, candidates);
    let chosen = changed.into_iter().filter_map(|number| Some((number, candidates.get(number)?)));
    let jobs = chosen.filter_map(|(number, candidate)| {
        let session = match candidate.role {
            Role::Inside => (keep.session_of)(&candidate.absolute),
            _ => candidate.session.clone(),
        };
        if session.as_ref().is_some_and(|session| keep.purged.contains(session)) {
            return None;
        }
        let (stream, otherwise) = streams.stream_of(candidate);
        let kept = machine.and_then(|machine| machine.streams.get(&stream)).cloned();
        let checkpoint = checkpoints.files.get(&candidate.path).copied();
        let full = keep.full || (keep.compare)(&candidate.path);
        Some(Job { number, candidate, session, stream, kept, otherwise, checkpoint, full })
    });
    jobs.collect()
}

/// Which streams there are, and which of them a file was found for.
struct KnownStreams<'a> {
    by_path: HashMap<&'a str, &'a str>,
    /// Streams whose file is not where it was.
    moved: HashMap<(&'a str, Option<&'a str>), &'a str>,
    names: HashSet<String>,
}

impl<'a> KnownStreams<'a> {
    fn new(machine: Option<&'a Machine>, candidates: &'a [Candidate]) -> Self {
        let live: HashSet<&str> = candidates.iter().map(|candidate| candidate.path.as_str()).collect();
        let mut streams = Self { by_path: HashMap::new(), moved: HashMap::new(), names: HashSet::new() };
        let mut newest = HashMap::new();
        for (name, stream) in machine.into_iter().flat_map(|machine| &machine.streams) {
            streams.names.insert(name.clone());
            let taken = stream.latest().and_then(crate::Generation::taken);
            // Two streams may have had one path, one after the other.
            let known = newest.entry(stream.path.as_str()).or_insert(taken);
            if *known <= taken {
                *known = taken;
                streams.by_path.insert(&stream.path, name);
            }
            let session = stream.session.as_deref().filter(|_| !live.contains(stream.path.as_str()));
            if let Some(identity) = session.and_then(|session| identity_of(&stream.path, session)) {
                streams.moved.insert(identity, name);
            }
        }
        streams
    }

    /// The stream, and the one to take if that turns out to be another file's.
    fn stream_of(&mut self, candidate: &Candidate) -> (String, Option<String>) {
        if let Some(name) = self.by_path.get(candidate.path.as_str()) {
            return ((*name).to_owned(), None);
        }
        let identity = match (&candidate.session, &candidate.role) {
            (Some(session), Role::Transcript) => Some((session.as_str(), None)),
            (Some(session), Role::Part { rest }) => Some((session.as_str(), Some(rest.as_str()))),
            _ => None,
        };
        let moved = identity.and_then(|identity| self.moved.get(&identity)).map(|name| (*name).to_owned());
        let own = self.free_name(&candidate.path);
        match moved {
            Some(name) => (name, Some(own)),
            None => (own, None),
        }
    }

    /// Another stream may have the name, whose file has moved on.
    fn free_name(&mut self, path: &str) -> String {
        let name = name::stream_of(path);
        let numbered = (2..).map(|number| format!("{name}~{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !self.names.contains(name));
        let free = free.unwrap_or(name);
        self.names.insert(free.clone());
        free
    }
}

/// The part of a path below `projects/` that stays when its session moves: none of the transcript's, the rest after
/// the session's own directory for its parts.
fn identity_of<'a>(path: &'a str, session: &'a str) -> Option<(&'a str, Option<&'a str>)> {
    let inside = path.strip_prefix("projects/")?.split_once('/')?.1;
    let rest = inside.strip_prefix(session)?;
    match rest.strip_prefix('/') {
        Some(rest) => Some((session, Some(rest))),
        None => (rest == ".jsonl").then_some((session, None)),
    }
}

/// Jobs in portions, the largest files first: so the threads end at about the same time.
pub(super) fn rounds(mut jobs: Vec<Job<'_>>, bytes: u64) -> Vec<Vec<Job<'_>>> {
    jobs.sort_by_key(|job| std::cmp::Reverse(job.candidate.len));
    let mut rounds = Vec::new();
    let mut round = Vec::new();
    let mut sum = 0_u64;
    for job in jobs {
        sum = sum.saturating_add(job.candidate.len);
        round.push(job);
        if sum >= bytes {
            sum = 0;
            rounds.push(std::mem::take(&mut round));
        }
    }
    rounds.push(round);
    rounds.retain(|round| !round.is_empty());
    rounds
}
