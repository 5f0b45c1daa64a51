//! The header of a segment ↔ the zstd skippable frame that the segment begins with.
//!
//! A vault that lost everything else is rebuilt from the headers.

use std::io::{self, Read};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::damage::Reason;
use crate::frame;

pub(crate) const FORMAT: u64 = 1;
/// Skippable frames have sixteen magic numbers; this one is ours.
const MAGIC: [u8; 4] = 0x184D_2A5C_u32.to_le_bytes();
/// The last field of the object: a hash of everything before it. No version changes that.
const CHECK: &[u8] = b",\"check\":\"";
const DIGITS: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub format: u64,
    /// The path in the Claude directory when this was taken.
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    pub generation: u32,
    pub offset: u64,
    pub length: u64,
    /// Of the bytes, unpacked.
    pub blake3: Hash,
    /// The chain up to this segment, which is the `after` of the one before it.
    pub before: Hash,
    /// The chain with this segment.
    pub after: Hash,
    /// The file's own time.
    #[serde(serialize_with = "all_digits")]
    pub modified: Timestamp,
    pub taken: Timestamp,
    pub machine: String,
}

/// A time that happens to end in zeros takes as much room as any other.
fn all_digits<S: serde::Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{time:.9}"))
}

/// A blake3 hash, hexadecimal in JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The start of the chain.
    pub const ZERO: Self = Self([0; 32]);

    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Its first eight bytes: enough to tell one from another by chance.
    pub(crate) fn start(self) -> u64 {
        self.0.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    }

    /// Of everything up to its end, with the number of bytes.
    pub fn of_reader(mut reader: impl Read) -> io::Result<(u64, Self)> {
        let mut hasher = blake3::Hasher::new();
        let len = io::copy(&mut reader, &mut hasher)?;
        Ok((len, hasher.finalize().into()))
    }

    /// The chain, one segment longer.
    pub(crate) fn then(self, segment: Self) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0).update(&segment.0);
        hasher.finalize().into()
    }
}

impl From<blake3::Hash> for Hash {
    fn from(hash: blake3::Hash) -> Self {
        Self(*hash.as_bytes())
    }
}

impl std::fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        blake3::Hash::from_hex(text.as_bytes()).map(Self::from).map_err(serde::de::Error::custom)
    }
}

/// Why a header was not understood.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Io,
    Damaged,
    Newer(u64),
}

impl Header {
    /// The skippable frame.
    pub(crate) fn frame(&self) -> io::Result<Vec<u8>> {
        let mut json = serde_json::to_vec(self)?;
        json.pop();
        let check = short_hash(&json);
        json.extend_from_slice(CHECK);
        json.extend_from_slice(check.as_bytes());
        json.extend_from_slice(b"\"}");
        frame::write(MAGIC, &json)
    }

    /// The header in the bytes of a segment.
    pub fn of(segment: &[u8]) -> Option<Self> {
        Self::read(&mut &*segment).ok()
    }

    /// Leaves the reader where the packed bytes begin.
    pub(crate) fn read(reader: &mut impl Read) -> Result<Self, Unreadable> {
        let json = frame::read(MAGIC, reader).map_err(Unreadable::of)?;
        Self::understand(&json.ok_or(Unreadable::Damaged)?)
    }

    fn understand(json: &[u8]) -> Result<Self, Unreadable> {
        if !is_checked(json) {
            return Err(Unreadable::Damaged);
        }
        match frame::format_of(json) {
            Some(format) if format > FORMAT => Err(Unreadable::Newer(format)),
            _ => serde_json::from_slice(json).map_err(|_| Unreadable::Damaged),
        }
    }
}

/// The first sixteen digits: enough to tell two files apart.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    let mut hexadecimal = blake3::hash(bytes).to_hex().to_string();
    hexadecimal.truncate(DIGITS);
    hexadecimal
}

/// Not a bit of the header is other than it was written.
fn is_checked(json: &[u8]) -> bool {
    let checked = || {
        let rest = json.strip_suffix(b"\"}")?;
        let (rest, check) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
        let fields = rest.strip_suffix(CHECK)?;
        Some(short_hash(fields).as_bytes() == check)
    };
    checked().unwrap_or_default()
}

impl From<Unreadable> for Reason {
    fn from(unreadable: Unreadable) -> Self {
        match unreadable {
            Unreadable::Io => Self::Unreadable,
            Unreadable::Damaged | Unreadable::Newer(_) => Self::Header,
        }
    }
}

impl Unreadable {
    fn of(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::Damaged } else { Self::Io }
    }
}

#[cfg(test)]
pub(crate) fn sample() -> Header {
    Header {
        format: FORMAT,
        path: "projects/-a/s.jsonl".to_owned(),
        session: Some("s".to_owned()),
        generation: 1,
        offset: 0,
        length: 5,
        blake3: Hash::of(b"bytes"),
        before: Hash::ZERO,
        after: Hash::ZERO.then(Hash::of(b"bytes")),
        modified: Timestamp::UNIX_EPOCH,
        taken: Timestamp::UNIX_EPOCH,
        machine: "m".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let frame = sample().frame().unwrap();
        let mut rest = frame.as_slice();
        assert_eq!(Header::read(&mut rest).unwrap(), sample());
        assert!(rest.is_empty());
    }

    #[test]
    fn a_newer_format_is_told_from_damage() {
        let newer = Header { format: 2, ..sample() };
        assert!(matches!(Header::read(&mut newer.frame().unwrap().as_slice()), Err(Unreadable::Newer(2))));
        let frame = sample().frame().unwrap();
        for cut in [0, 3, 7, 20, frame.len() - 1] {
            assert!(matches!(Header::read(&mut &frame[..cut]), Err(Unreadable::Damaged)), "{cut}");
        }
    }

    #[test]
    fn every_flipped_bit_is_damage() {
        let mut frame = sample().frame().unwrap();
        for place in 0..frame.len() {
            for bit in 0..8 {
                frame[place] ^= 1 << bit;
                let read = Header::read(&mut frame.as_slice());
                assert!(matches!(read, Err(Unreadable::Damaged)), "byte {place}, bit {bit}");
                frame[place] ^= 1 << bit;
            }
        }
    }
}
