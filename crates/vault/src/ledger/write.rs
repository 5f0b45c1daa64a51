//! Segments that were written → lines at the end of the ledger.

use jiff::Timestamp;

use super::{End, LEDGER, Ledger, LedgerEnd, Line};
use crate::catalog::{Machine, segment_of};
use crate::damage::Damage;
use crate::error::Error;
use crate::header::{FORMAT, Hash, Header};
use crate::name::SegmentName;
use crate::reading::{Volume, header_of};
use crate::segment::{LARGEST, Packer};
use crate::store::{Batch, Existing, Store};
use crate::stream::{Segment, Stream};

/// The batch and the machine that lines are written for.
pub(crate) struct Target<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) batch: &'a dyn Batch,
    pub(crate) machine: &'a str,
    pub(crate) now: Timestamp,
}

/// The end of the ledger.
struct Tail {
    generation: u32,
    next: u32,
    offset: u64,
    chain: Hash,
}

impl Target<'_> {
    /// Puts lines into the batch, and into `kept`. Returns the files.
    pub(crate) fn append(&self, kept: &mut Machine, mut ends: Vec<End>) -> Result<Vec<String>, Error> {
        let tail = match self.tail(kept)? {
            Some(_) if ends.is_empty() => return Ok(Vec::new()),
            Some(tail) => tail,
            // What cannot be continued stays damaged. The new generation remembers what it recorded, and its end.
            None => {
                let latest = kept.ledger.as_ref().and_then(Stream::latest);
                let mut number = latest.map_or(1, |latest| latest.number + 1);
                while self.store.is_taken(&self.file(number, 1)) {
                    number += 1;
                }
                let known = match Ledger::read(self.store, kept) {
                    // What the old one holds is read again when the key is there.
                    Err(Error::Locked { .. }) => Ledger::default(),
                    known => known?,
                };
                ends = known
                    .lines()
                    .cloned()
                    .chain(latest.map(|latest| End::of_ledger(LedgerEnd::of(latest), latest.len())))
                    .chain(ends)
                    .collect();
                Tail::start(number)
            }
        };
        self.put(kept, tail, ends.into_iter().map(Line::End))
    }

    /// Puts a new generation without the streams that are forgotten, and removes the ones before it.
    pub(crate) fn replace(
        &self,
        kept: &mut Machine,
        ledger: &Ledger,
        is_forgotten: impl Fn(&End) -> bool,
    ) -> Result<Vec<String>, Error> {
        let Some(stream) = kept.ledger.take() else { return Ok(Vec::new()) };
        for file in stream.files() {
            self.batch.remove(file)?;
        }
        let number = stream.latest().map_or(1, |latest| latest.number + 1);
        let stays = ledger.lines().filter(|end| end.stream != LEDGER && !is_forgotten(end)).cloned();
        let lines = std::iter::once(Line::Replaces { replaces: true }).chain(stays.map(Line::End));
        self.put(kept, Tail::start(number), lines)
    }

    /// `None` where the ledger is damaged at its end, or something that cannot be read has the next name.
    fn tail(&self, kept: &Machine) -> Result<Option<Tail>, Error> {
        let Some((stream, latest)) = kept.ledger.as_ref().and_then(|stream| Some((stream, stream.latest()?)))
        else {
            return Ok(Some(Tail::start(1)).filter(|_| !self.store.is_taken(&self.file(1, 1))));
        };
        let Some(last) = latest.segments.last().filter(|_| latest.is_contiguous()) else { return Ok(None) };
        let volume = Volume { store: self.store, machine: self.machine, stream, generation: latest };
        let next = self.file(latest.number, last.last + 1);
        Ok(match header_of(&volume, last) {
            Ok(_) if self.store.is_taken(&next) => None,
            Ok(header) => Some(Tail {
                generation: latest.number,
                next: last.last + 1,
                offset: last.end(),
                chain: header.after,
            }),
            Err(locked @ Error::Locked { .. }) => return Err(locked),
            Err(_) => None,
        })
    }

    fn put(
        &self,
        kept: &mut Machine,
        mut tail: Tail,
        lines: impl Iterator<Item = Line>,
    ) -> Result<Vec<String>, Error> {
        let mut files = Vec::new();
        let mut text = Vec::new();
        for line in lines {
            if text.len() as u64 > LARGEST / 2 {
                files.push(self.put_segment(kept, &mut tail, &std::mem::take(&mut text))?);
            }
            serde_json::to_writer(&mut text, &line).map_err(|error| Error::write(LEDGER)(error.into()))?;
            text.push(b'\n');
        }
        files.push(self.put_segment(kept, &mut tail, &text)?);
        Ok(files)
    }

    fn file(&self, generation: u32, number: u32) -> String {
        format!("machines/{}/{}", self.machine, name_of(generation, number))
    }

    fn put_segment(&self, kept: &mut Machine, tail: &mut Tail, text: &[u8]) -> Result<String, Error> {
        let name = name_of(tail.generation, tail.next);
        let file = self.file(tail.generation, tail.next);
        let blake3 = Hash::of(text);
        let header = Header {
            format: FORMAT,
            path: LEDGER.to_owned(),
            session: None,
            generation: tail.generation,
            offset: tail.offset,
            length: text.len() as u64,
            blake3,
            before: tail.chain,
            after: tail.chain.then(blake3),
            modified: self.now,
            taken: self.now,
            machine: self.machine.to_owned(),
        };
        let mut packer = Packer::new().map_err(Error::write(&file))?;
        let packed = packer.pack(&header, text).map_err(Error::write(&file))?;
        self.batch.put(&file, packed, Existing::Refuse)?;
        kept.enter_ledger(tail.generation, segment_of(file.clone(), packed.len() as u64, &name, &header));
        *tail = Tail {
            generation: tail.generation,
            next: tail.next + 1,
            offset: tail.offset + header.length,
            chain: header.after,
        };
        Ok(file)
    }
}

