//! A record's JSON → the same with other fields, without some of its blocks, with less of its results.
//!
//! What stays keeps its spelling. Of a key that stands twice in an object the last one counts for a reader; here all of
//! them change alike, so that nothing that was to go is left in the file.

mod member;
mod zone;

use std::borrow::Cow;
use std::ops::Range;

use super::literal::{Literal, beginning};
use super::walk::{Edit, Spelled, Visitor, walk};
use super::{apply, names_path};
use crate::parse::readable;
use member::{Members, without};
use zone::Zone;

/// What stands where an image was.
const NO_IMAGE: &str = r#"{"type":"text","text":"[image removed]"}"#;

/// What changes in a record. Nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reshape<'r> {
    /// Fields of the record and their values, spelled for JSON: they replace what is there, or come first in the record.
    pub set: Vec<(&'r str, String)>,
    /// Fields of the record that go.
    pub removed: Vec<&'r str>,
    /// Blocks of the message that go, by their places, which are in their order.
    pub without: &'r [u32],
    /// Texts of tools' results are no longer than this, nor are the strings of a structured result.
    pub limit: Option<Limit>,
    /// A text stands for each image and document of the message and its tools' results.
    pub without_images: bool,
    /// A message that stopped for tools ended its turn instead.
    pub ends_turn: bool,
}

/// So many lines of a text, and no more than so many characters; then `…` if there was more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub lines: usize,
    pub characters: usize,
}

impl Reshape<'_> {
    /// Changes the object of a record. A byte that is no UTF-8 stays, unless it goes with what it stands in.
    pub fn apply<'a>(&self, json: &'a [u8]) -> Cow<'a, [u8]> {
        if *self == Reshape::default() {
            return Cow::Borrowed(json);
        }
        // Of the same length, so that the places found in one are those of the other.
        let text = readable(json);
        let mut shaping = Shaping { json: &text, reshape: self, edits: Vec::new() };
        if walk(&text, &mut shaping).is_none() {
            return Cow::Borrowed(json);
        }
        shaping.edits.sort_by_key(|edit| edit.range.start);
        apply(json, &shaping.edits)
    }
}

struct Shaping<'a, 'r> {
    json: &'a str,
    reshape: &'r Reshape<'r>,
    edits: Vec<Edit>,
}

/// An object or list.
struct Place {
    zone: Zone,
    /// Of the value that comes.
    value: Zone,
    /// Whether that value is a string that is no text.
    is_exempt: bool,
    kind: Kind,
    /// Whether it is a block that stands for a list of blocks.
    is_alone: bool,
    members: Members,
    /// How many edits there were before it.
    edits: usize,
}

/// What the `type` of an object says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unsaid,
    Text,
    Media,
    ToolResult,
    Other,
}

impl<'a> Visitor<'a> for Shaping<'a, '_> {
    type Place = Place;

    fn open(&mut self, above: Option<&Place>, is_object: bool) -> Place {
        let expected = above.map_or(Zone::Record, |above| above.value);
        let zone = expected.opened(is_object);
        Place {
            zone,
            value: zone.element(),
            is_exempt: !is_object && above.is_some_and(|above| above.is_exempt),
            kind: Kind::Unsaid,
            is_alone: expected == Zone::Content,
            members: Members::default(),
            edits: self.edits.len(),
        }
    }

    fn key(&mut self, place: &mut Place, key: Spelled<'a>) {
        let name = Literal::new(key.raw).text;
        place.value = place.zone.under(&name);
        place.is_exempt = place.zone == Zone::Structured && is_exempt(&name);
        if place.zone == Zone::Record {
            self.field(&mut place.members, &name, key.range().end + 1);
        }
        if place.zone == Zone::Structured && name == "source" {
            place.members.has_source = true;
        }
    }

    fn value(&mut self, place: &mut Place, value: Spelled<'a>) {
        match place.value {
            Zone::Kind => place.kind = Kind::of(&Literal::new(value.raw).text),
            Zone::StopReason if self.reshape.ends_turn && Literal::new(value.raw).text == "tool_use" => {
                self.edits.push(value.edit("end_turn".to_owned()));
            }
            Zone::Content | Zone::Message if self.reshape.without.contains(&0) => {
                let Range { start, end } = value.range();
                self.edits.push(Edit { range: start - 1..end + 1, text: "[]".to_owned() });
            }
            Zone::ResultContent | Zone::Item | Zone::ItemText => self.shorten(value),
            Zone::Structured if !place.is_exempt => self.shorten(value),
            Zone::Encoded if self.reshape.without_images => self.edits.push(value.edit(String::new())),
            Zone::StructuredKind => {
                place.kind = Kind::of(&Literal::new(value.raw).text);
            }
            _ => {}
        }
    }

    fn comma(&mut self, place: &mut Place, at: usize) {
        if matches!(place.zone, Zone::Record | Zone::Blocks) {
            place.members.commas.push(at);
        }
    }

