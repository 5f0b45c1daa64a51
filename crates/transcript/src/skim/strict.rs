//! Compact JSON → values that are surely JSON, and what follows them.
//!
//! Where [`scan`](super::scan) jumps, this looks at everything, and refuses what a thorough reader might read in
//! another way or not at all.

use memchr::memchr2;
use serde::de::IgnoredAny;

use crate::text::Text;

use super::scan::{self, Value, near};
use super::usage::count;

/// Walks over the fields of an object; `take` gets a key and what follows its colon, and gives what follows its
/// value. Gives what follows the object.
pub(super) fn fields<'a>(
    json: &'a str,
    mut take: impl FnMut(&'a str, &'a str) -> Option<&'a str>,
) -> Option<&'a str> {
    let mut rest = json.strip_prefix('{')?;
    loop {
        let (key, _) = scan::key(rest.as_bytes())?;
        let end = key.len() + 1;
        rest = take(rest.get(1..end)?, rest.get(end + 2..)?)?;
        let (mark, after) = (rest.as_bytes().first()?, rest.get(1..)?);
        match mark {
            b',' => rest = after,
            b'}' => return Some(after),
            _ => return None,
        }
    }
}

/// The same for the items of a list.
pub(super) fn items<'a>(json: &'a str, mut take: impl FnMut(&'a str) -> Option<&'a str>) -> Option<&'a str> {
    let mut rest = json.strip_prefix('[')?;
    loop {
        rest = take(rest)?;
        let (mark, after) = (rest.as_bytes().first()?, rest.get(1..)?);
        match mark {
            b',' => rest = after,
            b']' => return Some(after),
            _ => return None,
        }
    }
}

/// Puts a value into its place and gives what follows it; nothing where the place is taken.
pub(super) fn put<'a, T>(slot: &mut Option<T>, read: Option<(T, &'a str)>) -> Option<&'a str> {
    let (value, rest) = read?;
    slot.replace(value).is_none().then_some(rest)
}

/// A text without escapes, or null.
pub(super) fn text(json: &str) -> Option<(Option<Text<'_>>, &str)> {
    if let Some(rest) = json.strip_prefix("null") {
        return Some((None, rest));
    }
    // Ids and names are short.
    if let Some(length) = json.strip_prefix('"').and_then(|inside| scan::plain_length(inside.as_bytes())) {
        return Some((Some(Text::from(json.get(1..=length)?)), json.get(length + 2..)?));
    }
    let (text, rest) = string(json).filter(|(text, _)| !text.has_escapes)?;
    Some((Some(Text::from(text.inside()?)), rest))
}

pub(super) fn flag(json: &str) -> Option<(bool, &str)> {
    match json.strip_prefix("true") {
        Some(rest) => Some((true, rest)),
        None => Some((false, json.strip_prefix("false")?)),
    }
}

/// A value that is surely JSON, and what follows it.
pub(super) fn checked(json: &str) -> Option<(&str, &str)> {
    let rest = after_checked(json, DEEPEST)?;
    json.split_at_checked(json.len() - rest.len())
}

/// What nests deeper is not what the client writes.
const DEEPEST: usize = 32;

fn after_checked(json: &str, depth: usize) -> Option<&str> {
    let depth = depth.checked_sub(1)?;
    match json.as_bytes() {
        [b'"', ..] => string(json).map(|(_, rest)| rest),
        [b'{', b'}', ..] | [b'[', b']', ..] => json.get(2..),
        [b'{', ..] => fields(json, |_, rest| after_checked(rest, depth)),
        [b'[', ..] => items(json, |rest| after_checked(rest, depth)),
        _ => {
            let (value, rest) = scan::value(json.as_bytes())?;
            let (scalar, rest) = json.split_at_checked(json.len() - rest.len())?;
            let is_count = || count(scalar).is_some_and(|(_, rest)| rest.is_empty());
            let is_sound = match value {
                Value::Number => is_count() || serde_json::from_str::<IgnoredAny>(scalar).is_ok(),
                _ => true,
            };
            is_sound.then_some(rest)
        }
    }
}

/// A JSON string that was checked.
pub(super) struct Checked<'a> {
    pub(super) json: &'a str,
    pub(super) has_escapes: bool,
}

impl<'a> Checked<'a> {
    pub(super) fn inside(&self) -> Option<&'a str> {
        self.json.get(1..self.json.len() - 1)
    }
}

/// The string that starts here, if every escape in it is one and no control character stands in it.
pub(super) fn string(json: &str) -> Option<(Checked<'_>, &str)> {
    let bytes = json.as_bytes();
    let (b'"', _) = bytes.split_first()? else { return None };
    let mut at = 1;
    let mut has_escapes = false;
    loop {
        // Escapes often stand side by side.
        while bytes.get(at)? == &b'\\' {
            at += escape_length(bytes.get(at + 1..)?)?;
            has_escapes = true;
        }
        let ahead = bytes.get(at..)?;
        at += near::<2, 2>(ahead, *b"\"\\").or_else(|| memchr2(b'"', b'\\', ahead))?;
        if bytes.get(at)? == &b'"' {
            break;
        }
    }
    let (json, rest) = json.split_at_checked(at + 1)?;
    // The least of many bytes is found sixteen at a time, which nothing that stops early is.
    let least = json.bytes().fold(u8::MAX, u8::min);
    (least >= b' ').then_some((Checked { json, has_escapes }, rest))
}

/// The length of an escape, of which this follows its backslash.
fn escape_length(after: &[u8]) -> Option<usize> {
    match after {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Some(2),
        [b'u', digits @ ..] => digits.get(..4)?.iter().all(u8::is_ascii_hexdigit).then_some(6),
        _ => None,
    }
}
