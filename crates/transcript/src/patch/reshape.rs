//! A record's JSON → the same with other fields, without some of its blocks, with shorter tool results.
//!
//! What does not change keeps its spelling. Where a key occurs twice in an object, readers take the last one; here both
//! change alike, so that nothing that was to go is left in the file.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::value::RawValue;

use super::literal::beginning;
use super::walk::Edit;
use super::{apply, names_path};
use crate::parse::readable;
use crate::text::Text;
use crate::wire::Fields;

/// What takes the place of an image.
const NO_IMAGE: &str = r#"{"type":"text","text":"[image removed]"}"#;
/// How deep a structured result is looked into; no tool nests its result that deep.
const DEEPEST: usize = 64;

/// What changes in a record. Nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reshape<'r> {
    /// Fields of the record and their values, spelled for JSON: they replace what is there, or come first in the record.
    pub set: Vec<(&'r str, String)>,
    /// Fields of the record that go.
    pub removed: Vec<&'r str>,
    /// Blocks of the message that go, by their index, in ascending order.
    pub without: &'r [u32],
    /// The longest that texts of tool results may be, and the strings of a structured result.
    pub limit: Option<Limit>,
    /// Whether each image and document, in the message and in tool results, becomes a short text.
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
    /// Changes the object of a record. A byte that is not UTF-8 stays, unless what it is part of goes.
    pub fn apply<'a>(&self, json: &'a [u8]) -> Cow<'a, [u8]> {
        if *self == Reshape::default() {
            return Cow::Borrowed(json);
        }
        // Of the same length, so that ranges found in the text are ranges of the bytes.
        let text = readable(json);
        let mut shaping = Shaping { json: &text, reshape: self, edits: Vec::new() };
        shaping.record();
        shaping.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        apply(json, &shaping.edits)
    }
}

struct Shaping<'a, 'r> {
    json: &'a str,
    reshape: &'r Reshape<'r>,
    edits: Vec<Edit>,
}

/// A field of an object, or an element of a list.
struct Member<'a> {
    /// Empty in a list.
    key: Text<'a>,
    value: &'a str,
    /// From behind the bracket or comma before it to the bracket or comma after it.
    range: Range<usize>,
}

