//! The old and the new working directory of a session → the changes to its files when it is restored elsewhere.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use steno_conversation::Warning;
use steno_edit::rewrite::{Move, PathRewriter};
use steno_source::project_directory_name;
use steno_transcript::Shape;

use super::Options;
use crate::warning;

/// How much of a transcript is searched for its directories.
const HEAD_BYTES: u64 = 512 * 1024;

/// The directories that a transcript names first.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    pub(crate) first: Option<String>,
    /// The one that the project's directory is named after: the client resumes the session there.
    own: Option<String>,
}

impl Directories {
    /// Damage is ignored here; reading the whole file finds it.
    pub(crate) fn of(transcript: impl Read, project: &str) -> Self {
        let mut directories = Self::default();
        let _ = steno_transcript::read(transcript, |piece| {
            if let Shape::Record(record) = &piece.shape
                && let Some(cwd) = record.envelope.cwd.as_deref()
            {
                directories.observe(cwd, project);
            }
            let is_enough = directories.own.is_some() || piece.place.offset > HEAD_BYTES;
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        directories
    }

    fn observe(&mut self, cwd: &str, project: &str) {
        self.first.get_or_insert_with(|| cwd.to_owned());
        if project_directory_name(Path::new(cwd)) == project {
            self.own = Some(cwd.to_owned());
        }
    }

    /// The directory to resume it in.
    pub(crate) fn home(&self) -> Option<&str> {
        self.own.as_deref().or(self.first.as_deref())
    }
}

/// The changes to the files that are restored.
#[derive(Debug, Default)]
pub(super) struct Movement {
    pub(super) patch: Option<PathRewriter>,
    /// The new project directory's name.
    pub(super) project: Option<String>,
}

impl Movement {
    /// Only paths in texts and tool calls.
    pub(super) fn of_paths(options: &Options) -> Self {
        let paths = &options.rewrites;
        let patch = (!paths.is_empty()).then(|| PathRewriter::new(None, paths));
        Self { patch, project: None }
    }

    /// To another working directory, which is a real path.
    pub(super) fn to(cwd: &Path, from: Option<&str>, options: &Options) -> Self {
        let to = cwd.to_string_lossy().into_owned();
        let directory = from.map(|from| Move { from: from.to_owned(), to });
        let patch = PathRewriter::new(directory.as_ref(), &options.rewrites);
        Self { patch: Some(patch), project: Some(project_directory_name(cwd)) }
    }

    /// Writes the working directory into the transcript; otherwise each of its records has it.
    pub(super) fn working_in(self, cwd: Option<&str>) -> Self {
        let patch = match cwd {
            Some(cwd) => self.patch.map(|patch| patch.working_in(cwd)),
            None => self.patch,
        };
        Self { patch, ..self }
    }
}

/// The path with its links resolved as far as it exists; the rest is appended.
pub(crate) fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((above, steno_vault::real(above).ok()?)));
    let Some((above, mut real)) = there else { return path.to_owned() };
    for part in path.strip_prefix(above).unwrap_or(Path::new("")).components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            Component::CurDir => {}
            part => real.push(part),
        }
    }
    real
}

/// The warning if the directory to resume a session in does not exist.
pub(crate) fn unless_there(directory: &Path, hint: &str) -> Option<Warning> {
    let message = format!("this directory does not exist: {hint}");
    (!directory.is_dir()).then(|| warning::at(directory, "missing-directory", message))
}
