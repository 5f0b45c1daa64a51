//! `.cache/sent/`: what of ours is at a remote, and what was taken from it. Can be deleted at any time: then the
//! remote is listed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::head::HeadName;
use crate::cache::nanoseconds;
use crate::private;
use crate::store::Entry;

pub(super) const DIRECTORY: &str = ".cache/sent";
const FORMAT: u64 = 2;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Sent {
    format: u64,
    own: String,
    /// Files of ours that are there, by their names.
    pub(super) rows: BTreeMap<String, Row>,
    /// Other machines.
    pub(super) taken: BTreeMap<String, Pulled>,
}

/// A file as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) len: u64,
    /// Nanoseconds since the epoch.
    pub(super) modified: i64,
    /// Empty where it was only seen in a listing.
    pub(super) hash: String,
    pub(super) is_document: bool,
}

/// The state in which another machine was last pulled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pulled {
    pub(super) heads: Vec<HeadName>,
    /// The highest number that was ever seen.
    pub(super) number: u64,
    pub(super) gone: u64,
    #[serde(default)]
    pub(super) renewed: u64,
    pub(super) older: u64,
}

impl Sent {
    fn path(root: &Path, key: &str) -> PathBuf {
        root.join(DIRECTORY).join(format!("{key}.json"))
    }

    /// `None` where it is lost, or of another machine.
    pub(super) fn read(root: &Path, key: &str, own: &str) -> Option<Self> {
        let bytes = fs::read(Self::path(root, key)).ok()?;
        let sent: Self = serde_json::from_slice(&bytes).ok()?;
        (sent.format == FORMAT && sent.own == own).then_some(sent)
    }

    /// A failure is ignored: the next sync lists the remote.
    pub(super) fn write(&mut self, root: &Path, key: &str, own: &str) {
        self.format = FORMAT;
        own.clone_into(&mut self.own);
        if let Ok(bytes) = serde_json::to_vec(self) {
            let _ = private::replace_cache(&Self::path(root, key), &bytes);
        }
    }
}

/// The files that a memory of ours names; nothing where it is none.
pub(super) fn names(path: &Path) -> Option<Vec<String>> {
    let sent: Sent = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    Some(sent.rows.into_keys().collect())
}

impl Row {
    /// The file looks as it did when it was sent.
    pub(super) fn is(&self, file: &Entry) -> bool {
        self.len == file.len && self.modified == modified_of(file)
    }
}

/// In nanoseconds since the epoch; 0 where the store does not know.
pub(super) fn modified_of(file: &Entry) -> i64 {
    file.modified.map_or(0, nanoseconds)
}
