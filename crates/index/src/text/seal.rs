//! What the files of an index looked like when they were known to be right.
//!
//! The engine notices files that are missing or cut, not bytes that were changed; it has checksums, but to read all of
//! an index for one question is too slow. So each file's length and time are noted when it was written or checked, and
//! only what looks different is checked again.

use std::collections::BTreeMap;
use std::fs;
use std::hash::BuildHasher;
use std::path::Path;
use std::time::UNIX_EPOCH;

use foldhash::quality::FixedState;
use serde::{Deserialize, Serialize};
use tantivy::Directory;
use tantivy::directory::MmapDirectory;
use tantivy::index::SegmentId;

use super::guard;
use super::schema::VERSION;
use crate::error::Error;

const NAME: &str = "seal.json";
/// The files of a segment. One more has what was deleted.
const PARTS: [&str; 6] = ["fast", "fieldnorm", "idx", "pos", "store", "term"];
/// The engine's list of segments.
pub(super) const LIST: &str = "meta.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seal {
    version: u32,
    /// Another one for every index that was made.
    identity: String,
    files: BTreeMap<String, Look>,
}

/// What a file looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Look {
    bytes: u64,
    seconds: u64,
    nanoseconds: u32,
}

/// The seal's state.
pub(super) enum Sealed {
    /// Nothing was ever made, or not to its end.
    Not,
    OtherVersion,
    Broken,
    With(Seal),
}

impl Look {
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(Self {
            bytes: metadata.len(),
            seconds: modified.as_secs(),
            nanoseconds: modified.subsec_nanos(),
        })
    }
}

impl Seal {
    /// Of an index without files.
    pub(super) fn new() -> Self {
        let identity = SegmentId::generate_random().uuid_string();
        Self { version: VERSION, identity, files: BTreeMap::new() }
    }

    /// Of the same index.
    pub(super) fn with(self, files: BTreeMap<String, Look>) -> Self {
        Self { files, ..self }
    }

    /// That of an index which is there.
    pub(super) fn present(directory: &Path) -> Result<Self, Error> {
        match Self::read(directory) {
            Sealed::With(seal) => Ok(seal),
            _ => Err(guard::damaged(directory, "its seal is gone")),
        }
    }

    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    pub(super) fn read(directory: &Path) -> Sealed {
        let Ok(text) = fs::read(directory.join(NAME)) else { return Sealed::Not };
        if let Ok(seal) = serde_json::from_slice::<Self>(&text)
            && seal.version == VERSION
        {
            return Sealed::With(seal);
        }
        // Another version may look different in everything else.
        let version = serde_json::from_slice::<serde_json::Value>(&text)
            .ok()
            .and_then(|seal| seal.get("version").and_then(serde_json::Value::as_u64));
        match version {
            Some(version) if version != u64::from(VERSION) => Sealed::OtherVersion,
            _ => Sealed::Broken,
        }
    }

    /// Replaces the one before.
    pub(super) fn write(&self, directory: &Path) -> Result<(), Error> {
        guard::writing(directory, || {
            let text = serde_json::to_vec(self).map_err(std::io::Error::from)?;
            Ok(MmapDirectory::open(directory)?.atomic_write(Path::new(NAME), &text)?)
        })
    }

    pub(super) fn knows(&self, name: &str, look: Look) -> bool {
        self.files.get(name) == Some(&look)
    }
}

/// A hash of the list of segments as it is now; nothing where there is none.
pub(super) fn list(directory: &Path) -> Option<u64> {
    fs::read(directory.join(LIST)).ok().map(|text| FixedState::default().hash_one(text))
}

/// The names of a segment's files; `deleted` is the stamp of its last deletion.
pub(super) fn names(segment: SegmentId, deleted: Option<u64>) -> impl Iterator<Item = String> {
    let id = segment.uuid_string();
    let deleted = deleted.map(|stamp| format!("{id}.{stamp}.del"));
    PARTS.into_iter().map(move |part| format!("{id}.{part}")).chain(deleted)
}
