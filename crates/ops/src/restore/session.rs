//! One kept session → its files in a Claude directory, all of them or none.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_vault::{Generation, Hole, Stream, Volume};

use super::live::Live;
use super::movement::Movement;
use super::stage::{Copy, Over, Stage, taken};
use super::target::Target;
use super::{Action, Missing, Options, Planned};
use crate::aside::{Print, not_kept, unreadable, wait_until_unwritten};
use crate::compare::has_all;
use crate::error::{Error, ErrorKind};
use crate::kept::{Index, KeptPart, KeptSession, KeptSessions, Slugs, moved};
use crate::warning;
use crate::workspace::Workspace;

/// What all sessions of a restore share.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) kept_sessions: &'a KeptSessions,
    pub(super) index: &'a Index<'a>,
    pub(super) target: &'a Target,
    pub(super) options: &'a Options,
    /// Whether the plans of a session come with it.
    pub(super) takes_plans: bool,
    /// Whether a transcript that is there is compared. Of all sessions that would take too long.
    pub(super) compares: bool,
    pub(super) live: Live,
}

/// What to put back.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) kept: KeptSession<'a>,
    pub(super) generation: &'a Generation,
    pub(super) movement: &'a Movement,
    /// What comes with the transcript.
    pub(super) parts: Vec<KeptPart<'a>>,
}

/// What was put back.
#[derive(Debug)]
pub(super) struct Done {
    /// The file of the vault that the transcript begins with.
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
    pub(super) planned: Vec<Planned>,
    /// Of what is damaged, where that was asked for.
    pub(super) missing: Vec<Missing>,
    pub(super) warnings: Vec<Warning>,
}

impl Done {
    /// How many were written.
    pub(super) fn files(&self) -> u64 {
        self.planned.iter().filter(|file| file.action.writes()).count() as u64
    }
}

impl<'a> Work<'a> {
    pub(super) fn restore(&self, job: &Job<'a>) -> Result<Done, Error> {
        let transcript = KeptPart::of(job.kept.stream);
        let to = self.target.place(&self.path_of(job, &transcript.path))?;
        let mut copy = self.copy(job, job.kept.stream, to.clone()).ok_or_else(|| empty(&transcript.path))?;
        let action = self.action_on_transcript(job, &copy)?;
        let mut stage = Stage::new(self.options, self.workspace.progress.as_ref());
        let from = self.kept_sessions.first_file(job.generation);
        let warnings = self.kept_sessions.damaged_generations(&job.kept, job.generation.number);
        let mut done = Done { from, to, planned: Vec::new(), missing: Vec::new(), warnings };
        let mut slugs = (self.takes_plans && self.index.has_plans(job.kept.machine)).then(Slugs::default);
        let damaged = |error| self.damaged(job, error);
        if action == Action::Overwrite {
            copy.over = Some(self.check_held(job, &copy)?);
        }
        if self.options.partial && copy.is_lost().map_err(damaged)? {
            return Err(empty(&transcript.path));
        }
        let holes =
            if action.writes() { stage.put(&copy, slugs.as_mut()) } else { copy.read(slugs.as_mut()) };
        done.miss(&copy, &holes.map_err(damaged)?);
        done.add(&copy, action);
        let mut parts = job.parts.clone();
        parts.extend(
            slugs.map(|slugs| self.index.plans(job.kept.machine, &slugs.found())).unwrap_or_default(),
        );
        for part in &parts {
            self.put(job, part, &mut stage, &mut done)?;
        }
        // What else is taken, another session put there, which was faster with the same plan.
        let root = &self.target.root;
        let mut keeper =
            |place: &Path, file: &Path| self.live.keep_aside(self.workspace, root, (place, file));
        if !self.options.dry_run && stage.commit(&mut keeper)?.contains(&done.to) {
            return Err(taken(&done.to));
        }
        Ok(done)
    }

    /// Something that belongs to the session.
    fn put(
        &self,
        job: &Job<'a>,
        part: &KeptPart<'a>,
        stage: &mut Stage<'_>,
        done: &mut Done,
    ) -> Result<(), Error> {
        let place = self.target.place(&self.path_of(job, &part.path))?;
        let Some(mut copy) = self.copy(job, part.stream, place) else { return Ok(()) };
        let damaged = |error| self.damaged(job, error);
        if self.options.partial && copy.is_lost().map_err(damaged)? {
            done.miss(&copy, &copy.volume.holes().map_err(damaged)?);
            return Ok(());
        }
        let action = if fs::symlink_metadata(&copy.place).is_err() {
            Action::Write
        } else if copy.is_there().map_err(damaged)? {
            Action::Identical
        } else if self.options.force {
            copy.over = Some(self.check_held(job, &copy)?);
            Action::Overwrite
        } else {
            let message = "other bytes are there, and stay; --force overwrites them".to_owned();
            done.warnings.push(warning::at(&copy.place, "exists", message));
            Action::Keep
        };
        if action.writes() {
            let holes = stage.put(&copy, None).map_err(damaged)?;
            done.miss(&copy, &holes);
        }
        done.add(&copy, action);
        Ok(())
    }

