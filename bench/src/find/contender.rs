//! A program that answers a question, its cache, and how it did in all rounds.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use memchr::memmem;

use crate::Error;
use crate::files::bytes_below;
use crate::find::needle;
use crate::find::rows::{Question, State};
use crate::keep::ground::Ground;
use crate::measure::Invocation;
use crate::report::{Growth, Measured};
use crate::rows::Program;
use crate::run::{self, Plan};

pub(crate) struct Contender<'a> {
    ground: &'a Ground,
    question: &'a Question,
    invocation: Invocation,
    /// Its home, with its caches.
    place: PathBuf,
    measured: Measured,
    times: Vec<Duration>,
}

impl<'a> Contender<'a> {
    /// The row with everything filled in, or the name of the peer that is not there.
    pub(crate) fn new(plan: &Plan, ground: &'a Ground, question: &'a Question) -> Result<Self, &'static str> {
        let row = &question.row;
        let mut invocation = run::invocation(plan, ground.home(), "", row)?;
        let place = ground.place(question.cache);
        for (name, value) in &mut invocation.environment {
            if *name == "HOME" {
                *value = OsString::from(&place);
            }
        }
        let measured = Measured {
            ours: row.program == Program::Steno,
            target: row.target,
            ..Measured::new(row.group, row.name)
        };
        Ok(Self { ground, question, invocation, place, measured, times: Vec::new() })
    }

    /// A first run that shows whether it works, and how much memory that takes.
    pub(crate) fn try_once(&mut self) -> Result<(), Error> {
        self.prepare()?;
        let watched = self.invocation.watch()?;
        self.measured.peak_bytes = watched.peak_bytes;
        self.measured.failed = match watched.failure() {
            None if !self.finds()? => Some("what was planted is not found".to_owned()),
            failure => failure,
        };
        if self.question.row.group == "index" && self.measured.failed.is_none() {
            let new_bytes = bytes_below(&self.ground.home().join("projects"))?;
            self.measured.growth = Some(Growth { bytes: bytes_below(&self.place)?, new_bytes });
        }
        Ok(())
    }

    pub(crate) fn time(&mut self) -> Result<(), Error> {
        if self.measured.failed.is_some() {
            return Ok(());
        }
        self.prepare()?;
        let run = self.invocation.time()?;
        self.times.push(run.time);
        self.measured.failed = (!run.status.success()).then(|| run.status.to_string());
        Ok(())
    }

    pub(crate) fn into_measured(mut self) -> Measured {
        self.measured.set_times(&mut self.times);
        self.measured
    }

    /// A tool that finds nothing must not look fast.
    fn finds(&self) -> Result<bool, Error> {
        let is_search = self.question.row.arguments.iter().any(|word| word.contains(needle::START));
        Ok(!is_search || memmem::find(&self.invocation.answer()?, needle::START.as_bytes()).is_some())
    }

    /// Brings the cache to where the row wants it.
    fn prepare(&self) -> Result<(), Error> {
        if self.question.state == State::Nothing && self.place.exists() {
            fs::remove_dir_all(&self.place).map_err(Error::file("remove", &self.place))?;
        }
        fs::create_dir_all(&self.place).map_err(Error::file("create", &self.place))?;
        if self.question.state != State::Nothing {
            self.invocation.time()?;
        }
        if self.question.state == State::Grown {
            self.ground.grow()?;
        }
        Ok(())
    }
}
