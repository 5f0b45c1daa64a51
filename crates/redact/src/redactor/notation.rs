//! A place in a text → the name that stands there, the sign behind it, and where the value begins.
//!
//! Apart from the values because every language, shell and file has its own sign, and its own quotes around names.

use std::ops::Range;

use super::cursor::Cursor;

/// One of these stands in every name that tells.
pub(crate) const LITERALS: &[&str] = &[
    "pass",
    "pwd",
    "_pw",
    "secret",
    "token",
    "key",
    "authorization",
    "\"auth",
    "'auth",
    "_auth",
    ".auth",
    "credential",
    "_pat",
    "_jwt",
];

const FIRST_WORDS: &[&[u8]] = &[
    b"api",
    b"access",
    b"secret",
    b"private",
    b"license",
    b"auth",
    b"encryption",
    b"master",
    b"signing",
    b"account",
];

pub(crate) const LONGEST_NAME: usize = 80;

/// The sign between name and value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// `=` with nothing around it.
    Tight,
    Assigns,
    Colon,
    /// `<name>value`
    Element,
    /// A blank after a flag, or between the words of `.netrc`.
    Blank,
    /// A comma in a list, a line in a table.
    Near,
}

pub(crate) fn notation(text: &[u8], at: usize) -> Option<(Range<usize>, Sign, Cursor<'_>)> {
    let name = name(text, at);
    let mut cursor = Cursor::new(text, name.end);
    let sign = sign(&mut cursor, text, &name)?;
    Some((name, sign, cursor))
}

fn name(text: &[u8], at: usize) -> Range<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let before = text.get(at.saturating_sub(LONGEST_NAME)..at).unwrap_or_default();
    let mut start = at - before.iter().rev().take_while(|byte| is_name(byte)).count();
    let follows_escape = start.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'\\');
    if follows_escape && start < at && text.get(start).is_some_and(|byte| b"nrt".contains(byte)) {
        start += 1;
    }
    let mut cursor = Cursor::new(text, at);
    // The literal may begin with a quote.
    cursor.at += usize::from(cursor.peek().is_some_and(|byte| b"\"'".contains(&byte)));
    let start = if cursor.at > at { cursor.at } else { start };
    cursor.skip(|byte| is_name(&byte), LONGEST_NAME);
    let start = start - word_before_key(text, start..cursor.at);
    while cursor.at > start && cursor.last().is_some_and(|byte| matches!(byte, b'.' | b'-')) {
        cursor.at -= 1;
    }
    start..cursor.at
}

/// `API key: …` is a name of two words.
fn word_before_key(text: &[u8], name: Range<usize>) -> usize {
    let before = text.get(name.start.saturating_sub(12)..name.start).unwrap_or_default();
    let is_key = text.get(name).is_some_and(|name| name.eq_ignore_ascii_case(b"key"));
    let words = before.strip_suffix(b" ").filter(|_| is_key).unwrap_or_default();
    let word = words.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let is_one = FIRST_WORDS.iter().any(|first| word.eq_ignore_ascii_case(first));
    if is_one { word.len() + 1 } else { 0 }
}

/// Goes behind the sign, which may have the name's closing quote and bracket before it.
fn sign(cursor: &mut Cursor, text: &[u8], name: &Range<usize>) -> Option<Sign> {
    let is_element = name.start.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'<');
    if is_element {
        let attributes = cursor.skip(|byte| !matches!(byte, b'>' | b'<' | b'\n' | b'/'), 80);
        let begins = text.get(name.end).is_some_and(|byte| attributes == 0 || *byte == b' ');
        return (begins && cursor.eat(b">")).then_some(Sign::Element);
    }
    let was_quoted = cursor.eat_quote().is_some();
    cursor.skip(|byte| matches!(byte, b']' | b'*' | b'?' | b'!'), 3);
    let blanks = cursor.skip_blanks();
    match cursor.peek()? {
        b'=' | b':' => equals(cursor, blanks),
        b'?' | b'|' if cursor.rest().get(1) == Some(&b'=') => {
            cursor.at += 2;
            Some(Sign::Assigns)
        }
        b',' if was_quoted => {
            cursor.at += 1;
            cursor.skip(|byte| byte.is_ascii_whitespace(), 40);
            let _value = cursor.eat(b"\"value\":") || cursor.eat(b"value:") || cursor.eat(b"\\\"value\\\":");
            Some(Sign::Near)
        }
        b'|' => {
            cursor.at += 1;
            Some(Sign::Near)
        }
        _ => blank(cursor, text, name, blanks),
    }
}

fn equals(cursor: &mut Cursor, blanks: usize) -> Option<Sign> {
    let first = cursor.peek()?;
    let signs = cursor.skip(|byte| matches!(byte, b'=' | b':' | b'>' | b'~'), 3);
    let is_path = first == b':' && signs > 1 && cursor.last() == Some(b':');
    let is_blank = cursor.peek().is_some_and(|byte| byte.is_ascii_whitespace());
    match (first, signs) {
        _ if is_path => None,
        (b'=', 1) if blanks == 0 && !is_blank => Some(Sign::Tight),
        (b':', 1) => Some(Sign::Colon),
        _ => Some(Sign::Assigns),
    }
}

/// `--password x`, `login x password y`, `PASSWORD 'x'`, `name: PASSWORD` with `value: x` below, `"Password" value="x"`.
fn blank(cursor: &mut Cursor, text: &[u8], name: &Range<usize>, blanks: usize) -> Option<Sign> {
    let mut beyond = *cursor;
    let gap = beyond.skip_gap();
    if gap + blanks > 0 && (beyond.eat(b"value:") || beyond.eat(b"value=") || beyond.eat(b"value =")) {
        *cursor = beyond;
        return Some(Sign::Assigns);
    }
    let own = text.get(name.clone()).unwrap_or_default();
    let is_flag = own.starts_with(b"-");
    let is_sql = own == b"PASSWORD" && cursor.peek() == Some(b'\'');
    let before = text.get(name.start.saturating_sub(80)..name.start).unwrap_or_default();
    let is_netrc = own == b"password" && memchr::memmem::find(before, b"login ").is_some();
    if is_netrc {
        *cursor = beyond;
    }
    (blanks + gap > 0 && (is_flag || is_sql || is_netrc)).then_some(Sign::Blank)
}
