//! Names of sessions and of what logs one in → the value, where a machine drew it.
//!
//! Apart from the telling names because a session has an id in every log that opens nothing: the value must be drawn,
//! and no UUID.

use std::ops::Range;

use crate::hit::is_word;
use crate::random::{Classes, is_uuid};

use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::notation::{name, sign_after};
use super::value::is_drawn;

/// Cookies of frameworks, and parameters of addresses.
pub(crate) const NAMES: &[&str] = &["session", "sessid", "connect.sid", "\"sid", "'sid", "_gh_sess", "_sid"];
pub(crate) const PARAMETERS: &[&str] =
    &["?key=", "&key=", "?code=", "&code=", "?auth=", "&auth=", "?sid=", "&sid=", "?session=", "&session="];
/// The third field of a line of `cookies.txt`.
pub(crate) const LINES: &[&str] = &["\tTRUE\t/", "\tFALSE\t/", r"\tTRUE\t/", r"\tFALSE\t/"];

const SHORTEST: usize = 16;

/// Names that sessions have, without the dots and dashes in them.
const WHOLE: &str = "session sessionid sid phpsessid jsessionid aspnetsessionid connectsid ghsess laravelsession usersession \
    authsession sessiontoken sessionkey sessioncookie cisession railssession";

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let name = name(text, at);
    let Some((_, mut cursor)) = sign_after(text, &name) else { return };
    let own = text.get(name).unwrap_or_default();
    let letters: Vec<u8> =
        own.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    let is_one = WHOLE.split_ascii_whitespace().any(|whole| whole.as_bytes() == letters.as_slice())
        || own.to_ascii_lowercase().ends_with(b"_session");
    if !is_one {
        return;
    }
    cursor.skip_blanks();
    let quote = cursor.eat_quote();
    let range = quote.and_then(|quote| cursor.quoted(quote)).unwrap_or_else(|| cursor.bare(b"\"'`<>,;|&)}]"));
    push(text, range, finds);
}

pub(crate) fn read_parameter(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let start =
        text.get(at..).and_then(|rest| memchr::memchr(b'=', rest)).map_or(at, |equals| at + equals + 1);
    push(text, Cursor::new(text, start).bare(b"\"'`<>,;|&)}]?#"), finds);
}

/// `domain TRUE / TRUE 1735689600 name value`, with tabs between.
pub(crate) fn read_line(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at);
    let mut field = Range::default();
    for place in 0..6 {
        if !(cursor.eat(b"\t") || cursor.eat(br"\t")) {
            return;
        }
        let start = cursor.at;
        cursor.skip(|byte| !byte.is_ascii_whitespace() && byte != b'\\' && byte != b'"', 4096);
        field = start..cursor.at;
        let own = text.get(field.clone()).unwrap_or_default();
        let fits = match place {
            0 | 2 => own == b"TRUE" || own == b"FALSE",
            1 => own.starts_with(b"/"),
            3 => !own.is_empty() && own.iter().all(u8::is_ascii_digit),
            _ => !own.is_empty(),
        };
        if !fits {
            return;
        }
    }
    if field.len() >= 6 {
        finds.push(Find { range: field, kind: "cookie", rank: Rank::Vague });
    }
}

fn push(text: &[u8], range: Range<usize>, finds: &mut Vec<Find>) {
    let value = text.get(range.clone()).unwrap_or_default();
    let classes = Classes::of(value);
    let is_mixed = classes.digits > 1 && classes.letters() > 3;
    // `session_01…` and the like are numbers of things.
    let is_number = value.iter().position(|byte| *byte == b'_').is_some_and(|at| {
        at > 2
            && value.get(..at).is_some_and(|start| start.iter().all(u8::is_ascii_lowercase))
            && value.get(at + 1..at + 3) == Some(b"01")
    });
    let is_token = value.iter().all(|byte| is_word(*byte) || b"-.%+/=~:".contains(byte));
    if value.len() >= SHORTEST && is_mixed && is_token && !is_uuid(value) && !is_number && is_drawn(value) {
        finds.push(Find { range, kind: "cookie", rank: Rank::Vague });
    }
}
