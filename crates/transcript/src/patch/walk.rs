//! An object's JSON → the strings in it that change, without recursion and without building a value.

use std::ops::Range;

use memchr::memchr2;

use super::Rehome;
use super::literal::Literal;
use super::path;
use super::place::Zone;

/// New text for a stretch, spelled for JSON.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    pub(super) fn moved_by(self, count: usize) -> Self {
        Self { range: self.range.start + count..self.range.end + count, text: self.text }
    }
}

/// The changes to the object that `json` is; nothing if it is none.
pub(super) fn edits(json: &str, rehome: &Rehome) -> Option<Vec<Edit>> {
    let mut walk = Walk { json, at: 0, rehome, frames: Vec::new(), edits: Vec::new() };
    loop {
        match json.as_bytes().get(walk.at)? {
            b'{' => walk.open(true),
            b'[' => walk.open(false),
            b'}' | b']' => walk.close()?,
            b',' => walk.next(),
            b'"' => walk.string()?,
            _ => {}
        }
        walk.at += 1;
        if walk.frames.is_empty() {
            return Some(walk.edits);
        }
    }
}

struct Walk<'a> {
    json: &'a str,
    at: usize,
    rehome: &'a Rehome,
    frames: Vec<Frame>,
    edits: Vec<Edit>,
}

/// An object or list that is not closed yet.
struct Frame {
    zone: Zone,
    is_object: bool,
    expects_key: bool,
    /// The zone of the value that comes.
    value: Zone,
    /// Whether that value stands under `type`.
    is_type: bool,
    is_sealed: bool,
    /// Whether it is the worktree that the session moves out of.
    is_left: bool,
    start: usize,
    /// How many edits there were before it.
    edits: usize,
}

impl Walk<'_> {
    fn open(&mut self, is_object: bool) {
        let zone = self.frames.last().map_or(Zone::Record, |frame| frame.value);
        let frame = Frame {
            zone,
            is_object,
            expects_key: is_object,
            value: if is_object { Zone::Closed } else { zone.element() },
            is_type: false,
            is_sealed: false,
            is_left: false,
            start: self.at,
            edits: self.edits.len(),
        };
        self.frames.push(frame);
    }

    /// What an object is, it may say last: then the changes below it are taken back.
    fn close(&mut self) -> Option<()> {
        let frame = self.frames.pop()?;
        if frame.is_sealed || frame.is_left {
            self.edits.truncate(frame.edits);
        }
        if frame.is_left {
            self.edits.push(Edit { range: frame.start..self.at + 1, text: "null".to_owned() });
        }
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
        let raw = self.json.get(start..self.at)?;
        let frame = self.frames.last_mut()?;
        if frame.expects_key {
            let key = Literal::new(raw);
            frame.expects_key = false;
            frame.value = frame.zone.under(&key.text);
            frame.is_type = key.text == "type";
            return Some(());
        }
        if frame.is_type {
            frame.is_sealed |= frame.zone.is_sealed_by(&Literal::new(raw).text);
        }
        let directory = self.rehome.directory.as_ref();
        let replaced = match frame.value {
            Zone::Directory => directory.and_then(|rule| path::moved(raw, rule)),
            Zone::WorktreePath => {
                frame.is_left |= directory.is_some_and(|rule| path::is_left(raw, rule));
                directory.and_then(|rule| path::moved(raw, rule))
            }
            zone if zone.is_open() => path::replaced(raw, &self.rehome.paths),
            _ => None,
        };
        self.edits.extend(replaced.map(|text| Edit { range: start..self.at, text }));
        Some(())
    }
}

/// Where the closing quote of a string stands.
fn end_of_string(json: &str, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr2(b'"', b'\\', json.as_bytes().get(at..)?)?;
        if json.as_bytes().get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}
