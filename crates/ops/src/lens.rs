//! A line as it lies on disk → the line as it may be read: paths rewritten, then secrets masked.
//!
//! Before the reader and not behind it, so that whatever is made of a record, and by whom, holds nothing else.

use std::borrow::Cow;
use std::path::Path;

use steno_redact::{Identity, Masked, Redactor, Spot};
use steno_transcript::Line;
use steno_transcript::patch::{self, Notes, Rehome, Rewritten};

use crate::identity;

/// What is hidden, and from whom it is hidden.
#[derive(Debug, Clone, Default)]
pub struct Redaction {
    /// Whose machine this is.
    pub identity: Identity,
    /// E-mail addresses too.
    pub emails: bool,
}

/// What every line passes; by default, nothing changes.
#[derive(Debug, Default)]
pub(crate) struct Lens {
    rehome: Option<Rehome>,
    notes: Notes,
    redaction: Option<Redaction>,
    redactor: Option<Redactor>,
    /// The names of the files that were looked at, in that order.
    files: Vec<String>,
}

impl Lens {
    pub(crate) fn new(rehome: Option<Rehome>, redaction: Option<Redaction>) -> Self {
        Self { rehome, redaction, ..Self::default() }
    }

    /// The session may come from another machine: where it worked tells whose that was.
    pub(crate) fn meet(&mut self, directory: Option<&str>) {
        if let Some(directory) = directory {
            self.rehome = self.rehome.take().map(|rehome| rehome.working_in(directory));
        }
        let Some(redaction) = &self.redaction else { return };
        let mut identity = redaction.identity.clone();
        if let Some(owner) = directory.and_then(identity::owner) {
            identity::join(&mut identity, owner);
        }
        self.redactor = Some(Redactor::new(&identity, redaction.emails));
    }

    /// Whether lines have to be looked at before they are read: a password is told by what stands beside it in one
    /// place, and stands alone in another, perhaps before it.
    pub(crate) fn learns(&self) -> bool {
        self.redactor.is_some()
    }

    /// Looks at a line before it is read.
    pub(crate) fn learn(&mut self, line: &Line<'_>) {
        let file = self.files.len() as u32;
        let Some(redactor) = &mut self.redactor else { return };
        let _ = patch::strings(line.bytes, line.number == 1, &mut |spot| {
            redactor.learn(&Spot { text: spot.text, key: spot.key, file, line: line.number });
            Vec::new()
        });
    }

    /// The lines that follow are of this file.
    pub(crate) fn turn_to(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.files.push(name.to_string_lossy().into_owned());
    }

    pub(crate) fn line<'a>(&mut self, line: &Line<'a>) -> Cow<'a, [u8]> {
        let bytes = self.rewritten(line.bytes);
        self.masked(bytes, line.number, line.number == 1)
    }

    /// The same for a line that is only looked at: nothing is noted.
    pub(crate) fn glance<'a>(&mut self, line: &Line<'a>) -> Cow<'a, [u8]> {
        let bytes = match &self.rehome {
            Some(rehome) => rehome.line(line.bytes).bytes,
            None => Cow::Borrowed(line.bytes),
        };
        self.masked(bytes, 0, line.number == 1)
    }

    /// A text that stands in no record: metadata, which is masked and never rewritten.
    pub(crate) fn text(&mut self, text: String) -> String {
        let Some(redactor) = &mut self.redactor else { return text };
        redactor.masked(&Spot { text: &text, key: None, file: 0, line: 0 }).unwrap_or(text)
    }

    /// A file that a record points to.
    pub(crate) fn document(&mut self, text: String) -> String {
        let text = match &self.rehome {
            Some(rehome) => rehome.text_noting(&text, &mut self.notes).into_owned(),
            None => text,
        };
        let file = self.files.len().saturating_sub(1) as u32;
        let Some(redactor) = &mut self.redactor else { return text };
        redactor.masked(&Spot { text: &text, key: None, file, line: 1 }).unwrap_or(text)
    }

    fn rewritten<'a>(&mut self, line: &'a [u8]) -> Cow<'a, [u8]> {
        match &self.rehome {
            Some(rehome) => rehome.line_noting(line, &mut self.notes).bytes,
            None => Cow::Borrowed(line),
        }
    }

    fn masked<'a>(&mut self, bytes: Cow<'a, [u8]>, line: u64, is_first: bool) -> Cow<'a, [u8]> {
        let file = self.files.len().saturating_sub(1) as u32;
        let Some(redactor) = &mut self.redactor else { return bytes };
        let masked = patch::strings(&bytes, is_first, &mut |spot| {
            redactor.mask(&Spot { text: spot.text, key: spot.key, file, line })
        });
        match masked {
            Cow::Borrowed(_) => bytes,
            Cow::Owned(masked) => Cow::Owned(masked),
        }
    }

    /// What was masked, and the names of the files that it numbers.
    pub(crate) fn masks(&self) -> Option<(Masked, &[String])> {
        self.redactor.as_ref().map(|redactor| (redactor.report(), self.files.as_slice()))
    }

    pub(crate) fn rewrites(&self) -> Option<Vec<Rewritten>> {
        self.rehome.as_ref().map(|_| self.notes.list())
    }
}