    fn copy<'b>(&'b self, job: &'b Job<'a>, stream: &'b Stream, place: PathBuf) -> Option<Copy<'b>> {
        let is_transcript = std::ptr::eq(stream, job.kept.stream);
        let generation = if is_transcript { Some(job.generation) } else { stream.latest() };
        let volume = self.kept_sessions.volume(job.kept.machine, stream, generation?);
        let is_records = stream.path.starts_with("projects/") && stream.path.ends_with(".jsonl");
        let patch = job.movement.patch.as_ref().filter(|_| is_records);
        Some(Copy { volume, patch, place, partial: self.options.partial, over: None })
    }

    fn damaged(&self, job: &Job<'a>, error: steno_vault::Error) -> Error {
        let error = self.kept_sessions.damaged(&job.kept, job.generation.number, error);
        let transcript = self.kept_sessions.volume(job.kept.machine, job.kept.stream, job.generation);
        let has_some = || transcript.salvage().read(&mut [0]).is_ok_and(|read| read > 0);
        if error.kind == ErrorKind::Damaged && !self.options.partial && has_some() {
            error.hint("--partial restores what is there, and says what is missing")
        } else {
            error
        }
    }

    /// Where a file goes, below the Claude directory.
    fn path_of(&self, job: &Job<'_>, path: &str) -> String {
        let project = job.movement.project.as_deref();
        project.map_or_else(|| path.to_owned(), |project| moved(path, project))
    }

    fn action_on_transcript(&self, job: &Job<'_>, copy: &Copy<'_>) -> Result<Action, Error> {
        let place = copy.place.as_path();
        let id = &job.kept.id;
        if self.target.is_running(id) {
            let message = format!("session {id} is running, and is not touched");
            return Err(Error::new(ErrorKind::Running, message).hint("leave it in the client first"));
        }
        if fs::symlink_metadata(place).is_err() {
            return Ok(Action::Write);
        }
        if self.options.force {
            return Ok(Action::Overwrite);
        }
        match self.compares && copy.is_there().map_err(|error| self.damaged(job, error))? {
            true => Ok(Action::Identical),
            false => Err(taken(place)),
        }
    }

    /// What is overwritten must be in the vault: what is not there yet, is kept first.
    fn check_held(&self, job: &Job<'_>, copy: &Copy<'_>) -> Result<Over, Error> {
        if copy.place.is_symlink() || self.options.dry_run {
            return Ok(Over { held: None });
        }
        wait_until_unwritten(std::iter::once((copy.place.as_path(), copy.place.as_path())))?;
        let print = Print::of(&copy.place).map_err(|error| unreadable(&copy.place, &error))?;
        let path = &copy.volume.stream.path;
        let moved = self.path_of(job, path);
        let is_transcript = std::ptr::eq(copy.volume.stream, job.kept.stream);
        let same = self.index.sessions.iter().filter(|kept| is_transcript && kept.id == job.kept.id);
        let same = same.map(|kept| (kept.machine, kept.stream));
        let mut streams = self.index.at(path).chain(self.index.at(&moved)).chain(same);
        if streams.any(|(machine, stream)| self.has_all(machine, stream, &copy.place)) {
            return Ok(Over { held: Some(print) });
        }
        if self.live.has(self.workspace, &self.target.root, &copy.place)? {
            // It was kept some time ago; whether it is the same still, is compared when it is set aside.
            return Ok(Over { held: None });
        }
        Err(not_kept(&copy.place))
    }

    fn has_all(&self, machine: &str, stream: &Stream, place: &Path) -> bool {
        let volumes = stream
            .generations
            .iter()
            .map(|generation| self.kept_sessions.volume(machine, stream, generation));
        let mut volumes = volumes.map(|volume: Volume<'_>| has_all(&volume, place).unwrap_or(false));
        volumes.any(|has_all| has_all)
    }
}

impl Done {
    fn miss(&mut self, copy: &Copy<'_>, holes: &[Hole]) {
        self.missing.extend(Missing::of(&copy.volume, holes));
    }

    fn add(&mut self, copy: &Copy<'_>, action: Action) {
        let (path, bytes) = (copy.place.display().to_string(), copy.volume.generation.len());
        self.planned.push(Planned { path, bytes, action });
    }
}

fn empty(path: &str) -> Error {
    Error::new(ErrorKind::Damaged, format!("nothing is kept of {path}"))
        .hint("`steno verify` tells what else is missing")
}
