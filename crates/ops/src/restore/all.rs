//! All sessions of a machine, or those that a filter takes, put back at once.

use std::collections::{BTreeSet, HashMap};
use std::fs;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::{Generation, Stream};

use super::live::Live;
use super::movement::Movement;
use super::session::{Done, Job, Work};
use super::stage::{Copy, Stage, taken};
use super::target::{Target, begin};
use super::{Filter, Missing, Options};
use crate::error::{Error, ErrorKind};
use crate::kept::{Index, KeptSession, KeptSessions, is_machine, known_machine, sketches};
use crate::warning;
use crate::workspace::Workspace;

#[derive(Debug, Clone, Default)]
pub struct Request {
    pub filter: Filter,
    pub options: Options,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether everything that should be there is.
    pub ok: bool,
    pub restored: Vec<Restored>,
    pub skipped: Vec<Skipped>,
    pub others: Others,
    pub dry_run: bool,
    /// Whether something is missing in what was put back, with `--partial`.
    #[serde(default)]
    pub partial: bool,
    /// Whether what is there was to be overwritten.
    pub forced: bool,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    pub uuid: String,
    pub from: String,
    pub to: String,
    pub files: u64,
    /// With `--dry-run`, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Bytes that are damaged or gone, with `--partial`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    pub uuid: String,
    pub reason: Reason,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    Exists,
    Running,
    Damaged,
    Failed,
}

/// What belongs to no session: memory, plans, the list of prompts.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Others {
    pub files: u64,
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let Request { filter, options } = request;
    let kept_sessions = KeptSessions::open(workspace)?;
    // Before anything else: without the key nothing can be read.
    if let Some(seal) = kept_sessions.vault.store.encryption() {
        seal.keyring().keys()?;
    }
    let index = kept_sessions.index();
    let target = Target::new(workspace, options.to.as_deref())?;
    let machine = machine(workspace, &kept_sessions, &index, filter)?;
    let sessions = sessions(workspace, &kept_sessions, &index, filter, machine)?;
    let others = if filter.is_narrow() { Vec::new() } else { index.loose(machine) };
    let movement = Movement::of_paths(options);
    let live = Live::of(sessions.iter().map(|kept| kept.id.clone()).collect());
    let _unfinished = begin(workspace, &target, options)?;
    let work = Work {
        workspace,
        kept_sessions: &kept_sessions,
        index: &index,
        target: &target,
        options,
        takes_plans: filter.is_narrow(),
        compares: false,
        live,
    };
    let jobs: Vec<Job<'_>> =
        sessions.into_iter().filter_map(|kept| Job::whole(kept, &index, &movement)).collect();
    let sizes: u64 = jobs.iter().map(Job::len).chain(others.iter().map(|stream| len(stream))).sum();
    workspace.progress.begin("Restoring", sizes);
    let outcomes: Vec<_> = jobs.par_iter().with_max_len(1).map(|job| work.restore(job)).collect();
    let beside: Vec<_> =
        others.par_iter().with_max_len(1).map(|stream| work.put_back(machine, stream)).collect();
    workspace.progress.end();
    let mut report = Report::empty(options);
    for (job, outcome) in jobs.iter().zip(outcomes) {
        report.add(&job.kept, outcome);
    }
    if options.dry_run {
        report.name_sessions(workspace, &kept_sessions, &index, &jobs);
    }
    for (stream, outcome) in others.iter().zip(beside) {
        report.add_other(stream, outcome);
    }
    report.warnings.extend(other_machines(&index, machine, filter));
    Ok(report)
}

/// The one that was asked for, else this one, else the only one there is.
fn machine<'a>(
    workspace: &Workspace,
    kept_sessions: &KeptSessions,
    index: &Index<'a>,
    filter: &Filter,
) -> Result<&'a str, Error> {
    known_machine(index, filter.machine.as_deref())?;
    let machines: BTreeSet<&'a str> = index.sessions.iter().map(|kept| kept.machine).collect();
    let home = workspace.claude_dir().ok().and_then(|directory| kept_sessions.vault.home(directory));
    let home = home.map_or_else(|| kept_sessions.vault.slug(), |home| home.slug.as_str());
    let is_named = |machine: &&&str| filter.machine.as_deref().is_none_or(|named| is_machine(machine, named));
    let named: Vec<&'a str> = machines.iter().filter(is_named).copied().collect();
    let exact = filter.machine.as_deref().unwrap_or(home);
    match (named.iter().find(|machine| **machine == exact), named.as_slice()) {
        (Some(machine), _) | (None, [machine]) => Ok(machine),
        (None, []) => {
            Err(Error::new(ErrorKind::NotFound, "the vault holds no session yet")
                .hint("`steno sync` keeps them"))
        }
        (None, several) => {
            let error = Error::new(
                ErrorKind::Ambiguous,
                format!("the vault holds sessions of {} machines", several.len()),
            );
            Err(several
                .iter()
                .map(|machine| format!("say which one: --machine {machine}"))
                .fold(error, Error::hint))
        }
    }
}

/// What the filter takes.
fn sessions<'a>(
    workspace: &Workspace,
    kept_sessions: &KeptSessions,
    index: &Index<'a>,
    filter: &Filter,
    machine: &str,
) -> Result<Vec<KeptSession<'a>>, Error> {
    let mut sessions: Vec<KeptSession<'a>> = if filter.is_narrow() {
        let filter = Filter { machine: Some(machine.to_owned()), ..filter.clone() };
        let (chosen, _) = filter.choose(workspace, kept_sessions, index)?;
        chosen.into_iter().map(|chosen| chosen.kept).collect()
    } else {
        index.sessions.clone()
    };
    sessions.retain(|kept| kept.machine == machine);
    Ok(sessions)
}

