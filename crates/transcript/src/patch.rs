//! Raw lines → raw lines of a session that lives in another directory, or in which something else stands.
//!
//! Two things change by a [`Rehome`], each only where it was asked for. `cwd` moves the fields that say where the session works.
//! `paths` are replaced in what was said and done: prose, tool inputs, tool results, structured results, attachments,
//! and the request logs that repeat them. Thinking is signed and never changes, nor do ids, times, titles and the keys
//! of objects. Every other byte stays: nothing is parsed and written again, the strings concerned are replaced in
//! place. A line that the reader does not understand is passed through as it is. [`strings()`] is for who has something to
//! say about every string, whatever it is for; [`Renaming`] and [`Reshape`] make the records of a clone.

mod literal;
mod moving;
mod notes;
mod path;
mod place;
mod renaming;
mod reshape;
mod rewrite;
mod strings;
mod walk;

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use crate::line::{Extent, Line, LineReader};
use crate::parse::{Shape, split};
use crate::trouble::Trouble;
pub use notes::{Notes, Rewritten};
pub use renaming::{Name, Renaming, Role};
pub use reshape::{Limit, Reshape};
pub use rewrite::{BadRewrite, Move, Rewrite};
pub use strings::{Replacement, Spot, strings};
use walk::Edit;

/// What changes when a session moves.
#[derive(Debug)]
pub struct Rehome {
    directory: Option<path::Rule>,
    paths: Vec<path::Finder>,
    /// Where the session works.
    home: Option<String>,
}

/// A line after the move.
#[derive(Debug)]
pub struct Patched<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// How many strings changed.
    pub changes: usize,
    /// Whether some of the line is no record, and was passed through for that reason.
    pub is_passed_through: bool,
}

/// What [`Rehome::copy`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    pub lines: u64,
    /// Lines in which something changed.
    pub changed: u64,
    /// Lines of which some or all is no record.
    pub passed_through: u64,
}

impl Rehome {
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
    pub fn line<'a>(&self, line: &'a [u8]) -> Patched<'a> {
        self.patch(Line { number: 1, offset: 0, bytes: line, extent: Extent::Whole }, &mut |_| {})
    }

    /// The same for a line that is shown, noting which paths became which. Directories that moved are not among them.
    /// With bad UTF-8 the strings are what the reader makes of them, for it shows them.
    pub fn line_noting<'a>(&self, line: &'a [u8], notes: &mut Notes) -> Patched<'a> {
        self.patch_readable(Line { number: 1, offset: 0, bytes: line, extent: Extent::Whole }, &mut |note| {
            notes.add(note)
        })
    }

    /// Replaces paths in a text that stands in no record, such as a file that one points to.
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

    fn patch<'a>(&self, line: Line<'a>, note: &mut dyn FnMut(path::Note)) -> Patched<'a> {
        if simdutf8::basic::from_utf8(line.bytes).is_err() {
            return Patched { bytes: Cow::Borrowed(line.bytes), changes: 0, is_passed_through: true };
        }
        self.patch_readable(line, note)
    }

    /// The reader replaces bad UTF-8 byte by byte, so that the places it finds are those of the line.
    fn patch_readable<'a>(&self, line: Line<'a>, note: &mut dyn FnMut(path::Note)) -> Patched<'a> {
        let (mut edits, mut is_passed_through) = (Vec::new(), false);
        let _ = split(line, &mut |piece| {
            match piece.shape {
                Shape::Record(record) => {
                    let start = (piece.place.offset - line.offset) as usize + filling(piece.bytes);
                    let home = self.home.as_deref().or(record.envelope.cwd.as_deref());
                    match moving::edits(record.json, self, home) {
                        Some(found) => {
                            edits.extend(found.edits.into_iter().map(|edit| edit.moved_by(start)));
                            found.notes.into_iter().for_each(&mut *note);
                        }
                        None => is_passed_through = true,
                    }
                }
                Shape::Blank => is_passed_through |= piece.troubles.contains(Trouble::NulBytes),
                Shape::Broken(_) => is_passed_through = true,
            }
            ControlFlow::Continue(())
        });
        Patched { bytes: apply(line.bytes, &edits), changes: edits.len(), is_passed_through }
    }
}

/// How much stands before the object of a piece.
fn filling(piece: &[u8]) -> usize {
    piece.iter().take_while(|byte| **byte != b'{').count()
}

/// The line with its edits, which stand in the order of their places.
fn apply<'a>(line: &'a [u8], edits: &[Edit]) -> Cow<'a, [u8]> {
    if edits.is_empty() {
        return Cow::Borrowed(line);
    }
    let mut patched = Vec::with_capacity(line.len() + line.len() / 16);
    let mut copied = 0;
    for Edit { range, text } in edits {
        patched.extend_from_slice(line.get(copied..range.start).unwrap_or_default());
        patched.extend_from_slice(text.as_bytes());
        copied = range.end;
    }
    patched.extend_from_slice(line.get(copied..).unwrap_or_default());
    Cow::Owned(patched)
}
