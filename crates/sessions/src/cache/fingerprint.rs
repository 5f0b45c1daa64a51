//! Which content of a file was read: of a live file, how it looked; of a kept one, how far the vault has it.

use std::fs::File;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use steno_source::{Change, FileFingerprint, OpenFile};
use steno_vault::{Generation, Stream};

use crate::error::Error;
use crate::file::SessionFile;
use crate::sessions::ListedFile;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Fingerprint {
    Live(FileFingerprint),
    Kept { generation: u32, len: u64, taken: Option<String> },
}

/// A file that is about to be read. Whatever happens to it from here on is a change.
#[derive(Debug)]
pub(super) struct Opened {
    /// Of a live one.
    pub(super) file: Option<File>,
    /// How far it is to be read.
    pub(super) len: u64,
    pub(super) fingerprint: Vec<u8>,
    /// Whether it can be read on from `len` later: a live file whose last line is complete.
    pub(super) can_go_on: bool,
}

impl Opened {
    pub(super) fn of(item: &ListedFile<'_>) -> Result<Self, Error> {
        match item.file {
            SessionFile::Live { path, .. } => {
                let OpenFile { file, fingerprint, ends_line } = FileFingerprint::open(path)?;
                let len = fingerprint.len;
                let fingerprint = Fingerprint::Live(fingerprint).to_bytes();
                Ok(Self { file: Some(file), len, fingerprint, can_go_on: ends_line })
            }
            SessionFile::Kept(kept) => {
                let fingerprint = Fingerprint::of_kept(kept.stream).to_bytes();
                Ok(Self { file: None, len: u64::MAX, fingerprint, can_go_on: false })
            }
        }
    }
}

impl Fingerprint {
    /// Nothing where the bytes are of another version.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    fn of_kept(stream: &Stream) -> Self {
        let latest = stream.latest();
        Self::Kept {
            generation: latest.map_or(0, |latest| latest.number),
            len: latest.map_or(0, Generation::len),
            taken: latest.and_then(|latest| latest.taken()).map(|taken| taken.to_string()),
        }
    }

    /// What happened to the file since. A live file that looks as it did when it was found is not opened.
    pub(super) fn compare(&self, item: &ListedFile<'_>) -> Change {
        match (self, &item.file) {
            (Self::Live(known), SessionFile::Live { len, modified, .. })
                if known.looks_like(*len, *modified) =>
            {
                Change::Unchanged
            }
            (Self::Live(known), SessionFile::Live { path, .. }) => known.compare(path),
            (known @ Self::Kept { .. }, SessionFile::Kept(kept)) if *known == Self::of_kept(kept.stream) => {
                Change::Unchanged
            }
            _ => Change::Rewritten,
        }
    }
}

/// What happened to each file since its fingerprint was taken; a file without one is new.
pub(super) fn changes(items: &[ListedFile<'_>], known: &[Option<&Fingerprint>]) -> Vec<Change> {
    let compare = |(item, known): (&ListedFile<'_>, &Option<&Fingerprint>)| {
        known.map_or(Change::Rewritten, |known| known.compare(item))
    };
    items.par_iter().zip(known).map(compare).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::*;
    use crate::sessions::Form;

    #[test]
    fn a_file_that_was_swapped_and_swapped_back_is_unchanged() {
        let home = steno_testkit::Home::new();
        let path = home.root().join("session.jsonl");
        fs::write(&path, "{}\n").unwrap();
        let known = Fingerprint::Live(FileFingerprint::open(&path).unwrap().fingerprint);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let change = |len: u64, modified: SystemTime| {
            let file = SessionFile::Live { path: &path, len, modified };
            let item = ListedFile { session: None, is_agent: false, form: Form::Records, file };
            changes(&[item], &[Some(&known)])
        };
        assert_eq!(change(3, modified), [Change::Unchanged]);
        assert_eq!(change(99, modified), [Change::Unchanged], "found while it was another one");
        assert_eq!(change(3, SystemTime::UNIX_EPOCH), [Change::Unchanged]);
        assert_eq!(changes(&[], &[]), []);
    }
}
