//! The bytes of a file → the secrets in it, by line: the strings of records, and other text verbatim.
//!
//! Beside the lens because nothing is shown here: code that sends or packs a file asks whether it holds a secret, and
//! finds what `share` would mask. Memory is bounded, whatever the lines are.

use std::io::{self, BufRead, BufReader, Read};

use steno_redact::{Detector, Spot, image};
use steno_transcript::patch;

/// A longer line is read in pieces, as text.
const LONGEST_LINE: u64 = 16 << 20;
/// So much text is looked at once.
const BLOCK: usize = 256 << 10;
/// Bytes before a block, scanned again with it.
const CONTEXT: usize = 4 << 10;

/// Called with each secret's kind and line; the first line is 1.
type Found<'f> = &'f mut dyn FnMut(&'static str, u64);

/// Looks at everything behind the first `known` bytes, from the beginning of the line that they end in.
pub(crate) fn scan(reader: impl Read, known: u64, found: Found<'_>) -> io::Result<()> {
    let mut scan = Scan { detector: Detector::default(), text: Text::default(), known, found };
    let mut reader = BufReader::with_capacity(BLOCK, reader);
    let (mut line, mut offset, mut number) = (Vec::new(), 0, 1);
    loop {
        line.clear();
        let length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            break;
        }
        scan.piece(&Piece { bytes: &line, offset, number });
        offset += length;
        number += u64::from(line.ends_with(b"\n"));
    }
    scan.flush();
    Ok(())
}

/// A line, or a part of a very long one.
struct Piece<'a> {
    bytes: &'a [u8],
    offset: u64,
    number: u64,
}

/// Lines that are no records, side by side.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    offset: u64,
    number: u64,
}

struct Scan<'f> {
    detector: Detector,
    text: Text,
    known: u64,
    found: Found<'f>,
}

impl Scan<'_> {
    fn piece(&mut self, piece: &Piece<'_>) {
        let is_new = piece.offset + piece.bytes.len() as u64 > self.known;
        let trimmed = piece.bytes.trim_ascii();
        let may_be_record = trimmed.starts_with(b"{") && trimmed.ends_with(b"}");
        if may_be_record && (!is_new || self.record(piece)) {
            return;
        }
        self.take(piece);
        if !is_new {
            self.shorten();
        } else if self.text.bytes.len() >= BLOCK {
            self.look();
            self.shorten();
        }
    }

    /// Whether it is one; then its strings were looked at.
    fn record(&mut self, piece: &Piece<'_>) -> bool {
        let (detector, found) = (&mut self.detector, &mut *self.found);
        let mut is_record = false;
        let _ = patch::strings(piece.bytes, piece.number == 1, &mut |spot| {
            is_record = true;
            let written = spot.is_media.then(|| image::stripped_in_base64(spot.text).unwrap_or_default().1);
            let text = written.as_deref().unwrap_or(spot.text);
            let spot = Spot { text, key: spot.key, file: 0, line: piece.number };
            detector.find(&spot).iter().for_each(|finding| found(finding.kind, piece.number));
            Vec::new()
        });
        if is_record {
            self.flush();
        }
        is_record
    }

    fn take(&mut self, piece: &Piece<'_>) {
        if self.text.bytes.is_empty() {
            (self.text.offset, self.text.number) = (piece.offset, piece.number);
        }
        self.text.bytes.extend_from_slice(piece.bytes);
    }

    /// Reports secrets that end in the unseen part.
    fn look(&mut self) {
        let text = String::from_utf8_lossy(&self.text.bytes);
        let is_same = text.len() == self.text.bytes.len();
        let spot = Spot { text: &text, key: None, file: 0, line: self.text.number };
        let (mut at, mut number) = (0, self.text.number);
        for finding in self.detector.find(&spot) {
            number += newlines(text.as_bytes().get(at..finding.range.start).unwrap_or_default());
            at = finding.range.start;
            // Where bytes were no text, places are a little off: better told twice than not at all.
            if !is_same || self.text.offset + finding.range.end as u64 > self.known {
                (self.found)(finding.kind, number);
            }
        }
        self.known = self.known.max(self.text.offset + self.text.bytes.len() as u64);
    }

    fn flush(&mut self) {
        if self.text.offset + self.text.bytes.len() as u64 > self.known {
            self.look();
        }
        self.text.bytes.clear();
    }

    /// Forgets all but the last lines.
    fn shorten(&mut self) {
        let Some(over) = self.text.bytes.len().checked_sub(CONTEXT).filter(|over| *over > 0) else { return };
        let rest = self.text.bytes.get(over..).unwrap_or_default();
        let cut = over + rest.iter().position(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        self.text.number += newlines(self.text.bytes.get(..cut).unwrap_or_default());
        self.text.bytes.drain(..cut);
        self.text.offset += cut as u64;
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, known: u64) -> Vec<(&'static str, u64)> {
        let mut all = Vec::new();
        scan(text.as_bytes(), known, &mut |kind, line| all.push((kind, line))).unwrap();
        all
    }

    fn token(seed: u64) -> String {
        format!(
            "{}{}",
            ["gh", "p_"].concat(),
            steno_testkit::secrets::draw(steno_testkit::secrets::BASE62, 36, seed)
        )
    }

    #[test]
    fn records_and_text_are_looked_at_line_by_line() {
        let (one, two) = (token(1), token(2));
        let escaped = one.replace('_', r"\u005f");
        let text = format!(
            "{{\"type\":\"user\",\"text\":\"x {escaped}\"}}\nplain\nDB_PASSWORD=Winter-2026\n{{\"torn\":\"{two}"
        );
        assert_eq!(found(&text, 0), [("github-token", 1), ("password", 3), ("github-token", 4)]);
    }

    #[test]
    fn only_what_is_new_is_looked_at_and_a_line_is_looked_at_whole() {
        let (one, two) = (token(1), token(2));
        let first = format!("{{\"text\":\"{one}\"}}\n");
        let second = format!("{{\"text\":\"{two}\"}}\n");
        let text = format!("{first}{second}");
        assert_eq!(found(&text, first.len() as u64), [("github-token", 2)]);
        assert_eq!(found(&text, text.len() as u64), []);
        // The token was cut in two by the end of what was known.
        assert_eq!(found(&text, (first.len() + 20) as u64), [("github-token", 2)]);
    }

    #[test]
    fn what_lies_across_blocks_is_found_once() {
        let mut text = "so it goes\n".repeat(BLOCK / 11 - 1);
        text.push_str(&format!("the token is {}\n", token(3)));
        text.push_str(&"and on it goes\n".repeat(BLOCK / 5));
        assert_eq!(found(&text, 0).len(), 1);
        let long = format!("{}{}{}", "x ".repeat(BLOCK), token(4), " y".repeat(BLOCK));
        assert_eq!(found(&long, 0), [("github-token", 1)]);
    }
}
