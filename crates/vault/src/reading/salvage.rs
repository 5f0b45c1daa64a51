//! A generation of which parts are damaged or gone → the bytes that are there, and the ranges that are not.
//!
//! Apart from [`Reader`](super::Reader), which stops at the first damage: here no byte may come out before its whole
//! segment was checked.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Cursor, Read};

use super::Volume;
use crate::error::Error;
use crate::header::Hash;
use crate::stream::Segment;

/// Bytes of a kept file that cannot be read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hole {
    pub offset: u64,
    /// Unknown where nothing recorded how long the file was.
    pub length: Option<u64>,
}

impl Display for Hole {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.length {
            Some(length) => {
                write!(formatter, "bytes {} to {}", self.offset, self.offset.saturating_add(length))
            }
            None => write!(formatter, "everything from byte {}", self.offset),
        }
    }
}

/// Reads the segments left of a generation. In a file of lines, a line that a hole cuts ends there: it must not run
/// on into another one.
pub struct Salvage<'a> {
    volume: Volume<'a>,
    has_lines: bool,
    /// The place of the segment to read next.
    next: usize,
    /// The offset in the file after the bytes read so far.
    end: u64,
    /// Known where nothing is missing just before.
    chain: Option<Hash>,
    holes: Vec<Hole>,
    /// Checked bytes, which come out next.
    ready: Cursor<Vec<u8>>,
    last: Option<u8>,
    is_done: bool,
}

impl std::fmt::Debug for Salvage<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Salvage").field("end", &self.end).finish_non_exhaustive()
    }
}

impl<'a> Volume<'a> {
    /// Reads the segments that are left, and skips holes.
    pub fn salvage(&self) -> Salvage<'a> {
        Salvage {
            volume: *self,
            has_lines: self.stream.path.ends_with(".jsonl"),
            next: 0,
            end: 0,
            chain: Some(Hash::ZERO),
            holes: Vec::new(),
            ready: Cursor::default(),
            last: None,
            is_done: false,
        }
    }

    /// Which bytes are not there, all read and checked.
    pub fn holes(&self) -> Result<Vec<Hole>, Error> {
        let mut salvage = self.salvage();
        while salvage.advance()? {}
        Ok(salvage.holes)
    }
}

impl Salvage<'_> {
    /// The holes; all of them once everything was read.
    pub fn into_holes(self) -> Vec<Hole> {
        self.holes
    }

    /// Makes the next checked bytes ready; `false` at the end.
    fn advance(&mut self) -> Result<bool, Error> {
        let Some(segment) = self.volume.generation.segments.get(self.next) else {
            if !std::mem::replace(&mut self.is_done, true) {
                self.miss_the_end();
            }
            return Ok(false);
        };
        self.next += 1;
        if segment.offset > self.end {
            self.miss(segment.offset);
        }
        let Some((segment, bytes)) = self.read(segment)? else {
            // Its bytes are missing, unless it only repeats bytes that were read.
            if segment.end() > self.end {
                self.miss(segment.end());
            }
            return Ok(true);
        };
        let known = usize::try_from(self.end - segment.offset).unwrap_or(usize::MAX);
        let mut ready = bytes.get(known..).unwrap_or_default().to_vec();
        let is_cut = self.has_lines && self.follows_hole() && self.last.is_some_and(|last| last != b'\n');
        if is_cut && !ready.is_empty() {
            ready.insert(0, b'\n');
        }
        self.last = ready.last().copied().or(self.last);
        self.ready = Cursor::new(ready);
        self.end = segment.end();
        Ok(true)
    }

    /// `None` where the segment cannot be read, or its header or hash does not fit.
    fn read(&mut self, segment: &Segment) -> Result<Option<(Segment, Vec<u8>)>, Error> {
        let volume = &self.volume;
        let before = self.chain.take().filter(|_| segment.offset == self.end);
        let (segment, read) = match volume.store.open(&segment.file) {
            Ok(_) if segment.offset < self.end => return Ok(None),
            Ok(reader) => (segment.clone(), volume.read_segment(segment, reader, before)),
            // It may have been merged since the catalogue was read.
            Err(Error::Missing { .. }) => {
                let cover = volume.cover(segment).filter(|cover| cover.offset <= self.end);
                let opened = cover.and_then(|cover| Some((volume.store.open(&cover.file).ok()?, cover)));
                let Some((reader, cover)) = opened else { return Ok(None) };
                let read = volume.read_segment(&cover, reader, None);
                if read.is_ok() {
                    self.next = volume.place_after(&cover);
                }
                (cover, read)
            }
            Err(locked @ Error::Locked { .. }) => return Err(locked),
            Err(_) => return Ok(None),
        };
        let Ok((bytes, after)) = read else { return Ok(None) };
        self.chain = Some(after);
        Ok(Some((segment, bytes)))
    }

    fn follows_hole(&self) -> bool {
        self.holes.last().is_some_and(|hole| hole.offset.saturating_add(hole.length.unwrap_or(0)) == self.end)
    }

    /// Everything up to an offset is missing.
    fn miss(&mut self, to: u64) {
        let mut hole = self.take_open_hole();
        hole.length = hole.length.map(|own| own + to - self.end);
        self.holes.push(hole);
        (self.end, self.chain) = (to, None);
    }

    /// The hole that ends where the bytes read so far end, or a new one of no bytes.
    fn take_open_hole(&mut self) -> Hole {
        let end = self.end;
        let open = self.holes.pop_if(|hole| hole.length.is_some_and(|own| hole.offset + own == end));
        open.unwrap_or(Hole { offset: end, length: Some(0) })
    }

    /// Adds a hole for the recorded bytes after the last segment.
    fn miss_the_end(&mut self) {
        let broken = &self.volume.generation.broken;
        let last = self.volume.generation.segments.last().map_or(0, |segment| segment.last);
        let recorded = broken.iter().filter_map(|one| one.bytes);
        let end = recorded.map(|(offset, length)| offset.saturating_add(length)).max().unwrap_or(0);
        if end > self.end {
            self.miss(end);
        }
        if broken.iter().any(|one| one.last > last && one.bytes.is_none()) {
            let hole = self.take_open_hole();
            self.holes.push(Hole { length: None, ..hole });
        }
    }
}

impl Read for Salvage<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.ready.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.advance().map_err(io::Error::other)? {
                return Ok(read);
            }
        }
    }
}
