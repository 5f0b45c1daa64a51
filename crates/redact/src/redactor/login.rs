//! `scheme://name:password@host` → the password, whatever the scheme and the host; and the name, where it is a token.
//!
//! Apart from the guard's rule because that one lets pass what opens nothing; here it may as well be masked.

use std::ops::Range;

use super::cursor::Cursor;
use super::example::is_example;
use super::find::{Find, Rank};
use super::mark::is_marked;
use super::name::is_one_of;
use super::value::{is_chosen_tail, is_drawn};

pub(crate) const LITERALS: &[&str] = &["://", r":\"];

const LONGEST: usize = 512;

/// Names are not as long.
const SHORTEST_TOKEN: usize = 20;

/// Signs that end a login, as they begin a path or stand in templates and prose; passwords that nobody encoded have them
/// all the same.
const ELSEWHERE: &[u8] = b"/\\?#<>{}()|^";

/// What services want in the place of the password where the token is the name.
const EMPTY: &[&[u8]] = &[b"", b"x", b"x-oauth-basic", b"x-token-auth"];

/// Passwords that are none.
const WORDS: &str =
    "password passwd pass pwd pw secret token changeme user username mypassword your_password yourpassword";

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at + 1);
    let length = cursor.skip(|byte| matches!(byte, b'/' | b'\\'), 20);
    let slashes = text.get(at + 1..at + 1 + length).unwrap_or_default();
    if slashes.iter().filter(|byte| **byte == b'/').count() < 2 {
        return;
    }
    let rest = cursor.rest();
    let length =
        rest.iter().take(LONGEST).position(|byte| byte.is_ascii_whitespace() || b"\"'`".contains(byte));
    let address = rest.get(..length.unwrap_or(rest.len().min(LONGEST))).unwrap_or_default();
    for range in secrets(address) {
        let range = cursor.at + range.start..cursor.at + range.end;
        finds.push(Find { range, kind: "url-password", rank: Rank::Vague });
    }
}

fn secrets(address: &[u8]) -> Vec<Range<usize>> {
    let authority = address.split(|byte| ELSEWHERE.contains(byte)).next().unwrap_or_default();
    let end = authority.iter().rposition(|byte| *byte == b'@').filter(|at| has_host(address, *at));
    let end = end.or_else(|| unencoded(address));
    let Some(login) = end.and_then(|end| address.get(..end)) else { return Vec::new() };
    let colon = memchr::memchr(b':', login);
    let name = 0..colon.unwrap_or(login.len());
    let password = colon.map_or(0..0, |colon| colon + 1..login.len());
    let part = |range: &Range<usize>| login.get(range.clone()).unwrap_or_default();
    // A name alone is a name, unless a machine drew it: then it is a token.
    let is_token = name.len() >= SHORTEST_TOKEN && is_drawn(part(&name)) && !is_marked(part(&name));
    let is_filled = (is_token || is_marked(part(&name))) && EMPTY.contains(&part(&password));
    let is_other = is_port(login, part(&password)) || is_word(part(&name), part(&password));
    let holds = is_password(part(&password)) && !is_filled && !is_other && !is_marked(part(&password));
    [(name, is_token), (password, holds)]
        .into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(range, _)| range)
        .collect()
}

/// Whether this `@` has the name of a host behind it.
fn has_host(address: &[u8], at: usize) -> bool {
    let mut cursor = Cursor::new(address, at + 1);
    let is_hidden = matches!(cursor.peek(), Some(b'[' | b'$' | b'%'));
    let length = cursor.skip(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte), 255);
    let host = address.get(at + 1..cursor.at).unwrap_or_default();
    let is_digest = matches!(host, b"sha256" | b"sha512");
    let ends = match cursor.rest() {
        [] | [b':' | b'/' | b'?' | b'#' | b'\\' | b',' | b';' | b'&' | b']' | b'$' | b'%', ..] => true,
        [_, next, ..] => !next.is_ascii_alphanumeric(),
        [_] => true,
    };
    (is_hidden || length > 0 && ends) && !is_digest
}

/// The `@` behind a password with signs that should have been encoded: mixed as only passwords are.
fn unencoded(address: &[u8]) -> Option<usize> {
    let mut cursor = Cursor::new(address, 0);
    let length = cursor.skip(|byte| byte.is_ascii_alphanumeric() || b"_-+%".contains(&byte), 64);
    if length == 0 || !cursor.eat(b":") {
        return None;
    }
    let start = cursor.at;
    let digits = cursor.skip(|byte| byte.is_ascii_digit(), 5);
    let is_port = digits > 1 && cursor.peek().is_none_or(|byte| b"/?#)>}|".contains(&byte));
    memchr::memchr_iter(b'@', address).filter(|at| *at > start && !is_port).find(|at| {
        let password = address.get(start..*at).unwrap_or_default();
        has_host(address, *at) && is_chosen_tail(password) && !password.ends_with(b"/")
    })
}

/// `localhost:3000@v2`: a host, its port, and a version.
fn is_port(login: &[u8], password: &[u8]) -> bool {
    let host = login.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_host = host == b"localhost" || host.contains(&b'.');
    is_host && password.len() <= 5 && password.iter().all(u8::is_ascii_digit)
}

/// `user:password`, `postgres:postgres`: what manuals have.
fn is_word(name: &[u8], password: &[u8]) -> bool {
    let lower = password.to_ascii_lowercase();
    let is_said = std::str::from_utf8(&lower).is_ok_and(|word| is_one_of(word, WORDS));
    is_said || password == name || is_example(password)
}

fn is_password(secret: &[u8]) -> bool {
    let is_variable = |name: &[u8]| name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_reference = match secret {
        [b'$', rest @ ..] => is_variable(rest) || rest.starts_with(b"{") || rest.starts_with(b"("),
        [b'%', rest @ ..] => rest.len() < 2 || rest.starts_with(b"("),
        [b'{', .., b'}'] | [b'<', .., b'>'] | [b'(', .., b')'] | [b'[', .., b']'] => true,
        [b'#', b'{', ..] | [b'{', b'{', ..] | [b'<', b'%', ..] => true,
        _ => false,
    };
    let is_masked = secret.iter().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.')) || secret.is_empty();
    !is_reference && !is_masked
}
