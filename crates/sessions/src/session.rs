//! What a user calls a session → the session, open for reading: the same for a live one and one that only the vault has.
//!
//! Its files are known by their paths; [`OpenSession::file`] reads one of them wherever it is. Nothing of a kept session
//! is written anywhere in order to be read.

mod belongings;
mod kept;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_source::{AgentFile, AgentMeta, SessionFiles};
use steno_transcript::{Line, Piece, SessionId};

use self::kept::OpenKept;
use crate::claude_dirs::ClaudeDirs;
use crate::error::{Error, ErrorKind};
use crate::file::{self, Lines, SessionFile};
use crate::part::Part;
use crate::reading::{self, Stretch};
use crate::resolve::{Resolved, resolve};
use crate::sources::Sources;
use crate::{names, warning};
pub use belongings::{Belonging, Tree};

/// A session whose files can be read as often as they are wanted.
#[derive(Debug)]
pub struct OpenSession {
    /// Paths of a kept session are those below its Claude directory: only [`OpenSession::file`] can read them.
    pub files: SessionFiles,
    /// The id inside the file that was asked for: only its part is meant.
    pub part: Option<SessionId>,
    pub warnings: Vec<Warning>,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    /// The transcript, opened once, and its size then: bytes that are appended meanwhile, or another file of its name,
    /// do not count.
    Live {
        transcript: File,
        len: u64,
    },
    Kept(Box<OpenKept>),
}

/// What it takes to put back a session that only the vault still has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnlyKept {
    /// Bytes of it are damaged or gone.
    pub is_damaged: bool,
    /// The machine that kept it, unless it is this one.
    pub machine: Option<String>,
    /// The Claude directory that it came from, unless it is the usual one.
    pub claude_dir: Option<PathBuf>,
}

impl OpenSession {
    /// A live session, or one that only the vault still has.
    pub fn open(sources: &dyn Sources, name: &str) -> Result<Self, Error> {
        match Self::live(sources.dirs(), name) {
            Err(error) if error.kind == ErrorKind::NotFound => {
                kept::open(sources, name)?.ok_or_else(|| names::offered(sources, name, error))
            }
            opened => opened,
        }
    }

    /// A live session.
    pub fn live(dirs: &ClaudeDirs, name: &str) -> Result<Self, Error> {
        let Resolved { files, part, warnings } = resolve(dirs, name)?;
        let (transcript, len) = reading::open_file(&files.transcript)?;
        let mut session = Self { files, part, warnings, bytes: Bytes::Live { transcript, len } };
        if let Some(mut part) = session.part()? {
            session.read(|lines| {
                steno_transcript::read_lines(lines, |piece| {
                    part.takes(&piece);
                    ControlFlow::Continue(())
                })
            })?;
            part.keep_own_agents(&mut session.files);
        }
        Ok(session)
    }

    /// What the session is called.
    pub fn id(&self) -> &SessionId {
        self.part.as_ref().unwrap_or(&self.files.id)
    }

    /// Where its transcript is: of a kept one, the file of the vault that it begins with.
    pub fn name(&self) -> String {
        match &self.bytes {
            Bytes::Live { .. } => self.files.transcript.display().to_string(),
            Bytes::Kept(kept) => kept.from.display().to_string(),
        }
    }

    /// The same for people, who do not know the vault's files.
    pub fn told(&self) -> String {
        match &self.bytes {
            Bytes::Live { .. } => self.name(),
            Bytes::Kept(_) => format!("session {} in the vault", self.id()),
        }
    }

    /// Only the vault still has it.
    pub fn is_kept(&self) -> bool {
        matches!(self.bytes, Bytes::Kept(_))
    }

    pub fn only_kept(&self, sources: &dyn Sources) -> Option<OnlyKept> {
        match &self.bytes {
            Bytes::Live { .. } => None,
            Bytes::Kept(kept) => Some(kept.only_kept(sources)),
        }
    }

    /// What the vault lacks of it.
    pub fn losses(&self) -> &[Warning] {
        match &self.bytes {
            Bytes::Live { .. } => &[],
            Bytes::Kept(kept) => &kept.losses,
        }
    }

    /// One of its files.
    pub fn file<'a>(&'a self, path: &'a Path) -> Result<SessionFile<'a>, Error> {
        match &self.bytes {
            Bytes::Live { .. } => Ok(SessionFile::at(path)),
            Bytes::Kept(kept) => kept.file(path),
        }
    }

