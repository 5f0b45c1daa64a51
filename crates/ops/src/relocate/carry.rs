//! One load → its files in the other project directory, all of a session's or none. The originals are only read.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use steno_conversation::Warning;
use steno_edit::rewrite::{Move, PathRewriter, Rewrite};

use super::address::is_native;
use super::load::{Carried, Load};
use super::{Reason, Request};
use crate::claude_dirs::Running;
use crate::compare::Compare;
use crate::error::{Error, ErrorKind};
use crate::restore::stage::Stage;
use crate::restore::{Action, Options, Planned};
use crate::warning;
use crate::workspace::Workspace;

/// What all loads share.
pub(super) struct Carrier<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) request: &'a Request,
    pub(super) route: &'a Move,
    pub(super) running: &'a Running,
}

/// What became of a load.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Whether the session is there already.
    pub(super) is_there: bool,
    pub(super) planned: Vec<Planned>,
    /// For each file: what it was when it was read, if what it holds is in the other place now.
    pub(super) stamps: Vec<Option<Stamp>>,
    pub(super) warnings: Vec<Warning>,
}

/// Why a load was not carried.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) reason: Reason,
    pub(super) message: String,
}

impl Refusal {
    /// Of two files of a session only one can have the place.
    pub(super) fn second(load: &Load, first: &Load) -> Self {
        let message = format!(
            "session {} is also in {}, and only that one moves: this one stays in {}",
            load.name(),
            first.from.display(),
            load.from.display()
        );
        Self { reason: Reason::Exists, message }
    }
}

/// What tells whether a file was written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self { len: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl Done {
    /// How many files were written.
    pub(super) fn files(&self) -> u64 {
        self.planned.iter().filter(|file| file.action.writes()).count() as u64
    }

    /// Files whose names were taken while they were copied: the originals stay.
    fn leave(&mut self, load: &Load, taken: &BTreeSet<PathBuf>) -> Result<(), Refusal> {
        let transcript = load.files.first().filter(|_| load.id.is_some());
        if let Some(transcript) = transcript.filter(|transcript| taken.contains(&transcript.to)) {
            return Err(exists(&transcript.to));
        }
        let places = self.planned.iter_mut().zip(&mut self.stamps).zip(&load.files);
        for ((planned, stamp), file) in places.filter(|(_, file)| taken.contains(&file.to)) {
            (planned.action, *stamp) = (Action::Keep, None);
            self.warnings.push(other_bytes(&file.to));
        }
        Ok(())
    }
}

