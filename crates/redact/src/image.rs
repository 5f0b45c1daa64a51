//! An image → the same picture without what was written into it besides: comments, places, programs, whole texts.
//!
//! The picture does not show them, but the file carries them. What is not known to belong to the picture goes.

use data_encoding::BASE64;

use crate::text::decoded;

mod gif;
mod jpeg;
mod png;
mod webp;

/// What is left, and what was taken out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stripped {
    pub image: Vec<u8>,
    pub metadata: Vec<u8>,
}

/// Nothing where it is no image of a known kind, is broken, or has nothing written into it.
pub fn stripped(bytes: &[u8]) -> Option<Stripped> {
    let stripped = match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => png::stripped(bytes),
        [0xFF, 0xD8, 0xFF, ..] => jpeg::stripped(bytes),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => gif::stripped(bytes),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp::stripped(bytes),
        _ => None,
    };
    stripped.filter(|stripped| !stripped.metadata.is_empty())
}

impl Stripped {
    fn keep(&mut self, part: &[u8]) {
        self.image.extend_from_slice(part);
    }

    fn take(&mut self, part: &[u8]) {
        self.metadata.extend_from_slice(part);
        self.metadata.push(b'\n');
    }

    fn sort(&mut self, part: &[u8], is_picture: bool) {
        if is_picture { self.keep(part) } else { self.take(part) }
    }

    /// The bytes behind the end of the picture.
    fn end(mut self, rest: &[u8]) -> Self {
        if !rest.is_empty() {
            self.take(rest);
        }
        self
    }
}

/// The same for an image in base64: the picture, and what was taken out as far as it is text.
pub fn stripped_in_base64(text: &str) -> Option<(String, String)> {
    let stripped = stripped(&decoded(text.as_bytes())?)?;
    Some((BASE64.encode(&stripped.image), String::from_utf8_lossy(&stripped.metadata).into_owned()))
}

fn number(bytes: &[u8], at: usize, is_little: bool) -> Option<usize> {
    let bytes: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    let number = if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    usize::try_from(number).ok()
}
