//! A file that is read anyway → what it is recognised by later.
//!
//! To look at both ends of thousands of files takes as long as to read the small ones among them.

use std::fs::{self, File};
use std::io::{self, Read, Take};
use std::path::Path;

use super::{Checkpoint, Ends, WINDOW, hash, open_file};
use crate::error::Error;
use crate::layout::modified_of;

/// Sees a file while it is read, from its beginning up to where it ended when it was opened.
#[derive(Debug)]
pub struct Witness {
    metadata: fs::Metadata,
    head: Vec<u8>,
    tail: Vec<u8>,
    seen: u64,
    /// Nobody wrote to it meanwhile.
    is_still: bool,
}

impl Witness {
    /// Opens a file that is about to be read.
    pub fn open(path: &Path) -> Result<(File, Self), Error> {
        let (file, metadata) = open_file(path)?;
        Ok((file, Self { metadata, head: Vec::new(), tail: Vec::new(), seen: 0, is_still: false }))
    }

    /// How long the file was when it was opened.
    pub fn len(&self) -> u64 {
        self.metadata.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same bytes, seen.
    pub fn watch(&mut self, source: Take<File>) -> impl Read {
        Watched { source, witness: self }
    }

    /// What the file is recognised by, and whether it can be read on from there: its last line is whole, and what was
    /// read is of one time. Nothing where not all of it was read.
    pub fn checkpoint(&self) -> Option<(Checkpoint, bool)> {
        if self.seen != self.len() {
            return None;
        }
        let last = self.tail.last().copied();
        let ends = Ends { head: hash(&self.head), tail: hash(&self.tail), last };
        Some((Checkpoint::of(&self.metadata, self.len(), &ends), ends.ends_line() && self.is_still))
    }

    fn see(&mut self, bytes: &[u8]) {
        let room = WINDOW.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
        let new = bytes.get(bytes.len().saturating_sub(WINDOW)..).unwrap_or_default();
        let kept = WINDOW.saturating_sub(new.len());
        self.tail.drain(..self.tail.len().saturating_sub(kept));
        self.tail.extend_from_slice(new);
        self.seen += bytes.len() as u64;
    }
}

struct Watched<'w> {
    source: Take<File>,
    witness: &'w mut Witness,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.witness.see(buffer.get(..read).unwrap_or_default());
        if read == 0 {
            let now = self.source.get_ref().metadata()?;
            self.witness.is_still = modified_of(&now) == modified_of(&self.witness.metadata);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::tail::Opening;

    #[test]
    fn whoever_reads_all_of_it_knows_what_a_look_at_both_ends_tells() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("s.jsonl");
        for len in [0, 1, 7, 1023, 1024, 1025, 2047, 2048, 5000] {
            for end in [b'x', b'\n'] {
                let mut bytes: Vec<u8> = (0..len).map(|place: u64| (place % 251) as u8).collect();
                bytes.last_mut().into_iter().for_each(|last| *last = end);
                fs::write(&path, &bytes).unwrap();
                let Opening { checkpoint, ends_line, .. } = Checkpoint::before_reading(&path).unwrap();
                for step in [1, 3, 1000, 1024, 1500, 10_000] {
                    let (file, mut witness) = Witness::open(&path).unwrap();
                    let mut watched = witness.watch(file.take(len));
                    while watched.read(&mut vec![0; step]).unwrap() > 0 {}
                    drop(watched);
                    assert_eq!(
                        witness.checkpoint(),
                        Some((checkpoint.clone(), ends_line)),
                        "{len} by {step}"
                    );
                }
            }
        }
    }

    #[test]
    fn who_has_not_seen_all_of_it_says_nothing() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("s.jsonl");
        fs::write(&path, [b'x'; 3000]).unwrap();
        let (file, mut witness) = Witness::open(&path).unwrap();
        let mut watched = witness.watch(file.take(3000));
        assert_eq!(watched.read(&mut [0; 2999]).unwrap(), 2999);
        // It shrinks while it is read.
        fs::write(&path, "x").unwrap();
        assert_eq!(watched.read(&mut [0; 2999]).unwrap(), 0);
        drop(watched);
        assert_eq!(witness.checkpoint(), None);
    }

    #[test]
    fn what_was_written_to_meanwhile_is_not_read_on() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("s.jsonl");
        for is_touched in [false, true] {
            fs::write(&path, [b'\n'; 3000]).unwrap();
            let (file, mut witness) = Witness::open(&path).unwrap();
            let mut watched = witness.watch(file.take(3000));
            assert_eq!(watched.read(&mut [0; 2000]).unwrap(), 2000);
            if is_touched {
                let later = SystemTime::now() + Duration::from_secs(2);
                File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
            }
            while watched.read(&mut [0; 2000]).unwrap() > 0 {}
            drop(watched);
            assert_eq!(witness.checkpoint().map(|(_, can_go_on)| can_go_on), Some(!is_touched));
        }
    }
}
