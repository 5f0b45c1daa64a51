//! Live files that are about to be overwritten, or were set aside for that → kept, before they are gone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPoolBuilder;
use steno_vault::Candidate;

use crate::error::{Error, ErrorKind};
use crate::sync;
use crate::workspace::Workspace;

/// What was kept of the live files for this restore, on first use.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// The sessions whose files may be overwritten.
    sessions: HashSet<String>,
    kept: Mutex<Option<HashSet<PathBuf>>>,
}

impl Live {
    pub(super) fn of(sessions: HashSet<String>) -> Self {
        Self { sessions, kept: Mutex::default() }
    }

    /// Whether the vault has every byte of a live file. Only the Claude directories that are backed up are kept.
    pub(super) fn has(&self, workspace: &Workspace, claude_dir: &Path, file: &Path) -> Result<bool, Error> {
        if !workspace.dirs.paths.iter().any(|own| own == claude_dir) {
            return Ok(false);
        }
        let mut kept = self.lock();
        if kept.is_none() {
            let is_meant =
                |one: &Candidate| one.session.as_ref().is_none_or(|session| self.sessions.contains(session));
            *kept = Some(apart(|| sync::keep_live(workspace, claude_dir, "restore", &is_meant))?);
        }
        Ok(kept.as_ref().is_some_and(|kept| kept.contains(file)))
    }

    /// The same of a file that was set aside from its place.
    pub(super) fn keep_aside(
        &self,
        workspace: &Workspace,
        claude_dir: &Path,
        (place, file): (&Path, &Path),
    ) -> Result<bool, Error> {
        let _one_at_a_time = self.lock();
        apart(|| sync::keep_aside(workspace, claude_dir, "restore", (place, file)))
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashSet<PathBuf>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works in a pool of its own, while the calling thread only waits. A caller that holds a lock needs this: a thread of
/// the common pool that waits for parallel work takes up another job, which may wait for the same lock.
fn apart<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| Error::new(ErrorKind::Io, format!("cannot start a thread: {error}")))?;
    let done = std::thread::scope(|scope| scope.spawn(|| pool.install(work)).join());
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
