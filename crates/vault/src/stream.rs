//! A kept file: its generations, and the segments they are made of.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A file as it is kept. Its name does not change when the file moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    /// The path of the file when it was last taken, as text (see [`crate::path_of`]).
    pub path: String,
    pub session: Option<String>,
    /// In their order; never empty.
    pub generations: Vec<Generation>,
}

/// The content of a file until it was rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    pub number: u32,
    /// In the order of their bytes.
    pub segments: Vec<Segment>,
    /// Files with the name of a segment that cannot be read as one; looked at again each time.
    #[serde(skip)]
    pub broken: Vec<Broken>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its name below the vault.
    pub file: String,
    pub first: u32,
    pub last: u32,
    pub offset: u64,
    pub len: u64,
    /// Bytes on the disk.
    pub packed: u64,
    pub modified: Timestamp,
    pub taken: Timestamp,
    /// The start of the chain with it; 0 for a file of the original tool.
    pub(crate) chain: u64,
    pub codec: Codec,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Codec {
    #[default]
    Zstd,
    /// Written by the original tool: a whole file, without a header.
    Gzip,
}

/// A segment whose header cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub file: String,
    pub first: u32,
    pub last: u32,
    pub packed: u64,
    pub reason: crate::Reason,
    /// Its offset and length, where the ledger records them.
    pub bytes: Option<(u64, u64)>,
}

impl Broken {
    pub(crate) fn new(file: &str, (first, last): (u32, u32), packed: u64, reason: crate::Reason) -> Self {
        Self { file: file.to_owned(), first, last, packed, reason, bytes: None }
    }
}

impl Stream {
    pub fn latest(&self) -> Option<&Generation> {
        self.generations.last()
    }

    pub fn generation(&self, number: u32) -> Option<&Generation> {
        self.generations.iter().find(|generation| generation.number == number)
    }

    pub fn packed(&self) -> u64 {
        self.generations.iter().map(Generation::packed).sum()
    }

    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.generations.iter().flat_map(|generation| &generation.segments)
    }

    /// Every file that it is made of, also the broken ones, but not those that are gone.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.generations.iter().flat_map(|generation| {
            let whole = generation.segments.iter().map(|segment| segment.file.as_str());
            let broken = generation.broken.iter().filter(|broken| broken.reason != crate::Reason::Gone);
            whole.chain(broken.map(|broken| broken.file.as_str()))
        })
    }
}

impl Generation {
    pub(crate) fn empty(number: u32) -> Self {
        Self { number, segments: Vec::new(), broken: Vec::new() }
    }

    /// How many bytes of the file it holds.
    pub fn len(&self) -> u64 {
        self.segments.last().map_or(0, Segment::end)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn packed(&self) -> u64 {
        self.segments.iter().map(|segment| segment.packed).sum()
    }

    /// When bytes were last added.
    pub fn taken(&self) -> Option<Timestamp> {
        self.segments.iter().map(|segment| segment.taken).max()
    }

    /// The file's own time when bytes were last added.
    pub fn modified(&self) -> Option<Timestamp> {
        self.segments.last().map(|segment| segment.modified)
    }

    /// The number of the last segment, whether it can be read or not.
    pub(crate) fn last_number(&self) -> u32 {
        let whole = self.segments.iter().map(|segment| segment.last);
        whole.chain(self.broken.iter().map(|broken| broken.last)).max().unwrap_or_default()
    }

    /// Whether nothing is missing between its segments.
    pub fn is_contiguous(&self) -> bool {
        let mut end = 0;
        self.broken.is_empty()
            && self
                .segments
                .iter()
                .all(|segment| std::mem::replace(&mut end, segment.end()) == segment.offset)
    }
}

impl Segment {
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.len)
    }
}
