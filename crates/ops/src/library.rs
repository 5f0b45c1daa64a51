//! Which sessions are meant, and when now is.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use steno_conversation::Warning;
use steno_source::SessionFiles;
use steno_transcript::SessionId;

use crate::error::Error;
use crate::strange;

/// A file that was written to within this time may still be growing.
const FRESH: Duration = Duration::from_secs(5 * 60);

/// The sessions of some Claude directories, seen at a moment.
#[derive(Debug, Clone)]
pub struct Library {
    pub claude_dirs: Vec<PathBuf>,
    /// Nobody asked for these directories by name: where they are missing, there are simply no sessions yet.
    pub is_default: bool,
    pub now: Timestamp,
}

impl Library {
    /// Every session once, with what was strange on the way.
    pub(crate) fn sessions(&self) -> Result<(Vec<SessionFiles>, Vec<Warning>), Error> {
        let discovery = match steno_source::discover(&self.claude_dirs) {
            Err(steno_source::Error::MissingDirectory { .. }) if self.is_default => {
                return Ok(Default::default());
            }
            discovery => discovery?,
        };
        let mut warnings: Vec<Warning> = discovery.warnings.iter().map(strange::on_disk).collect();
        let sessions = discovery.projects.into_iter().flat_map(|project| project.sessions).collect();
        let sessions = once_each(sessions, &mut warnings);
        Ok((sessions, warnings))
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
        let mut running = Running { sessions: Vec::new(), warnings: Vec::new() };
        for registry in self.claude_dirs.iter().map(|directory| steno_source::live(directory)) {
            running.warnings.extend(registry.warnings.iter().map(strange::on_disk));
            let alive = registry.entries.into_iter().filter(|entry| steno_source::is_alive(entry, now));
            running.sessions.extend(alive.map(|entry| entry.session_id));
        }
        running
    }
}

/// A session id stands for one session: of two files, the one written last.
fn once_each(mut sessions: Vec<SessionFiles>, warnings: &mut Vec<Warning>) -> Vec<SessionFiles> {
    sessions.sort_by(|one, two| {
        two.modified.cmp(&one.modified).then_with(|| one.transcript.cmp(&two.transcript))
    });
    let mut seen: HashMap<SessionId, PathBuf> = HashMap::new();
    sessions.retain(|session| {
        let Some(first) = seen.get(&session.id) else {
            seen.insert(session.id.clone(), session.transcript.clone());
            return true;
        };
        let message = format!("the same session is also at {}, which was written to later", first.display());
        warnings.push(strange::at(&session.transcript, "duplicate-session", message));
        false
    });
    sessions
}

/// Sessions that are running, and what was strange in the registry that says so.
pub(crate) struct Running {
    sessions: Vec<SessionId>,
    pub(crate) warnings: Vec<Warning>,
}

impl Running {
    pub(crate) fn contains(&self, session: &SessionFiles) -> bool {
        self.sessions.contains(&session.id)
    }
}
