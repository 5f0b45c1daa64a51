//! One file of a session, live or kept → its bytes, lines and records, read in the same way.
//!
//! The only place that knows how the two differ: a live file is read up to the size that it has when it is opened, a
//! kept one is put together from the segments of a generation.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use memchr::memmem::Finder;
use serde_json::Value;
use steno_conversation::{Gathered, Implementation, Profiler, Warning, Warnings, observe};
use steno_source::{AgentFile, AgentMeta, LONGEST_DOCUMENT};
use steno_transcript::{Line, LineReader, Piece, SessionId, Shape, read_lines, split};
use steno_vault::{Generation, Stream};

use crate::error::Error;
use crate::kept::{KeptSessions, unwrapped};
use crate::reading::{self, HEAD_BYTES, HEAD_STEP, Stretch};
use crate::warning;

#[derive(Debug, Clone, Copy)]
pub enum SessionFile<'a> {
    /// As it was found.
    Live { path: &'a Path, len: u64, modified: SystemTime },
    /// One generation of it.
    Kept(KeptFile<'a>),
}

#[derive(Debug, Clone, Copy)]
pub struct KeptFile<'a> {
    pub kept_sessions: &'a KeptSessions,
    pub machine: &'a str,
    pub stream: &'a Stream,
    pub generation: Option<&'a Generation>,
    /// Whether to read what is left of it, instead of failing at the first damage.
    pub is_damaged: bool,
}

/// Lines of a live or kept file.
pub type Lines<'r> = LineReader<Box<dyn Read + 'r>>;

impl<'a> SessionFile<'a> {
    /// A live file, as it is now.
    pub fn at(path: &'a Path) -> Self {
        let metadata = path.metadata().ok();
        let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
        let len = metadata.map_or(0, |metadata| metadata.len());
        Self::Live { path, len, modified: modified.unwrap_or(SystemTime::UNIX_EPOCH) }
    }

    /// A live file whose size and time are not asked for.
    pub fn unmeasured(path: &'a Path) -> Self {
        Self::Live { path, len: 0, modified: SystemTime::UNIX_EPOCH }
    }

    pub fn of_agent(agent: &'a AgentFile) -> Self {
        Self::Live { path: &agent.path, len: agent.len, modified: agent.modified }
    }

    pub fn kept(kept_sessions: &'a KeptSessions, machine: &'a str, stream: &'a Stream) -> Self {
        Self::Kept(KeptFile {
            kept_sessions,
            machine,
            stream,
            generation: stream.latest(),
            is_damaged: false,
        })
    }

    pub fn is_kept(&self) -> bool {
        matches!(self, Self::Kept(_))
    }

