//! An object's JSON → its strings and numbers, one after the other, without recursion and without building a value.
//!
//! What becomes of one is for the visitor to say; here is only where they begin and end and what they are.

use std::ops::Range;

use memchr::memchr;

/// New text for a stretch, spelled for JSON.
#[derive(Debug)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

impl Edit {
    pub fn moved_by(self, count: usize) -> Self {
        Self { range: self.range.start + count..self.range.end + count, text: self.text }
    }
}

/// What stands between two quotes, or a number; and where.
#[derive(Debug, Clone, Copy)]
pub struct Spelled<'a> {
    pub raw: &'a str,
    start: usize,
}

impl Spelled<'_> {
    pub fn edit(self, text: String) -> Edit {
        Edit { range: self.range(), text }
    }

    /// Without its quotes.
    pub fn range(self) -> Range<usize> {
        self.start..self.start + self.raw.len()
    }
}

/// Who says what becomes of the strings.
pub trait Visitor<'a> {
    /// What there is to know of an object or list that is not closed yet.
    type Place;

    fn open(&mut self, above: Option<&Self::Place>, is_object: bool) -> Self::Place;
    fn key(&mut self, place: &mut Self::Place, key: Spelled<'a>);
    fn value(&mut self, place: &mut Self::Place, value: Spelled<'a>);
    /// A number under a key. Those in lists are many, and nobody asks for them.
    fn number(&mut self, _: &mut Self::Place, _: Spelled<'a>) {}
    /// What stands behind it belongs to the next field or element.
    fn comma(&mut self, _: &mut Self::Place, _: usize) {}
    fn close(&mut self, place: Self::Place, range: Range<usize>);
}

/// Visits the strings and numbers of the object that `json` is; nothing if it is none.
pub fn walk<'a, V: Visitor<'a>>(json: &'a str, visitor: &mut V) -> Option<()> {
    let mut walk = Walk { json, at: 0, visitor, frames: Vec::new() };
    loop {
        match json.as_bytes().get(walk.at)? {
            b'{' => walk.open(true),
            b'[' => walk.open(false),
            b'}' | b']' => walk.close()?,
            b',' => walk.next(),
            b'"' => walk.string()?,
            b'-' | b'0'..=b'9' => walk.number(),
            _ => {}
        }
        walk.at += 1;
        if walk.frames.is_empty() {
            return Some(());
        }
    }
}

struct Walk<'a, 'v, V: Visitor<'a>> {
    json: &'a str,
    at: usize,
    visitor: &'v mut V,
    frames: Vec<Frame<V::Place>>,
}

/// An object or list that is not closed yet.
struct Frame<P> {
    place: P,
    is_object: bool,
    expects_key: bool,
    start: usize,
}

impl<'a, V: Visitor<'a>> Walk<'a, '_, V> {
    fn open(&mut self, is_object: bool) {
        let place = self.visitor.open(self.frames.last().map(|frame| &frame.place), is_object);
        self.frames.push(Frame { place, is_object, expects_key: is_object, start: self.at });
    }

    fn close(&mut self) -> Option<()> {
        let frame = self.frames.pop()?;
        self.visitor.close(frame.place, frame.start..self.at + 1);
        Some(())
    }

    fn next(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.expects_key = frame.is_object;
            self.visitor.comma(&mut frame.place, self.at);
        }
    }

    /// The string that starts here; moves to its closing quote.
    fn string(&mut self) -> Option<()> {
        let start = self.at + 1;
        self.at = end_of_string(self.json, start)?;
        let spelled = Spelled { raw: self.json.get(start..self.at)?, start };
        let frame = self.frames.last_mut()?;
        if std::mem::take(&mut frame.expects_key) {
            self.visitor.key(&mut frame.place, spelled);
        } else {
            self.visitor.value(&mut frame.place, spelled);
        }
        Some(())
    }

    /// The number that starts here; moves to its last character.
    fn number(&mut self) {
        let rest = self.json.get(self.at..).unwrap_or_default();
        let length = rest.bytes().take_while(|byte| is_in_number(*byte)).count();
        let spelled = Spelled { raw: rest.get(..length).unwrap_or_default(), start: self.at };
        self.at += length.saturating_sub(1);
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.is_object && !frame.expects_key) {
            self.visitor.number(&mut frame.place, spelled);
        }
    }
}

fn is_in_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Where the closing quote of a string stands: the first one that no backslash escapes.
fn end_of_string(json: &str, start: usize) -> Option<usize> {
    let mut from = start;
    loop {
        let rest = json.as_bytes().get(from..)?;
        let quote = memchr(b'"', rest)?;
        let backslashes = rest.iter().take(quote).rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(from + quote);
        }
        from += quote + 1;
    }
}
