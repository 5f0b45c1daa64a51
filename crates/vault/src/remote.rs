//! Shared by syncs with a git host and with an object store: their report, and how long they wait before
//! they try again.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The pause after some failures: doubled with each, and random, so that machines that failed together do not come back
/// together.
pub(crate) fn backoff(shortest: Duration, longest: Duration, failures: u32) -> Duration {
    let whole = shortest.saturating_mul(1 << failures.min(10)).min(longest);
    let part = u32::try_from(RandomState::new().hash_one(failures) % 50).unwrap_or_default();
    whole.mul_f64(f64::from(50 + part) / 100.0)
}

/// The report of a sync with a remote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synced {
    pub outcome: Outcome,
    /// Objects of this machine that were put; git does not count.
    pub sent: u64,
    pub sent_bytes: u64,
    /// Files of other machines that were written here.
    pub received: u64,
    pub received_bytes: u64,
    /// Files of other machines that were removed here because their machine erased them.
    pub removed: u64,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Outcome {
    Pushed,
    #[default]
    UpToDate,
    /// Not reached, or not to the end; the next sync sends the rest.
    Offline {
        reason: String,
    },
    /// The remote refused, or is not for this vault.
    Refused {
        reason: String,
    },
    /// Another machine has this one's name there; nothing was sent.
    SlugTaken,
}

impl Outcome {
    /// Why the remote does not have everything.
    pub fn failure(&self) -> Option<&str> {
        match self {
            Self::Pushed | Self::UpToDate => None,
            Self::Offline { reason } | Self::Refused { reason } => Some(reason),
            Self::SlugTaken => Some("another machine has this one's name there"),
        }
    }
}

impl Synced {
    pub(crate) fn warn(&mut self, path: &str, message: impl Into<String>) {
        self.warnings.push(Warning { path: path.to_owned(), message: message.into() });
    }
}

/// Something strange at a remote that did not stop the sync.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// As the remote has it, relative to the vault; or the name of a branch or tag.
    pub path: String,
    pub message: String,
}

impl Warning {
    pub(crate) fn new(path: &[u8], message: impl Into<String>) -> Self {
        Self { path: String::from_utf8_lossy(path).into_owned(), message: message.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)
    }
}
