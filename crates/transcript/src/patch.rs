//! Raw lines → raw lines with other strings, names or fields.
//!
//! No value is parsed and written again. Each function finds ranges of bytes to replace, as [`Edit`]s, and every other
//! byte stays. A line that the reader does not understand stays as it is. [`strings()`] offers every string to the
//! caller; [`Renaming`] and [`Reshape`] make the records of a clone.

mod literal;
mod renaming;
mod reshape;
mod strings;
mod walk;

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::line::Line;
use crate::parse::{Piece, split};
pub use literal::Literal;
pub use renaming::{Name, Renaming, Role};
pub use reshape::{Limit, Reshape};
pub use strings::{Replacement, Spot, strings};
pub use walk::{Edit, Spelled, Visitor, walk};

/// Applies edits to each piece of a line. `edits_of` gives ranges that count from the start of the piece's object.
pub fn edited<'a>(line: Line<'a>, edits_of: &mut dyn FnMut(&Piece<'_>) -> Vec<Edit>) -> Cow<'a, [u8]> {
    let mut edits = Vec::new();
    let _ = split(line, &mut |piece| {
        let start = (piece.place.offset - line.offset) as usize + filling(piece.bytes);
        edits.extend(edits_of(&piece).into_iter().map(|edit| edit.moved_by(start)));
        ControlFlow::Continue(())
    });
    edits.sort_by_key(|edit| edit.range.start);
    apply(line.bytes, &edits)
}

/// How many bytes precede the object of a piece.
fn filling(piece: &[u8]) -> usize {
    piece.iter().take_while(|byte| **byte != b'{').count()
}

/// The bytes after the edits, which are in ascending order.
fn apply<'a>(bytes: &'a [u8], edits: &[Edit]) -> Cow<'a, [u8]> {
    if edits.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut edited = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    let mut copied = 0;
    for Edit { range, text } in edits {
        edited.extend_from_slice(bytes.get(copied..range.start).unwrap_or_default());
        edited.extend_from_slice(text.as_bytes());
        copied = range.end;
    }
    edited.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    Cow::Owned(edited)
}

/// Whether the string under such a key is a path and nothing else.
pub fn names_path(key: &str) -> bool {
    const ENDINGS: [&str; 12] = [
        "path",
        "paths",
        "file",
        "files",
        "filename",
        "filenames",
        "dir",
        "directory",
        "directories",
        "folder",
        "cwd",
        "root",
    ];
    ENDINGS.iter().any(|ending| {
        let at = key.len().checked_sub(ending.len());
        at.and_then(|at| key.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
    })
}
