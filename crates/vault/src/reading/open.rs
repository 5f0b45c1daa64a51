//! One segment of a generation → its bytes, checked against its header, its hash and its place in the chain.

use std::io::{self, Read};

use super::{Original, Volume};
use crate::damage::Reason;
use crate::header::Hash;
use crate::segment::Unpacking;
use crate::stream::{Codec, Segment};

/// A segment that is being read.
pub(crate) enum OpenSegment {
    Zstd(Box<Unpacking<Box<dyn Read + Send>>>),
    Gzip(Box<Original>),
}

impl Volume<'_> {
    /// `before` is the chain that the segment must continue, where that is known.
    pub(crate) fn unpack(
        &self,
        segment: &Segment,
        reader: Box<dyn Read + Send>,
        before: Option<Hash>,
    ) -> Result<OpenSegment, Reason> {
        if segment.codec == Codec::Gzip {
            return Ok(OpenSegment::Gzip(Box::new(Original::open(reader, segment.len))));
        }
        let unpacking = Unpacking::open(reader)?;
        let header = &unpacking.header;
        let is_own = (header.generation, header.offset, header.length)
            == (self.generation.number, segment.offset, segment.len);
        let is_merged = segment.first != segment.last;
        let is_linked = is_merged || header.after == header.before.then(header.blake3);
        if !is_own || !is_linked || before.is_some_and(|before| header.before != before) {
            return Err(Reason::Chain);
        }
        Ok(OpenSegment::Zstd(Box::new(unpacking)))
    }

    /// All bytes of a segment, and the chain with it.
    pub(crate) fn read_segment(
        &self,
        segment: &Segment,
        reader: Box<dyn Read + Send>,
        before: Option<Hash>,
    ) -> Result<(Vec<u8>, Hash), Reason> {
        let mut open = self.unpack(segment, reader, before)?;
        let mut bytes = Vec::new();
        open.read_to_end(&mut bytes).map_err(|_| Reason::Unpack)?;
        Ok((bytes, open.finish()?))
    }

    /// The place in the generation of the segment that follows another one.
    pub(super) fn place_after(&self, segment: &Segment) -> usize {
        self.generation.segments.partition_point(|one| one.first <= segment.last)
    }
}

impl OpenSegment {
    /// The chain with the segment, if what was read to its end is what was kept.
    pub(crate) fn finish(self) -> Result<Hash, Reason> {
        match self {
            Self::Zstd(unpacking) if unpacking.is_whole() => Ok(unpacking.header.after),
            Self::Zstd(_) => Err(Reason::Hash),
            Self::Gzip(original) => original.finish().map(|hash| Hash::ZERO.then(hash)),
        }
    }
}

impl Read for OpenSegment {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Zstd(unpacking) => unpacking.read(buffer),
            Self::Gzip(original) => original.read(buffer),
        }
    }
}
