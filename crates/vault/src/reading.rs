//! A generation → its bytes, each segment checked against its hash on the way.

use std::io::{self, BufReader, Read, Write};

use crate::damage::{Damage, Reason};
use crate::error::Error;
use crate::header::{Hash, Header, Unreadable};
use crate::name::SegmentName;
use crate::segment::Unpacking;
use crate::store::Store;
use crate::stream::{Codec, Generation, Segment, Stream};

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

    /// What is missing between the segments: broken ones, or none at all.
    pub(crate) fn gaps(&self) -> Vec<Damage> {
        let mut gaps = Vec::new();
        let mut end = 0;
        let mut number = 0;
        for segment in &self.generation.segments {
            if segment.offset != end || segment.first > number + 1 {
                gaps.extend(self.gap((number, segment.first), (end, Some(segment.offset))));
            }
            end = segment.end();
            number = segment.last;
        }
        gaps.extend(self.gap((number, u32::MAX), (end, None)));
        gaps
    }

    fn gap(&self, between: (u32, u32), bytes: (u64, Option<u64>)) -> Vec<Damage> {
        let inside = self
            .generation
            .broken
            .iter()
            .filter(|broken| broken.first > between.0 && broken.last < between.1);
        let is_first = |broken: &&crate::stream::Broken| broken.first == 0 && between.0 == 0;
        let also = self.generation.broken.iter().filter(is_first);
        let length = bytes.1.map(|end| end.saturating_sub(bytes.0));
        let broken: Vec<Damage> = also
            .chain(inside)
            .map(|one| self.damage_at(&one.file, (Some(bytes.0), length), one.reason))
            .collect();
        if !broken.is_empty() || between.1 == u32::MAX {
            return broken;
        }
        let (first, last) = (between.0 + 1, between.1.saturating_sub(1).max(between.0 + 1));
        vec![self.damage_at(&self.file_of(first, last), (Some(bytes.0), length), Reason::Gone)]
    }

    /// What a segment of this generation is called, by the names of the others.
    fn file_of(&self, first: u32, last: u32) -> String {
        let named = self.generation.segments.iter().find_map(|segment| SegmentName::parse(&segment.file));
        match named {
            Some(name) => SegmentName { first, last, ..name }.to_string(),
            None => format!("machines/{}/{}", self.machine, self.stream.path),
        }
    }
}

/// The bytes of a generation, one segment after the other.
pub struct Reader<'a> {
    volume: Volume<'a>,
    /// The number of the segment to open next.
    next: usize,
    /// Of the bytes before it.
    end: u64,
    chain: Hash,
    open: Option<(Open, &'a Segment)>,
    is_broken: bool,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Reader").field("next", &self.next).finish_non_exhaustive()
    }
}

enum Open {
    Zstd(Box<Unpacking<Box<dyn Read + Send>>>),
    Gzip(Box<flate2::bufread::MultiGzDecoder<BufReader<Box<dyn Read + Send>>>>, Box<blake3::Hasher>),
}

impl Reader<'_> {
    /// Fills a part of the buffer; 0 at the end of the generation.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        loop {
            if self.open.is_none() && !self.advance()? {
                return Ok(0);
            }
            let Some((open, segment)) = &mut self.open else { return Ok(0) };
            let read = match open {
                Open::Zstd(unpacking) => unpacking.read(buffer),
                Open::Gzip(decoder, hasher) => decoder.read(buffer).inspect(|read| {
                    hasher.update(buffer.get(..*read).unwrap_or_default());
                }),
            };
            match read {
                Ok(0) => self.close()?,
                Ok(read) => return Ok(read),
                Err(_) => return Err(Error::from(self.volume.damage(segment, Reason::Unpack))),
            }
        }
    }

    /// Opens the next segment; `false` when there is none.
    fn advance(&mut self) -> Result<bool, Error> {
        let Some(segment) = self.volume.generation.segments.get(self.next) else {
            return match self.volume.gaps().into_iter().next() {
                Some(gap) => Err(Error::from(gap)),
                None => Ok(false),
            };
        };
        if segment.offset != self.end {
            let gap = self.volume.gaps().into_iter().next();
            let gap = gap.unwrap_or_else(|| self.volume.damage(segment, Reason::Chain));
            return Err(Error::from(gap));
        }
        self.next += 1;
        let reader = self.volume.store.open(&segment.file).map_err(|error| self.unopened(segment, error))?;
        let open = match segment.codec {
            Codec::Gzip => {
                let decoder = flate2::bufread::MultiGzDecoder::new(BufReader::new(reader));
                Open::Gzip(Box::new(decoder), Box::default())
            }
            Codec::Zstd => Open::Zstd(Box::new(self.unpack(segment, reader)?)),
        };
        self.open = Some((open, segment));
        Ok(true)
    }

    fn unopened(&self, segment: &Segment, error: Error) -> Error {
        let reason = if matches!(error, Error::Missing { .. }) { Reason::Gone } else { Reason::Unreadable };
        Error::from(self.volume.damage(segment, reason))
    }

    fn unpack(
        &self,
        segment: &Segment,
        reader: Box<dyn Read + Send>,
    ) -> Result<Unpacking<Box<dyn Read + Send>>, Error> {
        let damaged = |reason| Error::from(self.volume.damage(segment, reason));
        let unpacking = Unpacking::open(reader).map_err(|unreadable| match unreadable {
            Unreadable::Io => damaged(Reason::Unreadable),
            Unreadable::Damaged | Unreadable::Newer(_) => damaged(Reason::Header),
        })?;
        let header = &unpacking.header;
        let is_own = header.offset == segment.offset && header.length == segment.len;
        if !is_own || !self.continues(segment, header) {
            return Err(damaged(Reason::Chain));
        }
        Ok(unpacking)
    }

    fn continues(&self, segment: &Segment, header: &Header) -> bool {
        let is_merged = segment.first != segment.last;
        header.before == self.chain && (is_merged || header.after == header.before.then(header.blake3))
    }

    /// The segment was read to its end.
    fn close(&mut self) -> Result<(), Error> {
        let Some((open, segment)) = self.open.take() else { return Ok(()) };
        self.end = segment.end();
        match open {
            Open::Zstd(unpacking) if !unpacking.is_whole() => {
                return Err(Error::from(self.volume.damage(segment, Reason::Hash)));
            }
            Open::Zstd(unpacking) => self.chain = unpacking.header.after,
            Open::Gzip(_, hasher) => self.chain = Hash::ZERO.then(hasher.finalize().into()),
        }
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

/// The header of a segment, for who goes on after it or compares with it.
pub(crate) fn header_of(volume: &Volume<'_>, segment: &Segment) -> Result<Header, Error> {
    let damaged = |reason| Error::from(volume.damage(segment, reason));
    let mut reader = volume.store.open(&segment.file).map_err(|_| damaged(Reason::Unreadable))?;
    Header::read(&mut reader).map_err(|_| damaged(Reason::Header))
}
