//! The file of a segment whose header cannot be understood → what can still be read in it.
//!
//! No field is believed by itself: only bytes whose hash is found in it are proven, and a flipped bit makes no such hash.

use std::io::Read;

use jiff::Timestamp;

use crate::header::Hash;
use crate::segment::LARGEST;

/// The magic number of zstd frames; it cannot occur in the text of a header.
const FRAME: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

#[derive(Debug, Default)]
pub(super) struct Remnant {
    pub(super) length: Option<u64>,
    pub(super) blake3: Option<Hash>,
    pub(super) before: Option<Hash>,
    pub(super) after: Option<Hash>,
    pub(super) modified: Option<Timestamp>,
    pub(super) taken: Option<Timestamp>,
    /// The content packed behind the header, if zstd's own checksum holds.
    pub(super) bytes: Option<Vec<u8>>,
}

impl Remnant {
    pub(super) fn of(file: &[u8]) -> Self {
        let frame = file.windows(FRAME.len()).position(|window| window == FRAME);
        let (header, packed) = file.split_at(frame.unwrap_or(file.len()));
        let header = String::from_utf8_lossy(header);
        let hash =
            |name| field(&header, name).and_then(|text| serde_json::from_str(&format!("\"{text}\"")).ok());
        let time = |name| field(&header, name).and_then(|text| text.parse().ok());
        Self {
            length: field(&header, "length").and_then(|text| text.parse().ok()),
            blake3: hash("blake3"),
            before: hash("before"),
            after: hash("after"),
            modified: time("modified"),
            taken: time("taken"),
            bytes: frame.and_then(|_| unpack(packed)),
        }
    }
}

/// The text of a value, without its quotes.
fn field<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = header.split_once(&format!("\"{name}\":"))?;
    let value = rest.split([',', '}']).next()?;
    Some(value.trim_matches('"'))
}

fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(packed).ok()?;
    decoder.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LARGEST).then_some(bytes)
}
