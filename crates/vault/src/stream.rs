//! A kept file: its generations, and the segments they are made of.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A file as it is kept. Its name does not change when the file moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    /// Where the file lay when it was last taken, as text (see [`crate::path_of`]).
    #[serde(rename = "p")]
    pub path: String,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// In their order; never empty.
    #[serde(rename = "g")]
    pub generations: Vec<Generation>,
}

/// What a file held until it was rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    #[serde(rename = "n")]
    pub number: u32,
    /// In the order of their bytes.
    #[serde(rename = "s")]
    pub segments: Vec<Segment>,
    /// What has the name of a segment and cannot be understood; looked at again each time.
    #[serde(skip)]
    pub broken: Vec<Broken>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its name below the vault.
    #[serde(rename = "f")]
    pub file: String,
    #[serde(rename = "a")]
    pub first: u32,
    #[serde(rename = "z")]
    pub last: u32,
    #[serde(rename = "o")]
    pub offset: u64,
    #[serde(rename = "l")]
    pub len: u64,
    /// As it lies on the disk.
    #[serde(rename = "k")]
    pub packed: u64,
    #[serde(rename = "m")]
    pub modified: Timestamp,
    #[serde(rename = "t")]
    pub taken: Timestamp,
    #[serde(rename = "z2", default, skip_serializing_if = "is_zstd")]
    pub codec: Codec,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Codec {
    #[default]
    Zstd,
    /// Written by the original tool: a whole file, without a header.
    Gzip,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zstd(codec: &Codec) -> bool {
    *codec == Codec::Zstd
}

/// A segment whose header cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub file: String,
    pub first: u32,
    pub last: u32,
    pub packed: u64,
    pub reason: crate::Reason,
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

    /// Every file that it is made of, also the broken ones.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.generations.iter().flat_map(|generation| {
            let whole = generation.segments.iter().map(|segment| segment.file.as_str());
            whole.chain(generation.broken.iter().map(|broken| broken.file.as_str()))
        })
    }
}

impl Generation {
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
