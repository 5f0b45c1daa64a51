//! Live files → what the vault lacks of them, durable when it is reported.
//!
//! Unchanged files cost a look at their stat, grown ones a read from their old end. A rewritten file starts a new
//! generation beside the old one.

mod examine;
mod plan;
mod take;

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use crate::cache::{Checkpoint, Checkpoints, nanoseconds};
use crate::damage::Damage;
use crate::error::Error;
use crate::ledger::{End, LEDGER, Target};
use crate::merge;
use crate::repair::RepairSource;
use crate::store::Store;
use crate::stream::Generation;
use crate::work::Writer;
use plan::Job;
use take::Taken;

/// Head and tail tell most rewrites; all bytes are compared this often.
const COMPARE_EVERY: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Bytes read between two flushes: a killed process loses at most these.
const ROUND: u64 = 512 << 20;

/// A live file that should be kept.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Below the Claude directory, as [`crate::text_of`] writes it.
    pub path: String,
    pub absolute: PathBuf,
    pub len: u64,
    pub modified: std::time::SystemTime,
    pub inode: Option<u64>,
    pub session: Option<String>,
    pub role: Role,
}

/// How a file is recognised after it moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// The transcript of its session.
    Transcript,
    /// Below a directory of its session: the rest of the path stays when that moves.
    Part { rest: String },
    /// Its path; what it says inside names its session.
    Inside,
    /// Its path.
    Other,
}

/// How to keep.
pub struct Keep<'a> {
    /// The machine's slug.
    pub machine: &'a str,
    pub now: Timestamp,
    /// Compare all kept bytes with the live ones.
    pub full: bool,
    /// Whether all bytes of a file with this path are compared, whatever its size and time say.
    pub compare: &'a (dyn Fn(&str) -> bool + Sync),
    /// Make one segment out of many small ones. Not where segments were sent: names never change there.
    pub merge: bool,
    /// The session of a file that names it inside.
    pub session_of: &'a (dyn Fn(&Path) -> Option<String> + Sync),
    /// Sessions that were purged, and are not kept again.
    pub purged: &'a HashSet<String>,
    /// Called with the bytes that were read since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Keep<'a> {
    /// The usual way.
    pub fn new(machine: &'a str, now: Timestamp, purged: &'a HashSet<String>) -> Self {
        Self {
            machine,
            now,
            full: false,
            compare: &|_| false,
            merge: true,
            session_of: &|_| None,
            purged,
            progress: &|_| {},
        }
    }
}

impl std::fmt::Debug for Keep<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Keep")
            .field("machine", &self.machine)
            .field("full", &self.full)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
pub struct Kept {
    /// One for each candidate, in their order.
    pub outcomes: Vec<Outcome>,
    pub bytes_read: u64,
    pub bytes_written: u64,
    /// Segments that were gone, and were taken from live files again.
    pub healed: Vec<Damage>,
    /// Files of the vault that were added or merged away.
    written: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The vault has it all.
    Unchanged,
    /// Kept for the first time.
    Added { bytes: u64 },
    /// Its new bytes are kept.
    Grown { bytes: u64 },
    /// Its kept bytes have changed: kept as a new generation.
    Rewritten { bytes: u64, generation: u32 },
    /// It has another path now.
    Moved,
    /// Not this time; what was kept of it before stays.
    Failed(Trouble),
}

/// Why a file was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    Vanished,
    /// It became shorter, or was replaced, while it was read.
    Changed,
    Unreadable(String),
}

impl Writer {
    /// Everything reported as kept is durable.
    pub fn keep(&mut self, keep: &Keep<'_>, candidates: &[Candidate]) -> Result<Kept, Error> {
        let mut all_checkpoints = self.checkpoints()?;
        let healed = self.take_back(keep, candidates)?;
        let mut checkpoints = all_checkpoints.remove(keep.machine).unwrap_or_default();
        // Bytes that cannot be opened cannot be compared. The weekly comparison asks for no passphrase.
        let is_full = keep.full || is_due(checkpoints.compared, keep.now) && self.store.is_open();
        let changed: Vec<usize> = (0..candidates.len())
            .filter(|number| {
                let candidate = candidates.get(*number);
                let is_changed = |one: &Candidate| (keep.compare)(&one.path) || !is_known(&checkpoints, one);
                is_full || candidate.is_some_and(is_changed)
            })
            .collect();
        let outcomes = vec![Outcome::Unchanged; candidates.len()];
        let mut kept = Kept { outcomes, healed, ..Kept::default() };
        if changed.is_empty() {
            return Ok(kept);
        }
        let jobs =
            plan::jobs(self.catalog()?.machines.get(keep.machine), candidates, changed, &checkpoints, keep);
        let jobs = jobs.into_iter().map(|job| Job { full: is_full || job.full, ..job }).collect();
        for round in plan::rounds(jobs, ROUND) {
            self.take_round(keep, round, &mut checkpoints, &mut kept)?;
        }
        if is_full {
            checkpoints.compared = Some(keep.now);
        }
        // What follows is a cache: should it fail, the next run finds out again.
        all_checkpoints.insert(keep.machine.to_owned(), checkpoints);
        if self.save_written(&all_checkpoints, &kept.written).is_err() {
            let _ = self.cache.begin();
        }
        Ok(kept)
    }

