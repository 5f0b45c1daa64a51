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
struct Level {
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
    type Level = Level;

    fn open(&mut self, above: Option<&Level>, is_object: bool) -> Level {
        let zone = above.map_or(Zone::Record, |above| above.value);
        let value = if is_object { Zone::Closed } else { zone.element() };
        let is_path = !is_object && above.is_some_and(|above| above.is_path);
        let (edits, notes) = (self.edits.len(), self.notes.len());
        Level { zone, value, is_type: false, is_path, is_sealed: false, is_left: false, edits, notes }
    }

    fn key(&mut self, level: &mut Level, key: Spelled<'a>) {
        let key = Literal::new(key.raw);
        level.value = level.zone.under(&key.text);
        level.is_type = key.text == "type";
        level.is_path = names_path(&key.text);
    }

    fn value(&mut self, level: &mut Level, value: Spelled<'a>) {
        let raw = value.raw;
        if level.is_type {
            level.is_sealed |= level.zone.is_sealed_by(&Literal::new(raw).text);
        }
        let directory = self.rewriter.directory.as_ref();
        let replaced = match level.value {
            Zone::Directory => directory.and_then(|rule| path::moved(raw, rule)),
            Zone::WorktreePath => {
                level.is_left |= directory.is_some_and(|rule| path::is_left(raw, rule));
                directory.and_then(|rule| path::moved(raw, rule))
            }
            zone if zone.is_open() => {
                let context = Context { is_path: level.is_path, home: self.home };
                path::replaced(raw, &self.rewriter.paths, context, &mut |note| self.notes.push(note))
            }
            _ => None,
        };
        self.edits.extend(replaced.map(|text| value.edit(text)));
    }

    /// What an object is, it may say last: then the changes below it are taken back.
    fn close(&mut self, level: Level, range: Range<usize>) {
        if level.is_sealed || level.is_left {
            self.edits.truncate(level.edits);
            self.notes.truncate(level.notes);
        }
        if level.is_left {
            self.edits.push(Edit { range, text: "null".to_owned() });
        }
    }
}
