//! A session → where the client has to run so that it finds it.

use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_sessions::session::OpenSession;
use steno_source::project_directory_name;

use crate::error::{Error, ErrorKind};
use crate::restore::movement::{Directories, real};
use crate::warning;
use crate::workspace::Workspace;

pub(super) struct Place {
    pub(super) cwd: PathBuf,
    /// Whose session it is, or will be.
    pub(super) claude_dir: PathBuf,
    /// Whether the session is where the client looks when it runs there.
    pub(super) is_own: bool,
    pub(super) warning: Option<Warning>,
}

impl Place {
    pub(super) fn of(
        workspace: &Workspace,
        session: &OpenSession,
        wanted: Option<&Path>,
    ) -> Result<Self, Error> {
        let project = session.files.project_hash.as_deref().unwrap_or_default();
        let mut directories = Directories::default();
        session.read_bytes(|bytes| {
            directories = Directories::of(bytes, project);
            Ok(())
        })?;
        let home = directories.home().map(PathBuf::from);
        let is_there = session.is_kept() || is_in_project(session);
        let claude_dir = match session.only_kept(workspace) {
            Some(kept) => kept.claude_dir,
            None => session.files.claude_dir.clone().filter(|_| is_there),
        };
        let claude_dir = claude_dir.map_or_else(|| workspace.claude_dir().map(Path::to_owned), Ok)?;
        let Some(wanted) = wanted else {
            let cwd = existing(session, home)?;
            if !is_there {
                return Err(outside(session));
            }
            let warning = elsewhere(&cwd, project)
                .map(|message| warning::at(&session.files.transcript, "moved", message));
            return Ok(Self { cwd, claude_dir, is_own: true, warning });
        };
        if !wanted.is_dir() {
            let message = format!("{} is not a directory", wanted.display());
            return Err(Error::new(ErrorKind::Invalid, message).hint("--cwd names one that exists"));
        }
        let cwd = real(wanted);
        let is_own = is_there && project_directory_name(&cwd).eq_ignore_ascii_case(project);
        Ok(Self { cwd, claude_dir, is_own, warning: None })
    }
}

/// A file that lies anywhere else is not found by its id.
fn is_in_project(session: &OpenSession) -> bool {
    let files = &session.files;
    let project = files.claude_dir.as_ref().zip(files.project_hash.as_ref());
    let project = project.map(|(directory, project)| directory.join("projects").join(project));
    project.is_some() && files.transcript.parent() == project.as_deref()
}

fn existing(session: &OpenSession, home: Option<PathBuf>) -> Result<PathBuf, Error> {
    let id = &session.files.id;
    let elsewhere = "--cwd PATH resumes it in another directory";
    match home {
        Some(home) if home.is_dir() => Ok(home),
        Some(home) => {
            let message = format!("{}, where session {id} works, no longer exists", home.display());
            Err(Error::new(ErrorKind::NotFound, message)
                .hint(elsewhere)
                .hint("`steno move OLD NEW` takes all sessions of a project along that has moved"))
        }
        None => {
            let message = format!("session {id} does not say in which directory it works");
            Err(Error::new(ErrorKind::NotFound, message).hint(elsewhere))
        }
    }
}

fn outside(session: &OpenSession) -> Error {
    let message = format!("the client does not find {} where it is", session.files.transcript.display());
    Error::new(ErrorKind::Invalid, message)
        .hint("--cwd PATH copies it to where the client looks, and resumes that")
}

fn elsewhere(cwd: &Path, project: &str) -> Option<String> {
    let is_named = |path: &Path| project_directory_name(path).eq_ignore_ascii_case(project);
    let is_found = is_named(cwd) || is_named(&real(cwd));
    (!is_found).then(|| {
        format!(
            "the session was made in {}, but its file is in another project directory, where the client may not look; \
             --cwd PATH copies it",
            cwd.display()
        )
    })
}