impl<'a> Shaping<'a, '_> {
    fn record(&mut self) {
        let Self { json, reshape, .. } = *self;
        let is_removed = |member: &Member<'_>| reshape.removed.contains(&&*member.key);
        let members = self.members(json);
        for member in members.iter().filter(|member| !is_removed(member)) {
            match (&*member.key, reshape.set.iter().find(|(name, _)| *name == &*member.key)) {
                (_, Some((_, value))) => self.replace(member.value, value.clone()),
                ("message", None) => self.message(member.value),
                ("toolUseResult", None) => self.structured(member.value, true, DEEPEST),
                _ => {}
            }
        }
        self.remove(&members, |_, member| is_removed(member));
        let new = reshape.set.iter().filter(|(name, _)| members.iter().all(|member| *name != &*member.key));
        let new: Vec<_> = new.map(|(name, value)| format!("\"{name}\":{value}")).collect();
        if !new.is_empty() && json.starts_with('{') {
            let comma = if members.iter().all(is_removed) { "" } else { "," };
            self.edits.push(Edit { range: 1..1, text: new.join(",") + comma });
        }
    }

    /// Some writers put the content itself where the message belongs.
    fn message(&mut self, value: &'a str) {
        if !value.starts_with('{') {
            return self.content(value);
        }
        for member in self.members(value) {
            match &*member.key {
                "content" => self.content(member.value),
                "stop_reason" if self.reshape.ends_turn && string(member.value) == Some("tool_use") => {
                    self.replace(member.value, "\"end_turn\"".to_owned());
                }
                _ => {}
            }
        }
    }

    /// Content may be a text or one block in place of a list.
    fn content(&mut self, value: &'a str) {
        let without = self.reshape.without;
        match value.as_bytes().first() {
            Some(b'[') => {
                let is_gone = |index| u32::try_from(index).is_ok_and(|index| without.contains(&index));
                let members = self.members(value);
                self.remove(&members, |index, _| is_gone(index));
                let left = members.iter().enumerate().filter(|(index, _)| !is_gone(*index));
                left.for_each(|(_, member)| self.block(member.value));
            }
            Some(b'{' | b'"') if without.contains(&0) => self.replace(value, "[]".to_owned()),
            _ => self.block(value),
        }
    }

    fn block(&mut self, value: &'a str) {
        let members = self.object(value);
        match kind(&members) {
            Some("image" | "document") => self.remove_image(value),
            Some("tool_result") => {
                members.iter().filter(|member| &*member.key == "content").for_each(|member| {
                    match member.value.starts_with('[') {
                        true => self.members(member.value).iter().for_each(|item| self.item(item.value)),
                        false => self.item(member.value),
                    }
                });
            }
            _ => {}
        }
    }

    /// A part of a tool's result.
    fn item(&mut self, value: &'a str) {
        let members = self.object(value);
        match kind(&members) {
            Some("image" | "document") => self.remove_image(value),
            None | Some("text") => {
                let texts = members.iter().filter(|member| &*member.key == "text");
                texts.for_each(|text| self.shorten(text.value));
                self.shorten(value);
            }
            _ => {}
        }
    }

    /// A structured result, or something in it; `is_text` is whether a string there may be cut.
    fn structured(&mut self, value: &'a str, is_text: bool, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value.as_bytes().first() {
            Some(b'"') if is_text => self.shorten(value),
            Some(b'[') => {
                self.members(value).iter().for_each(|item| self.structured(item.value, is_text, depth))
            }
            Some(b'{') => {
                let members = self.members(value);
                let has_source = members.iter().any(|member| &*member.key == "source");
                if has_source
                    && matches!(kind(&members), Some("image" | "document"))
                    && self.reshape.without_images
                {
                    return self.remove_image(value);
                }
                for Member { key, value, .. } in members {
                    match &*key {
                        "type" => {}
                        "base64" if self.reshape.without_images && value.starts_with('"') => {
                            self.replace(value, "\"\"".to_owned());
                        }
                        "base64" => {}
                        name => self.structured(value, !is_exempt(name), depth),
                    }
                }
            }
            _ => {}
        }
    }

    fn remove_image(&mut self, value: &str) {
        if self.reshape.without_images {
            self.replace(value, NO_IMAGE.to_owned());
        }
    }

    /// Cuts a string at the limit; anything else stays.
    fn shorten(&mut self, value: &str) {
        let Some(limit) = self.reshape.limit else { return };
        let Some(old) = string(value) else { return };
        let cut = beginning(old, limit.lines, limit.characters).map(|start| format!("{start}…"));
        if let Some(new) = cut.filter(|new| new != old) {
            self.replace(value, format!("\"{new}\""));
        }
    }

    fn replace(&mut self, value: &str, text: String) {
        self.edits.push(Edit { range: self.range(value), text });
    }

    /// Cuts members out, each with one comma.
    fn remove(&mut self, members: &[Member<'_>], is_gone: impl Fn(usize, &Member<'_>) -> bool) {
        let mut has_kept = false;
        for (index, member) in members.iter().enumerate() {
            let Range { start, end } = member.range;
            let is_last = index + 1 == members.len();
            match is_gone(index, member) {
                true if has_kept => self.edits.push(Edit { range: start - 1..end, text: String::new() }),
                true => {
                    let end = if is_last { end } else { end + 1 };
                    self.edits.push(Edit { range: start..end, text: String::new() });
                }
                false => has_kept = true,
            }
        }
    }

    /// The range of a part of the JSON.
    fn range(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr() - self.json.as_ptr().addr();
        start..start + part.len()
    }

    fn object(&self, value: &'a str) -> Vec<Member<'a>> {
        if value.starts_with('{') { self.members(value) } else { Vec::new() }
    }

    /// The members of an object or list; anything else has none.
    fn members(&self, value: &'a str) -> Vec<Member<'a>> {
        let values: Vec<(Text<'a>, &'a RawValue)> = match value.as_bytes().first() {
            Some(b'{') => {
                serde_json::from_str::<Fields<'a>>(value).map(|fields| fields.0).unwrap_or_default()
            }
            Some(b'[') => {
                let list: Vec<&RawValue> = serde_json::from_str(value).unwrap_or_default();
                list.into_iter().map(|value| (Text::default(), value)).collect()
            }
            _ => Vec::new(),
        };
        let mut start = self.range(value).start + 1;
        let member = |(key, value): (Text<'a>, &'a RawValue)| {
            let behind = self.range(value.get()).end;
            let rest = self.json.get(behind..).unwrap_or_default();
            let range = start..behind + rest.find([',', ']', '}']).unwrap_or_default();
            start = range.end + 1;
            Member { key, value: value.get(), range }
        };
        values.into_iter().map(member).collect()
    }
}

/// A JSON string without its quotes, as it is spelled.
fn string(value: &str) -> Option<&str> {
    value.strip_prefix('"')?.strip_suffix('"')
}

/// The `type` of an object.
fn kind<'a>(members: &[Member<'a>]) -> Option<&'a str> {
    let kinds = members.iter().rev().filter(|member| &*member.key == "type");
    kinds.filter_map(|member| string(member.value)).next()
}

/// Whether a string under such a key cannot be cut: a path, an id, or encoded media.
fn is_exempt(key: &str) -> bool {
    names_path(key)
        || ["Path", "path", "Id", "ID", "id", "uuid", "url", "data"].iter().any(|end| key.ends_with(end))
}
