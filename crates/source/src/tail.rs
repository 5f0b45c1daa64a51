//! A file and what was known of it → what happened to it since: nothing, growth, or a rewrite.
//!
//! Transcripts are appended to, so a reader goes on where it stopped. Not always: clients rewrite files, people edit them
//! and other tools restore them. Growth is believed where it is the same file, and what was read before begins and ends
//! as it did; anything else that was touched is read again. Bytes that are changed in place, in the middle of a file that
//! then grows, go unseen here; who needs certainty compares all bytes.

mod witness;

use std::fs::{self, File};
use std::io;
#[cfg(not(unix))]
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::layout::modified_of;

pub use witness::Witness;

const WINDOW: usize = 1 << 10;

/// What was known of a file when its first `len` bytes had been read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    pub len: u64,
    /// Nanoseconds since the epoch: files may be older than it, which no serialised `SystemTime` can be.
    pub modified: i64,
    pub inode: Option<u64>,
    /// Of the first KiB before `len`, or less.
    pub head_hash: u64,
    /// Of the last KiB before `len`, or less.
    pub tail_hash: u64,
}

/// A file that is about to be read.
#[derive(Debug)]
pub struct Opening {
    pub checkpoint: Checkpoint,
    /// Its last line is whole.
    pub ends_line: bool,
    /// At its beginning.
    pub file: File,
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
        let ends = File::open(path).and_then(|file| ends(&file, len));
        Ok(Self::of(&metadata, len, &ends.map_err(|error| Error::file(path, error))?))
    }

    /// Of a file that is about to be read, as long as it is now. Whatever happens to it meanwhile, the next [`observe`]
    /// sees it.
    pub fn before_reading(path: &Path) -> Result<Opening, Error> {
        let (file, metadata) = open_file(path)?;
        let ends = ends(&file, metadata.len()).map_err(|error| Error::file(path, error))?;
        let checkpoint = Self::of(&metadata, metadata.len(), &ends);
        Ok(Opening { checkpoint, ends_line: ends.ends_line(), file })
    }

    /// Whether a file that was just found looks like the one that was read, without another look at it.
    pub fn is_as_found(&self, len: u64, modified: SystemTime) -> bool {
        self.len == len && self.modified == nanoseconds(modified)
    }

    fn of(metadata: &fs::Metadata, len: u64, ends: &Ends) -> Self {
        let modified = nanoseconds(modified_of(metadata));
        Self { len, modified, inode: inode_of(metadata), head_hash: ends.head, tail_hash: ends.tail }
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
    let is_other = known.inode != inode_of(&metadata);
    if to == known.len {
        let is_touched = is_other || known.modified != nanoseconds(modified_of(&metadata));
        return Ok(if is_touched { Change::Rewritten } else { Change::Unchanged });
    }
    if to < known.len {
        return Ok(Change::Truncated);
    }
    if is_other {
        return Ok(Change::Rewritten);
    }
    match File::open(path).and_then(|file| ends(&file, known.len)) {
        Ok(ends) if (ends.head, ends.tail) != (known.head_hash, known.tail_hash) => Ok(Change::Rewritten),
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

/// A file that is to be read, and what is to be known of it; a pipe in its place is refused, not waited for.
pub fn open_file(path: &Path) -> Result<(File, fs::Metadata), Error> {
    if let Some((file, metadata)) = open_at_once(path).filter(|(_, metadata)| metadata.is_file()) {
        return Ok((file, metadata));
    }
    let metadata = metadata_of(path)?.ok_or_else(|| Error::MissingFile { path: path.to_owned() })?;
    Ok((File::open(path).map_err(|error| Error::file(path, error))?, metadata))
}

/// The way through all directories is gone once, not twice: a pipe opens, too, if nobody waits for its writer.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn open_at_once(path: &Path) -> Option<(File, fs::Metadata)> {
    use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = File::from(open(path, flags, Mode::empty()).ok()?);
    // There are file systems that would not wait for what they fetch from afar.
    fcntl_setfl(&file, OFlags::empty()).ok()?;
    let metadata = file.metadata().ok()?;
    Some((file, metadata))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn open_at_once(_: &Path) -> Option<(File, fs::Metadata)> {
    None
}

/// What a file of some length begins and ends with.
struct Ends {
    head: u64,
    tail: u64,
    last: Option<u8>,
}

impl Ends {
    fn ends_line(&self) -> bool {
        self.last.is_none_or(|last| last == b'\n')
    }
}

fn ends(file: &File, len: u64) -> io::Result<Ends> {
    let mut window = [0; WINDOW];
    let short = usize::try_from(len).unwrap_or(WINDOW).min(WINDOW);
    let window = window.get_mut(..short).unwrap_or_default();
    let head = hash(fill(file, 0, window)?);
    let tail = fill(file, len - window.len() as u64, window)?;
    Ok(Ends { head, tail: hash(tail), last: tail.last().copied() })
}

/// As much as is there. In one go: a vector that grows takes six reads for a KiB.
fn fill<'b>(file: &File, from: u64, buffer: &'b mut [u8]) -> io::Result<&'b [u8]> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match read_at(file, from + filled as u64, room) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(buffer.get(..filled).unwrap_or_default())
}

/// Leaves the file where it stands.
#[cfg(unix)]
fn read_at(file: &File, from: u64, room: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, room, from)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, from: u64, room: &mut [u8]) -> io::Result<usize> {
    let stands = file.stream_position()?;
    file.seek(SeekFrom::Start(from))?;
    let read = file.read(room);
    file.seek(SeekFrom::Start(stands))?;
    read
}

/// FNV-1a over words of eight bytes. Checkpoints outlive processes and releases; the standard library's hashers promise
/// neither.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let whole = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(mix(whole, bytes.len() as u64), |hash, byte| mix(hash, u64::from(*byte)))
}

/// Since the epoch; before it, less than nothing.
pub fn nanoseconds(time: SystemTime) -> i64 {
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
