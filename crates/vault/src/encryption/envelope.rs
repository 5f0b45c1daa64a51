//! The plain name, length and keyed hash of an encrypted object ↔ a zstd skippable frame before its bytes.
//!
//! The frame carries the plain name, and a keyed hash of name and bytes: the recipients
//! alone are enough to make an age file, but not one that passes for ours.

use std::borrow::Cow;
use std::io::{self, BufReader, Read};

use serde::{Deserialize, Serialize};

use super::failure::OpenFailure;
use super::name::NameKey;
use crate::frame;

pub(super) const FORMAT: u64 = 1;
/// Segments have the one before it.
const MAGIC: [u8; 4] = 0x184D_2A5D_u32.to_le_bytes();
const LEVEL: i32 = 3;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    format: u64,
    pub name: String,
    /// Of the plain bytes.
    pub length: u64,
    /// Keyed, of the name and the plain bytes.
    mac: String,
}

/// The frame, and what follows it: a segment as it is, and anything else compressed.
pub(super) fn pack<'a>(key: &NameKey, name: &str, bytes: &'a [u8]) -> io::Result<(Vec<u8>, Cow<'a, [u8]>)> {
    let length = bytes.len() as u64;
    let mac = hasher(key, name, length).update(bytes).finalize().to_hex().to_string();
    let frame = Envelope { format: FORMAT, name: name.to_owned(), length, mac }.frame()?;
    let is_packed = is_packed(name);
    let content =
        if is_packed { Cow::Borrowed(bytes) } else { Cow::Owned(zstd::bulk::compress(bytes, LEVEL)?) };
    Ok((frame, content))
}

fn is_packed(name: &str) -> bool {
    name.ends_with(".zst")
}

/// No name holds a zero byte, so the parts cannot run into each other.
fn hasher(key: &NameKey, name: &str, length: u64) -> blake3::Hasher {
    let mut hasher = key.hasher("object/");
    hasher.update(name.as_bytes()).update(b"\0").update(&length.to_le_bytes());
    hasher
}

impl Envelope {
    fn frame(&self) -> io::Result<Vec<u8>> {
        frame::write(MAGIC, &serde_json::to_vec(self)?)
    }

    /// Leaves the reader where the bytes begin.
    pub(super) fn read(reader: &mut impl Read) -> Result<Self, OpenFailure> {
        let json = frame::read(MAGIC, reader).map_err(OpenFailure::of_read)?;
        Self::understand(&json.ok_or(OpenFailure::HEADER)?)
    }

    fn understand(json: &[u8]) -> Result<Self, OpenFailure> {
        match frame::format_of(json) {
            Some(format) if format > FORMAT => Err(OpenFailure::Newer(format)),
            _ => serde_json::from_slice(json).map_err(|_| OpenFailure::HEADER),
        }
    }
}

/// The plain bytes of an object; at their end it is known whether they are those that were closed.
pub(super) struct Content<R: Read> {
    bytes: Bytes<R>,
    hasher: blake3::Hasher,
    left: u64,
    mac: blake3::Hash,
}

enum Bytes<R: Read> {
    AsTheyAre(R),
    Packed(Box<zstd::stream::read::Decoder<'static, BufReader<R>>>),
}

impl<R: Read> Content<R> {
    pub(super) fn new(key: &NameKey, envelope: &Envelope, rest: R) -> Result<Self, OpenFailure> {
        let mac = blake3::Hash::from_hex(&envelope.mac).map_err(|_| OpenFailure::HEADER)?;
        let bytes = if is_packed(&envelope.name) {
            Bytes::AsTheyAre(rest)
        } else {
            Bytes::Packed(Box::new(zstd::stream::read::Decoder::new(rest).map_err(OpenFailure::Io)?))
        };
        Ok(Self { bytes, hasher: hasher(key, &envelope.name, envelope.length), left: envelope.length, mac })
    }
}

impl<R: Read> Read for Content<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.bytes {
            Bytes::AsTheyAre(bytes) => bytes.read(buffer)?,
            Bytes::Packed(bytes) => bytes.read(buffer)?,
        };
        // More than it says: do not unpack without an end.
        self.left = self.left.checked_sub(read as u64).ok_or_else(other_bytes)?;
        self.hasher.update(buffer.get(..read).unwrap_or_default());
        let is_end = read == 0 && !buffer.is_empty();
        if is_end && (self.left > 0 || self.hasher.finalize() != self.mac) {
            return Err(other_bytes());
        }
        Ok(read)
    }
}

fn other_bytes() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "these are not the bytes that were encrypted")
}
