//! A file of the original tool → its bytes, and their hash.
//!
//! That tool may still run, and writes such a file anew when its transcript has grown. What was continued from the
//! first bytes of it still continues them.

use std::io::{self, BufReader, Read};

use crate::damage::Reason;
use crate::header::Hash;
use crate::store::Store;
use crate::stream::Segment;

pub(crate) struct Original {
    decoder: flate2::bufread::MultiGzDecoder<BufReader<Box<dyn Read + Send>>>,
    hasher: blake3::Hasher,
    /// Of the bytes that count.
    left: u64,
}

impl Original {
    pub(crate) fn open(reader: Box<dyn Read + Send>, len: u64) -> Self {
        let decoder = flate2::bufread::MultiGzDecoder::new(BufReader::new(reader));
        Self { decoder, hasher: blake3::Hasher::new(), left: len }
    }

    /// The hash of the bytes that count of a file; nothing where it cannot be read.
    pub(crate) fn hash(store: &dyn Store, segment: &Segment) -> Option<Hash> {
        let mut original = Self::open(store.open(&segment.file).ok()?, segment.len);
        io::copy(&mut original, &mut io::sink()).ok()?;
        original.finish().ok()
    }

    /// The hash of what was read to its end; only the end of the file proves that it unpacked well.
    pub(crate) fn finish(mut self) -> Result<Hash, Reason> {
        io::copy(&mut self.decoder, &mut io::sink()).map_err(|_| Reason::Unpack)?;
        if self.left == 0 { Ok(self.hasher.finalize().into()) } else { Err(Reason::Hash) }
    }
}

impl Read for Original {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let wanted = buffer.get_mut(..wanted).unwrap_or_default();
        let read = self.decoder.read(wanted)?;
        self.hasher.update(wanted.get(..read).unwrap_or_default());
        self.left -= read as u64;
        Ok(read)
    }
}
