//! Bytes → lines, in one reused buffer.
//!
//! Chunks of 256 KiB are faster than a memory map here and survive a file that shrinks while it is read. The buffer
//! grows to the longest line, up to a limit; a longer line comes in parts. So memory depends neither on the size of the
//! file nor on the length of its lines.

mod find;
mod limit;
mod values;

use std::io::{self, Read};

use memchr::memchr;

use limit::Limits;
pub use limit::{Gate, LONGEST_LINE};
pub(crate) use values::has_too_many_values;

const CHUNK: usize = 256 * 1024;

/// One line as the file has it, with its line end; or a part of one that is too long.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Counted from 1. The parts of a line share it.
    pub number: u64,
    /// Where the bytes start in the file.
    pub offset: u64,
    pub bytes: &'a [u8],
    pub extent: Extent,
}

impl<'a> Line<'a> {
    /// A line without its file. The first line of a file may start with a byte order mark.
    pub fn alone(bytes: &'a [u8], is_first: bool) -> Self {
        Self { number: 1, offset: u64::from(!is_first), bytes, extent: Extent::Whole }
    }

    /// Whether the line ends in a newline; only the last one of a file may not.
    pub fn is_terminated(&self) -> bool {
        self.bytes.last() == Some(&b'\n')
    }

    /// Whether it is a part of a line that is too long to be held whole.
    pub fn is_part(&self) -> bool {
        self.extent != Extent::Whole
    }
}

/// How much of its line a [`Line`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    #[default]
    Whole,
    /// The beginning of a line that is too long.
    Begin,
    /// More of such a line.
    Rest,
}

/// Gives the lines of a source, one after the other.
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
    chunk: usize,
    /// Bytes from `start` to `end` are read and not handed out yet.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Of the line that was handed out last.
    number: u64,
    /// Where `start` is in the file.
    offset: u64,
    limits: Limits,
    /// The next bytes belong to a line of which a part was handed out.
    is_inside: bool,
}

impl<R: Read> LineReader<R> {
    pub fn new(source: R) -> Self {
        Self::from_place(source, 0, 0)
    }

    /// Goes on in the middle of a file: `source` gives the bytes from `offset`, which `lines` whole lines precede.
    pub fn from_place(source: R, offset: u64, lines: u64) -> Self {
        let (limits, buffer) = (Limits::new(), Vec::new());
        Self {
            source,
            chunk: CHUNK,
            buffer,
            start: 0,
            end: 0,
            number: lines,
            offset,
            limits,
            is_inside: false,
        }
    }

    /// Waits at the gate before it holds a long line.
    #[must_use]
    pub fn guarded_by(mut self, gate: Gate) -> Self {
        self.limits.gate = Some(gate);
        self
    }

    /// With another limit than [`LONGEST_LINE`].
    #[must_use]
    pub fn limited_to(mut self, bytes: usize) -> Self {
        self.limits.longest = bytes;
        self
    }

    /// Uses the buffer of another reader: allocating a buffer for each of many small files costs more than reading them.
    #[must_use]
    pub fn reusing(mut self, buffer: Vec<u8>) -> Self {
        self.buffer = buffer;
        self
    }

    /// The buffer, for the next reader.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// The number of the last line that was handed out, counted from the beginning of the file.
    pub fn lines(&self) -> u64 {
        self.number
    }

    /// Reads in smaller steps, for a caller that only wants the beginning of the file.
    pub fn step_by(&mut self, bytes: usize) {
        self.chunk = bytes;
    }

    /// The next line, or the next part of one that is too long; nothing at the end.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let end = self.find_end()?;
        Ok(end.map(|end| self.pass(end)))
    }

    /// Skips the rest of a line of which a part was handed out.
    pub fn leave_line(&mut self) -> io::Result<()> {
        while self.is_inside && self.next_line()?.is_some() {}
        Ok(())
    }

    /// The line that ends at `end`, or a part of it; the next line starts there.
    fn pass(&mut self, end: usize) -> Line<'_> {
        let extent = self.extent(end);
        let bytes = self.buffer.get(self.start..end).unwrap_or_default();
        let offset = self.offset;
        self.start = end;
        self.offset += bytes.len() as u64;
        self.number += u64::from(extent != Extent::Rest);
        self.is_inside = extent != Extent::Whole && bytes.last() != Some(&b'\n');
        Line { number: self.number, offset, bytes, extent }
    }

    /// How much of its line the bytes up to `end` are.
    fn extent(&self, end: usize) -> Extent {
        if self.is_inside {
            Extent::Rest
        } else if end - self.start > self.limits.longest {
            Extent::Begin
        } else {
            Extent::Whole
        }
    }

    /// Reads until the line that starts at `start` ends, and gives that place. Of a line that is too long, the end of what
    /// was read.
    fn find_end(&mut self) -> io::Result<Option<usize>> {
        let mut searched = self.start;
        loop {
            let unsearched = self.buffer.get(searched..self.end).unwrap_or_default();
            if let Some(newline) = memchr(b'\n', unsearched) {
                return Ok(Some(searched + newline + 1));
            }
            if self.has_enough() {
                return Ok(Some(self.end));
            }
            searched = self.end - self.start;
            if !self.fill()? {
                return Ok((self.end > 0).then_some(self.end));
            }
        }
    }

    /// Whether a part of a line that is too long has to be handed out before more is read.
    fn has_enough(&self) -> bool {
        let unfinished = self.end - self.start;
        unfinished > if self.is_inside { 0 } else { self.limits.longest }
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
        let wanted = self.limits.wanted(unfinished, self.chunk);
        self.limits.fit(&mut self.buffer, wanted);
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

    #[test]
    fn a_line_that_is_too_long_comes_in_parts() {
        let text = format!("{}\n{}\n\n{}", "a".repeat(99), "b".repeat(100), "c".repeat(500));
        for size in [1, 7, 1000] {
            let mut reader = LineReader::new(Dripping(text.as_bytes(), size)).limited_to(100);
            let (mut read, mut seen) = (Vec::new(), Vec::new());
            while let Some(line) = reader.next_line().unwrap() {
                assert_eq!(line.offset, read.len() as u64);
                read.extend_from_slice(line.bytes);
                if line.extent != Extent::Rest {
                    seen.push((line.number, line.is_part()));
                }
            }
            assert_eq!((read.as_slice(), reader.lines()), (text.as_bytes(), 4), "{size} bytes at a time");
            assert_eq!(seen, [(1, false), (2, true), (3, false), (4, true)]);
        }
    }

    #[test]
    fn what_is_left_of_a_line_can_be_left_out() {
        let text = format!("{}\nshort\n", "x".repeat(9000));
        let mut reader = LineReader::new(Dripping(text.as_bytes(), 100)).limited_to(100);
        assert!(reader.next_line().unwrap().unwrap().is_part());
        reader.leave_line().unwrap();
        reader.leave_line().unwrap();
        assert_eq!(reader.next_line().unwrap().unwrap().bytes, b"short\n");
    }

    #[test]
    fn no_line_makes_the_buffer_larger_than_the_limit() {
        let limit = 10 * CHUNK;
        let mut reader = LineReader::new(io::repeat(0).take(100 * CHUNK as u64)).limited_to(limit);
        let mut bytes = 0;
        while let Some(line) = reader.next_line().unwrap() {
            bytes += line.bytes.len();
            assert!(reader.buffer.capacity() <= limit + CHUNK, "{}", reader.buffer.capacity());
        }
        assert_eq!((bytes, reader.lines()), (100 * CHUNK, 1));
    }
}
