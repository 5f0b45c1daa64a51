//! An image → the same picture without what was written into it besides: comments, places, programs, whole texts.
//!
//! Nobody sees it who looks at the picture, and everybody has it who gets the file. What is not known to belong to the
//! picture goes.

use crate::redactor::{decoded, encoded};

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

    /// What stands behind the end of the picture.
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
    Some((encoded(&stripped.image), String::from_utf8_lossy(&stripped.metadata).into_owned()))
}

fn number(bytes: &[u8], at: usize, is_little: bool) -> Option<usize> {
    let bytes: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    let number = if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    usize::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::stripped;

    const SECRET: &[u8] = b"Comment\0the words nobody sees";

    fn png_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        [&(data.len() as u32).to_be_bytes()[..], kind, data, b"crc!"].concat()
    }

    fn webp_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let padding: &[u8] = if data.len() % 2 == 1 { b"\0" } else { b"" };
        [kind, &(data.len() as u32).to_le_bytes()[..], data, padding].concat()
    }

    /// Each kind without and with what is written into it.
    fn images() -> Vec<(Vec<u8>, Vec<u8>)> {
        let png = |texts: &[Vec<u8>], rest: &[u8]| {
            let begin = [b"\x89PNG\r\n\x1a\n".to_vec(), png_chunk(b"IHDR", &[0; 13])].concat();
            let end = [png_chunk(b"IDAT", b"pixels"), png_chunk(b"IEND", b"")].concat();
            [begin, texts.concat(), end, rest.to_vec()].concat()
        };
        let segment = |marker: u8, data: &[u8]| {
            [&[0xFF, marker][..], &(data.len() as u16 + 2).to_be_bytes(), data].concat()
        };
        let jpeg = |texts: &[Vec<u8>]| {
            let begin = [vec![0xFF, 0xD8], segment(0xE0, b"JFIF\0")].concat();
            let end = [segment(0xDB, &[1; 65]), segment(0xDA, b"scan"), b"pixels\xFF\xD9".to_vec()].concat();
            [begin, texts.concat(), end].concat()
        };
        let gif = |texts: &[u8]| {
            let begin = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
            let end = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b".to_vec();
            [begin, texts.to_vec(), end].concat()
        };
        let webp = |texts: &[Vec<u8>], flags: u8| {
            let header = webp_chunk(b"VP8X", &[flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            let body = [b"WEBP".to_vec(), header, webp_chunk(b"VP8 ", b"pixels"), texts.concat()].concat();
            [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
        };
        let comment = [&[0x21, 0xFE, SECRET.len() as u8][..], SECRET, b"\0"].concat();
        vec![
            (png(&[], b""), png(&[png_chunk(b"tEXt", SECRET), png_chunk(b"eXIf", SECRET)], SECRET)),
            (jpeg(&[]), jpeg(&[segment(0xE1, SECRET), segment(0xFE, SECRET)])),
            (gif(b""), gif(&comment)),
            (webp(&[], 0), webp(&[webp_chunk(b"EXIF", SECRET), webp_chunk(b"XMP ", SECRET)], 0x0C)),
        ]
    }

    #[test]
    fn the_picture_is_left_and_nothing_else() {
        for (plain, written) in images() {
            let stripped = stripped(&written).unwrap();
            assert_eq!(stripped.image, plain, "{}", written.escape_ascii());
            assert!(stripped.metadata.windows(SECRET.len()).any(|window| window == SECRET));
            assert_eq!(super::stripped(&plain), None, "{}", plain.escape_ascii());
        }
    }

    #[test]
    fn an_image_in_base64_is_stripped_in_base64() {
        for (plain, written) in images() {
            let (image, metadata) = super::stripped_in_base64(&super::encoded(&written)).unwrap();
            assert_eq!(image, super::encoded(&plain));
            assert!(metadata.contains("the words nobody sees"));
        }
        assert_eq!(super::encoded(b"any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw==");
    }

    #[test]
    fn what_is_broken_is_left_alone() {
        for (_, written) in images() {
            for length in 0..written.len() {
                let _ = stripped(&written[..length]);
            }
        }
        assert_eq!(stripped(b"no image"), None);
    }
}
