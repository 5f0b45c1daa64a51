//! What a user calls a session → its records, as often as they are wanted, up to where the file ended when it was opened.
//!
//! Opened for reading only, and once: bytes that are appended meanwhile, or another file of its name, do not count.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::ops::ControlFlow;

use steno_conversation::Warning;
use steno_source::SessionFiles;
use steno_transcript::{Piece, SessionId, read_lines};

use crate::error::{Error, ErrorKind};
use crate::names;
use crate::part::Part;
use crate::reading::{self, Stretch};
use crate::resolve::{Found, resolve};
use crate::session::kept::{self, TemporaryDir};
use crate::workspace::Workspace;

#[derive(Debug)]
pub(crate) struct Original {
    pub(crate) files: SessionFiles,
    /// The id inside the file that was asked for: only its part is meant.
    pub(crate) part: Option<SessionId>,
    pub(crate) warnings: Vec<Warning>,
    file: File,
    len: u64,
    /// Where the files of a kept session lie meanwhile.
    place: Option<TemporaryDir>,
    /// The transcript, by a name that means something to others.
    name: String,
}

impl Original {
    /// A live session, or one that only the vault still has.
    pub(crate) fn open(workspace: &Workspace, name: &str) -> Result<Self, Error> {
        match resolve(&workspace.dirs, name) {
            Ok(found) => {
                let name = found.files.transcript.display().to_string();
                Self::of(found, None, name)
            }
            Err(error) if error.kind == ErrorKind::NotFound => {
                let brought = kept::bring(workspace, name)?;
                let brought = brought.ok_or_else(|| names::offered(workspace, name, error))?;
                let mut found = resolve(&brought.place.dirs(workspace), &brought.restored.uuid)?;
                brought.place.leave(&mut found.warnings);
                found.warnings.extend(brought.missing);
                Self::of(found, Some(brought.place), brought.restored.from)
            }
            Err(error) => Err(error),
        }
    }

    fn of(found: Found, place: Option<TemporaryDir>, name: String) -> Result<Self, Error> {
        let Found { mut files, part, warnings } = found;
        let (file, len) = reading::open_file(&files.transcript)?;
        if let Some(id) = &part {
            let mut part = Part::new(&files, id)?;
            reading::pieces(&files.transcript, |piece| {
                part.takes(&piece);
                ControlFlow::Continue(())
            })?;
            part.keep_own_agents(&mut files);
        }
        Ok(Self { files, part, warnings, file, len, place, name })
    }

    /// Where its transcript is: of a kept one, in the vault, for nobody finds it where it lies meanwhile.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What the session is called.
    pub(crate) fn id(&self) -> &SessionId {
        self.part.as_ref().unwrap_or(&self.files.id)
    }

    /// Only the vault still has it.
    pub(crate) fn is_kept(&self) -> bool {
        self.place.is_some()
    }

    /// From its beginning.
    pub(crate) fn reader(&self) -> io::Result<impl io::Read> {
        (&self.file).seek(SeekFrom::Start(0))?;
        Ok(io::Read::take(&self.file, self.len))
    }

    /// What was found when it was read again is not what it was.
    pub(super) fn changed(&self) -> Error {
        let message = format!("{} changed while it was read", self.name);
        Error::new(ErrorKind::Io, message).hint("nothing was written; run it again")
    }

    /// Every piece, in order.
    pub(crate) fn pieces(&self, mut visit: impl FnMut(&Piece<'_>) -> ControlFlow<()>) -> Result<(), Error> {
        let path = &self.files.transcript;
        let unreadable = |error| Error::unreadable(path.clone(), error);
        let mut part = self.part.as_ref().map(|id| Part::new(&self.files, id)).transpose()?;
        (&self.file).seek(SeekFrom::Start(0)).map_err(unreadable)?;
        let file = self.file.try_clone().map_err(unreadable)?;
        reading::read_opened(path, file, Stretch { to: self.len, ..Stretch::WHOLE }, |lines| {
            read_lines(lines, |piece| {
                let is_meant = part.as_mut().is_none_or(|part| part.takes(&piece));
                if is_meant { visit(&piece) } else { ControlFlow::Continue(()) }
            })
        })
    }
}