    /// Reads the transcript from its beginning.
    pub fn read(&self, visit: impl FnOnce(&mut Lines<'_>) -> io::Result<()>) -> Result<(), Error> {
        let path = &self.files.transcript;
        match &self.bytes {
            Bytes::Kept(kept) => kept.file(path)?.read(Stretch::WHOLE, visit),
            Bytes::Live { transcript, len } => {
                let unreadable = |error| Error::unreadable(path.clone(), error);
                let mut transcript = transcript.try_clone().map_err(unreadable)?;
                transcript.seek(SeekFrom::Start(0)).map_err(unreadable)?;
                reading::lines_in(path, transcript, Stretch { to: *len, ..Stretch::WHOLE }, visit)
            }
        }
    }

    /// The bytes of the transcript.
    pub fn read_bytes(&self, visit: impl FnOnce(&mut dyn Read) -> io::Result<()>) -> Result<(), Error> {
        let path = &self.files.transcript;
        match &self.bytes {
            Bytes::Kept(kept) => kept.file(path)?.read_bytes(0, visit),
            Bytes::Live { transcript, len } => {
                let unreadable = |error| Error::unreadable(path.clone(), error);
                let mut transcript = transcript;
                transcript.seek(SeekFrom::Start(0)).map_err(unreadable)?;
                visit(&mut transcript.take(*len)).map_err(unreadable)
            }
        }
    }

    /// Every line of the transcript.
    pub fn lines(&self, mut visit: impl FnMut(Line<'_>)) -> Result<(), Error> {
        self.read(|lines| {
            while let Some(line) = lines.next_line()? {
                visit(line);
            }
            Ok(())
        })
    }

    /// Every piece of the transcript, or of the part of it that is meant, in order.
    pub fn pieces(&self, mut visit: impl FnMut(&Piece<'_>) -> ControlFlow<()>) -> Result<(), Error> {
        let mut part = self.part()?;
        self.read(|lines| {
            steno_transcript::read_lines(lines, |piece| {
                let is_meant = part.as_mut().is_none_or(|part| part.takes(&piece));
                if is_meant { visit(&piece) } else { ControlFlow::Continue(()) }
            })
        })
    }

    /// Tells which pieces of the transcript are meant, where not all are.
    pub fn part(&self) -> Result<Option<Part>, Error> {
        self.part.as_ref().map(|id| Part::new(&self.files, id)).transpose()
    }

    /// The first working directory in its records.
    pub fn first_directory(&self) -> Result<Option<String>, Error> {
        let mut found = None;
        self.read(|lines| {
            found = file::first_directory(lines)?;
            Ok(())
        })?;
        Ok(found)
    }

    /// The metadata of a subagent; none if they cannot be read, which is a warning.
    pub fn meta(&self, agent: &AgentFile, warnings: &mut Vec<Warning>) -> Option<AgentMeta> {
        self.file(agent.meta.as_ref()?).ok()?.agent_meta(warnings)
    }

    /// Other transcripts of its project, live or kept: a plan may be implemented in another session. One that cannot be
    /// read is a warning where it is live; where it is kept, the session itself is no less whole.
    pub fn siblings(
        &self,
        sources: &dyn Sources,
        mut visit: impl FnMut(SessionId, &SessionFile<'_>) -> Result<(), Error>,
    ) -> Vec<Warning> {
        match &self.bytes {
            Bytes::Live { .. } => live_siblings(&self.files.transcript, &mut visit),
            Bytes::Kept(kept) => {
                let transcripts = sources.dirs().paths.iter().map(|dir| dir.join(&self.files.transcript));
                let transcripts = transcripts.filter(|path| path.parent().is_some_and(Path::is_dir));
                let warnings = transcripts.flat_map(|path| live_siblings(&path, &mut visit)).collect();
                kept.siblings(&self.files, &mut visit);
                warnings
            }
        }
    }
}

fn live_siblings(
    transcript: &Path,
    visit: &mut impl FnMut(SessionId, &SessionFile<'_>) -> Result<(), Error>,
) -> Vec<Warning> {
    let siblings = steno_source::siblings(transcript);
    let mut warnings: Vec<Warning> = siblings.warnings.iter().map(warning::on_disk).collect();
    for sibling in siblings.transcripts {
        if let Err(error) = visit(sibling.id, &SessionFile::at(&sibling.path)) {
            warnings.push(warning::unreadable(&sibling.path, &error));
        }
    }
    warnings
}
