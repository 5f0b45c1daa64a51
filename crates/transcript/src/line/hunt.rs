//! Bytes → the few lines in which something is found, without a look at the others.
//!
//! Whole chunks are searched, and only what is found is put between the borders of its line: to cut every line first
//! costs more than to search it.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

use super::{Line, LineReader};

impl<R: Read> LineReader<R> {
    /// The next line in which `find` finds something; it is given several lines at once, and says where. What it finds
    /// lies within one line.
    pub fn next_with(
        &mut self,
        mut find: impl FnMut(&[u8]) -> Option<usize>,
    ) -> io::Result<Option<Line<'_>>> {
        loop {
            let whole = self.whole_lines();
            let searched = self.buffer.get(self.start..whole).unwrap_or_default();
            if let Some(at) = find(searched) {
                let start = memrchr(b'\n', searched.get(..at).unwrap_or_default()).map_or(0, |end| end + 1);
                self.skip(start);
                return self.next_line();
            }
            self.skip(whole - self.start);
            if !self.fill()? {
                return self.last_line(find);
            }
        }
    }

    /// Where the last line that was read to its end does so.
    pub(super) fn whole_lines(&self) -> usize {
        let read = self.buffer.get(self.start..self.end).unwrap_or_default();
        memrchr(b'\n', read).map_or(self.start, |end| self.start + end + 1)
    }

    /// Passes over so many bytes of whole lines.
    fn skip(&mut self, bytes: usize) {
        let skipped = self.buffer.get(self.start..self.start + bytes).unwrap_or_default();
        self.number += memchr_iter(b'\n', skipped).count() as u64;
        self.offset += bytes as u64;
        self.start += bytes;
    }

    /// What stands behind the last newline, if it is what is looked for.
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
}
