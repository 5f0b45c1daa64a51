//! A line → the line with stretches of its strings replaced, wherever they stand.
//!
//! Every string of every record on the line is offered, its keys too, decoded: a text that is spelled in escapes cannot
//! hide. So are numbers that stand under a key, for a password may be one. Encoded media is offered as such: it is no
//! text, and long. A piece of a line that is no record stays as it is, which
//! is safe only because the reader gives nothing of it to anybody.

mod media;

use std::borrow::Cow;
use std::ops::Range;

use super::literal::Literal;
use super::walk::{Edit, Spelled, Visitor, walk};
use crate::line::Line;
use crate::parse::Shape;
use media::is_media;

/// Shorter numbers are no secrets, and many.
const FEWEST_DIGITS: usize = 4;

/// One string of a record, decoded; or a number.
#[derive(Debug, Clone, Copy)]
pub struct Spot<'a> {
    pub text: &'a str,
    /// The key that it stands under; elements of a list have the key of the list.
    pub key: Option<&'a str>,
    /// Whether it is a key itself.
    pub is_key: bool,
    /// Whether it is no string but a number of four digits or more, as it is spelled. If something is replaced, it
    /// becomes a string.
    pub is_number: bool,
    /// Whether it is encoded media, which is no text.
    pub is_media: bool,
}

/// A stretch of a text, and what stands there instead.
pub type Replacement = (Range<usize>, String);
type Change<'c> = dyn FnMut(&Spot<'_>) -> Vec<Replacement> + 'c;

/// The line with stretches of its strings replaced as `change` says. Stretches are taken in their order; where two
/// overlap, the later one has what the earlier one leaves. `is_first` is whether the line is the first of its file,
/// which may start with a byte order mark.
///
/// Strings come in the order of the line but for one: `data` comes at the end of its object, for only then it is known
/// whether it is media. With bad UTF-8 the strings are what the reader makes of them.
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
    /// What may be media, of the objects that are not closed yet.
    held: Vec<Spelled<'a>>,
    edits: Vec<Edit>,
}

/// An object or list.
struct Place {
    /// Which of the keys it stands under, and which its values do.
    above: Option<usize>,
    own: Option<usize>,
    meaning: Meaning,
    /// Whether every `type` in it says `base64`.
    is_encoded: Option<bool>,
    /// How many strings were held back before it.
    held: usize,
}

/// What a key says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Kind,
    /// Media, if the object says so.
    Data,
    /// Media.
    Encoded,
    Other,
}

/// What is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Key,
    Text,
    Number,
    Media,
}

impl<'a> Visitor<'a> for Offering<'a, '_> {
    type Place = Place;

    fn open(&mut self, above: Option<&Place>, is_object: bool) -> Place {
        let above = above.and_then(|above| above.own);
        let own = if is_object { Some(self.keys.len()) } else { above };
        if is_object {
            self.keys.push(Cow::Borrowed(""));
        }
        Place { above, own, meaning: Meaning::Other, is_encoded: None, held: self.held.len() }
    }

    fn key(&mut self, place: &mut Place, key: Spelled<'a>) {
        let literal = Literal::new(key.raw);
        place.meaning = Meaning::of(&literal.text);
        self.offer(What::Key, key, &literal, place.above);
        self.set_key(place, literal.text);
    }

    fn value(&mut self, place: &mut Place, value: Spelled<'a>) {
        if place.meaning == Meaning::Data {
            return self.held.push(value);
        }
        let literal = Literal::new(value.raw);
        if place.meaning == Meaning::Kind {
            place.is_encoded = Some(literal.text == "base64" && place.is_encoded != Some(false));
        }
        let is_media = place.meaning == Meaning::Encoded && is_media(&literal.text);
        self.offer(if is_media { What::Media } else { What::Text }, value, &literal, place.own);
    }

    fn number(&mut self, place: &mut Place, value: Spelled<'a>) {
        if value.raw.bytes().filter(u8::is_ascii_digit).nth(FEWEST_DIGITS - 1).is_some() {
            self.offer(What::Number, value, &Literal::new(value.raw), place.own);
        }
    }

    fn close(&mut self, place: Place, _: Range<usize>) {
        for value in self.held.split_off(place.held) {
            let literal = Literal::new(value.raw);
            let is_media = place.is_encoded == Some(true) && is_media(&literal.text);
            self.set_key(&place, Cow::Borrowed("data"));
            self.offer(if is_media { What::Media } else { What::Text }, value, &literal, place.own);
        }
        if place.own != place.above {
            self.keys.pop();
        }
    }
}

impl<'a> Offering<'a, '_> {
    fn set_key(&mut self, place: &Place, key: Cow<'a, str>) {
        if let Some(own) = place.own.and_then(|own| self.keys.get_mut(own)) {
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

/// The stretches in their order, of whole characters, none over another: whatever was to be replaced is.
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
