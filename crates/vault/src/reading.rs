//! A generation → its bytes, each segment checked against its hash on the way.

mod cover;
mod gaps;
mod open;
mod original;
mod salvage;

use std::io::{self, Read, Write};

use crate::damage::{Damage, Reason};
use crate::error::Error;
use crate::header::{Hash, Header};
use crate::store::Store;
use crate::stream::{Generation, Segment, Stream};
use open::OpenSegment;
pub(crate) use original::Original;
pub use salvage::{Hole, Salvage};

/// One generation of one kept file.
#[derive(Debug, Clone, Copy)]
pub struct Volume<'a> {
    pub store: &'a dyn Store,
    pub machine: &'a str,
    pub stream: &'a Stream,
    pub generation: &'a Generation,
}

impl<'a> Volume<'a> {
    /// Writes all bytes. What was written must not be used unless this succeeds.
    pub fn copy(&self, target: &mut dyn Write) -> Result<u64, Error> {
        let mut reader = self.reader();
        let mut buffer = vec![0; 128 << 10];
        let mut copied = 0;
        loop {
            let read = reader.fill(&mut buffer)?;
            let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { return Ok(copied) };
            target.write_all(bytes).map_err(Error::write(&self.stream.path))?;
            copied += read as u64;
        }
    }

    /// Reads all bytes; damage is an error that holds [`Error::Damaged`].
    pub fn reader(&self) -> Reader<'a> {
        Reader { volume: *self, next: 0, end: 0, chain: Hash::ZERO, open: None, is_broken: false }
    }

    pub(crate) fn damage(&self, segment: &Segment, reason: Reason) -> Damage {
        let range = (Some(segment.offset), Some(segment.len));
        self.damage_at(&segment.file, range, reason)
    }

    pub(crate) fn damage_at(&self, file: &str, range: (Option<u64>, Option<u64>), reason: Reason) -> Damage {
        Damage {
            machine: self.machine.to_owned(),
            session: self.stream.session.clone(),
            path: self.stream.path.clone(),
            generation: self.generation.number,
            segment: file.to_owned(),
            offset: range.0,
            length: range.1,
            reason,
        }
    }
}

/// The bytes of a generation, one segment after the other.
pub struct Reader<'a> {
    volume: Volume<'a>,
    /// The place of the segment to open next.
    next: usize,
    /// Of the bytes before it.
    end: u64,
    chain: Hash,
    open: Option<(OpenSegment, Segment)>,
    is_broken: bool,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Reader").field("next", &self.next).finish_non_exhaustive()
    }
}

impl Reader<'_> {
    /// Fills a part of the buffer; 0 at the end of the generation.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        loop {
            if self.open.is_none() && !self.advance()? {
                return Ok(0);
            }
            let Some((open, segment)) = &mut self.open else { return Ok(0) };
            match open.read(buffer) {
                Ok(0) => self.close()?,
                Ok(read) => return Ok(read),
                Err(_) => return Err(Error::from(self.volume.damage(segment, Reason::Unpack))),
            }
        }
    }

    /// Opens the next segment; `false` when there is none.
    fn advance(&mut self) -> Result<bool, Error> {
        let segments = &self.volume.generation.segments;
        let first_gap = || self.volume.gaps(None).into_iter().next();
        let Some(segment) = segments.get(self.next) else {
            return first_gap().map_or(Ok(false), |gap| Err(Error::from(gap)));
        };
        if segment.offset != self.end {
            let gap = first_gap().unwrap_or_else(|| self.volume.damage(segment, Reason::Chain));
            return Err(Error::from(gap));
        }
        self.next += 1;
        let opened = match self.volume.store.open(&segment.file) {
            Ok(reader) => Ok((self.unpack(segment, reader)?, segment.clone())),
            Err(Error::Missing { .. }) => self.open_cover(segment),
            Err(locked @ Error::Locked { .. }) => Err(locked),
            Err(_) => Err(Error::from(self.volume.damage(segment, Reason::Unreadable))),
        };
        self.open = Some(opened?);
        Ok(true)
    }

    /// The segment was merged since the catalogue was read: goes on in the middle of the merged one.
    fn open_cover(&mut self, segment: &Segment) -> Result<(OpenSegment, Segment), Error> {
        let gone = || Error::from(self.volume.damage(segment, Reason::Gone));
        let cover = self.volume.cover(segment).filter(|cover| cover.offset <= self.end).ok_or_else(gone)?;
        let reader = self.volume.store.open(&cover.file).map_err(|_| gone())?;
        let mut open = self.unpack(&cover, reader)?;
        let known = self.end - cover.offset;
        io::copy(&mut open.by_ref().take(known), &mut io::sink())
            .map_err(|_| Error::from(self.volume.damage(&cover, Reason::Unpack)))?;
        self.next = self.volume.place_after(&cover);
        Ok((open, cover))
    }

    fn unpack(&self, segment: &Segment, reader: Box<dyn Read + Send>) -> Result<OpenSegment, Error> {
        // In the middle of a merged one nothing is known of the chain; its hash covers all of it.
        let before = Some(self.chain).filter(|_| segment.offset == self.end);
        let unpacked = self.volume.unpack(segment, reader, before);
        unpacked.map_err(|reason| Error::from(self.volume.damage(segment, reason)))
    }

    /// The segment was read to its end.
    fn close(&mut self) -> Result<(), Error> {
        let Some((open, segment)) = self.open.take() else { return Ok(()) };
        self.end = segment.end();
        self.chain = open.finish().map_err(|reason| self.volume.damage(&segment, reason))?;
        Ok(())
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_broken || buffer.is_empty() {
            return Ok(0);
        }
        self.fill(buffer).map_err(|error| {
            self.is_broken = true;
            io::Error::other(error)
        })
    }
}

/// The header of a segment, to continue it or to compare with it.
pub(crate) fn header_of(volume: &Volume<'_>, segment: &Segment) -> Result<Header, Error> {
    let damaged = |reason| Error::from(volume.damage(segment, reason));
    match volume.store.open(&segment.file) {
        Ok(mut reader) => Header::read(&mut reader).map_err(|_| damaged(Reason::Header)),
        Err(locked @ Error::Locked { .. }) => volume.store.header_of(&segment.file).ok_or(locked),
        Err(_) => Err(damaged(Reason::Unreadable)),
    }
}