    /// Writes lost segments again, as far as live files prove that they have the same bytes. A lost segment would
    /// otherwise make the next sync start a new generation, and stay lost.
    fn take_back(&mut self, keep: &Keep<'_>, candidates: &[Candidate]) -> Result<Vec<Damage>, Error> {
        let is_own = |damage: &&Damage| damage.machine == keep.machine;
        let lost: Vec<Damage> = self.lost().iter().filter(is_own).cloned().collect();
        if lost.is_empty() {
            return Ok(Vec::new());
        }
        let repaired = self.repair(&lost, &LiveFiles { machine: keep.machine, candidates }, keep.now)?;
        self.forget_lost(&repaired.repaired);
        Ok(repaired.repaired)
    }

    fn take_round(
        &mut self,
        keep: &Keep<'_>,
        round: Vec<Job<'_>>,
        checkpoints: &mut Checkpoints,
        kept: &mut Kept,
    ) -> Result<(), Error> {
        let store = self.store.clone();
        let batch = store.batch()?;
        let mut taken = take::all(&store, batch.as_ref(), keep, &round)?;
        let ends: Vec<End> = taken.iter_mut().flat_map(|taken| std::mem::take(&mut taken.ends)).collect();
        let mut grown = Vec::new();
        if !ends.is_empty() {
            let target =
                Target { store: &store, batch: batch.as_ref(), machine: keep.machine, now: keep.now };
            let machine = self.loaded().machines.entry(keep.machine.to_owned()).or_default();
            // Put last, and so renamed last: a segment is there before the ledger says so.
            kept.written.extend(target.append(machine, ends)?);
            self.commit(batch)?;
        }
        for (job, taken) in round.iter().zip(taken) {
            kept.bytes_read += taken.bytes_read;
            kept.bytes_written += taken.segments.iter().map(|segment| segment.packed).sum::<u64>();
            match taken.checkpoint {
                Some(checkpoint) => checkpoints.files.insert(job.candidate.path.clone(), checkpoint),
                None => checkpoints.files.remove(&job.candidate.path),
            };
            if let Some(outcome) = kept.outcomes.get_mut(job.number) {
                *outcome = taken.outcome.clone();
            }
            kept.written.extend(taken.segments.iter().map(|segment| segment.file.clone()));
            if !taken.segments.is_empty() {
                grown.push(taken.stream.clone());
                self.enter(keep.machine, job, taken);
            }
        }
        if keep.merge {
            let target = (keep.machine, keep.now);
            kept.written.extend(merge::streams(self, target, &[LEDGER.to_owned()])?);
            kept.written.extend(merge::streams(self, target, &grown)?);
        }
        Ok(())
    }

    /// The catalogue learns what was written.
    fn enter(&mut self, machine: &str, job: &Job<'_>, taken: Taken) {
        let streams = &mut self.loaded().machines.entry(machine.to_owned()).or_default().streams;
        let stream = streams.entry(taken.stream).or_insert_with(|| crate::Stream {
            path: job.candidate.path.clone(),
            session: job.session.clone(),
            generations: Vec::new(),
        });
        stream.path.clone_from(&job.candidate.path);
        stream.session.clone_from(&job.session);
        let number = taken.generation;
        if stream.latest().is_none_or(|latest| latest.number != number) {
            stream.generations.push(Generation::empty(number));
        }
        if let Some(latest) = stream.generations.last_mut() {
            latest.segments.extend(taken.segments);
        }
    }
}

/// The files that are about to be kept, to take lost segments from.
struct LiveFiles<'a> {
    machine: &'a str,
    candidates: &'a [Candidate],
}

impl RepairSource for LiveFiles<'_> {
    fn live(&self, machine: &str, path: &str) -> Option<File> {
        let mut own = self.candidates.iter().filter(|_| machine == self.machine);
        File::open(&own.find(|candidate| candidate.path == path)?.absolute).ok()
    }

    fn sent(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

/// A clock that went backwards compares once more.
fn is_due(compared: Option<Timestamp>, now: Timestamp) -> bool {
    compared.is_none_or(|compared| {
        let age = now.duration_since(compared);
        age.is_negative() || age >= COMPARE_EVERY
    })
}

fn is_known(checkpoints: &Checkpoints, candidate: &Candidate) -> bool {
    let looks_like = |checkpoint: &Checkpoint| {
        checkpoint.len == candidate.len
            && checkpoint.modified == nanoseconds(candidate.modified)
            && checkpoint.inode == candidate.inode
    };
    checkpoints.files.get(&candidate.path).is_some_and(looks_like)
}
