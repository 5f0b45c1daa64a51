//! A number → a picture that a browser can decode, of about the size of a screenshot.

use std::io::Write;

use data_encoding::BASE64;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use steno_testkit::Rng;

const WIDTH: u32 = 800;
const HEIGHT: u32 = 500;

/// A PNG in base64, as transcripts carry it.
pub(crate) fn screenshot(seed: u64) -> String {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let size = [WIDTH.to_be_bytes(), HEIGHT.to_be_bytes()].concat();
    // Eight bits of grey, nothing special.
    chunk(&mut png, b"IHDR", &[size, vec![8, 0, 0, 0, 0]].concat());
    chunk(&mut png, b"IDAT", &compressed(&rows(seed)));
    chunk(&mut png, b"IEND", &[]);
    BASE64.encode(&png)
}

/// Each row begins with its filter, which is none. Some are noise, as text is; most are plain, as paper is.
fn rows(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut rows = Vec::new();
    for row in 0..HEIGHT {
        rows.push(0);
        let is_text = row % 20 < 12;
        rows.extend(
            (0..WIDTH).map(|_| if is_text && rng.chance(30) { rng.next() as u8 & 0xC0 } else { 0xF0 }),
        );
    }
    rows
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Nothing fails in memory.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(data);
    png.extend((data.len() as u32).to_be_bytes());
    png.extend(kind);
    png.extend(data);
    png.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_differ_and_are_as_large_as_screenshots() {
        let (one, other) = (screenshot(1), screenshot(2));
        assert!(one != other && one == screenshot(1));
        assert!(one.starts_with("iVBORw0KGgo") && one.len() > 30_000 && one.len() < 300_000, "{}", one.len());
    }
}
