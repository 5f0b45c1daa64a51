//! Raw lines → raw lines of a session that works in another directory, or that names other paths.
//!
//! A [`PathRewriter`] changes two things, each only where it was asked for. `cwd` moves the fields that say where the
//! session works. `paths` are replaced in what was said and done: prose, tool inputs, tool results, structured results,
//! attachments, and the request logs that repeat them. Thinking is signed and never changes, nor do ids, times, titles
//! and the keys of objects. Every other byte stays: the strings concerned are replaced in place. A line that the reader
//! does not understand is passed through as it is.

mod notes;
mod option;
mod path;
mod record;
mod zone;

use std::borrow::Cow;
use std::io::{self, Read, Write};

use steno_transcript::{Line, LineReader, Shape, Trouble, patch};

pub use notes::{Notes, Rewritten};
pub use option::{BadRewrite, Move, Rewrite};

/// Rewrites the paths of a session, as `--cwd` and `--rewrite` ask for.
#[derive(Debug)]
pub struct PathRewriter {
    directory: Option<path::Rule>,
    paths: Vec<path::Finder>,
    /// Where the session works.
    home: Option<String>,
}

/// A line with its paths rewritten.
#[derive(Debug)]
pub struct PatchedLine<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// How many strings changed.
    pub changes: usize,
    /// Whether some of the line is no record, and was passed through for that reason.
    pub is_passed_through: bool,
}

/// What [`PathRewriter::copy`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    pub lines: u64,
    /// Lines in which something changed.
    pub changed: u64,
    /// Lines of which some or all is no record.
    pub passed_through: u64,
}

impl PathRewriter {
    /// `cwd` is where the session works and where it will; a directory below moves along, one elsewhere stays.
    /// Where several of `paths` match, the longest one counts.
    pub fn new(cwd: Option<&Move>, paths: &[Rewrite]) -> Self {
        let directory = cwd.map(|cwd| path::Rule::new(&cwd.from, &cwd.to));
        Self { directory, paths: paths.iter().map(path::Finder::new).collect(), home: None }
    }

    /// Says where the session works, as its records spell it: [`Rewrite::Strip`] leaves what is below. Otherwise each
    /// record says it for itself.
    #[must_use]
    pub fn working_in(self, cwd: &str) -> Self {
        Self { home: Some(cwd.to_owned()), ..self }
    }

    /// Patches one line, which is taken for the first of its file: it may start with a byte order mark. One with bad
    /// UTF-8 is passed through: what is kept shall have the bytes that it had.
    pub fn line<'a>(&self, line: &'a [u8]) -> PatchedLine<'a> {
        self.patch(Line::alone(line, true), &mut |_| {})
    }

    /// The same for a line that is shown, noting which paths became which. Directories that moved are not among them.
    /// With bad UTF-8 the strings are what the reader makes of them, for it shows them.
    pub fn line_noting<'a>(&self, line: &'a [u8], notes: &mut Notes) -> PatchedLine<'a> {
        self.patch_readable(Line::alone(line, true), &mut |note| notes.add(note))
    }

    /// Replaces paths in a text that is in no record, such as a file that one points to.
    pub fn text_noting<'a>(&self, text: &'a str, notes: &mut Notes) -> Cow<'a, str> {
        let context = path::Context { is_path: false, home: self.home.as_deref() };
        path::replaced_in_text(text, &self.paths, context, &mut |note| notes.add(note))
    }

    /// Patches everything, holding no more than a line at a time.
    pub fn copy(&self, source: impl Read, mut target: impl Write) -> io::Result<Summary> {
        let mut lines = LineReader::new(source);
        let mut summary = Summary::default();
        while let Some(line) = lines.next_line()? {
            let patched = self.patch(line, &mut |_| {});
            target.write_all(&patched.bytes)?;
            summary.lines += 1;
            summary.changed += u64::from(patched.changes > 0);
            summary.passed_through += u64::from(patched.is_passed_through);
        }
        Ok(summary)
    }

    fn patch<'a>(&self, line: Line<'a>, note: &mut dyn FnMut(path::Note)) -> PatchedLine<'a> {
        if std::str::from_utf8(line.bytes).is_err() {
            return PatchedLine { bytes: Cow::Borrowed(line.bytes), changes: 0, is_passed_through: true };
        }
        self.patch_readable(line, note)
    }

    /// The reader replaces bad UTF-8 byte by byte, so that the places it finds are those of the line.
    fn patch_readable<'a>(&self, line: Line<'a>, note: &mut dyn FnMut(path::Note)) -> PatchedLine<'a> {
        let (mut changes, mut is_passed_through) = (0, false);
        let bytes = patch::edited(line, &mut |piece| {
            let found = match piece.shape {
                Shape::Record(record) => {
                    let home = self.home.as_deref().or(record.envelope.cwd.as_deref());
                    record::edits(record.json, self, home)
                }
                Shape::Blank if !piece.troubles.contains(Trouble::NulBytes) => return Vec::new(),
                Shape::Blank | Shape::Broken(_) => None,
            };
            is_passed_through |= found.is_none();
            let Some(found) = found else { return Vec::new() };
            found.notes.into_iter().for_each(&mut *note);
            changes += found.edits.len();
            found.edits
        });
        PatchedLine { bytes, changes, is_passed_through }
    }
}
