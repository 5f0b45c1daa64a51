//! `scheme://name:password@host` → the password, whatever the scheme and the host.
//!
//! Apart from the guard's rule because that one lets pass what opens nothing; here it may as well be masked.

use std::ops::Range;

use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::mark::is_marked;
use super::value::is_drawn;

pub(crate) const LITERALS: &[&str] = &["://", r":\"];

const LONGEST: usize = 512;

/// Signs that are in no login, but in templates and prose.
const ELSEWHERE: &[u8] = b"\"'`<>{}()|^ ";

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at + 1);
    let length = cursor.skip(|byte| matches!(byte, b'/' | b'\\'), 20);
    let slashes = text.get(at + 1..at + 1 + length).unwrap_or_default();
    if slashes.iter().filter(|byte| **byte == b'/').count() < 2 {
        return;
    }
    if let Some(range) = password(text, &cursor) {
        finds.push(Find { range, kind: "url-password", rank: Rank::Vague });
    }
}

fn password(text: &[u8], cursor: &Cursor) -> Option<Range<usize>> {
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'/' | b'\\' | b'?' | b'#') || ELSEWHERE.contains(byte)
    };
    let rest = cursor.rest();
    let length = rest.iter().take(LONGEST).position(ends).unwrap_or(rest.len().min(LONGEST));
    let authority = rest.get(..length)?;
    let end = authority.iter().rposition(|byte| *byte == b'@')?;
    let has_host = authority
        .get(end + 1)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'[' | b'$' | b'%'));
    let login = authority.get(..end)?;
    let start = login.iter().position(|byte| *byte == b':').map(|colon| colon + 1);
    let secret = login.get(start.unwrap_or_default()..)?;
    // A name alone is a name, unless a machine drew it: then it is a token.
    let holds = if start.is_some() { is_password(secret) } else { secret.len() >= 20 && is_drawn(secret) };
    let from = cursor.at + start.unwrap_or_default();
    debug_assert!(from <= text.len());
    (has_host && holds && !is_marked(secret)).then_some(from..from + secret.len())
}

fn is_password(secret: &[u8]) -> bool {
    let is_reference = secret.starts_with(b"$")
        || secret.starts_with(b"%s")
        || secret.starts_with(b"%(")
        || secret.contains(&b'[');
    let is_masked = secret.iter().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.')) || secret.is_empty();
    !is_reference && !is_masked
}