impl Carrier<'_> {
    pub(super) fn carry(&self, load: &Load) -> Result<Done, Refusal> {
        if load.stays() {
            return Ok(Done { is_there: true, ..Done::default() });
        }
        is_idle(load, self.running)?;
        let rewrites = [self.own_paths(load), self.request.rewrites.clone()].concat();
        let patch = PathRewriter::new(Some(self.route), &rewrites).working_in(&load.home);
        let options = Options { dry_run: self.request.dry_run, ..Options::default() };
        let mut stage = Stage::new(&options, self.workspace.progress.as_ref());
        let mut done = Done::default();
        for (number, file) in load.files.iter().enumerate() {
            let copy = Copy { file, patch: file.is_records.then_some(&patch) };
            let is_transcript = number == 0 && load.id.is_some();
            self.put(&copy, is_transcript, &mut stage, &mut done)?;
        }
        if !self.request.dry_run {
            done.leave(load, &stage.commit(&mut |_, _| Ok(false))?)?;
        }
        Ok(done)
    }

    /// Results that are too long lie in the session's directory, and the model reads them by the path that it was told:
    /// that of the Claude directory, which may have moved with the project.
    fn own_paths(&self, load: &Load) -> Vec<Rewrite> {
        let (Some(id), Some(project)) = (&load.id, load.from.file_name()) else { return Vec::new() };
        let back = Move { from: self.route.to.clone(), to: self.route.from.clone() };
        let real = steno_vault::real(&load.claude_dir).unwrap_or_else(|_| load.claude_dir.clone());
        let mut places = vec![load.claude_dir.clone(), real];
        let before = places.iter().filter_map(|place| back.of_directory(&place.to_string_lossy()));
        let before: Vec<PathBuf> = before.filter(|place| is_native(place)).map(PathBuf::from).collect();
        places.extend(before);
        places.sort();
        places.dedup();
        let to = load.to.join(id).to_string_lossy().into_owned();
        let own = |place: PathBuf| place.join("projects").join(project).join(id);
        let moved = |path: PathBuf| Move { from: path.to_string_lossy().into_owned(), to: to.clone() };
        places.into_iter().map(|place| Rewrite::Path(moved(own(place)))).collect()
    }

    fn put(
        &self,
        copy: &Copy<'_>,
        is_transcript: bool,
        stage: &mut Stage<'_>,
        done: &mut Done,
    ) -> Result<(), Refusal> {
        let Carried { from, to, .. } = copy.file;
        let stamp = Stamp::of(from).map_err(|error| unreadable(from, error))?;
        let action = if fs::symlink_metadata(to).is_err() {
            Action::Write
        } else if copy.is_there().map_err(|error| unreadable(from, error))? {
            Action::Identical
        } else if is_transcript {
            return Err(exists(to));
        } else {
            done.warnings.push(other_bytes(to));
            Action::Keep
        };
        done.is_there |= is_transcript && action == Action::Identical;
        if action == Action::Write && !self.request.dry_run {
            let mut file = stage.create(to, None).map_err(Error::from)?;
            copy.to(&mut file).map_err(|error| unreadable(from, error))?;
        }
        if Stamp::of(from).ok() != Some(stamp) {
            let message = format!("it was written to while it was read: {}", from.display());
            return Err(Refusal { reason: Reason::Changed, message });
        }
        self.workspace.progress.advance(stamp.len);
        done.planned.push(Planned { path: to.display().to_string(), bytes: stamp.len, action });
        done.stamps.push((action != Action::Keep).then_some(stamp));
        Ok(())
    }
}

/// A file and what changes in it.
struct Copy<'a> {
    file: &'a Carried,
    patch: Option<&'a PathRewriter>,
}

impl Copy<'_> {
    fn to(&self, mut target: impl Write) -> io::Result<()> {
        let mut source = File::open(&self.file.from)?;
        match self.patch {
            Some(patch) => patch.copy(source, target).map(drop),
            None => io::copy(&mut source, &mut target).map(drop),
        }
    }

    /// Whether its bytes are there. Records may have been added: the client went on with the session there.
    fn is_there(&self) -> io::Result<bool> {
        let is_file = fs::symlink_metadata(&self.file.to).is_ok_and(|metadata| metadata.is_file());
        let compare = if is_file { Compare::with(&self.file.to).ok() } else { None };
        let Some(mut compare) = compare else { return Ok(false) };
        self.to(&mut compare)?;
        if self.patch.is_some() { Ok(compare.is_same()) } else { Ok(compare.finish().unwrap_or(false)) }
    }
}

fn exists(to: &Path) -> Refusal {
    let message =
        format!("another file of this session already exists there, and is left as it is: {}", to.display());
    Refusal { reason: Reason::Exists, message }
}

fn other_bytes(to: &Path) -> Warning {
    warning::at(to, "exists", "another file is already there, and is left as it is".to_owned())
}

pub(super) fn is_idle(load: &Load, running: &Running) -> Result<(), Refusal> {
    let Some(id) = load.id.as_deref().filter(|id| running.has(id)) else { return Ok(()) };
    let message = format!("session {id} is running, and is not touched: leave it in the client first");
    Err(Refusal { reason: Reason::Running, message })
}

fn unreadable(path: &Path, error: io::Error) -> Refusal {
    Refusal { reason: Reason::Failed, message: format!("{}: {error}", path.display()) }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let reason = if error.kind == ErrorKind::Exists { Reason::Exists } else { Reason::Failed };
        Self { reason, message: error.to_string() }
    }
}
