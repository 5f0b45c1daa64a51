//! The first bytes of an image, in base64 → its width and height.

use data_encoding::BASE64;

/// Bytes that are looked through for the size of a JPEG: previews and profiles may precede it.
const FAR_ENOUGH: usize = 256 * 1024;

pub(super) fn size(data: &str) -> Option<(u32, u32)> {
    let head = beginning(data, 30);
    match head.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => Some((big(head.get(16..20)?), big(head.get(20..24)?))),
        [b'G', b'I', b'F', b'8', ..] => Some((little(head.get(6..8)?), little(head.get(8..10)?))),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp(&head),
        [0xff, 0xd8, ..] => jpeg(beginning(data, FAR_ENOUGH).into_iter()),
        _ => None,
    }
}

/// One of three ways: lossy, lossless, extended.
fn webp(head: &[u8]) -> Option<(u32, u32)> {
    match head.get(12..16)? {
        b"VP8 " => Some((little(head.get(26..28)?) & 0x3fff, little(head.get(28..30)?) & 0x3fff)),
        b"VP8L" => {
            let bits = little(head.get(21..25)?);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((little(head.get(24..27)?) + 1, little(head.get(27..30)?) + 1)),
        _ => None,
    }
}

/// From segment to segment until one starts a frame.
fn jpeg(mut bytes: impl Iterator<Item = u8>) -> Option<(u32, u32)> {
    bytes.nth(1)?;
    loop {
        let mut marker = bytes.next()?;
        while marker == 0xff {
            marker = bytes.next()?;
        }
        let length = usize::from(u16::from_be_bytes([bytes.next()?, bytes.next()?]));
        // Three of the sixteen are tables, not frames.
        if (0xc0..=0xcf).contains(&marker) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let frame: Vec<u8> = bytes.take(5).collect();
            return Some((big(frame.get(3..5)?), big(frame.get(1..3)?)));
        }
        match length.checked_sub(3) {
            Some(rest) => bytes.nth(rest)?,
            None if length == 2 => continue,
            None => return None,
        };
    }
}

fn big(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn little(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The first bytes of an image, up to a byte that is no base64.
fn beginning(data: &str, most: usize) -> Vec<u8> {
    let length = data.len().min(most / 3 * 4) / 4 * 4;
    let digits = data.as_bytes().get(..length).unwrap_or_default();
    let mut bytes = vec![0; length / 4 * 3];
    let written = BASE64.decode_mut(digits, &mut bytes).unwrap_or_else(|partial| partial.written);
    bytes.truncate(written);
    bytes
}

#[cfg(test)]
mod tests;
