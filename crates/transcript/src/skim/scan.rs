//! Compact JSON → one key or value at a time, and what follows it.
//!
//! Ends are found from quote to quote; what lies between them is not checked.

use memchr::{memchr, memchr3};

pub(super) enum Value<'a> {
    /// Between its quotes, as it stands: short, without escapes.
    Plain(&'a [u8]),
    /// The same, but anything may stand in it.
    Text(&'a [u8]),
    Flag(bool),
    Null,
    Number,
    /// An object or a list.
    Nested(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The text, if it is one without escapes.
    pub(super) fn plain(&self) -> Option<&'a [u8]> {
        match self {
            Self::Plain(text) => Some(text),
            Self::Text(text) if !has_escape(text) => Some(text),
            _ => None,
        }
    }
}

pub(super) fn value(json: &[u8]) -> Option<(Value<'_>, &[u8])> {
    match json.first()? {
        b'"' => string(json),
        b'{' => nested(json, b'{', b'}').map(|(value, rest)| (Value::Nested(value), rest)),
        b'[' => nested(json, b'[', b']').map(|(value, rest)| (Value::Nested(value), rest)),
        b't' => Some((Value::Flag(true), json.strip_prefix(b"true")?)),
        b'f' => Some((Value::Flag(false), json.strip_prefix(b"false")?)),
        b'n' => Some((Value::Null, json.strip_prefix(b"null")?)),
        b'0'..=b'9' | b'-' => {
            let is_number = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
            let length = json.iter().take_while(is_number).count();
            Some((Value::Number, json.get(length..)?))
        }
        _ => None,
    }
}

/// An object or list and what follows it. Brackets of the other kind need no counting: they come in pairs.
fn nested(json: &[u8], open: u8, close: u8) -> Option<(&[u8], &[u8])> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let rest = json.get(at..)?;
        // Between two strings there is a colon or a comma and little else.
        let found = match near::<1, 3>(rest, [b'"', open, close]) {
            Some(found) => at + found,
            None => at + memchr3(b'"', open, close, rest)?,
        };
        match json.get(found)? {
            b'"' => at = found + string_length(json.get(found..)?)?,
            bracket => {
                depth = if *bracket == open { depth + 1 } else { depth.checked_sub(1)? };
                at = found + 1;
                if depth == 0 {
                    return json.split_at_checked(at);
                }
            }
        }
    }
}

/// A key without its quotes, and what follows its colon. None where the key has an escape: it may mean any other.
pub(super) fn key(json: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = json.strip_prefix(b"\"")?;
    let (key, rest) = match plain_length(inside) {
        Some(length) => inside.split_at_checked(length)?,
        None => inside.split_at_checked(quote(inside)?).filter(|(key, _)| !has_escape(key))?,
    };
    Some((key, rest.strip_prefix(b"\":")?))
}

fn string(json: &[u8]) -> Option<(Value<'_>, &[u8])> {
    let inside = json.get(1..)?;
    if let Some(length) = plain_length(inside) {
        return Some((Value::Plain(inside.get(..length)?), inside.get(length + 1..)?));
    }
    let length = string_length(json)?;
    Some((Value::Text(json.get(1..length - 1)?), json.get(length..)?))
}

/// How far it is to the end of a string, if that is near and nothing before it is an escape or a control character.
pub(super) fn plain_length(inside: &[u8]) -> Option<usize> {
    let (words, _) = inside.as_chunks::<8>();
    for (index, word) in words.iter().take(5).enumerate() {
        let word = u64::from_le_bytes(*word);
        let quotes = equal_bytes(word, b'"');
        let found = quotes | equal_bytes(word, b'\\') | lesser_bytes(word, b' ');
        if found != 0 {
            let place = found.trailing_zeros();
            return (quotes.trailing_zeros() == place).then_some(index * 8 + place as usize / 8);
        }
    }
    None
}

/// The length of the string that starts here, with its quotes. A quote behind an odd number of backslashes is escaped.
fn string_length(json: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        let quote = at + quote(json.get(at..)?)?;
        at = quote + 1;
        let before = json.get(1..quote)?;
        if before.last() != Some(&b'\\') {
            return Some(at);
        }
        let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
    }
}

/// Where the next quote stands. Keys and ids are short, and end near.
fn quote(json: &[u8]) -> Option<usize> {
    near::<5, 1>(json, [b'"']).or_else(|| memchr(b'"', json))
}

/// Where the first of some bytes stands, looking no further than a few words of eight bytes. To call memchr costs
/// more than that, and in a record something is near nearly always.
pub(super) fn near<const WORDS: usize, const MARKS: usize>(json: &[u8], marks: [u8; MARKS]) -> Option<usize> {
    let (words, _) = json.as_chunks::<8>();
    for (index, word) in words.iter().take(WORDS).enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = marks.iter().fold(0, |found, mark| found | equal_bytes(word, *mark));
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    None
}

const ONES: u64 = u64::from_le_bytes([1; 8]);

/// The high bit of each byte that is equal to `mark`. A byte above one of these may be marked wrongly, so that only
/// the lowest bit counts.
fn equal_bytes(word: u64, mark: u8) -> u64 {
    lesser_bytes(word ^ (ONES * u64::from(mark)), 1)
}

/// The same for each byte that is less than `limit`.
fn lesser_bytes(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(limit)) & !word & (ONES << 7)
}

/// Whether a text has an escape, or a control character that is none. Looks at every byte without stopping, which is
/// quicker for texts as short as these.
fn has_escape(text: &[u8]) -> bool {
    text.iter().fold(false, |found, byte| found | (*byte == b'\\') | (*byte < b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mark_is_found_wherever_it_stands() {
        for before in 0..60 {
            for behind in 0..20 {
                let text = format!("{}\"{}", "!#".repeat(30).split_at(before).0, "\"".repeat(behind));
                assert_eq!(quote(text.as_bytes()), Some(before), "{text}");
            }
        }
        assert_eq!(quote(&[0x23; 100]), None);
    }

    #[test]
    fn the_first_of_several_marks_is_found_in_any_order() {
        assert_eq!(near::<2, 3>(b"..........}{\"...", *b"\"{}"), Some(10));
        assert_eq!(near::<1, 3>(b"..........}{\"...", *b"\"{}"), None);
        assert_eq!(near::<2, 2>(b"a\\\"bcdef", *b"\"\\"), Some(1));
    }

    #[test]
    fn only_what_has_no_escape_is_plain() {
        for before in 0..60 {
            let text = "é!#~".repeat(12).split_off(before.min(2) * 2) + &"x".repeat(before);
            for (mark, is_plain) in
                [("", true), ("\\n", false), ("\n", false), ("\u{1f}", false), (" ", true)]
            {
                let json = format!("\"{text}{mark}\":\"{text}\"");
                assert_eq!(key(json.as_bytes()).is_some(), is_plain, "{json}");
                let json = format!("\"{mark}{}\",\"more\"", "x".repeat(before));
                let (value, rest) = value(json.as_bytes()).unwrap();
                assert_eq!(rest, b",\"more\"");
                assert_eq!(matches!(value, Value::Plain(_)), is_plain && before + mark.len() < 40, "{json}");
            }
        }
    }

    #[test]
    fn a_quote_behind_an_odd_number_of_backslashes_is_escaped() {
        for (json, length) in [(r#""a""#, 3), (r#""a\"b"c"#, 6), (r#""a\\"b"#, 5), (r#""\\\"""#, 6)] {
            assert_eq!(string_length(json.as_bytes()), Some(length), "{json}");
        }
        assert_eq!(string_length(br#""a\""#), None);
    }
}
