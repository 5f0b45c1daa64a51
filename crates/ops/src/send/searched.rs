//! The bytes already searched for secrets, for one remote: each push searches only new ones.
//!
//! A file of hashes, which tell nothing of what they stand for. Where it is lost, everything that was not sent yet is
//! looked at again.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use jiff::Timestamp;
use steno_vault::{Entry, Segment, private};

use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace};

/// Below the vault.
pub(crate) const NAME: &str = "searched";
const WIDTH: usize = 8;

pub(super) struct Searched {
    path: PathBuf,
    remote: u64,
    keys: HashSet<u64>,
    /// What was taken until then was sent, by a version that remembered no more.
    sent: Option<Timestamp>,
}

impl Searched {
    pub(super) fn open(workspace: &Workspace, vault: &Vault) -> Self {
        let path = workspace.vault.join(".cache").join(NAME);
        let address = [&vault.manifest.remote, &vault.manifest.endpoint]
            .map(|part| part.as_deref().unwrap_or_default());
        let remote = hash(address.join("\n").bytes());
        let mut numbers = fs::read(&path).unwrap_or_default();
        numbers.truncate(numbers.len() / WIDTH * WIDTH);
        let mut numbers = numbers.as_chunks::<WIDTH>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let is_known = numbers.next() == Some(remote);
        let keys = if is_known { numbers.collect() } else { HashSet::new() };
        Self { path, remote, keys, sent: last_sent(vault).filter(|_| !is_known) }
    }

    pub(super) fn knows_segment(&self, segment: &Segment) -> bool {
        self.keys.contains(&key_of_segment(segment)) || self.sent.is_some_and(|sent| segment.taken <= sent)
    }

    pub(super) fn knows_copy(&self, copy: &Entry) -> bool {
        let was_sent =
            |sent: Timestamp| copy.modified.is_some_and(|modified| modified <= SystemTime::from(sent));
        self.keys.contains(&key_of_copy(copy)) || self.sent.is_some_and(was_sent)
    }

    /// Remembers these and no others.
    pub(super) fn write(&self, keys: impl Iterator<Item = u64>) -> Result<(), Error> {
        let mut keys: Vec<u64> = keys.collect();
        keys.sort_unstable();
        let numbers = std::iter::once(self.remote).chain(keys);
        let bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
        private::replace_cache(&self.path, &bytes).map_err(|error| {
            Error::new(ErrorKind::Io, format!("cannot write {}: {error}", self.path.display()))
        })
    }
}

fn last_sent(vault: &Vault) -> Option<Timestamp> {
    let push = vault.manifest.last_push.as_ref().filter(|_| vault.manifest.cleared.is_some())?;
    matches!(push.state.as_str(), "pushed" | "up-to-date").then_some(push.time)
}

/// A segment that was sent never changes, and no other gets its name.
pub(super) fn key_of_segment(segment: &Segment) -> u64 {
    hash(segment.file.bytes().chain(segment.len.to_le_bytes()))
}

pub(super) fn key_of_copy(copy: &Entry) -> u64 {
    let modified = copy.modified.and_then(|modified| modified.duration_since(SystemTime::UNIX_EPOCH).ok());
    let nanoseconds = modified.map_or(0, |modified| modified.as_nanos());
    hash(copy.name.bytes().chain(copy.len.to_le_bytes()).chain(nanoseconds.to_le_bytes()))
}

/// FNV-1a: the same in every version, and a collision of two names gains an attacker nothing.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
