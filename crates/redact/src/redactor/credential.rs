//! Secrets that something near them gives away, though no name stands before them → the secret.
//!
//! Apart from the assignments because each kind has its own surroundings: the id of a key in the same row, the fields of
//! a key in JSON, the call that takes a password.

use std::ops::Range;

use crate::hit::{is_word, starts_word};
use crate::random::Classes;

use super::blob::{holds_login, is_base64};
use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::mark::is_marked;
use super::name::Telling;
use super::pem::key_lines;
use super::value::{Setting, is_secret};

type Reader = fn(&[u8], usize, &mut Vec<Find>);

const READERS: &[(&str, Reader)] = &[
    ("secret access key", access_key),
    ("\"kty", web_key),
    ("Private-Lines:", putty_key),
    ("basic ", basic),
    ("password(", call),
    (".login(", login),
    ("convertto-securestring ", string),
    (".fill(", field),
    (".type(", field),
    (".send_keys(", field),
    (".sendKeys(", field),
    ("set -", variable),
    ("-pass pass:", pass),
];

pub(crate) const LITERALS: &[&str] = &[
    "secret access key",
    "\"kty",
    "Private-Lines:",
    "basic ",
    "password(",
    ".login(",
    "convertto-securestring ",
    ".fill(",
    ".type(",
    ".send_keys(",
    ".sendKeys(",
    "set -",
    "-pass pass:",
];

const AWS_SECRET: usize = 40;
const NEAR: usize = 160;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    for (literal, reader) in READERS {
        if Cursor::new(text, at).eat(literal.as_bytes()) {
            reader(text, at, finds);
        }
    }
}

fn push(range: Range<usize>, kind: &'static str, finds: &mut Vec<Find>) {
    finds.push(Find { range, kind, rank: Rank::Vague });
}

/// An id of AWS and its secret stand in the same row of a table.
pub(crate) fn read_behind_id(text: &[u8], end: usize, finds: &mut Vec<Find>) {
    aws_secret(text, end..text.len().min(end + NEAR), finds);
}

/// `AWS Secret Access Key [None]: …`
fn access_key(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    aws_secret(text, at..text.len().min(at + NEAR), finds);
}

/// The first run of forty letters of base64, in capitals and small letters.
fn aws_secret(text: &[u8], near: Range<usize>, finds: &mut Vec<Find>) {
    let end = text.len().min(near.end + AWS_SECRET + 1);
    let mut cursor = Cursor::new(text.get(..end).unwrap_or_default(), near.start);
    while cursor.at < near.end {
        cursor.skip(|byte| !is_base64(byte), NEAR);
        let start = cursor.at;
        cursor.skip(is_base64, NEAR);
        let value = text.get(start..cursor.at).unwrap_or_default();
        let classes = Classes::of(value);
        if value.len() == AWS_SECRET && classes.upper > 2 && classes.lower > 2 && classes.digits > 0 {
            return push(start..cursor.at, "aws-secret-key", finds);
        }
        if start == cursor.at {
            return;
        }
    }
}

/// The private fields of a key in JSON.
fn web_key(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    const LONGEST: usize = 4096;
    let from = at.saturating_sub(LONGEST);
    let before = text.get(from..at).unwrap_or_default();
    let start = memchr::memrchr(b'{', before).map_or(at, |brace| from + brace + 1);
    let rest = text.get(at..text.len().min(at + LONGEST)).unwrap_or_default();
    // An object has one such field.
    let rest = memchr::memmem::find(rest.get(1..).unwrap_or_default(), b"\"kty")
        .and_then(|next| rest.get(..=next))
        .unwrap_or(rest);
    let end = at + memchr::memchr2(b'}', b'{', rest).unwrap_or(rest.len());
    let mut cursor = Cursor::new(text.get(..end).unwrap_or_default(), start);
    while let Some(name) = next_quoted(&mut cursor) {
        let own = text.get(name).unwrap_or_default();
        let is_private = [&b"d"[..], b"p", b"q", b"dp", b"dq", b"qi", b"k"].contains(&own);
        cursor.skip_gap();
        if !cursor.eat(b":") {
            continue;
        }
        let Some(value) = next_quoted(&mut cursor) else { return };
        if is_private && value.len() >= 16 && !is_marked(text.get(value.clone()).unwrap_or_default()) {
            push(value, "private-key", finds);
        }
    }
}

