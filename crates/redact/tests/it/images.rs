//! Images without what was written into them.

use data_encoding::BASE64;
use steno_redact::image::{stripped, stripped_in_base64};

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
        let found = stripped(&written).unwrap();
        assert_eq!(found.image, plain, "{}", written.escape_ascii());
        assert!(found.metadata.windows(SECRET.len()).any(|window| window == SECRET));
        assert_eq!(stripped(&plain), None, "{}", plain.escape_ascii());
    }
}

#[test]
fn an_image_in_base64_is_stripped_in_base64() {
    for (plain, written) in images() {
        let (image, metadata) = stripped_in_base64(&BASE64.encode(&written)).unwrap();
        assert_eq!(image, BASE64.encode(&plain));
        assert!(metadata.contains("the words nobody sees"));
    }
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
