//! Bytes → the lines that a prefilter lets through.
//!
//! Each line is looked at where it begins. What is searched for is searched in whole chunks: most lines are short, and to
//! begin a search costs as much as to search one of them.

use std::io::{self, Read};

use super::{Extent, Line, LineReader};
use crate::prefilter::{Prefilter, looks_compact};

/// A prefilter, and what it has found ahead.
#[derive(Debug)]
pub(crate) struct Sieve<'p> {
    filter: &'p Prefilter,
    /// Where in the file its next find is. Where there is none, none is before `searched`.
    find: Option<u64>,
    searched: u64,
    /// How far the file was read, and where the last whole line ended then.
    read: u64,
    whole: u64,
}

impl<'p> Sieve<'p> {
    pub(crate) fn new(filter: &'p Prefilter) -> Self {
        Self { filter, find: None, searched: 0, read: 0, whole: 0 }
    }

    /// Whether it has to search before it can tell about what lies between two places.
    fn is_behind(&self, from: u64, to: u64) -> bool {
        self.find.map_or(self.searched < to, |find| find < from)
    }

    fn search(&mut self, from: u64, lines: &[u8]) {
        self.find = self.filter.find(lines).map(|found| from + found as u64);
        self.searched = from + lines.len() as u64;
    }
}

impl<R: Read> LineReader<R> {
    /// The next line that is let through.
    pub(crate) fn next_of(&mut self, sieve: &mut Sieve<'_>) -> io::Result<Option<Line<'_>>> {
        while let Some(end) = self.find_end()? {
            if self.is_let_through(end, sieve) {
                return Ok(Some(self.pass(end)));
            }
            self.pass(end);
        }
        Ok(None)
    }

    /// Of the line up to there.
    fn is_let_through(&self, end: usize, sieve: &mut Sieve<'_>) -> bool {
        let line = self.buffer.get(self.start..end).unwrap_or_default();
        if self.extent(end) != Extent::Whole || !looks_compact(line) {
            return true;
        }
        let next = self.offset + line.len() as u64;
        if sieve.is_behind(self.offset, next) {
            // What is found may be cut where a line is not read to its end.
            let whole = self.whole_lines_of(sieve).max(end);
            sieve.search(self.offset, self.buffer.get(self.start..whole).unwrap_or_default());
        }
        sieve.find.is_some_and(|find| find < next)
    }

    /// Looked for once in each chunk.
    fn whole_lines_of(&self, sieve: &mut Sieve<'_>) -> usize {
        let read = self.offset + (self.end - self.start) as u64;
        if sieve.read != read {
            sieve.read = read;
            sieve.whole = self.offset + (self.whole_lines() - self.start) as u64;
        }
        self.start + usize::try_from(sieve.whole.saturating_sub(self.offset)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::tests::Dripping;

    const LINES: [&str; 9] = [
        r#"{"type":"user","uuid":"a"}"#,
        r#"{"type":"assistant","uuid":"b"}"#,
        r#"{"type":"assistant","of":"assistant"}"#,
        r#"{"type": "user"}"#,
        "",
        r#"{"parentUuid":null,"type":"progress","text":"\"assistant\""}"#,
        r#"{"parentUuid": null}"#,
        r#"{"parentUuid":null,"type":"system"}"#,
        r#"{"parentUuid":null,"type":"assistant"}"#,
    ];

    fn let_through(mut reader: LineReader<impl Read>) -> Vec<(u64, u64, String)> {
        let filter = Prefilter::for_types(&["assistant", "unheard-of"]);
        let mut sieve = Sieve::new(&filter);
        let mut found = Vec::new();
        while let Some(line) = reader.next_of(&mut sieve).unwrap() {
            found.push((line.number, line.offset, String::from_utf8(line.bytes.to_vec()).unwrap()));
        }
        found
    }

    #[test]
    fn lines_are_let_through_with_their_places_whatever_the_size_of_the_reads() {
        for ending in ["", "\n", "\n\n"] {
            let text = LINES.join("\n") + ending;
            let found = let_through(LineReader::new(text.as_bytes()));
            let numbers: Vec<u64> = found.iter().map(|(number, ..)| *number).collect();
            let blank: &[u64] = if ending == "\n\n" { &[10] } else { &[] };
            assert_eq!(numbers, [&[2, 3, 4, 5, 7, 9], blank].concat());
            for (_, offset, line) in &found {
                assert!(text[usize::try_from(*offset).unwrap()..].starts_with(line));
            }
            for size in 1..100 {
                assert_eq!(let_through(LineReader::new(Dripping(text.as_bytes(), size))), found, "{size}");
            }
        }
    }

    #[test]
    fn whoever_reads_on_finds_what_follows() {
        let text = LINES.join("\n");
        let found = let_through(LineReader::from_place(text.as_bytes(), 1000, 7));
        assert_eq!(found.first().map(|(number, offset, _)| (*number, *offset)), Some((9, 1027)));
    }
}
