//! Bytes → the few lines in which a search finds something.
//!
//! Whole chunks are searched, and only a line with a hit is cut out: cutting every line first costs more than searching
//! all of them.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

use super::{Extent, Line, LineReader};

/// A line that is too long is searched in parts that overlap by this much on both sides of a hit, so that a hit across
/// the border of two parts is found in the second.
const OVERLAP: usize = 4 * 1024;

/// A hit inside a line that is too long.
struct Part {
    /// How many bytes of the buffer precede the part.
    before: usize,
    /// Where the part ends in the buffer, counted from `start`.
    length: usize,
    /// Whether its line ends there, too.
    is_last: bool,
}

impl<R: Read> LineReader<R> {
    /// The next line with a hit. `find` gets several lines at once and gives the place of its first hit, which must not
    /// span lines. Of a line that is too long, the part around the hit; more of it may follow, see
    /// [`LineReader::leave_line`].
    pub fn next_with(
        &mut self,
        mut find: impl FnMut(&[u8]) -> Option<usize>,
    ) -> io::Result<Option<Line<'_>>> {
        loop {
            if self.is_inside {
                if let Some(part) = self.find_in_rest(&mut find)? {
                    return Ok(Some(self.pass_part(part)));
                }
                continue;
            }
            let whole = self.whole_lines();
            let searched = self.buffer.get(self.start..whole).unwrap_or_default();
            if let Some(at) = find(searched) {
                let start = memrchr(b'\n', searched.get(..at).unwrap_or_default()).map_or(0, |end| end + 1);
                self.skip(start);
                return self.next_line();
            }
            self.skip(whole - self.start);
            if self.has_enough() {
                self.number += 1;
                self.is_inside = true;
            } else if !self.fill()? {
                return self.last_line(find);
            }
        }
    }

    /// The next part with a hit, inside a line that is too long; none once the line ends.
    fn find_in_rest(&mut self, find: &mut impl FnMut(&[u8]) -> Option<usize>) -> io::Result<Option<Part>> {
        let mut is_at_end = false;
        loop {
            let read = self.buffer.get(self.start..self.end).unwrap_or_default();
            let line_end = memchr(b'\n', read).map(|newline| newline + 1);
            let length = line_end.unwrap_or(read.len());
            let is_last = line_end.is_some() || is_at_end;
            let found = find(read.get(..length).unwrap_or_default());
            if let Some(at) = found.filter(|at| is_last || at + OVERLAP < length) {
                return Ok(Some(Part { before: at.saturating_sub(OVERLAP), length, is_last }));
            }
            if is_last {
                self.advance(length);
                self.is_inside = false;
                return Ok(None);
            }
            self.advance(found.unwrap_or(length).saturating_sub(OVERLAP));
            is_at_end = !self.fill()?;
        }
    }

    /// Hands out a part. Its end is searched again with the bytes that follow.
    fn pass_part(&mut self, Part { before, length, is_last }: Part) -> Line<'_> {
        self.is_inside = !is_last;
        self.advance(before);
        let (start, offset) = (self.start, self.offset);
        let passed = length - before;
        self.advance(if is_last { passed } else { passed.saturating_sub(OVERLAP) });
        let bytes = self.buffer.get(start..start + passed).unwrap_or_default();
        Line { number: self.number, offset, bytes, extent: Extent::Rest }
    }

    /// Skips bytes within a line.
    fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// Where the last whole line in the buffer ends.
    fn whole_lines(&self) -> usize {
        let read = self.buffer.get(self.start..self.end).unwrap_or_default();
        memrchr(b'\n', read).map_or(self.start, |end| self.start + end + 1)
    }

    /// Skips whole lines of so many bytes.
    fn skip(&mut self, bytes: usize) {
        let skipped = self.buffer.get(self.start..self.start + bytes).unwrap_or_default();
        self.number += memchr_iter(b'\n', skipped).count() as u64;
        self.offset += bytes as u64;
        self.start += bytes;
    }

    /// The bytes after the last newline of the file, if they have a hit.
    fn last_line(&mut self, mut find: impl FnMut(&[u8]) -> Option<usize>) -> io::Result<Option<Line<'_>>> {
        let rest = self.buffer.get(self.start..self.end).unwrap_or_default();
        if find(rest).is_some() { self.next_line() } else { Ok(None) }
    }
}

