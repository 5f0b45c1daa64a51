//! Lines → pieces: each a record, a blank line, or broken text that is kept as it is.
//!
//! The pieces of a file, one after the other, are the file.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::memmem;

use crate::kind::Kind;
use crate::line::{Extent, Line, LineReader, has_too_many_values};
use crate::prefilter::Prefilter;
use crate::record::{Place, Record};
use crate::trouble::{Trouble, Troubles};
use crate::wire::{Envelope, Fields, Lenient};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const LONG_LINE: usize = 2 * 1024 * 1024;
/// How many places in a broken line are tried as the start of a whole record.
const RESCUES: usize = 64;
/// How many bytes are parsed again for that, in total: a torn line of megabytes is not worth seconds.
const RESCUED_BYTES: usize = 32 * 1024 * 1024;

/// A stretch of a file.
#[derive(Debug)]
pub struct Piece<'a> {
    pub place: Place,
    pub bytes: &'a [u8],
    pub shape: Shape<'a>,
    pub troubles: Troubles,
}

#[derive(Debug)]
pub enum Shape<'a> {
    Record(&'a Record<'a>),
    Blank,
    /// Not a record, for this reason.
    Broken(Trouble),
}

/// Reads everything and hands each piece to `visit`, until it breaks off.
pub fn read<R: Read>(source: R, visit: impl FnMut(Piece<'_>) -> ControlFlow<()>) -> io::Result<()> {
    read_lines(&mut LineReader::new(source), visit)
}

/// The same for a reader that may have passed some lines already.
pub fn read_lines<R: Read>(
    lines: &mut LineReader<R>,
    mut visit: impl FnMut(Piece<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    while let Some(line) = lines.next_line()? {
        if split(line, &mut visit).is_break() {
            break;
        }
    }
    Ok(())
}

/// The same, but leaves out lines that hold no record of these types.
pub fn read_types<R: Read>(
    lines: &mut LineReader<R>,
    types: &Prefilter,
    mut visit: impl FnMut(Piece<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    while let Some(line) = lines.next_line()? {
        if types.may_match(&line) && split(line, &mut visit).is_break() {
            break;
        }
    }
    Ok(())
}

/// Splits one line into its pieces.
pub fn split(line: Line<'_>, visit: &mut impl FnMut(Piece<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
    if let Some(refusal) = refusal(&line) {
        return visit(unread(&line, refusal));
    }
    let mut troubles = Troubles::default();
    if line.bytes.len() >= LONG_LINE {
        troubles.add(Trouble::LongLine);
    }
    if line.bytes.ends_with(b"\r\n") {
        troubles.add(Trouble::CarriageReturn);
    }
    let text = readable(line.bytes);
    if matches!(text, Cow::Owned(_)) {
        troubles.add(Trouble::BadUtf8);
    }
    Splitter { line, text: &text, at: 0, troubles }.run(visit)
}

/// Why a line is not parsed, whatever its content.
fn refusal(line: &Line<'_>) -> Option<Trouble> {
    if line.is_part() {
        return Some(Trouble::TooLong);
    }
    has_too_many_values(line.bytes).then_some(Trouble::TooManyValues)
}

/// Such a line as one piece. Of a line that comes in parts, only the first part has the trouble.
fn unread<'a>(line: &Line<'a>, refusal: Trouble) -> Piece<'a> {
    let mut troubles = Troubles::default();
    if line.extent != Extent::Rest {
        troubles.add(refusal);
    }
    let place = Place { line: line.number, offset: line.offset };
    Piece { place, bytes: line.bytes, shape: Shape::Broken(refusal), troubles }
}

/// The bytes as text of the same length, with `?` for each byte that is not UTF-8: an offset in one is an offset in the
/// other.
pub(crate) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Cow::Owned(text)
}

/// Finds the objects on one line.
struct Splitter<'a> {
    line: Line<'a>,
    text: &'a str,
    at: usize,
    troubles: Troubles,
}

