//! A stream that ends in an error once it gave more than it may: a small archive can unpack to terabytes.

use std::io::{self, Read};

#[derive(Debug)]
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
    /// How many bytes came out of it.
    pub(super) given: u64,
    pub(super) is_exceeded: bool,
}

impl<R: Read> Bounded<R> {
    pub(super) fn new(inner: R, limit: u64) -> Self {
        Self { inner, left: limit, given: 0, is_exceeded: false }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.given += count as u64;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => {
                self.is_exceeded = true;
                return Err(io::Error::from(io::ErrorKind::FileTooLarge));
            }
        }
        Ok(count)
    }
}