#[cfg(test)]
mod tests {
    use memchr::memmem;

    use super::*;
    use crate::line::tests::Dripping;

    fn lines_with(mut reader: LineReader<impl Read>, needle: &str) -> Vec<(u64, u64, String)> {
        let mut found = Vec::new();
        while let Some(line) = reader.next_with(|bytes| memmem::find(bytes, needle.as_bytes())).unwrap() {
            found.push((line.number, line.offset, String::from_utf8(line.bytes.to_vec()).unwrap()));
        }
        found
    }

    #[test]
    fn lines_are_found_with_their_places_whatever_the_size_of_the_reads() {
        let text = "one\n\ntwo two\r\nthree\nat the end: two".as_bytes();
        let expected = [(3, 5, "two two\r\n".to_owned()), (5, 20, "at the end: two".to_owned())];
        for size in 1..40 {
            assert_eq!(
                lines_with(LineReader::new(Dripping(text, size)), "two"),
                expected,
                "{size} at a time"
            );
        }
        assert_eq!(lines_with(LineReader::from_place(text, 7, 3), "one"), [(4, 7, "one\n".to_owned())]);
        assert!(lines_with(LineReader::new(text), "four").is_empty());
        assert!(lines_with(LineReader::new(&b""[..]), "four").is_empty());
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_found_whole() {
        let text = format!("{}needle{}\nshort\n", "x".repeat(700_000), "y".repeat(700_000));
        let found = lines_with(LineReader::new(text.as_bytes()), "needle");
        assert_eq!(found.iter().map(|line| line.2.len()).collect::<Vec<_>>(), [1_400_007]);
    }

    #[test]
    fn a_line_that_is_too_long_is_searched_in_parts() {
        let limit = 20_000;
        let around = "x".repeat(OVERLAP - 3);
        for before in [0, limit - 6, limit - 3, limit + 1, 5 * limit] {
            let text = format!("one\n{}needle{around}\nneedle\n", "x".repeat(before));
            for size in [1, 7, 1000, 100_000] {
                let mut reader = LineReader::new(Dripping(text.as_bytes(), size)).limited_to(limit);
                reader.step_by(64);
                let is_long = before + 6 + OVERLAP > limit;
                let find = |bytes: &[u8]| memmem::find(bytes, b"needle");
                let first = reader.next_with(find).unwrap().unwrap();
                assert_eq!((first.number, first.is_part()), (2, is_long), "{before}, {size} at a time");
                let start = usize::try_from(first.offset).unwrap();
                assert_eq!(text.as_bytes().get(start..start + first.bytes.len()), Some(first.bytes));
                assert!(memmem::find(first.bytes, b"needle").is_some());
                reader.leave_line().unwrap();
                let second = reader.next_with(find).unwrap().unwrap();
                assert_eq!((second.number, second.bytes), (3, &b"needle\n"[..]));
                assert!(reader.next_with(find).unwrap().is_none());
            }
        }
    }

    #[test]
    fn every_part_that_has_it_is_found_and_then_what_follows() {
        let each = "needle".to_owned() + &"x".repeat(3 * OVERLAP);
        for ending in ["", "\n", "\nneedle"] {
            let text = each.repeat(5) + ending;
            let found = lines_with(LineReader::new(Dripping(text.as_bytes(), 999)).limited_to(100), "needle");
            let count: usize = found.iter().map(|(.., part)| part.matches("needle").count()).sum();
            assert!(count >= 5 + usize::from(ending.len() > 1), "{ending:?}");
            assert!(found.iter().all(|(number, offset, _)| *number == 1 || *offset > 5 * each.len() as u64));
            assert!(lines_with(LineReader::new(text.as_bytes()).limited_to(100), "nothing").is_empty());
        }
    }
}
