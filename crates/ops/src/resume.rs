//! `resume`: what a user calls a session, or words of it → the directory and the command line that go on with it.
//!
//! The client finds a session only below the Claude directory, in the project directory named after where it runs. So
//! one that only the vault has is restored first, and one that is to run elsewhere is copied to there. The caller
//! starts the client: nothing here runs a program.

mod choice;
mod place;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_sessions::session::OpenSession;

use crate::error::{Error, ErrorKind};
use crate::restore::{Options, Planned, one};
use crate::shell::{self, quoted};
use crate::workspace::Workspace;
use crate::{Program, clone};

use choice::Choice;
pub use choice::FoundBy;
use place::Place;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last` or a path; else words of the session.
    pub words: Vec<String>,
    /// Where it shall work, absolute, instead of its own directory.
    pub cwd: Option<PathBuf>,
    /// Resume it though it is running.
    pub force: bool,
    /// The id of the copy, where one is made: a UUID that no other session has.
    pub new_id: String,
}

/// What has to be done before the client can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// Only the vault has it.
    Restore,
    /// It shall run in another directory than its own, where the client would not find it.
    Clone,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub session: String,
    pub title: Option<String>,
    pub found_by: FoundBy,
    /// How many other sessions answer the same words.
    pub others: u64,
    /// Where the client runs.
    pub cwd: String,
    /// What `CLAUDE_CONFIG_DIR` is set to, unless the session is in the client's usual place.
    pub claude_dir: Option<String>,
    pub needs: Option<Needs>,
    /// For a shell: all that it takes.
    pub command: String,
    pub dry_run: bool,
    /// The files that would be written, with `--dry-run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<one::Plan>,
    pub warnings: Vec<Warning>,
}

/// A session that can be resumed, and how.
#[derive(Debug)]
pub struct Prepared<'a> {
    workspace: &'a Workspace,
    work: Option<Work>,
    id: String,
    cwd: PathBuf,
    claude_dir: Option<PathBuf>,
    choice: Choice,
    force: bool,
    warnings: Vec<Warning>,
}

#[derive(Debug)]
enum Work {
    Restore(Box<one::Request>),
    Clone(Box<clone::Request>),
}

/// What the client is started with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    pub id: String,
    pub cwd: PathBuf,
    /// What `CLAUDE_CONFIG_DIR` has to be, where that is not the usual place.
    pub claude_dir: Option<PathBuf>,
}

/// Finds the session and checks that it can be resumed; writes nothing.
pub fn prepare<'a>(workspace: &'a Workspace, request: &Request) -> Result<Prepared<'a>, Error> {
    let choice = choice::choose(workspace, &request.words)?;
    let session = OpenSession::open(workspace, &choice.name)?;
    let id = session.files.id.to_string();
    let running = workspace.dirs.running_beside(&session.files);
    if running.contains(&session.files) && !request.force {
        let message = format!("session {id} is running elsewhere; two clients would write to one file");
        return Err(Error::new(ErrorKind::Running, message)
            .hint("go on with it where it runs, or leave it there first")
            .hint("--force resumes it all the same"));
    }
    let Place { cwd, claude_dir, is_own, warning } = Place::of(workspace, &session, request.cwd.as_deref())?;
    let moved_to = request.cwd.is_some().then(|| cwd.clone());
    let work = match session.only_kept(workspace) {
        Some(kept) => {
            let options = Options { to: kept.claude_dir, ..Options::default() };
            let (session, machine) = (id.clone(), kept.machine);
            let request = one::Request { session, machine, cwd: moved_to, options, ..Default::default() };
            Some(Work::Restore(Box::new(request)))
        }
        None if is_own => None,
        None => {
            let (session, id, to) = (session.name(), request.new_id.clone(), Some(claude_dir.clone()));
            let request = clone::Request { session, id, cwd: moved_to, to, ..Default::default() };
            Some(Work::Clone(Box::new(request)))
        }
    };
    let mut warnings = session.warnings.clone();
    warnings.extend(warning);
    // The client looks there by itself.
    let is_usual = workspace.dirs.is_default && workspace.claude_dir().is_ok_and(|usual| usual == claude_dir);
    let claude_dir = (!is_usual).then_some(claude_dir);
    Ok(Prepared { workspace, work, id, cwd, claude_dir, choice, force: request.force, warnings })
}

