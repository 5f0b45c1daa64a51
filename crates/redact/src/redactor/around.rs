//! Secrets that are known by what stands in their midst or just before → the whole of them.
//!
//! Apart from the table of services because its patterns begin with their literal; these begin before it, or need a
//! look at the bytes around that no pattern gives.

use std::ops::Range;

use crate::hit::{is_word, starts_word};

use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::name::Telling;
use super::value::{Setting, is_drawn, is_secret};

/// Half a kilobyte of digits, and no more.
const LONGEST_SIGNATURE: usize = 1024;

type Reader = fn(&[u8], usize) -> Option<Range<usize>>;

/// A literal, the kind, and who reads what is there.
const READERS: &[(&str, &str, Reader)] = &[
    ("bearer ", "authorization", bearer),
    ("sig=", "azure-signature", signature),
    ("signature=", "url-signature", signature),
    ("Q~", "azure-client-secret", azure_secret),
    (".atlasv1.", "terraform-token", terraform),
    ("-us", "mailchimp-key", mailchimp),
    (":5432:", "password", pgpass),
    (":*:", "password", pgpass),
    ("identified by", "password", identified),
    (".login(", "discord-token", discord),
    ("-passin pass:", "password", passin),
    ("-passout pass:", "password", passin),
];

pub(crate) const LITERALS: &[&str] = &[
    "bearer ",
    "sig=",
    "signature=",
    "Q~",
    ".atlasv1.",
    "-us",
    ":5432:",
    ":*:",
    "identified by",
    ".login(",
    "-passin pass:",
    "-passout pass:",
];

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let here = Cursor::new(text, at);
    for (literal, kind, reader) in READERS {
        if here.clone().eat(literal.as_bytes()) {
            let found = reader(text, at).map(|range| Find { range, kind, rank: Rank::Vague });
            finds.extend(found);
        }
    }
}

fn bearer(text: &[u8], at: usize) -> Option<Range<usize>> {
    let range = Cursor::new(text, at + "bearer ".len()).bare(b"\"'`<>,;|&)}]");
    let value = text.get(range.clone())?;
    (starts_word(text.get(..at)?) && is_secret(value, Telling::Token, Setting::Bare)).then_some(range)
}

/// In the query of a URL only: as a key it may sign anything.
fn signature(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = text.get(at.saturating_sub(24)..at)?;
    let sign = before.iter().rev().find(|byte| !(is_word(**byte) || **byte == b'-'));
    let is_parameter = matches!(sign, Some(b'?' | b'&' | b';'));
    // `…, Signature=` of a header.
    let is_field = matches!(sign, Some(b' ' | b','));
    if !(is_parameter || is_field) {
        return None;
    }
    let mut cursor = Cursor::new(text, at);
    cursor.skip(|byte| byte != b'=', 12);
    let start = cursor.at + 1;
    cursor.at = start;
    cursor.skip(|byte| is_word(byte) || b"%+/-.~".contains(&byte), LONGEST_SIGNATURE);
    cursor.skip(|byte| byte == b'=', 2);
    let value = text.get(start..cursor.at)?;
    let is_digest = value.len() == 64 && value.iter().all(u8::is_ascii_hexdigit);
    (value.len() >= 20 && (is_digest || is_parameter && is_drawn(value))).then_some(start..cursor.at)
}

fn back(text: &[u8], at: usize, wanted: fn(u8) -> bool, most: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.iter().rev().take(most).take_while(|byte| wanted(**byte)).count()
}

fn azure_secret(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~' | b'.' | b'-');
    let mut cursor = Cursor::new(text, at + 2);
    let length = cursor.skip(is_letter, 64);
    let start = at.checked_sub(4)?;
    let fits = text.get(start..at)?.iter().all(|byte| is_letter(*byte)) && text.get(at - 1)?.is_ascii_digit();
    (fits && (31..=34).contains(&length)).then_some(start..cursor.at)
}

fn terraform(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = back(text, at, |byte| byte.is_ascii_alphanumeric(), 20);
    let mut cursor = Cursor::new(text, at + ".atlasv1.".len());
    let after = cursor.skip(|byte| is_word(byte) || matches!(byte, b'-' | b'='), 120);
    (before >= 10 && after >= 40).then_some(at - before..cursor.at)
}

fn mailchimp(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = back(text, at, |byte| byte.is_ascii_hexdigit(), 33);
    let mut cursor = Cursor::new(text, at + 3);
    let digits = cursor.skip(|byte| byte.is_ascii_digit(), 3);
    (before == 32 && (1..=2).contains(&digits) && !cursor.peek().is_some_and(is_word))
        .then_some(at - before..cursor.at)
}

/// `host:port:database:user:password`
fn pgpass(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = back(text, at, |byte| is_word(byte) || matches!(byte, b'.' | b'-' | b'*'), 100);
    let mut cursor = Cursor::new(text, at + memchr::memchr(b':', text.get(at + 1..)?)? + 2);
    for _field in 0..2 {
        let length = cursor.skip(|byte| is_word(byte) || matches!(byte, b'.' | b'-' | b'*' | b'$'), 64);
        if length == 0 || !cursor.eat(b":") {
            return None;
        }
    }
    let range = cursor.bare(b"\"'`<>");
    let value = text.get(range.clone())?;
    (before > 0 && value.len() > 2 && is_secret(value, Telling::Password, Setting::Bare)).then_some(range)
}

fn identified(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, at + "identified by".len());
    cursor.skip_blanks();
    // In prose it is a name between backticks.
    let quote = cursor.eat_quote().filter(|_| cursor.last() != Some(b'`'))?;
    let range = cursor.quoted(quote)?;
    is_secret(text.get(range.clone())?, Telling::Password, Setting::Quoted).then_some(range)
}

fn discord(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, at + ".login(".len());
    let quote = cursor.eat_quote()?;
    let range = cursor.quoted(quote)?;
    let value = text.get(range.clone())?;
    (value.len() > 40 && is_secret(value, Telling::Token, Setting::Quoted)).then_some(range)
}

fn passin(text: &[u8], at: usize) -> Option<Range<usize>> {
    let colon = at + memchr::memchr(b':', text.get(at..)?)? + 1;
    let range = Cursor::new(text, colon).bare(b"\"'`<>;|&)");
    is_secret(text.get(range.clone())?, Telling::Password, Setting::Bare).then_some(range)
}
