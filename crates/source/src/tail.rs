//! A file and what was known of it → what happened to it since: nothing, growth, or a rewrite.
//!
//! Transcripts are appended to, so a reader goes on where it stopped. Not always: clients rewrite files and other
//! tools restore them. What was read before is recognised by its first and last bytes. A rewrite that keeps both
//! and the length goes unseen here, as does one within the same tick of the file system's clock; who needs
//! certainty compares all bytes.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::layout::modified_of;

const WINDOW: u64 = 4 << 10;

/// What was known of a file when its first `len` bytes had been read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    pub len: u64,
    /// Nanoseconds since the epoch: files may be older than it, which no serialised `SystemTime` can be.
    pub modified: i64,
    pub inode: Option<u64>,
    /// Of the first 4 KiB before `len`, or less.
    pub head_hash: u64,
    /// Of the last 4 KiB before `len`, or less.
    pub tail_hash: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Unchanged,
    /// The bytes before `from` are those known; read on up to `to`.
    Grown {
        from: u64,
        to: u64,
    },
    /// What was read is not what stands there now: start again.
    Rewritten,
    /// Shorter than what was read: start again.
    Truncated,
    Missing,
}

impl Checkpoint {
    /// `len` is how far the file was read, which may be less than it has by now. If it has become shorter, the next
    /// [`observe`] says so.
    pub fn take(path: &Path, len: u64) -> Result<Self, Error> {
        let metadata = metadata_of(path)?.ok_or_else(|| Error::MissingFile { path: path.to_owned() })?;
        let (head_hash, tail_hash) = hashes(path, len).map_err(|error| Error::file(path, error))?;
        let modified = nanoseconds(modified_of(&metadata));
        Ok(Self { len, modified, inode: inode_of(&metadata), head_hash, tail_hash })
    }
}

/// Costs a stat when nothing changed. Without a checkpoint the whole file is new.
pub fn observe(path: &Path, known: Option<&Checkpoint>) -> Result<Change, Error> {
    let Some(metadata) = metadata_of(path)? else {
        return Ok(Change::Missing);
    };
    let to = metadata.len();
    let Some(known) = known else {
        return Ok(Change::Grown { from: 0, to });
    };
    let touched = known.modified != nanoseconds(modified_of(&metadata)) || known.inode != inode_of(&metadata);
    if to == known.len && !touched {
        return Ok(Change::Unchanged);
    }
    if to < known.len {
        return Ok(Change::Truncated);
    }
    match hashes(path, known.len) {
        Ok(hashes) if hashes != (known.head_hash, known.tail_hash) => Ok(Change::Rewritten),
        Ok(_) if to == known.len => Ok(Change::Unchanged),
        Ok(_) => Ok(Change::Grown { from: known.len, to }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Change::Missing),
        Err(error) => Err(Error::file(path, error)),
    }
}

/// `None` when there is no file; a pipe in its place would block whoever opens it.
fn metadata_of(path: &Path) -> Result<Option<fs::Metadata>, Error> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
        Ok(_) => Err(Error::NotAFile { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(path, error)),
    }
}

fn hashes(path: &Path, len: u64) -> io::Result<(u64, u64)> {
    let mut file = File::open(path)?;
    let window = len.min(WINDOW);
    let mut bytes = Vec::new();
    file.by_ref().take(window).read_to_end(&mut bytes)?;
    let head = fnv1a(&bytes);
    bytes.clear();
    file.seek(SeekFrom::Start(len - window))?;
    file.take(window).read_to_end(&mut bytes)?;
    Ok((head, fnv1a(&bytes)))
}

/// Checkpoints outlive processes and releases; the standard library's hashers promise neither.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn nanoseconds(time: SystemTime) -> i64 {
    let signed = |duration: Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => signed(after),
        Err(before) => -signed(before.duration()),
    }
}

#[cfg(unix)]
fn inode_of(metadata: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

#[cfg(not(unix))]
fn inode_of(_: &fs::Metadata) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests;