impl<'a> Splitter<'a> {
    fn run(mut self, visit: &mut impl FnMut(Piece<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut start = 0;
        loop {
            self.skip_filling();
            if self.at == self.text.len() {
                // No object on the line. After an object, the filling was made part of its piece.
                return if start == 0 { visit(self.blank()) } else { ControlFlow::Continue(()) };
            }
            let Some((envelope, json)) = self.object() else {
                // A crash may leave half a line, and the client then writes a whole record behind it.
                let Some(rescue) = self.rescue() else {
                    return visit(self.broken(start));
                };
                visit(self.garbage(start..rescue))?;
                (start, self.at) = (rescue, rescue);
                self.troubles = Troubles::default();
                continue;
            };
            self.skip_filling();
            let is_last = self.at == self.text.len();
            if !is_last {
                self.troubles.add(Trouble::GluedObjects);
            }
            let end = if is_last { self.line.bytes.len() } else { self.at };
            let mut piece = self.piece(start..end, Shape::Blank);
            let record = Record { place: piece.place, bytes: piece.bytes, envelope, json };
            piece.shape = Shape::Record(&record);
            visit(piece)?;
            if is_last {
                return ControlFlow::Continue(());
            }
            start = end;
            self.troubles = Troubles::default();
            self.troubles.add(Trouble::GluedObjects);
        }
    }

    /// Skips white space, NUL bytes, and a byte order mark at the start of the file.
    fn skip_filling(&mut self) {
        if self.line.offset == 0 && self.at == 0 && self.text.as_bytes().starts_with(BYTE_ORDER_MARK) {
            self.troubles.add(Trouble::ByteOrderMark);
            self.at = BYTE_ORDER_MARK.len();
        }
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_filling = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\r' | b'\n' | 0);
        let filling = rest.iter().take_while(is_filling).count();
        if rest.iter().take(filling).any(|byte| *byte == 0) {
            self.troubles.add(Trouble::NulBytes);
        }
        self.at += filling;
    }

    /// The object that starts here and its text; moves behind it.
    fn object(&mut self) -> Option<(Envelope<'a>, &'a str)> {
        let rest = self.text.get(self.at..)?;
        if !rest.starts_with('{') {
            return None;
        }
        let (envelope, length) = object_at(rest, &mut self.troubles)?;
        let json = rest.get(..length)?;
        if is_spaced(json) {
            self.troubles.add(Trouble::SpacedJson);
        }
        self.at += length;
        Some((envelope, json))
    }

    /// The broken text before a record that was rescued.
    fn garbage(&mut self, range: std::ops::Range<usize>) -> Piece<'a> {
        self.troubles.add(Trouble::NotJson);
        self.piece(range, Shape::Broken(Trouble::NotJson))
    }

    /// The rest of the line, which is not a record.
    fn broken(&mut self, start: usize) -> Piece<'a> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trouble = reason(rest, self.line.is_terminated());
        self.troubles.add(trouble);
        self.piece(start..self.line.bytes.len(), Shape::Broken(trouble))
    }

    /// Where a whole record starts inside a broken line: an object of a known type with an id, after which the line ends
    /// or another object begins.
    fn rescue(&self) -> Option<usize> {
        let rest = self.text.get(self.at..)?;
        let tries = RESCUES.min(1 + RESCUED_BYTES / rest.len().max(1));
        memmem::find_iter(rest.as_bytes(), b"{\"").filter(|found| *found > 0).take(tries).find_map(|found| {
            let (envelope, length) = object_at(rest.get(found..)?, &mut Troubles::default())?;
            let behind = rest.get(found + length..)?.trim_start();
            let is_known = envelope.kind.as_deref().is_some_and(|kind| Kind::from_name(kind).is_known());
            let is_ours = is_known && (envelope.uuid.is_some() || envelope.session_id.is_some());
            (is_ours && (behind.is_empty() || behind.starts_with('{'))).then_some(self.at + found)
        })
    }

    fn blank(&self) -> Piece<'a> {
        let mut piece = self.piece(0..self.line.bytes.len(), Shape::Blank);
        if !piece.troubles.contains(Trouble::NulBytes) {
            piece.troubles.add(Trouble::BlankLine);
        }
        piece
    }

    fn piece(&self, range: std::ops::Range<usize>, shape: Shape<'a>) -> Piece<'a> {
        Piece {
            place: Place { line: self.line.number, offset: self.line.offset + range.start as u64 },
            bytes: self.line.bytes.get(range).unwrap_or_default(),
            shape,
            troubles: self.troubles,
        }
    }
}

