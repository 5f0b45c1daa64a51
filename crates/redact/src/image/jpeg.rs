//! JPEG: segments, each with its marker and length, up to the picture itself.

use super::Stripped;

const SCAN: u8 = 0xDA;
const COMMENT: u8 = 0xFE;

pub(super) fn stripped(bytes: &[u8]) -> Option<Stripped> {
    let mut stripped = Stripped::default();
    stripped.keep(bytes.get(..2)?);
    let mut at = 2;
    loop {
        let [0xFF, marker] = *bytes.get(at..at + 2)? else { return None };
        let length = u16::from_be_bytes(bytes.get(at + 2..at + 4)?.try_into().ok()?);
        let end = at + 2 + usize::from(length);
        let segment = bytes.get(at..end)?;
        if marker == SCAN {
            let rest = bytes.get(at..)?;
            let length = memchr::memmem::rfind(rest, b"\xFF\xD9").map_or(rest.len(), |end| end + 2);
            stripped.keep(rest.get(..length)?);
            return Some(stripped.end(rest.get(length..)?));
        }
        stripped.sort(segment, is_picture(marker, segment.get(4..)?));
        at = end;
    }
}

/// Of the segments of programs only those that say how colours are shown.
fn is_picture(marker: u8, data: &[u8]) -> bool {
    match marker {
        0xE0 => data.starts_with(b"JFIF"),
        0xE2 => data.starts_with(b"ICC_PROFILE"),
        0xEE => data.starts_with(b"Adobe"),
        0xE1..=0xEF | COMMENT => false,
        _ => true,
    }
}
