//! GIF: blocks, of which extensions have a label.

use super::Stripped;

const HEADER: usize = 13;
const EXTENSION: u8 = 0x21;
const PICTURE: u8 = 0x2C;
const END: u8 = 0x3B;

pub(super) fn stripped(bytes: &[u8]) -> Option<Stripped> {
    let mut stripped = Stripped::default();
    let mut at = HEADER + table(*bytes.get(10)?);
    stripped.keep(bytes.get(..at)?);
    loop {
        let (end, is_picture) = match *bytes.get(at)? {
            EXTENSION => (blocks(bytes, at + 2)?, is_shown(bytes, at)),
            PICTURE => (blocks(bytes, at + 11 + table(*bytes.get(at + 9)?))?, true),
            END => {
                stripped.keep(&[END]);
                return Some(stripped.end(bytes.get(at + 1..)?));
            }
            _ => return None,
        };
        stripped.sort(bytes.get(at..end)?, is_picture);
        at = end;
    }
}

/// How long the table of colours is that these flags announce.
fn table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Where the blocks end that begin here, each with its length.
fn blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += length + 1;
        if length == 0 {
            return Some(at);
        }
    }
}

/// How long a frame stays, and how often all of them come again.
fn is_shown(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at + 1) {
        Some(0xF9) => true,
        Some(0xFF) => {
            bytes.get(at + 3..at + 14).is_some_and(|name| matches!(name, b"NETSCAPE2.0" | b"ANIMEXTS1.0"))
        }
        _ => false,
    }
}