/// The object at the start of `text` and its length.
fn object_at<'a>(text: &'a str, troubles: &mut Troubles) -> Option<(Envelope<'a>, usize)> {
    let mut typed = serde_json::Deserializer::from_str(text).into_iter::<Envelope>();
    if let Some(Ok(envelope)) = typed.next() {
        return Some((envelope, typed.byte_offset()));
    }
    let mut by_field = serde_json::Deserializer::from_str(text).into_iter::<Fields>();
    match by_field.next() {
        Some(Ok(fields)) => Some((Envelope::from_fields(&fields, troubles), by_field.byte_offset())),
        _ => None,
    }
}

fn reason(rest: &str, is_terminated: bool) -> Trouble {
    match serde_json::from_str::<serde::de::IgnoredAny>(rest) {
        Ok(_) => Trouble::NotAnObject,
        Err(error) if error.is_eof() && !is_terminated => Trouble::TornLine,
        Err(_) => Trouble::NotJson,
    }
}

/// Whether the writer puts a space after its colons, judged by the first one.
fn is_spaced(json: &str) -> bool {
    let mut quotes = memchr::memchr_iter(b'"', json.as_bytes());
    let after_key = quotes.nth(1).and_then(|quote| json.as_bytes().get(quote + 1..quote + 3));
    matches!(after_key, Some([b':', b' '] | [b' ', _]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_other_types_only_what_cannot_be_told_apart_is_read() {
        let text = concat!(
            "{\"type\":\"user\",\"uuid\":\"a\"}\n",
            "{\"type\":\"assistant\",\"uuid\":\"b\"}\n",
            "{\"type\": \"assistant\", \"uuid\": \"c\"}\n",
            "{\"type\":\"user\",\"uuid\":\"d\"}{\"type\":\"assistant\",\"uuid\":\"e\"}\n",
        );
        let mut seen = Vec::new();
        let visit = |piece: Piece<'_>| {
            if let Shape::Record(record) = &piece.shape {
                seen.extend(record.envelope.uuid.as_deref().map(str::to_owned));
            }
            ControlFlow::Continue(())
        };
        let types = Prefilter::for_types(&["assistant"]);
        read_types(&mut LineReader::new(text.as_bytes()), &types, visit).unwrap();
        assert_eq!(seen, ["b", "c", "d", "e"]);
    }

    #[test]
    fn a_long_line_is_read_and_said() {
        let long = format!(r#"{{"type":"user","toolUseResult":{{"a":"{}"}}}}"#, "x".repeat(LONG_LINE));
        let visit = |piece: Piece<'_>| {
            assert!(matches!(piece.shape, Shape::Record(_)) && piece.troubles.contains(Trouble::LongLine));
            ControlFlow::Continue(())
        };
        read(long.as_bytes(), visit).unwrap();
    }

    #[test]
    fn a_line_of_very_many_values_is_kept_and_not_read() {
        let line = format!(
            r#"{{"type":"user","uuid":"u","message":{{"content":[{}{{}}]}}}}"#,
            "{},".repeat(600_000)
        );
        let text = format!("{line}\n{{\"type\":\"user\"}}\n");
        let mut seen = Vec::new();
        let visit = |piece: Piece<'_>| {
            seen.push((piece.bytes.len(), piece.troubles.contains(Trouble::TooManyValues)));
            ControlFlow::Continue(())
        };
        read(text.as_bytes(), visit).unwrap();
        assert_eq!(seen, [(line.len() + 1, true), (16, false)]);
    }
}
