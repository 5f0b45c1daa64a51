//! Where the new session goes, and where it will work.

use std::fs;
use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_edit::Identity;
use steno_edit::rewrite::{Move, PathRewriter, Rewrite};
use steno_sessions::session::OpenSession;
use steno_source::project_directory_name;

use super::Request;
use crate::error::{Error, ErrorKind};
use crate::restore::movement::{Directories, real, unless_there};
use crate::workspace::Workspace;

#[derive(Debug)]
pub(super) struct Target {
    /// The new session.
    pub(super) id: String,
    /// The Claude directory.
    pub(super) root: PathBuf,
    /// The project's directory.
    pub(super) project: PathBuf,
    /// Where it resumes.
    pub(super) cwd: Option<String>,
    /// What changes in its records besides what was wished.
    pub(super) rewriter: Option<PathRewriter>,
    pub(super) warnings: Vec<Warning>,
}

impl Target {
    pub(super) fn of(
        workspace: &Workspace,
        request: &Request,
        original: &OpenSession,
    ) -> Result<Self, Error> {
        let root = root(workspace, request, original)?;
        let hash = original.files.project_hash.as_deref();
        let mut directories = Directories::default();
        original.read_bytes(|transcript| {
            directories = Directories::of(transcript, hash.unwrap_or_default());
            Ok(())
        })?;
        let cwd = request.cwd.as_deref().map(real);
        let home = directories.home().map(str::to_owned);
        let project = match (&cwd, hash, &home) {
            (Some(cwd), ..) => project(&root, original, &project_directory_name(cwd)),
            (None, Some(hash), _) => project(&root, original, hash),
            (None, None, Some(home)) => project(&root, original, &project_directory_name(Path::new(home))),
            (None, None, None) => return Err(homeless(original)),
        };
        let from = directories.first.as_deref();
        let mut rewrites = request.rewrites.clone();
        rewrites.extend(own_directory(original, &request.id, &root, &project));
        let moved = cwd.as_deref().zip(from);
        let moved = moved.map(|(to, from)| Move { from: from.to_owned(), to: to.display().to_string() });
        let rewriter = (moved.is_some() || !rewrites.is_empty()).then(|| {
            let rewriter = PathRewriter::new(moved.as_ref(), &rewrites);
            home.iter().fold(rewriter, |rewriter, home| rewriter.working_in(home))
        });
        let warnings = about_directory(cwd.as_deref(), home.as_deref()).into_iter().collect();
        let cwd = cwd.map(|cwd| cwd.display().to_string()).or(home);
        Ok(Self { id: request.id.clone(), root, project, cwd, rewriter, warnings })
    }

    /// Who the clone of a session is that goes by these names.
    pub(super) fn identity(&self, names: Vec<String>, project: Option<&str>) -> Identity {
        let identity = Identity::new(names, &self.id);
        let own = self.project.file_name().map(|name| name.to_string_lossy());
        match (project, own) {
            (Some(old), Some(new)) if old != new => identity.in_project(old, &*new),
            _ => identity,
        }
    }

    pub(super) fn transcript(&self) -> PathBuf {
        self.project.join(format!("{}.jsonl", self.id))
    }

    /// The directory beside the transcript.
    pub(super) fn directory(&self) -> PathBuf {
        self.project.join(&self.id)
    }

    /// Refuses an id whose names are taken.
    pub(super) fn check_free(&self) -> Result<(), Error> {
        let below = |top: &str| self.root.join(top).join(&self.id);
        let places = [self.transcript(), self.directory(), below("file-history"), below("tasks")];
        let todos = fs::read_dir(self.root.join("todos")).into_iter().flatten().flatten();
        let mut todos =
            todos.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(self.id.as_bytes()));
        let taken = places.into_iter().find(|place| fs::symlink_metadata(place).is_ok());
        match taken.or_else(|| todos.next().map(|entry| entry.path())) {
            Some(place) => Err(Error::new(ErrorKind::Exists, format!("{} exists", place.display()))
                .hint("nothing was written; run it again for another id")),
            None => Ok(()),
        }
    }
}

/// The named directory, else the session's own, else the usual one.
fn root(workspace: &Workspace, request: &Request, original: &OpenSession) -> Result<PathBuf, Error> {
    let own = original.files.claude_dir.clone();
    let root = match request.to.clone().or(own) {
        Some(root) => root,
        None => workspace.claude_dir()?.to_owned(),
    };
    if fs::metadata(&root).is_ok_and(|metadata| !metadata.is_dir()) {
        let message = format!("{} is not a directory", root.display());
        return Err(
            Error::new(ErrorKind::Invalid, message).hint("--to is the directory that holds `projects/`")
        );
    }
    Ok(root)
}

/// The original's own directory, which may be a link to another disk, or one of that name.
fn project(root: &Path, original: &OpenSession, name: &str) -> PathBuf {
    let is_own = original.files.claude_dir.as_deref() == Some(root)
        && original.files.project_hash.as_deref() == Some(name);
    let own = original.files.transcript.parent().filter(|_| is_own);
    own.map_or_else(|| root.join("projects").join(name), Path::to_owned)
}

/// Records name files of their own session by whole paths. Its id in them changes with all other ids, and so does the
/// project; if the Claude directory is another one, the path before them changes, too.
fn own_directory(original: &OpenSession, id: &str, root: &Path, project: &Path) -> Option<Rewrite> {
    let old = original.files.claude_dir.as_deref().filter(|old| *old != root)?;
    let below = Path::new("projects").join(project.file_name()?).join(id);
    let (from, to) = (old.join(below).display().to_string(), project.join(id).display().to_string());
    Some(Rewrite::Path(Move { from, to }))
}

/// The client finds a session by the directory it is started in.
fn about_directory(cwd: Option<&Path>, home: Option<&str>) -> Option<Warning> {
    match (cwd, home) {
        (Some(cwd), _) => unless_there(cwd, "make it before you resume the session there"),
        (None, Some(home)) => {
            unless_there(Path::new(home), "--cwd PATH makes a clone that works in another one")
        }
        (None, None) => None,
    }
}

fn homeless(original: &OpenSession) -> Error {
    let message = format!("nothing in {} says where it worked", original.told());
    Error::new(ErrorKind::Invalid, message).hint("--cwd PATH says where the clone shall work")
}