    fn close(&mut self, place: Place, range: Range<usize>) {
        let removes_media = self.reshape.without_images && place.kind == Kind::Media;
        match place.zone {
            Zone::Record => self.close_record(&place, range),
            Zone::Blocks => {
                let gone = |index: usize| {
                    u32::try_from(index).is_ok_and(|index| self.reshape.without.binary_search(&index).is_ok())
                };
                let cuts = without(self.json, &place.members.commas, range, gone);
                self.replace_all(place.edits, cuts.into_iter().map(gap));
            }
            Zone::Block if place.is_alone && self.reshape.without.contains(&0) => {
                self.replace(place.edits, range, "[]");
            }
            Zone::Block | Zone::Item if removes_media => self.replace(place.edits, range, NO_IMAGE),
            Zone::Structured if removes_media && place.members.has_source => {
                self.replace(place.edits, range, NO_IMAGE);
            }
            // What an object is, it may say last: then the changes below it are taken back.
            Zone::Block if place.kind != Kind::ToolResult => self.edits.truncate(place.edits),
            Zone::Item if !matches!(place.kind, Kind::Text | Kind::Unsaid) => {
                self.edits.truncate(place.edits)
            }
            _ => {}
        }
    }
}

impl Shaping<'_, '_> {
    /// Notes what becomes of a field of the record, whose key ends before `end`.
    fn field(&self, members: &mut Members, name: &str, end: usize) {
        let index = members.commas.len();
        if self.reshape.removed.contains(&name) {
            members.removed.push(index);
        } else if let Some(which) = self.reshape.set.iter().position(|(field, _)| *field == name) {
            members.set.push((index, which, end));
        }
    }

    fn shorten(&mut self, value: Spelled<'_>) {
        let Some(limit) = self.reshape.limit else { return };
        let cut = beginning(value.raw, limit.lines, limit.characters);
        let cut = cut.map(|start| format!("{start}…")).filter(|cut| cut != value.raw);
        self.edits.extend(cut.map(|cut| value.edit(cut)));
    }

    fn replace(&mut self, edits: usize, range: Range<usize>, text: &str) {
        self.edits.truncate(edits);
        self.edits.push(Edit { range, text: text.to_owned() });
    }

    fn close_record(&mut self, place: &Place, range: Range<usize>) {
        let Members { commas, removed, set, .. } = &place.members;
        let values = set.iter().filter_map(|(index, which, key_end)| {
            let end = commas.get(*index).copied().unwrap_or(range.end - 1);
            let (_, text) = self.reshape.set.get(*which)?;
            Some(Edit { range: member::value(self.json, *key_end, end), text: text.clone() })
        });
        self.replace_all(place.edits, values.collect::<Vec<_>>());
        let is_empty = member::count(self.json, commas, &range) == removed.len();
        let cuts = without(self.json, commas, range.clone(), |index| removed.binary_search(&index).is_ok());
        self.replace_all(place.edits, cuts.into_iter().map(gap));
        let is_new = |which: usize| !set.iter().any(|(_, found, _)| *found == which);
        let new = self.reshape.set.iter().enumerate().filter(|(which, _)| is_new(*which));
        let new: Vec<_> = new.map(|(_, (name, text))| format!("\"{name}\":{text}")).collect();
        if !new.is_empty() {
            let (start, comma) = (range.start + 1, if is_empty { "" } else { "," });
            self.edits.insert(place.edits, Edit { range: start..start, text: new.join(",") + comma });
        }
    }

    /// Replaces stretches, which are in their order, and takes back what would have changed in them.
    fn replace_all(&mut self, edits: usize, new: impl IntoIterator<Item = Edit>) {
        let new: Vec<Edit> = new.into_iter().collect();
        if new.is_empty() {
            return;
        }
        let mut inside = self.edits.split_off(edits);
        inside.sort_by_key(|edit| edit.range.start);
        let mut ahead = new.iter().peekable();
        inside.retain(|edit| {
            while ahead.next_if(|new| new.range.end <= edit.range.start).is_some() {}
            ahead.peek().is_none_or(|new| edit.range.start < new.range.start)
        });
        self.edits.append(&mut inside);
        self.edits.extend(new);
    }
}

fn gap(range: Range<usize>) -> Edit {
    Edit { range, text: String::new() }
}

impl Kind {
    fn of(kind: &str) -> Self {
        match kind {
            "text" => Self::Text,
            "image" | "document" => Self::Media,
            "tool_result" => Self::ToolResult,
            _ => Self::Other,
        }
    }
}

/// Whether a string under such a key is no text that can be cut: a path, an id, or encoded media.
fn is_exempt(key: &str) -> bool {
    names_path(key)
        || ["Path", "path", "Id", "ID", "id", "uuid", "url", "data"].iter().any(|end| key.ends_with(end))
}
