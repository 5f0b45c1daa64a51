//! Bytes → lines, in one reused buffer.
//!
//! Chunks of 256 KiB are faster than a memory map here and survive a file that shrinks while it is read. The
//! buffer grows to the longest line and no further, so memory does not depend on the size of the file.

mod hunt;
mod sift;

use std::io::{self, Read};

use memchr::memchr;

pub(crate) use sift::Sieve;

const CHUNK: usize = 256 * 1024;

/// One line as it stands in the file, its terminator included.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Counted from 1.
    pub number: u64,
    /// Where the line starts in the file.
    pub offset: u64,
    pub bytes: &'a [u8],
}

impl Line<'_> {
    /// Whether the line ends in a newline; only the last one of a file may not.
    pub fn is_terminated(&self) -> bool {
        self.bytes.last() == Some(&b'\n')
    }
}

/// Hands out the lines of a source, one after the other.
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
    chunk: usize,
    /// As long as it ever had to be; what was read stands before `end`.
    buffer: Vec<u8>,
    /// Where the next line starts in the buffer.
    start: usize,
    end: usize,
    number: u64,
    offset: u64,
}

impl<R: Read> LineReader<R> {
    pub fn new(source: R) -> Self {
        Self::from_place(source, 0, 0)
    }

    /// Reads on: `source` stands at `offset`, after `lines` whole lines.
    pub fn from_place(source: R, offset: u64, lines: u64) -> Self {
        Self { source, chunk: CHUNK, buffer: Vec::new(), start: 0, end: 0, number: lines, offset }
    }

    /// With a buffer that another reader has left: to allocate one for each of many files costs more than to read a
    /// small one.
    #[must_use]
    pub fn reusing(mut self, buffer: Vec<u8>) -> Self {
        self.buffer = buffer;
        self
    }

    /// The buffer, for the next reader.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// How many lines were handed out, those included that it began after.
    pub fn lines(&self) -> u64 {
        self.number
    }

    /// In smaller steps, for somebody who only wants the beginning.
    pub fn step_by(&mut self, bytes: usize) {
        self.chunk = bytes;
    }

    /// The next line, or nothing at the end.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let end = self.find_end()?;
        Ok(end.map(|end| self.pass(end)))
    }

    /// The line up to there, which is passed over.
    fn pass(&mut self, end: usize) -> Line<'_> {
        let bytes = self.buffer.get(self.start..end).unwrap_or_default();
        let offset = self.offset;
        self.start = end;
        self.offset += bytes.len() as u64;
        self.number += 1;
        Line { number: self.number, offset, bytes }
    }

    /// The end of the line that starts at `start`, reading as much as that takes.
    fn find_end(&mut self) -> io::Result<Option<usize>> {
        let mut searched = self.start;
        loop {
            let unsearched = self.buffer.get(searched..self.end).unwrap_or_default();
            if let Some(newline) = memchr(b'\n', unsearched) {
                return Ok(Some(searched + newline + 1));
            }
            searched = self.end - self.start;
            if !self.fill()? {
                return Ok((self.end > 0).then_some(self.end));
            }
        }
    }

    /// Moves the unfinished line to the front and reads one more chunk; false at the end of the source.
    ///
    /// One read, not `read_to_end`: that one begins with 8 KiB and doubles, which is six reads for each chunk.
    fn fill(&mut self) -> io::Result<bool> {
        let unfinished = self.end - self.start;
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, unfinished);
        }
        // A long line grows the buffer by a quarter at a time, not by doubling: it may be most of the memory.
        let wanted = unfinished + self.chunk.max(unfinished / 4);
        if self.buffer.len() < wanted {
            self.buffer.reserve_exact(wanted - self.buffer.len());
            self.buffer.resize(wanted, 0);
        }
        let read = self.read(wanted)?;
        self.end += read;
        Ok(read > 0)
    }

    /// Reads once, up to that place in the buffer.
    fn read(&mut self, until: usize) -> io::Result<usize> {
        let room = self.buffer.get_mut(self.end..until).unwrap_or_default();
        loop {
            match self.source.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return outcome,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a source out a few bytes at a time.
    pub(super) struct Dripping<'a>(pub(super) &'a [u8], pub(super) usize);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn lines(source: impl Read) -> Vec<(u64, u64, Vec<u8>)> {
        let mut reader = LineReader::new(source);
        let mut found = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            found.push((line.number, line.offset, line.bytes.to_vec()));
        }
        found
    }

    #[test]
    fn lines_keep_their_terminators_and_know_their_place() {
        let found = lines(&b"one\r\n\ntwo"[..]);
        assert_eq!(found, [(1, 0, b"one\r\n".to_vec()), (2, 5, b"\n".to_vec()), (3, 6, b"two".to_vec())]);
    }

    #[test]
    fn the_size_of_the_reads_changes_nothing() {
        let text = b"a\nbb\n\nccc\r\nno newline at the end".as_slice();
        for size in 1..40 {
            assert_eq!(lines(Dripping(text, size)), lines(text), "{size} bytes at a time");
        }
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_one_line() {
        let mut text = vec![b'x'; 5 * CHUNK + 7];
        text.push(b'\n');
        text.extend(b"short\n");
        let found = lines(text.as_slice());
        assert_eq!(found.iter().map(|line| line.2.len()).collect::<Vec<_>>(), [5 * CHUNK + 8, 6]);
    }

    #[test]
    fn the_buffer_grows_with_the_longest_line_not_with_the_file() {
        let text = [vec![b'x'; 100_000], b"\n".to_vec()].concat().repeat(100);
        let mut reader = LineReader::new(text.as_slice());
        while reader.next_line().unwrap().is_some() {}
        assert!(reader.buffer.capacity() <= 3 * CHUNK, "{}", reader.buffer.capacity());
    }

    #[test]
    fn what_another_reader_left_in_the_buffer_is_not_read() {
        let mut first = LineReader::new(&b"a long line of another file\nand more"[..]);
        while first.next_line().unwrap().is_some() {}
        let mut second = LineReader::new(&b"short"[..]).reusing(first.into_buffer());
        assert_eq!(second.next_line().unwrap().map(|line| line.bytes), Some(&b"short"[..]));
        assert!(second.next_line().unwrap().is_none());
    }
}
