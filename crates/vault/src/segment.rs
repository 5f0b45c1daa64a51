//! Bytes ↔ a segment: a header, and the bytes compressed in one standard zstd frame.

use std::io::{self, BufReader, Read, Seek};

use crate::damage::Reason;
use crate::header::{Hash, Header, Unreadable};

/// How many bytes one segment takes at most. Even incompressible, it stays far below what git hosts refuse.
pub(crate) const LARGEST: u64 = 16 << 20;
const LEVEL: i32 = 3;
/// Little compresses badly at the usual level, and costs nothing at a higher one.
const LITTLE: usize = 256 << 10;
const LEVEL_OF_LITTLE: i32 = 9;

/// Compresses; kept by a thread for all of its segments.
pub(crate) struct Packer {
    usual: zstd::bulk::Compressor<'static>,
    little: zstd::bulk::Compressor<'static>,
    /// The last segment: its memory is used again.
    packed: Vec<u8>,
}

impl Packer {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { usual: compressor(LEVEL)?, little: compressor(LEVEL_OF_LITTLE)?, packed: Vec::new() })
    }

    /// The whole file of a segment. `header` describes `bytes`.
    pub(crate) fn pack(&mut self, header: &Header, bytes: &[u8]) -> io::Result<&[u8]> {
        let is_append = header.offset > 0;
        let compressor = if is_append && bytes.len() < LITTLE { &mut self.little } else { &mut self.usual };
        self.packed.clear();
        self.packed.extend_from_slice(&header.frame()?);
        self.packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        let mut rest = io::Cursor::new(&mut self.packed);
        rest.seek(io::SeekFrom::End(0))?;
        compressor.compress_to_buffer(bytes, &mut rest)?;
        Ok(&self.packed)
    }
}

/// One segment alone.
pub(crate) fn pack(header: &Header, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = Packer::new()?;
    packer.pack(header, bytes)?;
    Ok(packer.packed)
}

fn compressor(level: i32) -> io::Result<zstd::bulk::Compressor<'static>> {
    let mut compressor = zstd::bulk::Compressor::new(level)?;
    compressor.include_checksum(true)?;
    Ok(compressor)
}

/// A segment that is being read: first its header, then its bytes, whose hash is known at their end.
pub(crate) struct Unpacking<R: Read> {
    pub(crate) header: Header,
    decoder: zstd::stream::read::Decoder<'static, BufReader<R>>,
    hasher: blake3::Hasher,
    length: u64,
}

impl<R: Read> Unpacking<R> {
    pub(crate) fn open(reader: R) -> Result<Self, Unreadable> {
        let mut reader = BufReader::with_capacity(128 << 10, reader);
        let header = Header::read(&mut reader)?;
        let decoder = zstd::stream::read::Decoder::with_buffer(reader).map_err(|_| Unreadable::Io)?;
        Ok(Self { header, decoder, hasher: blake3::Hasher::new(), length: 0 })
    }

    /// Whether what was read to the end is what was kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.length == self.header.length && Hash::from(self.hasher.finalize()) == self.header.blake3
    }
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.hasher.update(buffer.get(..read).unwrap_or_default());
        self.length = self.length.saturating_add(read as u64);
        if self.length > self.header.length {
            // More than it says: do not unpack without an end.
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(read)
    }
}

/// A whole segment: what it says of itself, and its bytes.
pub(crate) fn unpack(reader: impl Read) -> Result<(Header, Vec<u8>), Reason> {
    let mut bytes = Vec::new();
    let header = copy(reader, &mut bytes)?;
    Ok((header, bytes))
}

/// Reads a segment to its end.
pub(crate) fn check(reader: impl Read) -> Result<Header, Reason> {
    copy(reader, &mut io::sink())
}

fn copy(reader: impl Read, target: &mut impl io::Write) -> Result<Header, Reason> {
    let mut unpacking = Unpacking::open(reader)?;
    io::copy(&mut unpacking, target).map_err(|_| Reason::Unpack)?;
    if unpacking.is_whole() { Ok(unpacking.header) } else { Err(Reason::Hash) }
}

/// Whether a file of the vault is what its own hash or checksum says, whatever its place in the chain. A file that has
/// neither is taken as it is.
pub fn is_whole(name: &str, file: &[u8]) -> bool {
    if name.ends_with(".zst") {
        return check(file).is_ok();
    }
    let unpacks = || io::copy(&mut flate2::read::MultiGzDecoder::new(file), &mut io::sink()).is_ok();
    !name.ends_with(".gz") || unpacks()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::sample;

    #[test]
    fn a_segment_speaks_for_itself() {
        let mut packed = pack(&sample(), b"bytes").unwrap();
        assert!(is_whole("a.zst", &packed) && is_whole("a.json", b"anything"));
        assert!(!is_whole("a.gz", &packed) && !is_whole("a.zst", &[]) && !is_whole("a.zst", &packed[..20]));
        let last = packed.len() - 1;
        packed[last] ^= 1;
        assert!(!is_whole("a.zst", &packed));
    }

    fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
        super::unpack(packed).ok().map(|(_, bytes)| bytes)
    }

    #[test]
    fn bytes_come_back_and_any_flipped_bit_is_seen() {
        let mut packed = pack(&sample(), b"bytes").unwrap();
        assert_eq!(unpack(&packed).unwrap(), b"bytes");
        let payload = packed.len() - 18;
        for place in payload..packed.len() {
            for bit in 0..8 {
                packed[place] ^= 1 << bit;
                assert_ne!(unpack(&packed).as_deref(), Some(b"other".as_slice()));
                // A bit that zstd does not use may change nothing; never does it change the bytes unseen.
                assert!(unpack(&packed).is_none_or(|bytes| bytes == b"bytes"), "byte {place}, bit {bit}");
                packed[place] ^= 1 << bit;
            }
        }
    }

    #[test]
    fn a_segment_that_unpacks_to_more_than_it_says_is_refused() {
        let zeros = vec![0; 10 << 20];
        let packed = pack(&sample(), &zeros).unwrap();
        assert_eq!(unpack(&packed), None);
    }
}
