//! One JSON object ↔ a zstd skippable frame, which `zstd` passes over: so a file that opens with one is an ordinary
//! compressed file.

use std::io::{self, Read};

use serde::Deserialize;

/// An object holds one path and a few numbers.
const LONGEST: u32 = 64 << 10;

pub(crate) fn write(magic: [u8; 4], json: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(json.len()).ok().filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    Ok([&magic, length.to_le_bytes().as_slice(), json].concat())
}

/// Leaves the reader where the packed bytes begin. Nothing for a frame of another kind, or one that is cut off.
pub(crate) fn read(magic: [u8; 4], reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let (mut own, mut length) = ([0; 4], [0; 4]);
    reader.read_exact(&mut own)?;
    reader.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if own != magic || length > LONGEST {
        return Ok(None);
    }
    let mut json = Vec::new();
    let read = reader.take(u64::from(length)).read_to_end(&mut json)?;
    Ok(Some(json).filter(|_| u32::try_from(read) == Ok(length)))
}

/// The version of the format that an object names.
pub(crate) fn format_of(json: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Version {
        format: u64,
    }
    serde_json::from_slice(json).ok().map(|version: Version| version.format)
}
