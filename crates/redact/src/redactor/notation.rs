//! A place in a text → the name that stands there, the sign behind it, and where the value begins.
//!
//! Apart from the values because every language, shell and file has its own sign, and its own quotes around names.

use std::ops::Range;

use super::cursor::{Cursor, is_margin};
use super::line;

/// One of these stands in every name that tells.
pub(crate) const LITERALS: &[&str] = &[
    "pass",
    "pwd",
    "_pw",
    "pw:",
    "pw=",
    "pw =",
    "\"pw\"",
    "'pw'",
    "psk=",
    "bindpw",
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
    /// The blanks between two columns.
    Column,
    /// `${NAME:-value}`
    Otherwise,
}

/// The sign behind a name, and the place behind the sign.
pub(crate) fn sign_after<'a>(text: &'a [u8], name: &Range<usize>) -> Option<(Sign, Cursor<'a>)> {
    let mut cursor = Cursor::new(text, name.end);
    let sign = sign(&mut cursor, text, name)?;
    Some((sign, cursor))
}

pub(crate) fn name(text: &[u8], at: usize) -> Range<usize> {
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
    let before = text.get(..name.start).unwrap_or_default();
    match before {
        [.., b'?', b'<'] | [.., b'?', b'P', b'<'] => return None,
        [.., b'<'] => return element(cursor),
        [.., b'$', b'{'] => return otherwise(cursor),
        _ => {}
    }
    if cursor.eat(b"</key>") {
        cursor.skip_gap();
        return cursor.eat(b"<string>").then_some(Sign::Element);
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
        b',' => listed(cursor, was_quoted),
        b'|' => {
            cursor.at += 1;
            // Elsewhere it leads to a filter, or another program.
            let line = line::before(text, name.start);
            let is_filter = memchr::memmem::find(line, b"{{").is_some();
            (line.is_empty() || line.contains(&b'|') && !is_filter).then_some(Sign::Near)
        }
        _ if was_quoted && blanks > 0 => below(cursor, blanks),
        _ => blank(cursor, text, name, blanks),
    }
}

fn element(cursor: &mut Cursor) -> Option<Sign> {
    let is_wide = cursor.peek() == Some(b' ');
    let attributes = cursor.skip(|byte| !matches!(byte, b'>' | b'<' | b'\n' | b'/'), 80);
    ((attributes == 0 || is_wide) && cursor.eat(b">")).then_some(Sign::Element)
}

fn otherwise(cursor: &mut Cursor) -> Option<Sign> {
    let is_given = cursor.eat(b":-") || cursor.eat(b":=") || cursor.eat(b"-") || cursor.eat(b":");
    (is_given && cursor.peek() != Some(b'?')).then_some(Sign::Otherwise)
}

/// The next of a list; or `"value":` and what it is.
fn listed(cursor: &mut Cursor, was_quoted: bool) -> Option<Sign> {
    cursor.at += 1;
    cursor.skip(|byte| byte.is_ascii_whitespace(), 40);
    let start = cursor.at;
    let mut key = *cursor;
    let _opening = key.eat_quote();
    key.skip(|byte| byte.is_ascii_alphabetic() || byte == b'_', 40);
    let is_value = key.at >= start + 5 && Cursor::new(key.text, key.at - 5).eat(b"value");
    let _closing = key.eat_quote();
    key.skip_blanks();
    if is_value && (key.eat(b":") || key.eat(b"=")) {
        *cursor = key;
        return Some(Sign::Assigns);
    }
    was_quoted.then_some(Sign::Near)
}

fn equals(cursor: &mut Cursor, blanks: usize) -> Option<Sign> {
    let first = cursor.peek()?;
    let most = if cursor.rest().starts_with(b"=:") { 1 } else { 3 };
    let signs = cursor.skip(|byte| matches!(byte, b'=' | b':' | b'>' | b'~'), most);
    let is_path = first == b':' && signs > 1 && cursor.last() == Some(b':');
    let is_blank = cursor.peek().is_some_and(|byte| byte.is_ascii_whitespace());
    match (first, signs) {
        _ if is_path => None,
        (b'=', 1) if blanks == 0 && !is_blank => Some(Sign::Tight),
        (b':', 1) => Some(Sign::Colon),
        _ => Some(Sign::Assigns),
    }
}

/// `name: PASSWORD` with `value: x` below, `"Password" value="x"`.
fn below(cursor: &mut Cursor, blanks: usize) -> Option<Sign> {
    let mut below = *cursor;
    let gap = below.skip_gap();
    below.skip(is_margin, 24);
    let is_value =
        gap + blanks > 0 && (below.eat(b"value:") || below.eat(b"value=") || below.eat(b"value ="));
    if is_value {
        *cursor = below;
    }
    is_value.then_some(Sign::Assigns)
}

/// `--password x`, `login x password y`, `PASSWORD 'x'`, `storePassword "x"`, `password    x`.
fn blank(cursor: &mut Cursor, text: &[u8], name: &Range<usize>, blanks: usize) -> Option<Sign> {
    if let Some(sign) = below(cursor, blanks) {
        return Some(sign);
    }
    let mut beyond = *cursor;
    let gap = beyond.skip_gap();
    let own = text.get(name.clone()).unwrap_or_default();
    let is_flag = own.starts_with(b"-");
    let is_quoted = matches!(cursor.peek(), Some(b'\'' | b'"'));
    let is_sql = own == b"PASSWORD" && cursor.peek() == Some(b'\'');
    let before = text.get(name.start.saturating_sub(80)..name.start).unwrap_or_default();
    let is_netrc = own == b"password" && memchr::memmem::find(before, b"login ").is_some();
    let begins = || line::before(text, name.start).is_empty();
    let is_setting = is_quoted && ends_in_password(own) && (before.ends_with(b":") || begins());
    if is_netrc {
        *cursor = beyond;
    }
    if blanks + gap > 0 && (is_flag || is_sql || is_netrc || blanks > 0 && is_setting) {
        return Some(Sign::Blank);
    }
    let is_wide = blanks > 1 || cursor.last() == Some(b'\t');
    (blanks > 0 && is_wide && !is_quoted && begins()).then_some(Sign::Column)
}

fn ends_in_password(name: &[u8]) -> bool {
    let end = name.len().checked_sub("password".len()).and_then(|start| name.get(start..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(b"password"))
}
