//! One transcript, or a file beside one, live or in the vault.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use steno_source::{AgentFile, SessionFiles};
use steno_transcript::LineReader;
use steno_vault::{Generation, Stream};

use crate::error::Error;
use crate::gate::gate;
use crate::reading::{self, Stretch};
use crate::shelf::{Kept, Shelf};

/// A file of a session.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// None for a subagent of which nothing says whose it is.
    pub session: Option<Cow<'a, str>>,
    pub is_agent: bool,
    pub form: Form,
    pub source: Source<'a>,
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Records: a transcript.
    Records,
    /// The whole of a tool's result.
    Persisted,
    /// The user's title of the session.
    Title,
}

#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// As it was found.
    Live { path: &'a Path, len: u64, modified: SystemTime },
    /// The latest generation of it.
    Kept { shelf: &'a Shelf, machine: &'a str, stream: &'a Stream },
}

impl<'a> Source<'a> {
    pub(super) fn of_agent(agent: &'a AgentFile) -> Self {
        Self::Live { path: &agent.path, len: agent.len, modified: agent.modified }
    }
}

/// Lines of a live or kept file.
pub type Lines<'r> = LineReader<Box<dyn Read + 'r>>;

impl<'a> Item<'a> {
    pub(super) fn live(session: Option<&'a str>, is_agent: bool, source: Source<'a>) -> Self {
        Self { session: session.map(Cow::Borrowed), is_agent, form: Form::Records, source }
    }

    pub fn of_session(session: &'a SessionFiles) -> Self {
        let (path, len, modified) = (&session.transcript, session.len, session.modified);
        Self::live(Some(session.id.as_str()), false, Source::Live { path, len, modified })
    }

    pub fn of_agent(session: &'a SessionFiles, agent: &'a AgentFile) -> Self {
        Self::live(Some(session.id.as_str()), true, Source::of_agent(agent))
    }

    /// A kept transcript.
    pub fn of_kept(shelf: &'a Shelf, kept: &Kept<'a>) -> Self {
        let source = Source::Kept { shelf, machine: kept.machine, stream: kept.stream };
        Self { session: Some(kept.id.clone().into()), is_agent: false, form: Form::Records, source }
    }

    /// A kept subagent of a session.
    pub fn of_part(shelf: &'a Shelf, kept: &Kept<'a>, part: &'a Stream) -> Self {
        let source = Source::Kept { shelf, machine: kept.machine, stream: part };
        Self { session: Some(kept.id.clone().into()), is_agent: true, form: Form::Records, source }
    }

    pub fn is_transcript(&self) -> bool {
        self.form == Form::Records
    }

    pub fn is_kept(&self) -> bool {
        matches!(self.source, Source::Kept { .. })
    }

    /// What no other file is called.
    pub fn key(&self) -> Cow<'a, str> {
        match self.source {
            // Names are nearly always text, which is found out faster than repaired.
            Source::Live { path, .. } => path.to_str().map_or_else(|| path.to_string_lossy(), Cow::Borrowed),
            Source::Kept { machine, stream, .. } => format!("\0{machine}\0{}", stream.path).into(),
        }
    }

    /// The last part of its path, which tells the files of a session apart.
    pub fn name(&self) -> String {
        match self.source {
            Source::Live { path, .. } => {
                path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
            Source::Kept { stream, .. } => file_name(&stream.path).to_owned(),
        }
    }

    /// The same without its ending.
    pub fn stem(&self) -> String {
        let name = self.name();
        name.strip_suffix(".jsonl").map(str::to_owned).unwrap_or(name)
    }

    /// As warnings name it.
    pub fn place(&self) -> String {
        match self.source {
            Source::Live { path, .. } => path.display().to_string(),
            Source::Kept { stream, .. } => stream.path.clone(),
        }
    }

    pub fn size(&self) -> u64 {
        match self.source {
            Source::Live { len, .. } => len,
            Source::Kept { stream, .. } => stream.latest().map_or(0, Generation::len),
        }
    }

    /// Reads a part of it.
    pub fn read(
        &self,
        stretch: Stretch,
        visit: impl FnOnce(&mut Lines<'_>) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.read_opened(None, stretch, visit)
    }

    /// The same of a live one that may be open already.
    pub fn read_opened(
        &self,
        file: Option<File>,
        stretch: Stretch,
        visit: impl FnOnce(&mut Lines<'_>) -> io::Result<()>,
    ) -> Result<(), Error> {
        match self.source {
            Source::Live { path, .. } => match file {
                Some(file) => reading::read_opened(path, file, stretch, visit),
                None => reading::open_at(path, stretch, visit),
            },
            Source::Kept { .. } => self.read_kept(stretch, |reader| {
                let lines = LineReader::from_place(reader, stretch.from, stretch.lines);
                visit(&mut lines.guarded_by(gate))
            }),
        }
    }

    /// Its bytes from there on, whatever they are.
    pub fn read_bytes(
        &self,
        from: u64,
        visit: impl FnOnce(&mut dyn Read) -> io::Result<()>,
    ) -> Result<(), Error> {
        match self.source {
            Source::Live { path, .. } => reading::bytes(path, from, visit),
            Source::Kept { .. } => {
                self.read_kept(Stretch { from, ..Stretch::WHOLE }, |mut reader| visit(&mut reader))
            }
        }
    }

    fn read_kept(
        &self,
        Stretch { from, to, .. }: Stretch,
        visit: impl FnOnce(Box<dyn Read + '_>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let Source::Kept { shelf, machine, stream } = self.source else { return Ok(()) };
        let unreadable = |error| Error::from(crate::shelf::unwrapped(error, &stream.path));
        let Some(volume) = shelf.latest(machine, stream) else { return Ok(()) };
        let mut reader = volume.reader();
        io::copy(&mut reader.by_ref().take(from), &mut io::sink()).map_err(unreadable)?;
        visit(Box::new(reader.take(to.saturating_sub(from)))).map_err(unreadable)
    }
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
