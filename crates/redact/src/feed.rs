//! Pieces of a stream → the places of secrets in it, by line and offset, in bounded memory.
//!
//! Apart from the scanner because lines can have megabytes and files gigabytes: what is held is a block and what a
//! secret at its end may need, whatever the lines and pieces are.

use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use crate::hit::BEFORE;
use crate::scanner::{BLOCK, REACH, Scanner};

/// Where in a stream something was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub kind: &'static str,
    /// The first line is 1.
    pub line: u64,
    /// Offsets from the beginning of the stream.
    pub range: Range<u64>,
}

/// Takes a stream piece by piece. What it was fed is found at the latest at [`finish`](Feed::finish).
pub struct Feed<'a> {
    scanner: &'a Scanner,
    /// What was not yet looked through, and the few bytes before it.
    held: Vec<u8>,
    /// The offset of the first held byte.
    base: u64,
    /// The first held byte that was not yet looked through.
    next: usize,
    /// The line of the held byte up to which newlines are counted.
    line: u64,
    counted: usize,
}

impl<'a> Feed<'a> {
    pub fn new(scanner: &'a Scanner) -> Self {
        Self { scanner, held: Vec::new(), base: 0, next: 0, line: 1, counted: 0 }
    }

    pub fn push(&mut self, piece: &[u8], mut found: impl FnMut(Place)) {
        for part in piece.chunks(BLOCK) {
            self.held.extend_from_slice(part);
            let settled = self.held.len().saturating_sub(REACH);
            if settled >= self.next + BLOCK {
                self.look_until(settled, &mut found);
                self.forget();
            }
        }
    }

    /// The stream ends here; returns how long it was.
    pub fn finish(mut self, mut found: impl FnMut(Place)) -> u64 {
        self.look_until(self.held.len(), &mut found);
        self.base + self.held.len() as u64
    }

    fn look_until(&mut self, end: usize, found: &mut impl FnMut(Place)) {
        let (held, base) = (&self.held, self.base);
        let (line, counted) = (&mut self.line, &mut self.counted);
        self.next = self.scanner.sweep(held, self.next..end, |finding| {
            *line += newlines(held, *counted..finding.range.start);
            *counted = finding.range.start;
            let range = base + finding.range.start as u64..base + finding.range.end as u64;
            found(Place { kind: finding.kind, line: *line, range });
        });
    }

    fn forget(&mut self) {
        let past = self.next.saturating_sub(BEFORE);
        if self.counted < past {
            self.line += newlines(&self.held, self.counted..past);
            self.counted = past;
        }
        self.held.drain(..past);
        self.base += past as u64;
        self.next -= past;
        self.counted -= past;
    }
}

/// Says where it is, and nothing of what it holds.
impl fmt::Debug for Feed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Feed")
            .field("offset", &self.base)
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

impl Scanner {
    /// Reads to the end; returns how many bytes that were.
    pub fn scan_reader(&self, mut reader: impl Read, mut found: impl FnMut(Place)) -> io::Result<u64> {
        let mut feed = Feed::new(self);
        let mut block = vec![0; BLOCK];
        loop {
            match reader.read(&mut block) {
                Ok(0) => return Ok(feed.finish(found)),
                Ok(length) => feed.push(block.get(..length).unwrap_or_default(), &mut found),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

fn newlines(bytes: &[u8], range: Range<usize>) -> u64 {
    memchr::memchr_iter(b'\n', bytes.get(range).unwrap_or_default()).count() as u64
}
