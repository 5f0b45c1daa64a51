//! The JSON of an object → its strings and numbers, one after the other, without recursion and without building a value.
//!
//! This module finds where each begins and ends; a [`Visitor`] decides what changes.

use std::ops::Range;

use memchr::memchr;

/// New text for a range of bytes, spelled for JSON.
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

/// A string without its quotes, or a number, as it is spelled; and its place.
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

/// Sees the strings and numbers of an object in their order.
pub trait Visitor<'a> {
    /// What the visitor remembers of an object or list until it closes.
    type Level;

    fn open(&mut self, above: Option<&Self::Level>, is_object: bool) -> Self::Level;
    fn key(&mut self, level: &mut Self::Level, key: Spelled<'a>);
    fn value(&mut self, level: &mut Self::Level, value: Spelled<'a>);
    /// A number under a key. Numbers in lists are not offered: there are many, and no visitor needs them.
    fn number(&mut self, _: &mut Self::Level, _: Spelled<'a>) {}
    fn close(&mut self, level: Self::Level, range: Range<usize>);
}

/// Visits the strings and numbers of the object at the start of `json`. None if the JSON ends before the object does.
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
    frames: Vec<Frame<V::Level>>,
}

/// An object or list that is not closed yet.
struct Frame<L> {
    level: L,
    is_object: bool,
    expects_key: bool,
    start: usize,
}

impl<'a, V: Visitor<'a>> Walk<'a, '_, V> {
    fn open(&mut self, is_object: bool) {
        let level = self.visitor.open(self.frames.last().map(|frame| &frame.level), is_object);
        self.frames.push(Frame { level, is_object, expects_key: is_object, start: self.at });
    }

    fn close(&mut self) -> Option<()> {
        let frame = self.frames.pop()?;
        self.visitor.close(frame.level, frame.start..self.at + 1);
        Some(())
    }

    fn next(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.expects_key = frame.is_object;
        }
    }

    /// The string that starts here; moves to its closing quote.
    fn string(&mut self) -> Option<()> {
        let start = self.at + 1;
        self.at = end_of_string(self.json, start)?;
        let spelled = Spelled { raw: self.json.get(start..self.at)?, start };
        let frame = self.frames.last_mut()?;
        if std::mem::take(&mut frame.expects_key) {
            self.visitor.key(&mut frame.level, spelled);
        } else {
            self.visitor.value(&mut frame.level, spelled);
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
            self.visitor.number(&mut frame.level, spelled);
        }
    }
}

fn is_in_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// The place of the closing quote of a string: the first quote that no backslash escapes.
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