fn other_machines(index: &Index<'_>, machine: &str, filter: &Filter) -> Option<Warning> {
    let others: BTreeSet<&str> =
        index.sessions.iter().map(|kept| kept.machine).filter(|own| *own != machine).collect();
    let message = format!("only what {machine} kept was put back; --machine names the others");
    let others: Vec<&str> = others.into_iter().collect();
    let about = Warning { file: others.join(", "), line: None, kind: "other-machines".to_owned(), message };
    (!others.is_empty() && filter.machine.is_none()).then_some(about)
}

impl<'a> Job<'a> {
    /// Everything as it lay; nothing where nothing is kept.
    fn whole(kept: KeptSession<'a>, index: &Index<'a>, movement: &'a Movement) -> Option<Self> {
        let generation = kept.stream.latest()?;
        let parts = index.parts_in_place(&kept);
        Some(Self { kept, generation, movement, parts })
    }

    fn len(&self) -> u64 {
        self.generation.len() + self.parts.iter().map(|part| len(part.stream)).sum::<u64>()
    }
}

fn len(stream: &Stream) -> u64 {
    stream.latest().map_or(0, Generation::len)
}

impl Work<'_> {
    /// A file that belongs to no session, where none is in its place.
    fn put_back(&self, machine: &str, stream: &Stream) -> Result<(bool, Vec<Missing>), Error> {
        let place = self.target.place(&stream.path)?;
        let Some(volume) =
            self.kept_sessions.latest(machine, stream).filter(|_| fs::symlink_metadata(&place).is_err())
        else {
            return Ok((false, Vec::new()));
        };
        let mut stage = Stage::new(self.options, self.workspace.progress.as_ref());
        let partial = self.options.partial;
        let copy = Copy { volume, patch: None, place: place.clone(), partial, over: None };
        if partial && copy.is_lost()? {
            return Ok((false, Missing::of(&copy.volume, &copy.volume.holes()?).collect()));
        }
        let holes = stage.put(&copy, None)?;
        let missing = Missing::of(&copy.volume, &holes).collect();
        if !self.options.dry_run && !stage.commit(&mut |_, _| Ok(false))?.is_empty() {
            return Err(taken(&place));
        }
        Ok((true, missing))
    }
}

impl Report {
    fn empty(options: &Options) -> Self {
        let Options { dry_run, force: forced, .. } = *options;
        let (restored, skipped, warnings) = (Vec::new(), Vec::new(), Vec::new());
        let others = Others::default();
        Self { ok: true, restored, skipped, others, dry_run, partial: false, forced, warnings }
    }

    fn add(&mut self, kept: &KeptSession<'_>, outcome: Result<Done, Error>) {
        match outcome {
            Ok(done) => {
                self.restored.push(Restored {
                    uuid: kept.id.clone(),
                    from: done.from.display().to_string(),
                    to: done.to.display().to_string(),
                    files: done.files(),
                    title: None,
                    missing: done.missing.clone(),
                });
                self.miss(&done.missing);
                self.warnings.extend(done.warnings);
            }
            Err(error) => {
                let reason = match error.kind {
                    ErrorKind::Exists => Reason::Exists,
                    ErrorKind::Running => Reason::Running,
                    ErrorKind::Damaged => Reason::Damaged,
                    _ => Reason::Failed,
                };
                self.ok &= !self.is_failure(reason);
                self.skipped.push(Skipped { uuid: kept.id.clone(), reason, message: error.to_string() });
            }
        }
    }

    fn name_sessions(
        &mut self,
        workspace: &Workspace,
        kept_sessions: &KeptSessions,
        index: &Index<'_>,
        jobs: &[Job<'_>],
    ) {
        let kept: Vec<&KeptSession<'_>> = jobs.iter().map(|job| &job.kept).collect();
        let sketches = sketches(workspace, kept_sessions, index, &kept);
        let titles =
            kept.iter().zip(sketches).filter_map(|(kept, sketch)| Some((kept.id.as_str(), sketch.title?)));
        let mut titles: HashMap<&str, String> = titles.collect();
        for session in &mut self.restored {
            session.title = titles.remove(session.uuid.as_str());
        }
    }

    /// A session that is there is what one expects, unless it was to be overwritten.
    pub fn is_failure(&self, reason: Reason) -> bool {
        match reason {
            Reason::Exists => self.forced,
            Reason::Running => false,
            Reason::Damaged | Reason::Failed => true,
        }
    }

    /// What was put back is not all that was kept.
    fn miss(&mut self, missing: &[Missing]) {
        self.ok &= missing.is_empty();
        self.partial |= !missing.is_empty();
        self.warnings.extend(missing.iter().map(Missing::warning));
    }

    fn add_other(&mut self, stream: &Stream, outcome: Result<(bool, Vec<Missing>), Error>) {
        match outcome {
            Ok((is_written, missing)) => {
                self.others.files += u64::from(is_written);
                self.miss(&missing);
            }
            Err(error) => {
                self.ok = false;
                let path = std::path::Path::new(&stream.path);
                self.warnings.push(warning::at(path, error.kind.name(), error.to_string()));
            }
        }
    }
}