impl Prepared<'_> {
    /// What is said before anything is done.
    pub fn report(&self) -> Report {
        Report {
            ok: true,
            session: self.id.clone(),
            title: self.choice.title.clone(),
            found_by: self.choice.found_by,
            others: self.choice.others,
            cwd: self.cwd.display().to_string(),
            claude_dir: self.claude_dir.as_ref().map(|directory| directory.display().to_string()),
            needs: self.work.as_ref().map(Work::needs),
            command: self.command(),
            dry_run: false,
            plan: None,
            warnings: self.warnings.iter().chain(&self.choice.warnings).cloned().collect(),
        }
    }

    /// The same with the files that would be written.
    pub fn preview(&self) -> Result<Report, Error> {
        let files = self.files()?;
        Ok(Report { dry_run: true, plan: self.work.as_ref().map(|_| one::Plan { files }), ..self.report() })
    }

    fn files(&self) -> Result<Vec<Planned>, Error> {
        Ok(match &self.work {
            None => Vec::new(),
            Some(Work::Restore(request)) => {
                let options = Options { dry_run: true, ..request.options.clone() };
                let report = one::run(self.workspace, &one::Request { options, ..(**request).clone() })?;
                report.plan.map(|plan| plan.files).unwrap_or_default()
            }
            Some(Work::Clone(request)) => {
                let report = clone::plan(self.workspace, request)?.preview()?;
                report.plan.map(|plan| plan.files).unwrap_or_default()
            }
        })
    }

    /// Where the client is, or what to do without it.
    pub fn find_client(&self, client: &Program) -> Result<PathBuf, Error> {
        client.path().cloned().ok_or_else(|| {
            Error::new(ErrorKind::Outside, "`claude` was not found on the search path")
                .hint(format!("where it is, paste: {}", self.command()))
        })
    }

    /// Does what is needed first.
    pub fn apply(self) -> Result<Start, Error> {
        let mut id = self.id;
        match self.work {
            None => {}
            Some(Work::Restore(request)) => {
                one::run(self.workspace, &request)?;
            }
            Some(Work::Clone(request)) => {
                id = clone::apply(&clone::plan(self.workspace, &request)?)?.cloned.uuid;
            }
        }
        Ok(Start { id, cwd: self.cwd, claude_dir: self.claude_dir })
    }

    /// A line for a shell. The id of a copy is known once it is made, so its line is this command again.
    fn command(&self) -> String {
        let cwd = self.cwd.to_string_lossy();
        let resume = shell::resume(Some(&*cwd), self.claude_dir.as_deref(), Some(&self.id));
        let flags = self.workspace.flags();
        let value = |name: &str, value: Option<&str>| {
            value.map(|value| format!(" {name} {}", quoted(value))).unwrap_or_default()
        };
        let path = |name: &str, path: Option<&Path>| value(name, path.map(Path::to_string_lossy).as_deref());
        match &self.work {
            None => resume,
            Some(Work::Restore(request)) => {
                let machine = value("--machine", request.machine.as_deref());
                let to = path("--to", request.options.to.as_deref());
                let moved_to = path("--cwd", request.cwd.as_deref());
                format!("steno restore {}{machine}{to}{moved_to}{flags} && {resume}", quoted(&self.id))
            }
            Some(Work::Clone(request)) => {
                let force = if self.force { " --force" } else { "" };
                format!("steno resume {} --cwd {}{force}{flags}", quoted(&request.session), quoted(&cwd))
            }
        }
    }
}

impl Work {
    fn needs(&self) -> Needs {
        match self {
            Self::Restore(_) => Needs::Restore,
            Self::Clone(_) => Needs::Clone,
        }
    }
}