/// The next string, behind its end.
fn next_quoted(cursor: &mut Cursor) -> Option<Range<usize>> {
    cursor.skip(|byte| !matches!(byte, b'"' | b'\\'), 64);
    let quote = cursor.eat_quote()?;
    let range = cursor.quoted(quote)?;
    cursor.at = range.end;
    cursor.eat_quote()?;
    Some(range)
}

fn putty_key(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at + "Private-Lines:".len());
    cursor.skip_blanks();
    cursor.skip(|byte| byte.is_ascii_digit(), 4);
    if let Some(range) = key_lines(text, cursor.at) {
        push(range, "private-key", finds);
    }
}

/// `Basic dXNlcjpwYXNz`
fn basic(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let range = Cursor::new(text, at + "basic ".len()).bare(b"\"'`<>,;|&)}]");
    let value = text.get(range.clone()).unwrap_or_default();
    if starts_word(text.get(..at).unwrap_or_default()) && value.len() >= 8 && holds_login(value) {
        push(range, "authorization", finds);
    }
}

/// `.set_password("…")`
fn call(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    in_quotes(text, at + "password(".len(), finds);
}

/// `client.login("bob", "…")`
fn login(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at + ".login(".len());
    let Some(name) = cursor.eat_quote().and_then(|quote| cursor.quoted(quote)) else { return };
    cursor.at = name.end;
    let _closing = cursor.eat_quote();
    if cursor.eat(b",") {
        cursor.skip_gap();
        in_quotes(text, cursor.at, finds);
    }
}

/// `ConvertTo-SecureString "…"`
fn string(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at + "convertto-securestring ".len());
    let _flag = cursor.eat(b"-string ");
    in_quotes(text, cursor.at, finds);
}

fn in_quotes(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at);
    let Some(range) = cursor.eat_quote().and_then(|quote| cursor.quoted(quote)) else { return };
    let value = text.get(range.clone()).unwrap_or_default();
    let is_prose = value.iter().any(u8::is_ascii_whitespace) || value.len() > 128;
    if !is_prose && is_secret(value, Telling::Password, Setting::Quoted) {
        push(range, "password", finds);
    }
}

/// `getByLabel('Password').fill('…')`
fn field(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let before = text.get(at.saturating_sub(80)..at).unwrap_or_default();
    let line =
        before.rsplit(|byte| matches!(byte, b'\n' | b';')).next().unwrap_or_default().to_ascii_lowercase();
    let tells = ["passw", "pwd", "passphrase", "secret"];
    if tells.iter().any(|word| memchr::memmem::find(&line, word.as_bytes()).is_some()) {
        let open =
            text.get(at..).and_then(|rest| memchr::memchr(b'(', rest)).map_or(at, |open| at + open + 1);
        in_quotes(text, open, finds);
    }
}

/// `set -gx API_TOKEN …`, as fish has it.
fn variable(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at + "set -".len());
    cursor.skip(|byte| byte.is_ascii_alphabetic() || byte == b'-', 12);
    cursor.skip_blanks();
    let start = cursor.at;
    cursor.skip(is_word, 80);
    let Some(telling) = text.get(start..cursor.at).and_then(Telling::of) else { return };
    if cursor.skip_blanks() == 0 {
        return;
    }
    let quote = cursor.eat_quote();
    let range = quote.and_then(|quote| cursor.quoted(quote)).unwrap_or_else(|| cursor.bare(b"\"'`<>;|&)"));
    if is_secret(text.get(range.clone()).unwrap_or_default(), telling, Setting::Bare) {
        push(range, if telling == Telling::Password { "password" } else { "token" }, finds);
    }
}

/// `openssl … -pass pass:…`
fn pass(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let range = Cursor::new(text, at + "-pass pass:".len()).bare(b"\"'`<>;|&)");
    if is_secret(text.get(range.clone()).unwrap_or_default(), Telling::Password, Setting::Bare) {
        push(range, "password", finds);
    }
}
