//! The Claude directory that files are put back into: which places of it may be written to.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use super::Options;
use crate::aside::Unfinished;
use crate::error::{Error, ErrorKind};
use crate::kept::target_of;
use crate::sync::settle_left;
use crate::workspace::Workspace;

/// `projects`, and a project's directory in it, may be links: people keep them on another disk, and sync follows them.
const LINKED: usize = 2;

#[derive(Debug)]
pub(super) struct Target {
    pub(super) root: PathBuf,
    running: HashSet<String>,
}

/// Settles what killed processes left, and says that this one is at work.
pub(super) fn begin(
    workspace: &Workspace,
    target: &Target,
    options: &Options,
) -> Result<Option<Unfinished>, Error> {
    if options.dry_run {
        return Ok(None);
    }
    // Where that is not possible now, it stays for the next one.
    let _ = settle_left(workspace, &target.root, "restore");
    let begun = Unfinished::begin(&target.root).map_err(|error| {
        let message = format!("cannot write to {}: {error}", target.root.display());
        Error::new(ErrorKind::Io, message).hint("may you write there, and is there room on the disk?")
    });
    begun.map(Some)
}

impl Target {
    pub(super) fn new(workspace: &Workspace, to: Option<&Path>) -> Result<Self, Error> {
        let root = match to {
            Some(to) => to,
            None => workspace.claude_dir()?,
        };
        if fs::metadata(root).is_ok_and(|metadata| !metadata.is_dir()) {
            let message = format!("{} is not a directory", root.display());
            return Err(
                Error::new(ErrorKind::Invalid, message).hint("--to is the directory that holds `projects/`")
            );
        }
        let now = SystemTime::from(workspace.dirs.now);
        let entries = steno_source::live(root).entries.into_iter();
        let alive = entries.filter(|entry| steno_source::is_alive(entry, now));
        let running = alive.map(|entry| entry.session_id.to_string()).collect();
        Ok(Self { root: root.to_owned(), running })
    }

    pub(super) fn is_running(&self, id: &str) -> bool {
        self.running.contains(id)
    }

    /// Where a file of this path goes; an error for one that has no business there.
    pub(super) fn place(&self, path: &str) -> Result<PathBuf, Error> {
        let relative = target_of(path).ok_or_else(|| {
            let message = format!("refused to write '{path}': it is no place for a file of a session");
            Error::new(ErrorKind::Damaged, message)
                .hint("somebody else may have written to this vault: `steno verify`")
        })?;
        let mut place = self.root.clone();
        for (depth, part) in relative.parent().unwrap_or(Path::new("")).components().enumerate() {
            let Component::Normal(part) = part else { continue };
            place.push(part);
            if depth >= LINKED && place.is_symlink() && !self.is_inside(&place) {
                let message =
                    format!("refused to write through {}: the link leads elsewhere", place.display());
                return Err(
                    Error::new(ErrorKind::Exists, message).hint("move it away, or restore with --to DIR")
                );
            }
        }
        Ok(self.root.join(relative))
    }

    fn is_inside(&self, link: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        let projects = self.root.join("projects");
        let homes = [real(&self.root), real(&projects)];
        real(link).is_some_and(|real| homes.iter().flatten().any(|home| real.starts_with(home)))
    }

    /// Other live transcripts of the same name.
    pub(super) fn elsewhere(&self, transcript: &Path) -> Vec<PathBuf> {
        let Some(name) = transcript.file_name() else { return Vec::new() };
        let listed = fs::read_dir(self.root.join("projects")).into_iter().flatten().flatten();
        let mut others: Vec<PathBuf> = listed
            .map(|entry| entry.path().join(name))
            .filter(|path| path != transcript && path.is_file())
            .collect();
        others.sort();
        others
    }
}
