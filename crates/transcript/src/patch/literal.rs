//! A JSON string as it is spelled ↔ its text, with the places of one in the other.
//!
//! Only a range that changes is spelled anew, with escapes like the old one's. The rest keeps its spelling: it may hold
//! half a surrogate pair, which no text can.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use memchr::memchr;

/// A JSON string without its quotes.
#[derive(Debug)]
pub struct Literal<'a> {
    raw: &'a str,
    /// With a replacement character for half a surrogate pair.
    pub text: Cow<'a, str>,
}

impl<'a> Literal<'a> {
    pub fn new(raw: &'a str) -> Self {
        if memchr(b'\\', raw.as_bytes()).is_none() {
            return Self { raw, text: Cow::Borrowed(raw) };
        }
        let mut text = String::with_capacity(raw.len());
        for stretch in stretches(raw) {
            text.push_str(stretch.plain);
            text.extend(stretch.escape.map(|(character, _)| character));
        }
        Self { raw, text: Cow::Owned(text) }
    }

    /// The spelling with ranges of the text replaced, which are in ascending order and do not overlap.
    pub fn with(&self, replacements: &[(Range<usize>, String)]) -> String {
        let mut spelled = String::with_capacity(self.raw.len() + self.raw.len() / 16);
        let mut characters = characters_of(self.raw);
        let (mut read, mut spelled_to) = (0, 0);
        // The place in the spelling of a place in the text; called with ascending places.
        let mut spelled_at = |place: usize| {
            while read < place
                && let Some((character, length)) = characters.next()
            {
                read += character.len_utf8();
                spelled_to += length;
            }
            spelled_to
        };
        let mut copied = 0;
        for (range, text) in replacements {
            let (start, end) = (spelled_at(range.start), spelled_at(range.end));
            spelled.push_str(self.raw.get(copied..start).unwrap_or_default());
            spell(text, self.raw.get(start..end).unwrap_or_default(), &mut spelled);
            copied = end;
        }
        spelled.push_str(self.raw.get(copied..).unwrap_or_default());
        spelled
    }
}

/// The spelling of the first lines of a text, with at most so many characters; none if that is all of it. It excludes the
/// end of its last line, and cuts no escape.
pub(super) fn beginning(raw: &str, lines: usize, characters: usize) -> Option<&str> {
    let (mut left, mut breaks) = (characters, lines);
    let (mut end, mut before_return) = (0, None);
    for (character, length) in characters_of(raw) {
        if character == '\n' && breaks <= 1 && end + length < raw.len() {
            return raw.get(..before_return.unwrap_or(end));
        }
        if left == 0 || breaks == 0 {
            return raw.get(..end);
        }
        left -= 1;
        breaks -= usize::from(character == '\n');
        before_return = (character == '\r').then_some(end);
        end += length;
    }
    None
}

/// Each character, and how long it is spelled.
fn characters_of(raw: &str) -> impl Iterator<Item = (char, usize)> {
    stretches(raw).flat_map(|stretch| {
        stretch.plain.chars().map(|character| (character, character.len_utf8())).chain(stretch.escape)
    })
}

/// Characters without escapes, and the escape behind them: its character, and its length.
#[derive(Debug)]
struct Stretch<'a> {
    plain: &'a str,
    escape: Option<(char, usize)>,
}

fn stretches(raw: &str) -> impl Iterator<Item = Stretch<'_>> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        let Some(at) = memchr(b'\\', rest.as_bytes()) else {
            let plain = std::mem::take(&mut rest);
            return (!plain.is_empty()).then_some(Stretch { plain, escape: None });
        };
        let (plain, escape) = rest.split_at_checked(at)?;
        let (character, length) = unescape(escape.get(1..)?);
        rest = escape.get(1 + length..).unwrap_or_default();
        Some(Stretch { plain, escape: Some((character, 1 + length)) })
    })
}

/// The character of an escape, and the length of what follows the backslash.
fn unescape(escape: &str) -> (char, usize) {
    match escape.chars().next() {
        Some('b') => ('\u{8}', 1),
        Some('f') => ('\u{c}', 1),
        Some('n') => ('\n', 1),
        Some('r') => ('\r', 1),
        Some('t') => ('\t', 1),
        Some('u') => unescape_unit(escape),
        Some(other) => (other, other.len_utf8()),
        None => (char::REPLACEMENT_CHARACTER, 0),
    }
}

fn unescape_unit(escape: &str) -> (char, usize) {
    let unit = |at: usize| u16::from_str_radix(escape.get(at..at + 4)?, 16).ok();
    let Some(first) = unit(1) else {
        return ('u', 1);
    };
    let second = escape.get(5..7).filter(|next| *next == "\\u").and_then(|_| unit(7));
    let mut characters = char::decode_utf16(std::iter::once(first).chain(second));
    match characters.next() {
        Some(Ok(character)) if character.len_utf16() == 2 => (character, 11),
        Some(Ok(character)) => (character, 5),
        _ => (char::REPLACEMENT_CHARACTER, 5),
    }
}

/// Spells `text` for JSON. A slash or a character beyond ASCII is escaped if `old` does so.
fn spell(text: &str, old: &str, spelled: &mut String) {
    let (escapes_slashes, escapes_unicode) = (old.contains("\\/"), old.contains("\\u"));
    for character in text.chars() {
        match character {
            '"' | '\\' => spelled.extend(['\\', character]),
            '/' if escapes_slashes => spelled.push_str("\\/"),
            '\n' => spelled.push_str("\\n"),
            '\r' => spelled.push_str("\\r"),
            '\t' => spelled.push_str("\\t"),
            _ if character < ' ' || (escapes_unicode && !character.is_ascii()) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // To a String, this cannot fail.
                    let _ = write!(spelled, "\\u{unit:04x}");
                }
            }
            _ => spelled.push(character),
        }
    }
}
