//! The bytes of a transcript, as they go by → the slugs of its plans.
//!
//! A restore copies bytes and understands none of them; this finds the slugs without a second reading. A slug has
//! quotes around it that cannot occur inside a JSON string, so each match is a field of some object.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use memchr::memmem::Finder;

const MARK: &[u8] = b"\"slug\":\"";
/// Slugs are a few words.
const LONGEST: usize = 200;

#[derive(Debug)]
pub struct Slugs {
    mark: Finder<'static>,
    /// The end of what went by, where a slug may have begun.
    tail: Vec<u8>,
    found: BTreeSet<String>,
}

impl Default for Slugs {
    fn default() -> Self {
        Self { mark: Finder::new(MARK), tail: Vec::new(), found: BTreeSet::new() }
    }
}

impl Slugs {
    pub fn found(self) -> BTreeSet<String> {
        self.found
    }

    pub fn observe(&mut self, bytes: &[u8]) {
        let mut seam = std::mem::take(&mut self.tail);
        if !seam.is_empty() {
            seam.extend_from_slice(
                bytes.get(..bytes.len().min(MARK.len() + LONGEST + 1)).unwrap_or_default(),
            );
            self.search(&seam);
        }
        self.search(bytes);
        // A short piece goes on where the last one ended.
        let ending = if bytes.len() < MARK.len() + LONGEST { seam.as_slice() } else { bytes };
        let ending = if ending.is_empty() { bytes } else { ending };
        let start = ending.len().saturating_sub(MARK.len() + LONGEST);
        self.tail = ending.get(start..).unwrap_or_default().to_vec();
    }

    fn search(&mut self, bytes: &[u8]) {
        let mut last: &[u8] = b"";
        for at in self.mark.find_iter(bytes) {
            let rest = bytes.get(at + MARK.len()..).unwrap_or_default();
            let rest = rest.get(..rest.len().min(LONGEST + 1)).unwrap_or_default();
            let Some(end) = memchr::memchr(b'"', rest) else { continue };
            let slug = rest.get(..end).unwrap_or_default();
            // Each record of a session repeats it.
            if slug != last {
                last = slug;
                self.found.extend(
                    std::str::from_utf8(slug).ok().filter(|slug| !slug.is_empty()).map(str::to_owned),
                );
            }
        }
    }

    pub fn reading<R: Read>(&mut self, source: R) -> Watched<'_, R> {
        Watched { inner: source, slugs: self }
    }

    pub fn writing<W: Write>(&mut self, target: W) -> Watched<'_, W> {
        Watched { inner: target, slugs: self }
    }
}

/// A source or a target whose bytes are looked at.
#[derive(Debug)]
pub struct Watched<'a, T> {
    inner: T,
    slugs: &'a mut Slugs,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.slugs.observe(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.slugs.observe(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pieces: &[&[u8]]) -> Vec<String> {
        let mut slugs = Slugs::default();
        pieces.iter().for_each(|piece| slugs.observe(piece));
        slugs.found().into_iter().collect()
    }

    #[test]
    fn slugs_are_found_wherever_a_piece_ends() {
        let filling = "x".repeat(700);
        let text = format!(
            r#"{{"a":1,"slug":"calm-tea"}}{filling}{{"slug":"loud-tea","b":"\"slug\":\"no\""}}{{"slug":""}}{{"slug":"#
        );
        let bytes = text.as_bytes();
        for step in [1, 2, 3, 7, 8, 64, 200, 207, 208, 209, 500, bytes.len()] {
            let pieces: Vec<&[u8]> = bytes.chunks(step).collect();
            assert_eq!(found(&pieces), ["calm-tea", "loud-tea"], "in steps of {step}");
        }
    }
}
