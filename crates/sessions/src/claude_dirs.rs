//! Which sessions are meant, and when now is.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use steno_conversation::Warning;
use steno_source::SessionFiles;
use steno_transcript::SessionId;

use crate::error::{Error, ErrorKind};
use crate::live::LiveSessions;
use crate::warning;

/// A file that was written to within this time may still be growing.
const FRESH: Duration = Duration::from_secs(5 * 60);

/// The sessions of some Claude directories, seen at a moment.
#[derive(Debug, Clone)]
pub struct ClaudeDirs {
    pub paths: Vec<PathBuf>,
    /// The user named none of these directories: if they are missing, there are no sessions yet.
    pub is_default: bool,
    pub now: Timestamp,
}

impl ClaudeDirs {
    /// The Claude directory that restores go to, and that is backed up first.
    pub fn claude_dir(&self) -> Result<&Path, Error> {
        let first = self.paths.first();
        first.map(PathBuf::as_path).ok_or_else(|| {
            Error::new(ErrorKind::Invalid, "no Claude directory is named").hint("--claude-dir DIR names one")
        })
    }

    /// Every session once, with what was strange on the way.
    pub fn live_sessions(&self) -> Result<LiveSessions, Error> {
        match steno_source::discover(&self.paths) {
            Err(steno_source::Error::MissingDirectory { .. }) if self.is_default => {
                Ok(LiveSessions::default())
            }
            discovery => {
                let discovery = discovery?;
                Ok(LiveSessions::of(discovery.projects, discovery.warnings))
            }
        }
    }

    /// What to say where there is no session.
    pub fn none_here(&self) -> String {
        let looked: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        format!("there are no sessions in {}; --claude-dir DIR looks elsewhere", looked.join(", "))
    }

    /// Whether a file was written to a short while ago.
    pub fn is_fresh(&self, modified: SystemTime) -> bool {
        match SystemTime::from(self.now).duration_since(modified) {
            Ok(age) => age <= FRESH,
            Err(_) => true,
        }
    }

    /// The sessions that are running, by the client's own registry.
    pub fn running(&self) -> Running {
        self.running_in(&self.paths)
    }

    /// The same by the registry of the session's own directory.
    pub fn running_beside(&self, session: &SessionFiles) -> Running {
        match &session.claude_dir {
            Some(directory) if !self.paths.contains(directory) => {
                self.running_in(std::slice::from_ref(directory))
            }
            _ => self.running(),
        }
    }

    fn running_in(&self, directories: &[PathBuf]) -> Running {
        let now = SystemTime::from(self.now);
        let mut running = Running { sessions: Vec::new(), warnings: Vec::new() };
        for registry in directories.iter().map(|directory| steno_source::live(directory)) {
            running.warnings.extend(registry.warnings.iter().map(warning::on_disk));
            let alive = registry.entries.into_iter().filter(|entry| steno_source::is_alive(entry, now));
            running.sessions.extend(alive.map(|entry| entry.session_id));
        }
        running
    }
}

/// Sessions that are running, and what was strange in the registry that says so.
#[derive(Debug)]
pub struct Running {
    sessions: Vec<SessionId>,
    pub warnings: Vec<Warning>,
}

impl Running {
    pub fn contains(&self, session: &SessionFiles) -> bool {
        self.sessions.contains(&session.id)
    }

    pub fn has(&self, id: &str) -> bool {
        self.sessions.iter().any(|session| session.as_str() == id)
    }
}
