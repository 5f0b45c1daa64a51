//! `Cookie: a=x; b=y` → each value, so that the same session has the same mark in every header.
//!
//! Apart from the assignments because one name has many values, and their own names tell nothing.

use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::mark::is_marked;

pub(crate) const LITERALS: &[&str] = &["cookie"];

/// What a server says about its cookie, and a browser about anything.
const ATTRIBUTES: &[&[u8]] =
    &[b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version"];

const SHORTEST: usize = 6;
/// Browsers send no more to a host.
const MOST: usize = 60;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let mut cursor = Cursor::new(text, at + "cookie".len());
    let was_quoted = cursor.eat_quote().is_some();
    cursor.skip_blanks();
    let is_listed = was_quoted && cursor.eat(b",");
    let is_header = is_listed || cursor.eat(b":") || (cursor.eat(b"=") && !cursor.eat(b"="));
    if !is_header {
        return;
    }
    cursor.skip_blanks();
    let _opening = cursor.eat_quote();
    read_pairs(cursor, finds);
}

/// The pairs from here on; the whole text where it stands under such a key.
pub(crate) fn read_pairs(mut cursor: Cursor, finds: &mut Vec<Find>) {
    for _pair in 0..MOST {
        let start = cursor.at;
        cursor.skip(|byte| byte.is_ascii_alphanumeric() || b"_-.!%~$*".contains(&byte), 128);
        let name = start..cursor.at;
        if name.is_empty() || !cursor.eat(b"=") {
            return;
        }
        let value = cursor.bare(b"\"'`;,<>");
        cursor.at = value.end;
        let own = cursor.text.get(name).unwrap_or_default();
        let is_attribute = ATTRIBUTES.iter().any(|attribute| own.eq_ignore_ascii_case(attribute));
        let secret = cursor.text.get(value.clone()).unwrap_or_default();
        if !is_attribute && is_value(secret) {
            finds.push(Find { range: value, kind: "cookie", rank: Rank::Vague });
        }
        if !cursor.eat(b";") {
            return;
        }
        cursor.skip_blanks();
    }
}

fn is_value(value: &[u8]) -> bool {
    let is_code =
        value.contains(&b'(') || value.contains(&b'{') || value.starts_with(b"$") || value.starts_with(b"[");
    let is_masked = value.iter().all(|byte| matches!(byte, b'*' | b'x' | b'.'));
    value.len() >= SHORTEST && !is_code && !is_masked && !is_marked(value)
}
