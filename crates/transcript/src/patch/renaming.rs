//! A record's JSON → the same under other names: its session, its records, its prompts.
//!
//! A name is a whole string outside of what was said; the caller says what becomes of it, knowing from the keys that
//! lead there what it names. Inside of what was said only paths into the session's own directory change, for a client
//! reads what lies there by them.

mod belongings;
mod zone;

use std::borrow::Cow;
use std::ops::Range;

use serde::de::IgnoredAny;

use super::apply;
use super::literal::Literal;
use super::walk::{Edit, Spelled, Visitor, walk};
use crate::line::Line;
use crate::parse::{Shape, readable};
use belongings::Belongings;
use zone::Zone;

/// A whole string outside of what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'a> {
    pub text: &'a str,
    pub role: Role,
}

/// What a name names, by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The session that a record belongs to.
    Session,
    /// A record, its own or another.
    Record,
    Prompt,
    /// Anything, and maybe nothing at all.
    Unknown,
}

type Rename<'r> = dyn FnMut(Name<'_>) -> Option<String> + 'r;

/// Gives the things of a session other names.
#[derive(Debug, Clone)]
pub struct Renaming {
    belongings: Belongings,
}

impl Renaming {
    /// `from` are the names that the session's own directory may have in paths, `to` is the new one.
    pub fn new(from: &[String], to: &str) -> Self {
        Self { belongings: Belongings::new(from, to) }
    }

    /// The directory of the session stands in another project's: the names of both, without what they stand in.
    #[must_use]
    pub fn in_project(self, from: &str, to: &str) -> Self {
        Self { belongings: self.belongings.in_project(from, to) }
    }

    /// One JSON value, such as the object of a record. What is none gives nothing sensible, but no harm. A byte that is
    /// no UTF-8 stays, unless it stands in a name that changes: there it is what the reader makes of it.
    pub fn value<'a>(
        &self,
        json: &'a [u8],
        rename: &mut dyn FnMut(Name<'_>) -> Option<String>,
    ) -> Cow<'a, [u8]> {
        // Of the same length, so that the places found in one are those of the other.
        let text = readable(json);
        apply(json, &self.edits(&text, rename))
    }

    /// One line of any JSONL file, everything around its records included. `is_first` is whether it is the first of its
    /// file, which may start with a byte order mark.
    pub fn line<'a>(
        &self,
        line: &'a [u8],
        is_first: bool,
        rename: &mut dyn FnMut(Name<'_>) -> Option<String>,
    ) -> Cow<'a, [u8]> {
        super::edited(Line::alone(line, is_first), &mut |piece| match piece.shape {
            Shape::Record(record) => self.edits(record.json, rename),
            _ => Vec::new(),
        })
    }

    /// A file that is one JSON value; anything else stays as it is.
    pub fn document<'a>(
        &self,
        json: &'a [u8],
        rename: &mut dyn FnMut(Name<'_>) -> Option<String>,
    ) -> Cow<'a, [u8]> {
        match serde_json::from_str::<IgnoredAny>(&readable(json)) {
            Ok(_) => self.value(json, rename),
            Err(_) => Cow::Borrowed(json),
        }
    }

    fn edits(&self, json: &str, rename: &mut Rename<'_>) -> Vec<Edit> {
        let start = json.len() - json.trim_start().len();
        let mut names = Names { belongings: &self.belongings, rename, edits: Vec::new() };
        // What was found up to a place that is no JSON is as good as the rest.
        let _ = json.get(start..).and_then(|json| walk(json, &mut names));
        names.edits.into_iter().map(|edit| edit.moved_by(start)).collect()
    }
}

struct Names<'a, 'r> {
    belongings: &'a Belongings,
    rename: &'a mut Rename<'r>,
    edits: Vec<Edit>,
}

/// An object or list.
struct Place {
    zone: Zone,
    /// Of the value that comes.
    value: Zone,
    role: Role,
}

impl<'a> Visitor<'a> for Names<'_, '_> {
    type Place = Place;

    fn open(&mut self, above: Option<&Place>, is_object: bool) -> Place {
        let zone = above.map_or(Zone::Record, |above| above.value);
        let role = above.filter(|_| !is_object).map_or(Role::Unknown, |above| above.role);
        Place { zone, value: zone, role }
    }

    fn key(&mut self, place: &mut Place, key: Spelled<'a>) {
        let key = Literal::new(key.raw);
        place.value = place.zone.under(&key.text);
        place.role = place.zone.role(&key.text);
    }

    fn value(&mut self, place: &mut Place, value: Spelled<'a>) {
        let new = match place.value {
            Zone::Fixed => None,
            Zone::Said | Zone::Message => self.belongings.renamed(value.raw),
            Zone::Record | Zone::Progress | Zone::Plain => {
                let literal = Literal::new(value.raw);
                let new = (self.rename)(Name { text: &literal.text, role: place.role });
                new.filter(|new| *new != literal.text)
                    .map(|new| literal.with(&[(0..literal.text.len(), new)]))
            }
        };
        self.edits.extend(new.map(|new| value.edit(new)));
    }

    /// A session may be called by a number, and is not called so any more.
    fn number(&mut self, place: &mut Place, number: Spelled<'a>) {
        if place.role == Role::Session {
            let new = (self.rename)(Name { text: number.raw, role: Role::Session });
            let new = new.filter(|new| new != number.raw).map(|new| serde_json::Value::from(new).to_string());
            self.edits.extend(new.map(|new| number.edit(new)));
        }
    }

    fn close(&mut self, _: Place, _: Range<usize>) {}
}
