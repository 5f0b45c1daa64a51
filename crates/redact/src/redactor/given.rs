//! `name = value` in any notation → the value, where the name tells and the value is no code.
//!
//! Apart from the table of services because nothing but the name gives such a secret away. One reader knows the
//! assignments of programs, shells, YAML, JSON and XML, the flags of commands, headers and connection strings.

use std::ops::Range;

use super::blob::holds_login;
use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::name::Telling;
use super::notation::{LONGEST_NAME, Sign, notation};
use super::value::{Setting, is_drawn, is_secret};

/// What ends a bare value besides blanks and quotes.
const ENDS: &[u8] = b"\"'`<>,;|&)}]";

const SCHEMES: &[&[u8]] =
    &[b"bearer", b"basic", b"token", b"apikey", b"bot", b"negotiate", b"digest", b"key", b"splunk"];

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let Some((name, sign, cursor)) = notation(text, at) else { return };
    let Some(telling) = Telling::of(text.get(name.clone()).unwrap_or_default()) else { return };
    let place = Place { text, name, sign, telling };
    if let Some(range) = place.value(cursor, true) {
        finds.push(Find { range, kind: place.kind(), rank: Rank::Vague });
    }
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

struct Place<'a> {
    text: &'a [u8],
    name: Range<usize>,
    sign: Sign,
    telling: Telling,
}

impl Place<'_> {
    fn value(&self, mut cursor: Cursor, may_be_type: bool) -> Option<Range<usize>> {
        cursor.skip(|byte| matches!(byte, b' ' | b'\t' | b'*'), 16);
        cursor.skip(|byte| matches!(byte, b'b' | b'r' | b'f' | b'@'), usize::from(is_prefixed(&cursor)));
        if let Some(quote) = cursor.eat_quote() {
            let range = self.without_scheme(cursor.quoted(quote)?);
            let setting = if self.sign == Sign::Near { Setting::Near } else { Setting::Quoted };
            return self.holds(&range, setting).then_some(range);
        }
        cursor.at += scheme(cursor.rest(), is_login(self.own_name()));
        let range = self.trimmed(cursor.bare(ENDS));
        if let Some(beyond) = self.behind_type(&range).filter(|_| may_be_type) {
            return self.value(beyond, false);
        }
        if self.holds(&range, self.setting(&range)) {
            return Some(range);
        }
        self.fallback(range)
    }

    fn holds(&self, range: &Range<usize>, setting: Setting) -> bool {
        let value = self.text.get(range.clone()).unwrap_or_default();
        let name = self.own_name();
        let is_short =
            name.rsplit(|byte| *byte == b'-').next().is_some_and(|word| word.eq_ignore_ascii_case(b"pass"));
        // `PASS: TestName` is how tests report.
        if is_short && self.sign == Sign::Colon && name.ends_with(b"S") {
            return false;
        }
        let is_doubtful = is_short && setting != Setting::Bare && self.sign != Sign::Element;
        let telling = if is_doubtful { Telling::Token } else { self.telling };
        is_secret(value, telling, setting) || (is_login(name) && holds_login(value))
    }

    fn setting(&self, range: &Range<usize>) -> Setting {
        let name = self.own_name();
        let is_constant = name.iter().all(|byte| !byte.is_ascii_lowercase());
        match self.sign {
            Sign::Tight if is_constant || name.starts_with(b"-") || self.is_connection(range) => {
                Setting::Bare
            }
            Sign::Colon if self.is_whole_line(range) => Setting::Bare,
            Sign::Blank if !name.starts_with(b"-") => Setting::Bare,
            Sign::Element => Setting::Quoted,
            Sign::Near => Setting::Near,
            _ => Setting::Code,
        }
    }

    fn own_name(&self) -> &[u8] {
        self.text.get(self.name.clone()).unwrap_or_default()
    }

    /// A sentence's full stop is not the value's.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let value = self.text.get(range.clone()).unwrap_or_default();
        let length = value.iter().rposition(|byte| !matches!(byte, b'.' | b':')).map_or(0, |last| last + 1);
        range.start..range.start + length
    }

    /// Between semicolons, as in `Server=x;Password=y;`.
    fn is_connection(&self, range: &Range<usize>) -> bool {
        let before = self.name.start.checked_sub(1).and_then(|at| self.text.get(at));
        before.is_some_and(|byte| b";&?".contains(byte))
            || self.text.get(range.end) == Some(&b';') && before.is_none_or(|byte| b"\"'".contains(byte))
    }

    /// `  name: value` and nothing else, as YAML has it.
    fn is_whole_line(&self, range: &Range<usize>) -> bool {
        let before =
            self.text.get(self.name.start.saturating_sub(LONGEST_NAME)..self.name.start).unwrap_or_default();
        let breaks = [memchr::memrchr(b'\n', before), memchr::memmem::rfind(before, br"\n").map(|at| at + 1)];
        let line =
            before.get(breaks.into_iter().flatten().max().map_or(0, |at| at + 1)..).unwrap_or_default();
        let rest = self.text.get(range.end..).unwrap_or_default();
        let ends = matches!(rest, [] | [b'\n' | b'\r', ..] | [b'\\', b'n' | b'r' | b'\\', ..]);
        let value = self.text.get(range.clone()).unwrap_or_default();
        let is_name =
            value.array_windows().any(|[one, other]| one.is_ascii_lowercase() && other.is_ascii_uppercase());
        ends && line.iter().all(|byte| matches!(byte, b' ' | b'-' | b'\t')) && !is_name
    }

    /// `password: string = "…"`: the value comes after its type.
    fn behind_type<'a>(&'a self, range: &Range<usize>) -> Option<Cursor<'a>> {
        if self.sign != Sign::Colon || range.is_empty() {
            return None;
        }
        let mut cursor = Cursor::new(self.text, range.end);
        cursor.skip(|byte| byte.is_ascii_alphanumeric() || b"<>[]&|' ".contains(&byte), 24);
        let is_sign =
            cursor.peek() == Some(b'=') && cursor.rest().get(1).is_some_and(|byte| b" \"'`".contains(byte));
        is_sign.then(|| Cursor::new(self.text, cursor.at + 1))
    }

    /// `process.env.TOKEN || "…"`, `getenv("TOKEN", "…")`: what is taken where the reference leads nowhere.
    fn fallback(&self, range: Range<usize>) -> Option<Range<usize>> {
        let rest = self.text.get(range.start..)?;
        let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()).min(160))?;
        let at = [&b"|| "[..], b"?? ", b", ", b"or "]
            .iter()
            .find_map(|sign| memchr::memmem::find(line, sign).map(|at| at + sign.len()))?;
        let mut cursor = Cursor::new(self.text, range.start + at);
        let quote = cursor.eat_quote()?;
        let range = cursor.quoted(quote)?;
        let value = self.text.get(range.clone())?;
        (is_drawn(value) && is_secret(value, self.telling, Setting::Near)).then_some(range)
    }

    fn without_scheme(&self, range: Range<usize>) -> Range<usize> {
        let value = self.text.get(range.clone()).unwrap_or_default();
        range.start + scheme(value, is_login(self.own_name()))..range.end
    }

    fn kind(&self) -> &'static str {
        kind_of(self.telling, self.own_name())
    }
}

fn is_login(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(b"auth") || name.ends_with(b"authorization")
}

fn kind_of(telling: Telling, name: &[u8]) -> &'static str {
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
