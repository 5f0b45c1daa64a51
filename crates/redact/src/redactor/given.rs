//! `name = value` in any notation → the value, where the name tells and the value is no code.
//!
//! Apart from the table of services because nothing but the name gives such a secret away. One reader knows the
//! assignments of programs, shells, YAML, JSON and XML, the flags of commands, headers and connection strings.

use std::ops::Range;

use super::blob::holds_login;
use super::cursor::{Cursor, Quote};
use super::find::{Find, Rank};
use super::mark::touches_mark;
use super::name::{Telling, words};
use super::notation::{Sign, name, sign_after};
use super::place::Place;
use super::table;
use super::value::{Setting, is_drawn, is_secret};

const SCHEMES: &[&[u8]] =
    &[b"bearer", b"basic", b"token", b"apikey", b"bot", b"negotiate", b"digest", b"key", b"splunk"];

/// How far a string between three quotes is read.
const FAR: usize = 2048;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let name = name(text, at);
    if touches_mark(text, &name) {
        return;
    }
    let sign = sign_after(text, &name);
    let is_apart = table::may_begin(text, &name);
    if sign.is_none() && !is_apart {
        return;
    }
    let Some(telling) = Telling::of(text.get(name.clone()).unwrap_or_default()) else { return };
    let kind = kind_of(telling, text.get(name.clone()).unwrap_or_default());
    let mut push = |range| finds.push(Find { range, kind, rank: Rank::Vague });
    if is_apart {
        table::read(text, &name, telling, &mut push);
    }
    let Some((sign, cursor)) = sign else { return };
    let place = Place { text, name, sign, telling };
    value(&place, cursor, true).into_iter().for_each(&mut push);
    changed(&place, cursor).into_iter().for_each(&mut push);
}

/// A string of JSON under a key that tells.
pub(crate) fn under(key: &str, telling: Telling, value: &[u8]) -> Option<Find> {
    let key = key.as_bytes();
    let end = value.trim_ascii_end().len();
    let start = (value.len() - value.trim_ascii_start().len()).min(end);
    let start = start + scheme(value.get(start..end)?, is_login(key));
    let secret = value.get(start..end)?;
    let holds = is_secret(secret, telling, Setting::Quoted) || (is_login(key) && holds_login(secret));
    holds.then_some(Find { range: start..end, kind: kind_of(telling, key), rank: Rank::Vague })
}

fn value(place: &Place, mut cursor: Cursor, may_be_type: bool) -> Option<Range<usize>> {
    let _bold = cursor.eat(b"**");
    cursor.skip_blanks();
    cursor.skip(|byte| matches!(byte, b'b' | b'r' | b'f' | b'@'), usize::from(is_prefixed(&cursor)));
    let start = cursor.at;
    if let Some(quote) = cursor.eat_quote() {
        let range = without_scheme(place, quoted(&cursor, quote, start)?);
        let is_flag = place.sign == Sign::Near && place.text.get(range.start) == Some(&b'-');
        return (!is_flag && holds(place, &range, place.quoted_setting())).then_some(range);
    }
    if let Some(found) = below(place, cursor) {
        return Some(found);
    }
    cursor.at += scheme(cursor.rest(), is_login(place.own_name()));
    let range = place.bare(&cursor);
    if let Some(beyond) = behind_type(place, &range).filter(|_| may_be_type) {
        return value(place, beyond, false);
    }
    if holds(place, &range, place.setting(&range)) {
        return Some(range);
    }
    fallback(place, range)
}

/// Up to the quote that closes; between three of them there may be more lines.
fn quoted(cursor: &Cursor, quote: Quote, start: usize) -> Option<Range<usize>> {
    let three = cursor.text.get(start..cursor.at)?.repeat(3);
    if !cursor.text.get(start..)?.starts_with(&three) {
        return cursor.quoted(quote);
    }
    let start = start + three.len();
    let inner = cursor.text.get(start..cursor.text.len().min(start + FAR))?;
    let inner = inner.get(..memchr::memmem::find(inner, &three)?)?;
    let before = inner.len() - inner.trim_ascii_start().len();
    Some(start + before..start + inner.trim_ascii_end().len().max(before))
}

/// On the next line: a string, a block of YAML, a word.
fn below(place: &Place, mut cursor: Cursor) -> Option<Range<usize>> {
    if !matches!(place.sign, Sign::Colon | Sign::Assigns) {
        return None;
    }
    let is_block = place.sign == Sign::Colon && cursor.skip(|byte| matches!(byte, b'|' | b'>'), 1) > 0;
    cursor.skip(|byte| matches!(byte, b'-' | b'+'), usize::from(is_block));
    cursor.skip_blanks();
    if !super::line::ends(place.text, cursor.at) || cursor.skip_gap() == 0 {
        return None;
    }
    super::line::skip_margin(&mut cursor);
    if let Some(quote) = cursor.eat_quote() {
        let range = without_scheme(place, cursor.quoted(quote)?);
        let is_key = place.text.get(range.end + 1) == Some(&b':');
        return (!is_key && holds(place, &range, place.quoted_setting())).then_some(range);
    }
    let range = cursor.bare(b"");
    let value = place.text.get(range.clone())?;
    let setting = if is_block { Setting::Bare } else { Setting::Near };
    let is_alone = place.begins_line() && super::line::ends(place.text, range.end) && !value.ends_with(b":");
    (is_alone && holds(place, &range, setting)).then_some(range)
}

