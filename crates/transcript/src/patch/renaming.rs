//! The JSON of a record → the same with other ids of its session, its records and its prompts.
//!
//! A name is a whole string outside the text of the conversation. The caller gets it with its role, which follows from
//! its key, and gives the new name. Inside the text of the conversation, only paths into the session's own directory
//! change, because the client opens the files there by them.

mod own_paths;
mod zone;

use std::borrow::Cow;
use std::ops::Range;

use serde::de::IgnoredAny;

use super::apply;
use super::literal::Literal;
use super::walk::{Edit, Spelled, Visitor, walk};
use crate::line::Line;
use crate::parse::{Shape, readable};
use own_paths::OwnPaths;
use zone::Zone;

/// A whole string outside the text of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'a> {
    pub text: &'a str,
    pub role: Role,
}

/// What a name refers to, by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The session that a record belongs to.
    Session,
    /// A record, its own or another.
    Record,
    Prompt,
    /// Any other string.
    Unknown,
}

type Rename<'r> = dyn FnMut(Name<'_>) -> Option<String> + 'r;

/// Renames the parts of a session.
#[derive(Debug, Clone)]
pub struct Renaming {
    own_paths: OwnPaths,
}

impl Renaming {
    /// `from` are the names that the session's own directory may have in paths, `to` is the new one.
    pub fn new(from: &[String], to: &str) -> Self {
        Self { own_paths: OwnPaths::new(from, to) }
    }

    /// The session moves from one project directory to another; both are names without a path.
    #[must_use]
    pub fn in_project(self, from: &str, to: &str) -> Self {
        Self { own_paths: self.own_paths.in_project(from, to) }
    }

    /// Renames in one JSON value, such as the object of a record. Text that is not JSON may change in part. A byte that is
    /// not UTF-8 stays, except in a name that changes, where it becomes `?`.
    pub fn value<'a>(
        &self,
        json: &'a [u8],
        rename: &mut dyn FnMut(Name<'_>) -> Option<String>,
    ) -> Cow<'a, [u8]> {
        // Of the same length, so that ranges found in the text are ranges of the bytes.
        let text = readable(json);
        apply(json, &self.edits(&text, rename))
    }

    /// Renames in the records of one line of any JSONL file. `is_first` is whether it is the first of its file, which may
    /// start with a byte order mark.
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
        let mut names = Names { own_paths: &self.own_paths, rename, edits: Vec::new() };
        // Edits found before a place that is not JSON are kept.
        let _ = json.get(start..).and_then(|json| walk(json, &mut names));
        names.edits.into_iter().map(|edit| edit.moved_by(start)).collect()
    }
}

struct Names<'a, 'r> {
    own_paths: &'a OwnPaths,
    rename: &'a mut Rename<'r>,
    edits: Vec<Edit>,
}

/// An object or list.
struct Level {
    zone: Zone,
    /// Of the value that comes.
    value: Zone,
    role: Role,
}

impl<'a> Visitor<'a> for Names<'_, '_> {
    type Level = Level;

    fn open(&mut self, above: Option<&Level>, is_object: bool) -> Level {
        let zone = above.map_or(Zone::Record, |above| above.value);
        let role = above.filter(|_| !is_object).map_or(Role::Unknown, |above| above.role);
        Level { zone, value: zone, role }
    }

    fn key(&mut self, level: &mut Level, key: Spelled<'a>) {
        let key = Literal::new(key.raw);
        level.value = level.zone.under(&key.text);
        level.role = level.zone.role(&key.text);
    }

    fn value(&mut self, level: &mut Level, value: Spelled<'a>) {
        let new = match level.value {
            Zone::Fixed => None,
            Zone::Said | Zone::Message => self.own_paths.renamed(value.raw),
            Zone::Record | Zone::Progress | Zone::Plain => {
                let literal = Literal::new(value.raw);
                let new = (self.rename)(Name { text: &literal.text, role: level.role });
                new.filter(|new| *new != literal.text)
                    .map(|new| literal.with(&[(0..literal.text.len(), new)]))
            }
        };
        self.edits.extend(new.map(|new| value.edit(new)));
    }

    /// The id of a session may be a number; the new one is a string.
    fn number(&mut self, level: &mut Level, number: Spelled<'a>) {
        if level.role == Role::Session {
            let new = (self.rename)(Name { text: number.raw, role: Role::Session });
            let new = new.filter(|new| new != number.raw).map(|new| serde_json::Value::from(new).to_string());
            self.edits.extend(new.map(|new| number.edit(new)));
        }
    }

    fn close(&mut self, _: Level, _: Range<usize>) {}
}
