//! A line → the line with parts of its strings replaced.
//!
//! The caller sees every string of every record on the line, keys too, decoded: a secret cannot hide behind escapes. It
//! also sees numbers under a key, because a password may be one. Encoded media is marked as such: it is long, and not
//! text. A piece of a line that is not a record stays as it is. That is safe only because no command prints such pieces.

mod media;

use std::borrow::Cow;
use std::ops::Range;

use super::literal::Literal;
use super::walk::{Edit, Spelled, Visitor, walk};
use crate::line::Line;
use crate::parse::Shape;
use media::is_media;

/// Shorter numbers are not secrets, and there are many.
const FEWEST_DIGITS: usize = 4;

/// One string of a record, decoded; or a number.
#[derive(Debug, Clone, Copy)]
pub struct Spot<'a> {
    pub text: &'a str,
    /// The key that it is the value of; elements of a list have the key of the list.
    pub key: Option<&'a str>,
    /// Whether it is a key itself.
    pub is_key: bool,
    /// Whether it is a number, of four digits or more. If a part of it is replaced, it becomes a string.
    pub is_number: bool,
    /// Whether it is encoded media, which is not text.
    pub is_media: bool,
}

/// A range of a text, and what replaces it.
pub type Replacement = (Range<usize>, String);
type Change<'c> = dyn FnMut(&Spot<'_>) -> Vec<Replacement> + 'c;

/// Replaces the ranges of each string that `change` gives. Of two ranges that overlap, the second is cut to the rest. `is_first` is whether the line is the first of its file,
/// which may start with a byte order mark.
///
/// Strings come in the order of the line, except `data`: it comes at the end of its object, because only then it is
/// known whether it is media. In a line that is not UTF-8, bad bytes are question marks.
pub fn strings<'a>(
    line: &'a [u8],
    is_first: bool,
    change: &mut dyn FnMut(&Spot<'_>) -> Vec<Replacement>,
) -> Cow<'a, [u8]> {
    super::edited(Line::alone(line, is_first), &mut |piece| {
        let Shape::Record(record) = piece.shape else { return Vec::new() };
        let mut offering = Offering { change, keys: Vec::new(), held: Vec::new(), edits: Vec::new() };
        // A record is an object, so the walk comes to its end.
        let _ = walk(record.json, &mut offering);
        offering.edits
    })
}

struct Offering<'a, 'c> {
    change: &'c mut Change<'c>,
    /// The latest key of each object that is not closed yet.
    keys: Vec<Cow<'a, str>>,
    /// Strings under `data` that may be media, of the objects that are not closed yet.
    held: Vec<Spelled<'a>>,
    edits: Vec<Edit>,
}

/// An object or list.
struct Level {
    /// Which of `keys` it is the value of, and which is its own latest one.
    above: Option<usize>,
    own: Option<usize>,
    meaning: Meaning,
    /// Whether every `type` in it says `base64`.
    is_encoded: Option<bool>,
    /// How many strings were held back before it.
    held: usize,
}

/// What a key says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Kind,
    /// Media, if the object says so.
    Data,
    /// Media.
    Encoded,
    Other,
}

/// What is offered to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Key,
    Text,
    Number,
    Media,
}

impl<'a> Visitor<'a> for Offering<'a, '_> {
    type Level = Level;

    fn open(&mut self, above: Option<&Level>, is_object: bool) -> Level {
        let above = above.and_then(|above| above.own);
        let own = if is_object { Some(self.keys.len()) } else { above };
        if is_object {
            self.keys.push(Cow::Borrowed(""));
        }
        Level { above, own, meaning: Meaning::Other, is_encoded: None, held: self.held.len() }
    }

    fn key(&mut self, level: &mut Level, key: Spelled<'a>) {
        let literal = Literal::new(key.raw);
        level.meaning = Meaning::of(&literal.text);
        self.offer(What::Key, key, &literal, level.above);
        self.set_key(level, literal.text);
    }

    fn value(&mut self, level: &mut Level, value: Spelled<'a>) {
        if level.meaning == Meaning::Data {
            return self.held.push(value);
        }
        let literal = Literal::new(value.raw);
        if level.meaning == Meaning::Kind {
            level.is_encoded = Some(literal.text == "base64" && level.is_encoded != Some(false));
        }
        let is_media = level.meaning == Meaning::Encoded && is_media(&literal.text);
        self.offer(if is_media { What::Media } else { What::Text }, value, &literal, level.own);
    }

    fn number(&mut self, level: &mut Level, value: Spelled<'a>) {
        if value.raw.bytes().filter(u8::is_ascii_digit).nth(FEWEST_DIGITS - 1).is_some() {
            self.offer(What::Number, value, &Literal::new(value.raw), level.own);
        }
    }

    fn close(&mut self, level: Level, _: Range<usize>) {
        for value in self.held.split_off(level.held) {
            let literal = Literal::new(value.raw);
            let is_media = level.is_encoded == Some(true) && is_media(&literal.text);
            self.set_key(&level, Cow::Borrowed("data"));
            self.offer(if is_media { What::Media } else { What::Text }, value, &literal, level.own);
        }
        if level.own != level.above {
            self.keys.pop();
        }
    }
}

impl<'a> Offering<'a, '_> {
    fn set_key(&mut self, level: &Level, key: Cow<'a, str>) {
        if let Some(own) = level.own.and_then(|own| self.keys.get_mut(own)) {
            *own = key;
        }
    }

    fn offer(&mut self, what: What, spelled: Spelled<'a>, literal: &Literal<'a>, under: Option<usize>) {
        let key = under.and_then(|key| self.keys.get(key)).map(|key| &**key);
        let (is_key, is_number) = (what == What::Key, what == What::Number);
        let spot = Spot { text: &literal.text, key, is_key, is_number, is_media: what == What::Media };
        let replacements = (self.change)(&spot);
        if replacements.is_empty() {
            return;
        }
        let new = literal.with(&in_order(&literal.text, replacements));
        if new != spelled.raw {
            self.edits.push(spelled.edit(if is_number { format!("\"{new}\"") } else { new }));
        }
    }
}

impl Meaning {
    fn of(key: &str) -> Self {
        match key {
            "type" => Self::Kind,
            "data" => Self::Data,
            "base64" => Self::Encoded,
            _ => Self::Other,
        }
    }
}

/// The ranges in ascending order, of whole characters, without overlap. Together they cover all that was to be replaced.
fn in_order(text: &str, mut replacements: Vec<Replacement>) -> Vec<Replacement> {
    replacements.sort_by_key(|(range, _)| range.start);
    let mut end = 0;
    replacements.retain_mut(|(range, _)| {
        let is_inside = range.end <= end && range.start < end;
        range.start = text.floor_char_boundary(range.start).max(end);
        range.end = text.ceil_char_boundary(range.end).max(range.start);
        end = range.end;
        !is_inside
    });
    replacements
}
