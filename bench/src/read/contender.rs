//! A program that writes a document from the session, and how it did.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Error;
use crate::files::bytes_below;
use crate::measure::Invocation;
use crate::read::Ground;
use crate::report::Measured;
use crate::rows::{Program, Row};
use crate::run::{self, Plan};

pub(crate) struct Contender {
    invocation: Invocation,
    /// Where its document goes; nothing else is there.
    place: PathBuf,
    /// The limit writes none.
    writes: bool,
    measured: Measured,
    times: Vec<Duration>,
}

impl Contender {
    /// The row with everything filled in, or the name of the peer that is not there.
    pub(crate) fn new(plan: &Plan, ground: &Ground<'_>, row: &Row) -> Result<Self, &'static str> {
        let transcript = &ground.transcript.path;
        let session = transcript.file_stem().unwrap_or_default().to_string_lossy();
        let mut invocation = run::invocation(plan, ground.home, &session, row)?;
        let place = ground.scratch.path().join(row.name.replace(' ', "-"));
        let output = place.join("document").display().to_string();
        for argument in &mut invocation.arguments {
            *argument = argument
                .replace("{output}", &output)
                .replace("{transcript}", &transcript.display().to_string());
        }
        let measured = Measured {
            ours: row.program == Program::Steno,
            target: row.target,
            ..Measured::new(row.group, row.name)
        };
        Ok(Self { invocation, place, writes: row.program != Program::Itself, measured, times: Vec::new() })
    }

    pub(crate) fn name(&self) -> &'static str {
        self.measured.name
    }

    /// What it wrote last, as far as it is one file.
    pub(crate) fn document(&self) -> Option<PathBuf> {
        let mut files = fs::read_dir(&self.place).ok()?.flatten().map(|entry| entry.path());
        files.find(|path| path.is_file()).filter(|_| self.measured.failed.is_none())
    }

    /// A first run that shows whether it works, and how much memory that takes.
    pub(crate) fn try_once(&mut self) -> Result<(), Error> {
        self.clear()?;
        let watched = self.invocation.watch()?;
        self.measured.peak_bytes = watched.peak_bytes;
        self.measured.failed = watched.failure();
        self.look()
    }

    pub(crate) fn time(&mut self) -> Result<(), Error> {
        if self.measured.failed.is_some() {
            return Ok(());
        }
        self.clear()?;
        let run = self.invocation.time()?;
        self.times.push(run.time);
        self.measured.failed = (!run.status.success()).then(|| run.status.to_string());
        self.look()
    }

    pub(crate) fn into_measured(mut self) -> Measured {
        self.measured.set_times(&mut self.times);
        self.measured
    }

    fn clear(&self) -> Result<(), Error> {
        empty(&self.place).map_err(Error::file("empty", &self.place))
    }

    /// A tool that wrote nothing must not look fast.
    fn look(&mut self) -> Result<(), Error> {
        if !self.writes || self.measured.failed.is_some() {
            return Ok(());
        }
        let bytes = bytes_below(&self.place)?;
        self.measured.stored_bytes = Some(bytes);
        self.measured.failed = (bytes == 0).then(|| "nothing was written".to_owned());
        Ok(())
    }
}

fn empty(directory: &Path) -> std::io::Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    fs::create_dir_all(directory)
}
