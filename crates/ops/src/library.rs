//! Which sessions are meant, and when now is.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use steno_source::{Discovery, SessionFiles};

use crate::error::Error;

/// A file that was written to within this time may still be growing.
const FRESH: Duration = Duration::from_secs(5 * 60);

/// The sessions of some Claude directories, seen at a moment.
#[derive(Debug, Clone)]
pub struct Library {
    pub claude_dirs: Vec<PathBuf>,
    pub now: Timestamp,
}

impl Library {
    pub(crate) fn discover(&self) -> Result<Discovery, Error> {
        Ok(steno_source::discover(&self.claude_dirs)?)
    }

    /// Whether a file was written to a short while ago.
    pub(crate) fn is_fresh(&self, modified: SystemTime) -> bool {
        match SystemTime::from(self.now).duration_since(modified) {
            Ok(age) => age <= FRESH,
            Err(_) => true,
        }
    }

    /// The sessions that are running, by the client's own registry.
    pub(crate) fn running(&self) -> Running {
        let now = SystemTime::from(self.now);
        let entries = self.claude_dirs.iter().flat_map(|directory| steno_source::live(directory).entries);
        Running(entries.filter(|entry| steno_source::is_alive(entry, now)).map(|entry| entry.session_id).collect())
    }
}

pub(crate) struct Running(Vec<steno_transcript::SessionId>);

impl Running {
    pub(crate) fn contains(&self, session: &SessionFiles) -> bool {
        self.0.contains(&session.id)
    }
}
