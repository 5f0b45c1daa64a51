//! An object's JSON → what changes in it when its session moves: directories, and paths in what was said and done.

use std::ops::Range;

use steno_transcript::patch::{Edit, Literal, Spelled, Visitor, names_path, walk};

use super::PathRewriter;
use super::path::{self, Context, Note};
use super::zone::Zone;

/// The changes to the object that `json` is; nothing if it is none.
pub(super) fn edits(json: &str, rewriter: &PathRewriter, home: Option<&str>) -> Option<Edits> {
    let mut moving = Moving { rewriter, home, edits: Vec::new(), notes: Vec::new() };
    walk(json, &mut moving)?;
    Some(Edits { edits: moving.edits, notes: moving.notes })
}

/// What changes, and which paths became which.
pub(super) struct Edits {
    pub(super) edits: Vec<Edit>,
    pub(super) notes: Vec<Note>,
}

struct Moving<'a> {
    rewriter: &'a PathRewriter,
    /// The directory that the session works in.
    home: Option<&'a str>,
    edits: Vec<Edit>,
    notes: Vec<Note>,
}

/// An object or list, and what may change in it.
struct Place {
    zone: Zone,
    /// The zone of the value that comes.
    value: Zone,
    /// Whether that value is under `type`.
    is_type: bool,
    /// Whether that value is a path by its key.
    is_path: bool,
    is_sealed: bool,
    /// Whether it is the worktree that the session moves out of.
    is_left: bool,
    /// How many edits there were before it.
    edits: usize,
    notes: usize,
}

impl<'a> Visitor<'a> for Moving<'_> {
    type Place = Place;

    fn open(&mut self, above: Option<&Place>, is_object: bool) -> Place {
        let zone = above.map_or(Zone::Record, |above| above.value);
        let value = if is_object { Zone::Closed } else { zone.element() };
        let is_path = !is_object && above.is_some_and(|above| above.is_path);
        let (edits, notes) = (self.edits.len(), self.notes.len());
        Place { zone, value, is_type: false, is_path, is_sealed: false, is_left: false, edits, notes }
    }

    fn key(&mut self, place: &mut Place, key: Spelled<'a>) {
        let key = Literal::new(key.raw);
        place.value = place.zone.under(&key.text);
        place.is_type = key.text == "type";
        place.is_path = names_path(&key.text);
    }

    fn value(&mut self, place: &mut Place, value: Spelled<'a>) {
        let raw = value.raw;
        if place.is_type {
            place.is_sealed |= place.zone.is_sealed_by(&Literal::new(raw).text);
        }
        let directory = self.rewriter.directory.as_ref();
        let replaced = match place.value {
            Zone::Directory => directory.and_then(|rule| path::moved(raw, rule)),
            Zone::WorktreePath => {
                place.is_left |= directory.is_some_and(|rule| path::is_left(raw, rule));
                directory.and_then(|rule| path::moved(raw, rule))
            }
            zone if zone.is_open() => {
                let context = Context { is_path: place.is_path, home: self.home };
                path::replaced(raw, &self.rewriter.paths, context, &mut |note| self.notes.push(note))
            }
            _ => None,
        };
        self.edits.extend(replaced.map(|text| value.edit(text)));
    }

    /// What an object is, it may say last: then the changes below it are taken back.
    fn close(&mut self, place: Place, range: Range<usize>) {
        if place.is_sealed || place.is_left {
            self.edits.truncate(place.edits);
            self.notes.truncate(place.notes);
        }
        if place.is_left {
            self.edits.push(Edit { range, text: "null".to_owned() });
        }
    }
}
