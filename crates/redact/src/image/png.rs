//! PNG: chunks, each with its length and name.

use super::{Stripped, number};

/// What a picture is made of, or how it is shown.
const PICTURE: &[&[u8]] = &[
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD",
    b"pHYs", b"cICP", b"acTL", b"fcTL", b"fdAT",
];
const SIGNATURE: usize = 8;

pub(super) fn stripped(bytes: &[u8]) -> Option<Stripped> {
    let mut stripped = Stripped::default();
    stripped.keep(bytes.get(..SIGNATURE)?);
    let mut at = SIGNATURE;
    loop {
        let end = at.checked_add(number(bytes, at, false)?)?.checked_add(12)?;
        let name = bytes.get(at + 4..at + 8)?;
        stripped.sort(bytes.get(at..end)?, PICTURE.contains(&name));
        at = end;
        if name == b"IEND" {
            return Some(stripped.end(bytes.get(at..)?));
        }
    }
}