    /// What no other file is called.
    pub fn key(&self) -> Cow<'a, str> {
        match self {
            // Names are nearly always text, which is found out faster than repaired.
            Self::Live { path, .. } => path.to_str().map_or_else(|| path.to_string_lossy(), Cow::Borrowed),
            Self::Kept(kept) => format!("\0{}\0{}", kept.machine, kept.stream.path).into(),
        }
    }

    /// The last part of its path, which tells the files of a session apart.
    pub fn name(&self) -> String {
        match self {
            Self::Live { path, .. } => {
                path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
            Self::Kept(kept) => file_name(&kept.stream.path).to_owned(),
        }
    }

    /// As warnings name it: a kept file by where it was in the Claude directory.
    pub fn place(&self) -> String {
        match self {
            Self::Live { path, .. } => path.display().to_string(),
            Self::Kept(kept) => kept.stream.path.clone(),
        }
    }

    pub fn size(&self) -> u64 {
        match self {
            Self::Live { len, .. } => *len,
            Self::Kept(kept) => kept.generation.map_or(0, Generation::len),
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
        match self {
            Self::Live { path, .. } => match file {
                Some(file) => reading::lines_in(path, file, stretch, visit),
                None => reading::lines_at(path, stretch, visit),
            },
            Self::Kept(kept) => {
                kept.read(stretch, |source| reading::lines_of(source, stretch.from, stretch.lines, visit))
            }
        }
    }

    /// Its bytes from there on, whatever they are.
    pub fn read_bytes(
        &self,
        from: u64,
        visit: impl FnOnce(&mut dyn Read) -> io::Result<()>,
    ) -> Result<(), Error> {
        match self {
            Self::Live { path, .. } => reading::bytes(path, from, visit),
            Self::Kept(kept) => {
                kept.read(Stretch { from, ..Stretch::WHOLE }, |mut source| visit(&mut source))
            }
        }
    }

    /// At most so many of its bytes.
    pub fn beginning(&self, most: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.read_bytes(0, |source| source.take(most).read_to_end(&mut bytes).map(drop))?;
        Ok(bytes)
    }

    /// All of it as text.
    pub fn document(&self) -> Result<String, Error> {
        let bytes = self.beginning(u64::MAX)?;
        let replaced =
            |error: std::string::FromUtf8Error| String::from_utf8_lossy(error.as_bytes()).into_owned();
        Ok(String::from_utf8(bytes).unwrap_or_else(replaced))
    }

    /// Every line.
    pub fn lines(&self, mut visit: impl FnMut(Line<'_>)) -> Result<(), Error> {
        self.read(Stretch::WHOLE, |lines| {
            while let Some(line) = lines.next_line()? {
                visit(line);
            }
            Ok(())
        })
    }

    /// Every piece, until `visit` breaks off.
    pub fn pieces(&self, visit: impl FnMut(Piece<'_>) -> ControlFlow<()>) -> Result<(), Error> {
        self.read(Stretch::WHOLE, |lines| read_lines(lines, visit))
    }

    /// The profile of a whole transcript.
    pub fn profile(&self, id: &SessionId) -> Result<Gathered, Error> {
        let mut profiler = Profiler::default();
        let mut warnings = Warnings::new(self.place());
        self.pieces(|piece| {
            observe(&piece, &mut profiler, &mut warnings);
            ControlFlow::Continue(())
        })?;
        Ok(profiler.finish(id.clone()))
    }

    /// A text in a small JSON document, by its key.
    pub fn field(&self, key: &str) -> Result<Option<String>, Error> {
        let document: Option<Value> = serde_json::from_slice(&self.beginning(LONGEST_DOCUMENT)?).ok();
        Ok(document.and_then(|document| document.get(key)?.as_str().map(str::to_owned)))
    }

    /// The metadata of a subagent; none if they cannot be read, which is a warning.
    pub fn agent_meta(&self, warnings: &mut Vec<Warning>) -> Option<AgentMeta> {
        let place = self.place();
        let path = Path::new(&place);
        let mut strange = Vec::new();
        let meta = match self.beginning(LONGEST_DOCUMENT) {
            Ok(bytes) => AgentMeta::parse(path, &bytes, &mut strange),
            Err(error) => {
                warnings.push(warning::unreadable(path, &error));
                None
            }
        };
        warnings.extend(strange.iter().map(warning::on_disk));
        meta
    }

    /// The requests to implement a plan that a transcript holds. Most files hold none, and most lines are only scanned;
    /// those that may hold one are read as `seen` gives them.
    pub fn implementations(
        &self,
        mut seen: impl for<'l> FnMut(&Line<'l>) -> Cow<'l, [u8]>,
    ) -> Result<Vec<Implementation>, Error> {
        let mark = Finder::new(Implementation::MARK);
        let mut found = Vec::new();
        self.lines(|line| {
            if !line.is_part() && mark.find(line.bytes).is_some() {
                let _ = split(Line { bytes: &seen(&line), ..line }, &mut |piece| {
                    found.extend(Implementation::of(&piece));
                    ControlFlow::Continue(())
                });
            }
        })?;
        Ok(found)
    }

    /// The first session id in a transcript's records.
    pub fn first_session(&self) -> Result<Option<SessionId>, Error> {
        let mut found = None;
        self.read(Stretch::WHOLE, |lines| {
            first_pieces(lines, |piece| {
                if let Shape::Record(record) = &piece.shape {
                    found = record.envelope.session_id.as_deref().map(SessionId::from);
                }
                found.is_some()
            })
        })?;
        Ok(found)
    }
}

impl KeptFile<'_> {
    fn read(
        &self,
        Stretch { from, to, .. }: Stretch,
        visit: impl FnOnce(Box<dyn Read + '_>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let unreadable = |error| Error::from(unwrapped(error, &self.stream.path));
        let Some(generation) = self.generation else { return Ok(()) };
        let volume = self.kept_sessions.volume(self.machine, self.stream, generation);
        let mut source: Box<dyn Read> =
            if self.is_damaged { Box::new(volume.salvage()) } else { Box::new(volume.reader()) };
        io::copy(&mut source.by_ref().take(from), &mut io::sink()).map_err(unreadable)?;
        visit(Box::new(source.take(to.saturating_sub(from)))).map_err(unreadable)
    }
}

/// The first working directory in a transcript's records.
pub(crate) fn first_directory(lines: &mut Lines<'_>) -> io::Result<Option<String>> {
    let mut found = None;
    first_pieces(lines, |piece| {
        if let Shape::Record(record) = &piece.shape {
            found = record.envelope.cwd.as_deref().map(str::to_owned);
        }
        found.is_some() || piece.place.offset > HEAD_BYTES
    })?;
    Ok(found)
}

/// Pieces until `is_enough`, in small reads.
fn first_pieces(lines: &mut Lines<'_>, mut is_enough: impl FnMut(&Piece<'_>) -> bool) -> io::Result<()> {
    lines.step_by(HEAD_STEP);
    read_lines(
        lines,
        |piece| if is_enough(&piece) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
    )
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
