//! `https://hooks.acme.io/catch/123/x7…`: the address of a webhook → the part of it that only its owner knows.
//!
//! Whatever the service, the path is the password: an address that calls itself a hook has a random part behind that word.

use std::ops::Range;

use crate::entropy::{is_random, is_uuid};

use crate::find::{Find, Rank};
use crate::mark::is_marked;

pub(crate) const KEYWORDS: &str = "hook|/with/key/|/key/|/token/";

const LONGEST: usize = 400;
/// Behind a number that says whose it is.
const SHORTEST_BESIDE: usize = 5;
const SHORTEST: usize = 6;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let Some(path) = path_behind(text, at) else { return };
    let is_host =
        memchr::memmem::find(text.get(at.saturating_sub(3)..at).unwrap_or_default(), b"//").is_some();
    let address = text.get(path.clone()).unwrap_or_default();
    let (mut start, mut first, mut number) = (path.start, None, None);
    let mut end = path.start;
    for part in address.split(|byte| b"/?&=\\".contains(byte)) {
        let range = start..start + part.len();
        start = range.end + 1;
        let is_number = part.len() >= SHORTEST_BESIDE && part.iter().all(u8::is_ascii_digit);
        let is_beside = number.is_some() && is_host && part.len() >= SHORTEST_BESIDE && !is_number;
        if first.is_none() && (is_secret(part) || is_beside) {
            first = number.or(Some(range.start));
        }
        if is_number && first.is_none() {
            number = Some(range.start);
        }
        if !part.is_empty() && first.is_some() {
            end = range.end;
        }
    }
    if let Some(first) = first.filter(|first| !is_marked(text.get(*first..end).unwrap_or_default())) {
        finds.push(Find { range: first..end, kind: "webhook", rank: Rank::Context });
    }
}

/// What stands behind this word and its host in an address.
fn path_behind(text: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(LONGEST);
    let before = text.get(from..at)?;
    let begins = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>()".contains(byte);
    let word = before.iter().rposition(begins).map_or(0, |last| last + 1);
    memchr::memmem::find(before.get(word..)?, b"//")
        .or_else(|| memchr::memmem::find(before.get(word..)?, br"\/"))?;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:/\\?&=@%~+".contains(byte);
    let is_escape = |text: &[u8]| matches!(text, [b'\\', next, ..] if *next != b'/');
    let length = text.get(at..)?.iter().take(LONGEST).take_while(is_part).count();
    let rest = text.get(at..at + length)?;
    let escaped = rest.windows(2).position(is_escape).unwrap_or(length);
    let slash = rest.iter().skip(1).position(|byte| b"/?\\".contains(byte))? + 1;
    (slash < escaped).then_some(at + slash..at + escaped)
}

/// No word, no version, and not only a number.
fn is_secret(part: &[u8]) -> bool {
    let is_letter =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'@' | b'%' | b'.');
    let has_digit = part.iter().any(u8::is_ascii_digit) && part.iter().any(u8::is_ascii_alphabetic);
    part.len() >= SHORTEST && part.iter().all(is_letter) && (is_uuid(part) || has_digit && is_random(part))
}