impl Tail {
    fn start(generation: u32) -> Self {
        Self { generation, next: 1, offset: 0, chain: Hash::ZERO }
    }
}

fn name_of(generation: u32, number: u32) -> SegmentName {
    SegmentName { stream: LEDGER.to_owned(), generation, first: number, last: number }
}

impl End {
    /// How far the ledger itself reached.
    pub(crate) fn of_ledger(reached: LedgerEnd, end: u64) -> Self {
        let LedgerEnd { generation, segment } = reached;
        let (stream, path, session) = (LEDGER.to_owned(), None, None);
        Self { stream, path, session, generation, first: None, segment, end, after: None }
    }

    /// The record of a segment that is there; its header holds the chain.
    pub(crate) fn of(volume: &Volume<'_>, name: &str, segment: &Segment) -> Result<Self, Error> {
        let after = if segment.first == 0 { None } else { Some(header_of(volume, segment)?.after) };
        Ok(Self::with(volume, name, segment, after))
    }

    /// The record of a segment that is gone, and that the cache remembers.
    pub(crate) fn of_lost(lost: &Damage) -> Option<Self> {
        let inside = lost.segment.strip_prefix(&format!("machines/{}/", lost.machine))?;
        let name = SegmentName::parse(inside)?;
        Some(Self {
            path: (lost.path != name.stream).then(|| lost.path.clone()),
            session: lost.session.clone(),
            generation: lost.generation,
            first: (name.first != name.last).then_some(name.first),
            segment: name.last,
            end: lost.offset?.saturating_add(lost.length?),
            after: None,
            stream: name.stream,
        })
    }

    pub(crate) fn with(volume: &Volume<'_>, name: &str, segment: &Segment, after: Option<Hash>) -> Self {
        let Stream { path, session, .. } = volume.stream;
        Self {
            stream: name.to_owned(),
            path: (path != name).then(|| path.clone()),
            session: session.clone(),
            generation: volume.generation.number,
            first: (segment.first != segment.last).then_some(segment.first),
            segment: segment.last,
            end: segment.end(),
            after,
        }
    }
}
