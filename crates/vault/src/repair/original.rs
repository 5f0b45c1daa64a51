//! A damaged file of the original tool → the same bytes, packed again.
//!
//! It has no hash of ours. What continues it holds one; else its own checksum and length must do.

use std::io::{Read, Write};

use super::{Live, RepairSource};
use crate::damage::Damage;
use crate::header::Hash;
use crate::reading::{Volume, header_of};
use crate::stream::Segment;

pub(super) fn mended(
    volume: &Volume<'_>,
    damage: &Damage,
    source: &dyn RepairSource,
    live: Option<Live>,
) -> Option<Vec<u8>> {
    let next = volume.generation.segments.iter().find(|segment| segment.first == 1);
    let sent = source.sent(&damage.segment).filter(|packed| accepts(volume, damage, next, packed));
    sent.or_else(|| from_live(volume, damage, next, &mut live?))
}

fn accepts(volume: &Volume<'_>, damage: &Damage, next: Option<&Segment>, packed: &[u8]) -> bool {
    let mut bytes = Vec::new();
    if flate2::read::MultiGzDecoder::new(packed).read_to_end(&mut bytes).is_err() {
        return false;
    }
    match next {
        Some(next) => bytes_before(next, &bytes).is_some_and(|bytes| leads_to(volume, next, bytes)),
        None => damage.length.is_none_or(|length| length == bytes.len() as u64),
    }
}

fn bytes_before<'a>(next: &Segment, bytes: &'a [u8]) -> Option<&'a [u8]> {
    bytes.get(..usize::try_from(next.offset).ok()?)
}

fn leads_to(volume: &Volume<'_>, next: &Segment, bytes: &[u8]) -> bool {
    header_of(volume, next).is_ok_and(|header| header.before == Hash::ZERO.then(Hash::of(bytes)))
}

fn from_live(
    volume: &Volume<'_>,
    damage: &Damage,
    next: Option<&Segment>,
    live: &mut Live,
) -> Option<Vec<u8>> {
    if let Some(next) = next {
        let bytes = live.bytes(0, next.offset)?;
        return leads_to(volume, next, &bytes).then(|| packed(&bytes)).flatten();
    }
    let file = volume.store.read(&damage.segment).unwrap_or_default();
    if let Some(bytes) = by_its_checksum(&file, live) {
        return packed(&bytes);
    }
    let length = damage.length?;
    let bytes = live.bytes(0, length)?;
    live.vouches_for(length).then(|| packed(&bytes)).flatten()
}

/// gzip ends with the checksum and the length of what it packs.
fn by_its_checksum(file: &[u8], live: &mut Live) -> Option<Vec<u8>> {
    let (rest, length) = file.split_last_chunk::<4>()?;
    let (_, checksum) = rest.split_last_chunk::<4>()?;
    let bytes = live.bytes(0, u64::from(u32::from_le_bytes(*length)))?;
    let mut own = flate2::Crc::new();
    own.update(&bytes);
    (!bytes.is_empty() && own.sum() == u32::from_le_bytes(*checksum)).then_some(bytes)
}

fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
