//! A file → its fingerprint; a fingerprint and the file → unchanged, grown or rewritten.
//!
//! Clients append to transcripts, so a reader goes on where it stopped. But clients also rewrite files, people edit
//! them, and other tools restore them. A file has grown if it is the same file, and the bytes that were read before
//! still begin and end as they did. A file that was touched in any other way is read again. A change in the middle of
//! a file that then grows is not noticed here; a backup compares all bytes.

use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, SystemTime};

use foldhash::quality::FixedState;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::layout::modified_of;

/// How many bytes of the beginning and of the end are hashed.
const WINDOW: u64 = 1 << 10;

/// How a file was when it was opened to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFingerprint {
    /// The device and the inode, on systems that have them.
    identity: Option<(u64, u64)>,
    pub len: u64,
    /// In nanoseconds since the epoch; negative before it.
    modified: i64,
    /// Of the first KiB, or less.
    head: u64,
    /// Of the last KiB, or less.
    tail: u64,
}

/// A file that is about to be read.
#[derive(Debug)]
pub struct OpenFile {
    /// At its beginning.
    pub file: File,
    pub fingerprint: FileFingerprint,
    /// Whether its last line is complete.
    pub ends_line: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Unchanged,
    /// The first `from` bytes are those that were read.
    Grown {
        from: u64,
    },
    /// Another file, other bytes, fewer bytes or none: start again.
    Rewritten,
}

impl FileFingerprint {
    /// Opens a file to read it up to the length that it has now. Later changes show when it is compared.
    pub fn open(path: &Path) -> Result<OpenFile, Error> {
        let (mut file, metadata) = open_file(path)?;
        let ends = Ends::of(&mut file, metadata.len()).map_err(|error| Error::file(path, error))?;
        let fingerprint = Self {
            identity: identity_of(&metadata),
            len: metadata.len(),
            modified: nanoseconds(modified_of(&metadata)),
            head: ends.head,
            tail: ends.tail,
        };
        Ok(OpenFile { file, fingerprint, ends_line: ends.ends_line })
    }

    /// Whether length and time are the same: then the file need not be opened.
    pub fn looks_like(&self, len: u64, modified: SystemTime) -> bool {
        self.len == len && self.modified == nanoseconds(modified)
    }

    /// What happened to the file since. Costs one stat if nothing did.
    pub fn compare(&self, path: &Path) -> Change {
        let Ok(metadata) = fs::metadata(path) else { return Change::Rewritten };
        let is_same_file = metadata.is_file() && self.identity == identity_of(&metadata);
        if !is_same_file || metadata.len() < self.len {
            return Change::Rewritten;
        }
        if self.looks_like(metadata.len(), modified_of(&metadata)) {
            return Change::Unchanged;
        }
        let ends = File::open(path).and_then(|mut file| Ends::of(&mut file, self.len));
        match ends {
            Ok(ends) if metadata.len() > self.len && (ends.head, ends.tail) == (self.head, self.tail) => {
                Change::Grown { from: self.len }
            }
            _ => Change::Rewritten,
        }
    }
}

/// Opens a regular file. A pipe in its place would block the reader and is refused.
pub fn open_file(path: &Path) -> Result<(File, fs::Metadata), Error> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => metadata,
        Ok(_) => return Err(Error::NotAFile { path: path.to_owned() }),
        Err(error) => return Err(Error::file(path, error)),
    };
    Ok((File::open(path).map_err(|error| Error::file(path, error))?, metadata))
}

/// How the first `len` bytes of a file begin and end.
struct Ends {
    head: u64,
    tail: u64,
    ends_line: bool,
}

impl Ends {
    /// Leaves the file at its beginning.
    fn of(file: &mut File, len: u64) -> io::Result<Self> {
        let mut bytes = Vec::with_capacity(WINDOW as usize);
        file.by_ref().take(len.min(WINDOW)).read_to_end(&mut bytes)?;
        let head = FixedState::default().hash_one(bytes.as_slice());
        bytes.clear();
        let start = len.saturating_sub(WINDOW);
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(len - start).read_to_end(&mut bytes)?;
        file.rewind()?;
        let tail = FixedState::default().hash_one(bytes.as_slice());
        Ok(Self { head, tail, ends_line: bytes.last().is_none_or(|last| *last == b'\n') })
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    let signed = |duration: Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => signed(after),
        Err(before) => -signed(before.duration()),
    }
}

#[cfg(unix)]
fn identity_of(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity_of(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests;
