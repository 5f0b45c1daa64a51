//! Jobs → segments in a batch, in parallel.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use jiff::Timestamp;
use rayon::prelude::*;

use super::examine::{Examined, Verdict, checkpoint};
use super::plan::Job;
use super::{Keep, Outcome, Trouble};
use crate::cache::Checkpoint;
use crate::catalog::segment_of;
use crate::error::Error;
use crate::header::{FORMAT, Hash, Header};
use crate::ledger::End;
use crate::name::SegmentName;
use crate::segment::{LARGEST, Packer};
use crate::store::{Batch, Existing, Store};
use crate::stream::Segment;

/// The outcome of one job. Its segments count once the batch is durable.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) stream: String,
    pub(super) outcome: Outcome,
    pub(super) generation: u32,
    pub(super) segments: Vec<Segment>,
    /// The same for the ledger.
    pub(super) ends: Vec<End>,
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) bytes_read: u64,
}

impl Taken {
    fn failed(trouble: Trouble) -> Self {
        let outcome = Outcome::Failed(trouble);
        Self {
            stream: String::new(),
            outcome,
            generation: 0,
            segments: Vec::new(),
            ends: Vec::new(),
            checkpoint: None,
            bytes_read: 0,
        }
    }
}

/// One result for each job, in their order. Only what concerns the vault is an error.
pub(super) fn all(
    store: &dyn Store,
    batch: &dyn Batch,
    keep: &Keep<'_>,
    jobs: &[Job<'_>],
) -> Result<Vec<Taken>, Error> {
    let worker = || Worker { store, batch, keep, packer: None, buffer: Vec::new() };
    jobs.par_iter().map_init(worker, |worker, job| worker.take(job)).collect()
}

struct Worker<'a> {
    store: &'a dyn Store,
    batch: &'a dyn Batch,
    keep: &'a Keep<'a>,
    packer: Option<Packer>,
    buffer: Vec<u8>,
}

/// The stream, generation and place in it that new bytes go to.
struct Destination<'a> {
    stream: &'a str,
    generation: u32,
    chain: Hash,
    next: u32,
    from: u64,
}

impl<'a> Destination<'a> {
    fn start(stream: &'a str) -> Self {
        Self { stream, generation: 1, chain: Hash::ZERO, next: 1, from: 0 }
    }

    fn segment(&self, number: u32) -> SegmentName {
        let stream = self.stream.to_owned();
        SegmentName { stream, generation: self.generation, first: number, last: number }
    }
}

/// The work on one file.
struct Task<'a> {
    job: &'a Job<'a>,
    to: Destination<'a>,
    change: Change,
}

