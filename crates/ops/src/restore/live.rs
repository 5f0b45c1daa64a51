//! Live files that are about to be overwritten → kept, before they are.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::custody::Custody;
use crate::error::Error;
use crate::sync;

/// What was kept of the live files for this restore; nothing until somebody asks.
#[derive(Debug, Default)]
pub(super) struct Live {
    kept: Mutex<Option<HashSet<PathBuf>>>,
}

impl Live {
    /// Whether the vault has every byte of a live file. Only the Claude directories that are backed up are kept.
    pub(super) fn has(&self, custody: &Custody, claude_dir: &Path, file: &Path) -> Result<bool, Error> {
        if !custody.library.claude_dirs.iter().any(|own| own == claude_dir) {
            return Ok(false);
        }
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if kept.is_none() {
            // All others wait for this.
            *kept = Some(steno_cores::alone(|| sync::keep_live(custody, claude_dir, "restore"))?);
        }
        Ok(kept.as_ref().is_some_and(|kept| kept.contains(file)))
    }
}
