//! A text file of any size → stretches of it that fit into memory, each of whole lines where it has any.
//!
//! Where a stretch ends depends on nothing but the bytes from its beginning on, so that one can be read again alone.

use std::borrow::Cow;
use std::io::{self, Read};

use memchr::{memchr, memrchr};

/// The most bytes of a stretch: most files have one or two, and it is read in no time when it is shown.
const LONGEST: usize = 64 * 1024;
/// A zero so near to the beginning, and it is no text.
const SNIFFED: usize = 8 * 1024;

/// The stretches of a file.
#[derive(Debug)]
pub struct Pieces<R> {
    source: R,
    buffer: Vec<u8>,
    offset: u64,
    /// How many bytes of the buffer were given already.
    given: usize,
}

/// One of them.
#[derive(Debug)]
pub struct Piece<'p> {
    /// Of its first byte.
    pub offset: u64,
    /// Invalid UTF-8 is replaced.
    pub text: Cow<'p, str>,
}

impl<R: Read> Pieces<R> {
    /// From that byte of a file on, where a stretch begins.
    pub fn new(source: R, offset: u64) -> Self {
        Self { source, buffer: Vec::new(), offset, given: 0 }
    }

    /// Nothing at the end, and nothing at all of a file that is no text.
    pub fn next_piece(&mut self) -> io::Result<Option<Piece<'_>>> {
        self.buffer.drain(..self.given);
        self.offset += self.given as u64;
        let room = (LONGEST.saturating_sub(self.buffer.len())) as u64;
        self.source.by_ref().take(room).read_to_end(&mut self.buffer)?;
        let sniffed = self.buffer.get(..SNIFFED).unwrap_or(&self.buffer);
        if self.buffer.is_empty() || self.offset == 0 && memchr(0, sniffed).is_some() {
            (self.buffer, self.given) = (Vec::new(), 0);
            return Ok(None);
        }
        self.given = end(&self.buffer);
        let bytes = self.buffer.get(..self.given).unwrap_or(&self.buffer);
        Ok(Some(Piece { offset: self.offset, text: String::from_utf8_lossy(bytes) }))
    }
}

/// Where the first stretch of some bytes ends: behind a line, else behind a word, else behind a character.
fn end(bytes: &[u8]) -> usize {
    if bytes.len() < LONGEST {
        return bytes.len();
    }
    let behind = |byte: u8| memrchr(byte, bytes).map(|place| place + 1);
    let is_begun = |byte: &u8| byte & 0b1100_0000 != 0b1000_0000;
    let character = || bytes.iter().rposition(is_begun).filter(|place| *place > 0);
    behind(b'\n').or_else(|| behind(b' ')).or_else(character).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(bytes: &[u8]) -> Vec<(u64, String)> {
        let mut pieces = Pieces::new(bytes, 0);
        let mut all = Vec::new();
        while let Some(piece) = pieces.next_piece().unwrap() {
            all.push((piece.offset, piece.text.into_owned()));
        }
        all
    }

    #[test]
    fn stretches_are_the_file_and_can_be_read_alone() {
        let lines: String = (0..80_000).map(|number| format!("line {number}\n")).collect();
        for text in [lines, "word ".repeat(200_000), "é".repeat(300_000), "short".to_owned()] {
            let all = pieces(text.as_bytes());
            assert_eq!(all.iter().map(|(_, text)| text.as_str()).collect::<String>(), text);
            for (offset, expected) in &all {
                assert!(expected.len() <= LONGEST);
                let rest = text.as_bytes().get(usize::try_from(*offset).unwrap()..).unwrap();
                let mut alone = Pieces::new(rest, *offset);
                assert_eq!(alone.next_piece().unwrap().unwrap().text, expected.as_str());
            }
        }
    }

    #[test]
    fn lines_and_words_are_not_cut() {
        let all = pieces("one line\n".repeat(60_000).as_bytes());
        assert!(all.len() > 1 && all.iter().all(|(_, text)| text.ends_with("one line\n")));
        assert!(pieces("word ".repeat(100_000).as_bytes()).iter().all(|(_, text)| text.starts_with("word ")));
    }

    #[test]
    fn what_is_no_text_has_none_and_strange_bytes_are_replaced() {
        assert!(pieces(b"").is_empty() && pieces(b"\x7fELF\0\0 text").is_empty());
        assert_eq!(pieces(b"caf\xe9"), [(0, "caf\u{fffd}".to_owned())]);
    }
}
