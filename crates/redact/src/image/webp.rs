//! WebP: chunks of RIFF, and flags that say which there are.

use super::{Stripped, number};

const PICTURE: &[&[u8]] = &[b"VP8 ", b"VP8L", b"VP8X", b"ANIM", b"ANMF", b"ALPH", b"ICCP"];
const HEADER: usize = 12;
/// That there is EXIF, and XMP.
const WRITTEN: u8 = 0x0C;

pub(super) fn stripped(bytes: &[u8]) -> Option<Stripped> {
    let mut stripped = Stripped::default();
    stripped.keep(bytes.get(..HEADER)?);
    let length = number(bytes, 4, true)?.checked_add(8)?.min(bytes.len());
    let mut at = HEADER;
    while at < length {
        let size = number(bytes, at + 4, true)?;
        let end = at.checked_add(8)?.checked_add(size)?.checked_add(size % 2)?;
        let name = bytes.get(at..at + 4)?;
        let start = stripped.image.len();
        stripped.sort(bytes.get(at..end)?, PICTURE.contains(&name));
        if name == b"VP8X" {
            *stripped.image.get_mut(start + 8)? &= !WRITTEN;
        }
        at = end;
    }
    let size = u32::try_from(stripped.image.len().checked_sub(8)?).ok()?;
    stripped.image.get_mut(4..8)?.copy_from_slice(&size.to_le_bytes());
    Some(stripped.end(bytes.get(at..)?))
}
