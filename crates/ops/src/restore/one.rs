//! One session, put back with everything that belongs to it.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;

use super::live::Live;
use super::movement::{Directories, Movement, real, unless_there};
use super::name::KeptName;
use super::session::{Done, Job, Work};
use super::target::{Target, begin};
use super::{Missing, Options, Planned};
use crate::error::{Error, ErrorKind};
use crate::kept::{FoundSession, Index, KeptQuery, KeptSessions, with_session};
use crate::shell;
use crate::warning;
use crate::workspace::Workspace;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or the path of a transcript.
    pub session: String,
    pub machine: Option<String>,
    /// A part of the name of the project's directory, for a session that is kept from several.
    pub project: Option<String>,
    /// The latest, unless it is given.
    pub generation: Option<u32>,
    /// Where the session shall work from now on, absolute.
    pub cwd: Option<PathBuf>,
    pub options: Options,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub restored: Restored,
    pub dry_run: bool,
    /// Whether something is missing in what was put back, with `--partial`.
    #[serde(default)]
    pub partial: bool,
    /// Bytes that are damaged or gone, with `--partial`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// Only with `--dry-run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    pub warnings: Vec<Warning>,
    /// How to go on with it, for a shell.
    pub resume: String,
    /// What else it takes to name it, where it is kept more than once.
    #[serde(skip)]
    pub name: KeptName,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    /// The file of the vault that the transcript begins with.
    pub from: String,
    /// The transcript.
    pub to: String,
    /// How many files were written.
    pub files: u64,
    pub uuid: String,
    pub machine: String,
    pub generation: u32,
    /// Where it resumes.
    pub cwd: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    pub files: Vec<Planned>,
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let (machine, project) = (request.machine.as_deref(), request.project.as_deref());
    let query = KeptQuery { session: &request.session, machine, project };
    with_session(workspace, query, |kept_sessions, index, found| {
        restore(workspace, request, (kept_sessions, index), found)
    })
}

fn restore<'a>(
    workspace: &'a Workspace,
    request: &'a Request,
    (kept_sessions, index): (&'a KeptSessions, &'a Index<'a>),
    FoundSession { kept, mut warnings }: FoundSession<'a>,
) -> Result<Report, Error> {
    let target = Target::new(workspace, request.options.to.as_deref())?;
    let generation = kept_sessions.generation(&kept, request.generation)?;
    let directories =
        Directories::of(kept_sessions.volume(kept.machine, kept.stream, generation).reader(), &kept.project);
    let cwd = request.cwd.as_deref().map(real);
    let movement = match &cwd {
        Some(cwd) => Movement::to(cwd, directories.first.as_deref(), &request.options),
        None => Movement::of_paths(&request.options),
    };
    let movement = movement.working_in(directories.home());
    warnings.extend(about_directory(cwd.as_deref(), &directories));
    let live = Live::of(std::iter::once(kept.id.clone()).collect());
    let _unfinished = begin(workspace, &target, &request.options)?;
    let (target, options) = (&target, &request.options);
    let work =
        Work { workspace, kept_sessions, index, target, options, takes_plans: true, compares: true, live };
    let parts = index.parts(&kept);
    let job = Job { kept, generation, movement: &movement, parts };
    let home = client_home(workspace, &request.options);
    let cwd = cwd.map(|cwd| cwd.display().to_string()).or_else(|| directories.home().map(str::to_owned));
    let resume = shell::resume(cwd.as_deref(), home, Some(&job.kept.id));
    let done = work.restore(&job).map_err(|error| if options.force { error } else { in_the_way(error) })?;
    warnings.extend(target.elsewhere(&done.to).iter().map(|other| also_live(other)));
    let name = KeptName::of(&job.kept, index).or(request.machine.as_deref(), request.project.as_deref());
    let report = Report { name, ..report(request, &job, done, (cwd, resume), warnings) };
    Ok(report)
}

fn report(
    request: &Request,
    job: &Job<'_>,
    done: Done,
    (cwd, resume): (Option<String>, String),
    mut warnings: Vec<Warning>,
) -> Report {
    let dry_run = &request.options.dry_run;
    let restored = Restored {
        from: done.from.display().to_string(),
        to: done.to.display().to_string(),
        files: done.files(),
        uuid: job.kept.id.clone(),
        machine: job.kept.machine.to_owned(),
        generation: job.generation.number,
        cwd,
    };
    warnings.extend(done.warnings);
    warnings.extend(done.missing.iter().map(Missing::warning));
    let missing = done.missing;
    let partial = !missing.is_empty();
    let plan = dry_run.then_some(Plan { files: done.planned });
    Report {
        ok: !partial,
        restored,
        dry_run: *dry_run,
        partial,
        missing,
        plan,
        warnings,
        resume,
        name: KeptName::default(),
    }
}

fn in_the_way(error: Error) -> Error {
    if error.kind == ErrorKind::Exists { error.hint("it differs from what the vault holds") } else { error }
}

/// The client finds a session by the directory it is started in.
fn about_directory(cwd: Option<&Path>, directories: &Directories) -> Option<Warning> {
    match (cwd, directories.home()) {
        (Some(cwd), _) => unless_there(cwd, "make it before you resume the session there"),
        (None, Some(home)) => unless_there(Path::new(home), "--cwd PATH moves the session to one that is"),
        (None, None) => None,
    }
}

fn also_live(other: &Path) -> Warning {
    let message =
        "the same session is here too; the client goes on with the one of the directory it is started in";
    warning::at(other, "duplicate-session", message.to_owned())
}

/// The Claude directory that the client has to be told of.
pub(crate) fn client_home<'a>(workspace: &'a Workspace, options: &'a Options) -> Option<&'a Path> {
    let named = workspace.dirs.paths.first().filter(|_| !workspace.dirs.is_default);
    options.to.as_ref().or(named).map(PathBuf::as_path)
}