/// `"old" -> "new"`: what a plan of changes puts in its place.
fn changed(place: &Place, mut cursor: Cursor) -> Option<Range<usize>> {
    cursor.skip_blanks();
    let quote = cursor.eat_quote()?;
    cursor.at = cursor.quoted(quote)?.end;
    let _closing = cursor.eat_quote();
    cursor.skip_blanks();
    if !(cursor.eat(b"->") || cursor.eat(b"=>")) {
        return None;
    }
    cursor.skip_blanks();
    let quote = cursor.eat_quote()?;
    let range = cursor.quoted(quote)?;
    holds(place, &range, Setting::Quoted).then_some(range)
}

fn holds(place: &Place, range: &Range<usize>, setting: Setting) -> bool {
    let value = place.text.get(range.clone()).unwrap_or_default();
    let name = place.own_name();
    let is_short =
        name.rsplit(|byte| *byte == b'-').next().is_some_and(|word| word.eq_ignore_ascii_case(b"pass"));
    // `PASS: TestName` is how tests report.
    if is_short && place.sign == Sign::Colon && name.ends_with(b"S") {
        return false;
    }
    let is_doubtful = is_short && setting != Setting::Bare && place.sign != Sign::Element;
    let telling = if is_doubtful { Telling::Token } else { place.telling };
    !says_name(value, name) && is_secret(value, telling, setting) || (is_login(name) && holds_login(value))
}

/// `CHALLENGE_PASSWORD: "challengePassword"`
fn says_name(value: &[u8], name: &[u8]) -> bool {
    let is_name = value.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.".contains(byte));
    if !is_name || value.len() > 2 * name.len() {
        return false;
    }
    let (said, own) = (words(value), words(name));
    said.len() > 1 && said.iter().all(|word| own.contains(word))
}

/// `password: string = "…"`: the value comes after its type.
fn behind_type<'a>(place: &Place<'a>, range: &Range<usize>) -> Option<Cursor<'a>> {
    if place.sign != Sign::Colon || range.is_empty() {
        return None;
    }
    let mut cursor = Cursor::new(place.text, range.end);
    cursor.skip(|byte| byte.is_ascii_alphanumeric() || b"<>[]&|' ".contains(&byte), 24);
    let is_sign =
        cursor.peek() == Some(b'=') && cursor.rest().get(1).is_some_and(|byte| b" \"'`".contains(byte));
    is_sign.then(|| Cursor::new(place.text, cursor.at + 1))
}

/// `process.env.TOKEN || "…"`, `getenv("TOKEN", "…")`: what is taken where the reference leads nowhere.
fn fallback(place: &Place, range: Range<usize>) -> Option<Range<usize>> {
    let rest = place.text.get(range.start..)?;
    let near = rest.get(..rest.len().min(160))?;
    let line = near.get(..memchr::memchr(b'\n', near).unwrap_or(near.len()))?;
    let at = [&b"|| "[..], b"?? ", b", ", b"or "]
        .iter()
        .find_map(|sign| memchr::memmem::find(line, sign).map(|at| at + sign.len()))?;
    let mut cursor = Cursor::new(place.text, range.start + at);
    let quote = cursor.eat_quote()?;
    let range = cursor.quoted(quote)?;
    let value = place.text.get(range.clone())?;
    (is_drawn(value) && is_secret(value, place.telling, Setting::Near)).then_some(range)
}

fn without_scheme(place: &Place, range: Range<usize>) -> Range<usize> {
    let value = place.text.get(range.clone()).unwrap_or_default();
    range.start + scheme(value, is_login(place.own_name()))..range.end
}

fn is_login(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(b"auth") || name.ends_with(b"authorization")
}

pub(crate) fn kind_of(telling: Telling, name: &[u8]) -> &'static str {
    let lower = name.to_ascii_lowercase();
    let holds = |part: &str| memchr::memmem::find(&lower, part.as_bytes()).is_some();
    match telling {
        Telling::Password => "password",
        Telling::Token if is_login(name) => "authorization",
        Telling::Key => "api-key",
        Telling::Token if holds("key") => "api-key",
        Telling::Token => "token",
        Telling::Secret if holds("aws_secret") || holds("secret_access_key") || holds("secretaccesskey") => {
            "aws-secret-key"
        }
        Telling::Secret => "secret",
    }
}

/// The letters before a string of Python, Rust or C#.
fn is_prefixed(cursor: &Cursor) -> bool {
    matches!(cursor.rest(), [b'b' | b'r' | b'f' | b'@', b'"' | b'\'', ..])
}

/// How long the word before the credentials of a header is; services have words of their own.
fn scheme(value: &[u8], is_login: bool) -> usize {
    let mut cursor = Cursor::new(value, 0);
    if !SCHEMES.iter().any(|scheme| cursor.eat(scheme)) && is_login {
        cursor.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'-', 16);
    }
    if cursor.skip_blanks() > 0 { cursor.at } else { 0 }
}
