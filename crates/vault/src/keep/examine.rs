//! An open live file and its kept stream → whether it continues, was rewritten, or is another file.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};

use super::plan::Job;
use crate::cache::{Checkpoint, inode_of, nanoseconds};
use crate::error::Error;
use crate::header::Hash;
use crate::reading::{Original, Volume, header_of};
use crate::store::Store;
use crate::stream::{Codec, Generation, Segment, Stream};

const WINDOW: u64 = 4 << 10;

/// How a live file relates to its kept stream.
#[derive(Debug)]
pub(super) enum Verdict {
    /// Go on after the bytes that are kept; there may be none to add.
    Continues { chain: Hash, next: u32 },
    /// Start again, in a generation of this number.
    Differs { generation: u32 },
    /// It only seemed to be that file: it is another one.
    Another,
}

pub(super) struct Examined<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) machine: &'a str,
    pub(super) job: &'a Job<'a>,
    pub(super) buffer: &'a mut Vec<u8>,
}

impl Examined<'_> {
    pub(super) fn verdict(&mut self, file: &mut File, metadata: &Metadata) -> io::Result<Verdict> {
        let Some((stream, latest)) = self.job.kept.as_ref().and_then(|kept| Some((kept, kept.latest()?)))
        else {
            return Ok(Verdict::Continues { chain: Hash::ZERO, next: 1 });
        };
        let differs = match self.job.otherwise {
            Some(_) => Verdict::Another,
            None => Verdict::Differs { generation: latest.number.saturating_add(1) },
        };
        if metadata.len() < latest.len() || !latest.is_contiguous() {
            return Ok(differs);
        }
        if !self.looks_the_same(file, metadata, latest)? && !self.is_the_same(file, stream, latest)? {
            return Ok(differs);
        }
        Ok(match self.chain_after(stream, latest) {
            Ok(chain) => Verdict::Continues { chain, next: latest.last_number() + 1 },
            Err(Error::Locked { reason }) => return Err(io::Error::other(reason)),
            // The kept stream cannot be continued; the live file can be kept anew.
            Err(_) => differs,
        })
    }

    /// The first and last bytes are those that were kept, and nothing asks for more.
    fn looks_the_same(&self, file: &mut File, metadata: &Metadata, kept: &Generation) -> io::Result<bool> {
        let Some(checkpoint) = self.job.checkpoint.filter(|_| !self.job.full && self.job.otherwise.is_none())
        else {
            return Ok(false);
        };
        if checkpoint.len != kept.len() || checkpoint.inode != inode_of(metadata) {
            return Ok(false);
        }
        // Written to, and not longer: that is no transcript's way, so look at all of it.
        if metadata.len() == checkpoint.len {
            return Ok(false);
        }
        let (head, tail) = ends(file, checkpoint.len)?;
        Ok((head, tail) == (checkpoint.head, checkpoint.tail))
    }

    /// All bytes are those that were kept.
    fn is_the_same(&mut self, file: &mut File, stream: &Stream, kept: &Generation) -> io::Result<bool> {
        let volume = Volume { store: self.store, machine: self.machine, stream, generation: kept };
        for segment in &kept.segments {
            let same = match segment.codec {
                Codec::Zstd => match header_of(&volume, segment) {
                    Ok(header) => hash_of(file, segment, self.buffer)? == Some(header.blake3),
                    // Another generation of everything would be the price of a lost key.
                    Err(Error::Locked { reason }) => return Err(io::Error::other(reason)),
                    Err(_) => false,
                },
                Codec::Gzip => hash_of(file, segment, self.buffer)? == Original::hash(self.store, segment),
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn chain_after(&self, stream: &Stream, kept: &Generation) -> Result<Hash, Error> {
        let volume = Volume { store: self.store, machine: self.machine, stream, generation: kept };
        match kept.segments.last() {
            None => Ok(Hash::ZERO),
            Some(last) if last.codec == Codec::Gzip => {
                let hash = Original::hash(self.store, last);
                hash.map(|hash| Hash::ZERO.then(hash))
                    .ok_or_else(|| Error::Missing { name: last.file.clone() })
            }
            Some(last) => match self.store.header_of(&last.file) {
                Some(header) => Ok(header.after),
                None => header_of(&volume, last).map(|header| header.after),
            },
        }
    }
}

/// Of the live bytes where a segment's should be; `None` when there are fewer.
fn hash_of(file: &mut File, segment: &Segment, buffer: &mut Vec<u8>) -> io::Result<Option<Hash>> {
    file.seek(SeekFrom::Start(segment.offset))?;
    let mut hasher = blake3::Hasher::new();
    let mut left = segment.len;
    buffer.resize(256 << 10, 0);
    while left > 0 {
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = file.read(buffer.get_mut(..wanted).unwrap_or_default())?;
        if read == 0 {
            return Ok(None);
        }
        hasher.update(buffer.get(..read).unwrap_or_default());
        left -= read as u64;
    }
    Ok(Some(hasher.finalize().into()))
}

/// How the file looks with its first `len` bytes kept.
pub(super) fn checkpoint(file: &mut File, metadata: &Metadata, len: u64) -> io::Result<Checkpoint> {
    let (head, tail) = ends(file, len)?;
    let modified = metadata.modified().map_or(0, nanoseconds);
    Ok(Checkpoint { len, modified, inode: inode_of(metadata), head, tail })
}

/// Hashes of the first and of the last bytes before `len`.
fn ends(file: &mut File, len: u64) -> io::Result<(u64, u64)> {
    let window = len.min(WINDOW);
    let mut bytes = Vec::new();
    let mut hash_at = |offset| -> io::Result<u64> {
        bytes.clear();
        file.seek(SeekFrom::Start(offset))?;
        file.take(window).read_to_end(&mut bytes)?;
        Ok(Hash::of(&bytes).start())
    };
    Ok((hash_at(0)?, hash_at(len - window)?))
}