impl Task<'_> {
    fn end(&self, segment: &Segment, after: Hash) -> End {
        let Destination { stream, generation, .. } = self.to;
        let path = &self.job.candidate.path;
        End {
            stream: stream.to_owned(),
            path: (path != stream).then(|| path.clone()),
            session: self.job.session.clone(),
            generation,
            first: None,
            segment: segment.last,
            end: segment.end(),
            after: Some(after),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Added,
    Grown,
    Rewritten,
}

impl Worker<'_> {
    fn take(&mut self, job: &Job<'_>) -> Result<Taken, Error> {
        let opened = open(&job.candidate.absolute).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, mut file) = match opened {
            Ok((metadata, _)) if !metadata.is_file() => return Ok(Taken::failed(Trouble::Changed)),
            Ok(opened) => opened,
            Err(error) => return Ok(Taken::failed(trouble(&error))),
        };
        let mut examined =
            Examined { store: self.store, machine: self.keep.machine, job, buffer: &mut self.buffer };
        match examined.verdict(&mut file, &metadata) {
            Ok(verdict) => {
                let task = self.with_free_name(task(job, verdict), metadata.len());
                self.read(&task, &mut file, &metadata)
            }
            Err(error) => Ok(Taken::failed(trouble(&error))),
        }
    }

    /// Something that cannot be read, and so is not in the catalogue, may have the name of the next segment. Then the file
    /// is kept as a new generation.
    fn with_free_name<'b>(&self, mut task: Task<'b>, len: u64) -> Task<'b> {
        if task.change == Change::Grown && len <= task.to.from {
            return task;
        }
        let is_taken = |to: &Destination<'_>| {
            self.store.is_taken(&format!("machines/{}/{}", self.keep.machine, to.segment(to.next)))
        };
        while is_taken(&task.to) {
            let Destination { stream, generation, .. } = task.to;
            task.to = Destination { generation: generation + 1, ..Destination::start(stream) };
            task.change = if task.change == Change::Grown { Change::Rewritten } else { task.change };
        }
        task
    }

    /// Reads the new bytes, up to the size that the file had when it was opened.
    fn read(&mut self, task: &Task<'_>, file: &mut File, metadata: &Metadata) -> Result<Taken, Error> {
        let Destination { from, generation, next, mut chain, .. } = task.to;
        let to = metadata.len();
        let (mut segments, mut ends) = (Vec::new(), Vec::new());
        let mut offset = from;
        let is_moved = task.job.kept.as_ref().is_some_and(|kept| kept.path != task.job.candidate.path);
        // An empty file, and a move without new bytes, are recorded as a segment of no bytes.
        let tells = |segments: &[Segment]| segments.is_empty() && (task.change != Change::Grown || is_moved);
        while offset < to || tells(&segments) {
            let length = (to - offset).min(LARGEST);
            if let Err(error) = self.fill(file, offset, length) {
                return self.give_up(&segments, trouble(&error));
            }
            let number = next + u32::try_from(segments.len()).unwrap_or(u32::MAX);
            let (segment, after) = self.put(task, metadata, (number, offset), chain)?;
            ends.push(task.end(&segment, after));
            segments.push(segment);
            chain = after;
            offset += length;
            (self.keep.progress)(length);
        }
        let bytes = to - from;
        let checkpoint = match self.settle(file, metadata) {
            Ok(checkpoint) => checkpoint,
            Err(trouble) => return self.give_up(&segments, trouble),
        };
        let outcome = match task.change {
            Change::Added => Outcome::Added { bytes },
            Change::Rewritten => Outcome::Rewritten { bytes, generation },
            Change::Grown if bytes > 0 => Outcome::Grown { bytes },
            Change::Grown if is_moved => Outcome::Moved,
            Change::Grown => Outcome::Unchanged,
        };
        let stream = task.to.stream.to_owned();
        Ok(Taken { stream, outcome, generation, segments, ends, checkpoint, bytes_read: bytes })
    }

    fn fill(&mut self, file: &mut File, offset: u64, length: u64) -> io::Result<()> {
        self.buffer.clear();
        file.seek(SeekFrom::Start(offset))?;
        file.take(length).read_to_end(&mut self.buffer)?;
        if self.buffer.len() as u64 == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn put(
        &mut self,
        task: &Task<'_>,
        metadata: &Metadata,
        (number, offset): (u32, u64),
        before: Hash,
    ) -> Result<(Segment, Hash), Error> {
        let generation = task.to.generation;
        let name = task.to.segment(number);
        let file = format!("machines/{}/{name}", self.keep.machine);
        let blake3 = Hash::of(&self.buffer);
        let header = Header {
            format: FORMAT,
            path: task.job.candidate.path.clone(),
            session: task.job.session.clone(),
            generation,
            offset,
            length: self.buffer.len() as u64,
            blake3,
            before,
            after: before.then(blake3),
            modified: modified_of(metadata),
            taken: self.keep.now,
            machine: self.keep.machine.to_owned(),
        };
        let batch = self.batch;
        let packed = self.pack(&header).map_err(Error::write(&file))?;
        batch.put(&file, packed, Existing::Refuse)?;
        let packed = packed.len() as u64;
        Ok((segment_of(file, packed, &name, &header), header.after))
    }

    fn pack(&mut self, header: &Header) -> io::Result<&[u8]> {
        let packer = match &mut self.packer {
            Some(packer) => packer,
            empty => empty.insert(Packer::new()?),
        };
        packer.pack(header, &self.buffer)
    }

    /// The file must still be the one whose bytes were read. Where a program wrote to it meanwhile, its ends may not
    /// be those that were kept: the next run compares all of it.
    fn settle(&self, file: &mut File, before: &Metadata) -> Result<Option<Checkpoint>, Trouble> {
        let checkpoint = checkpoint(file, before, before.len()).map_err(|error| trouble(&error))?;
        let after = file.metadata().map_err(|error| trouble(&error))?;
        if after.len() < before.len() {
            return Err(Trouble::Changed);
        }
        let is_untouched = after.len() == before.len() && after.modified().ok() == before.modified().ok();
        Ok(is_untouched.then_some(checkpoint))
    }

    /// Takes back the segments of a file that changed meanwhile.
    fn give_up(&self, segments: &[Segment], trouble: Trouble) -> Result<Taken, Error> {
        for segment in segments {
            self.batch.withdraw(&segment.file)?;
        }
        Ok(Taken::failed(trouble))
    }
}

/// A pipe may have taken the place of the file since it was listed: opening it must not block.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    options.open(path)
}

fn task<'a>(job: &'a Job<'a>, verdict: Verdict) -> Task<'a> {
    let start = Destination::start(&job.stream);
    let latest = job.kept.as_ref().and_then(crate::Stream::latest);
    let (to, change) = match (verdict, latest) {
        (Verdict::Another, _) => {
            (Destination { stream: job.otherwise.as_ref().unwrap_or(&job.stream), ..start }, Change::Added)
        }
        (Verdict::Differs { generation }, _) => (Destination { generation, ..start }, Change::Rewritten),
        (Verdict::Continues { chain, next }, Some(latest)) => {
            let (generation, from) = (latest.number, latest.len());
            (Destination { generation, chain, next, from, ..start }, Change::Grown)
        }
        (Verdict::Continues { .. }, None) => (start, Change::Added),
    };
    Task { job, to, change }
}

fn modified_of(metadata: &Metadata) -> Timestamp {
    metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn trouble(error: &io::Error) -> Trouble {
    match error.kind() {
        io::ErrorKind::NotFound => Trouble::Vanished,
        io::ErrorKind::UnexpectedEof => Trouble::Changed,
        _ => Trouble::Unreadable(error.to_string()),
    }
}
