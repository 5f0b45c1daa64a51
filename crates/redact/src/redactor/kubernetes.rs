//! A manifest of the kind `Secret` → every value below its `data`, whatever the names say.
//!
//! Apart from the assignments because one word far above or below makes secrets of them all. Every manifest is looked
//! at once.

use std::ops::Range;

use super::command::is_other;
use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::mark::is_marked;

/// How far the data may be from the kind.
const NEAR: usize = 32 * 1024;
/// Certificates are public.
const PUBLIC: &[&[u8]] = &[b"tls.crt", b"ca.crt"];

pub(crate) fn read(text: &[u8], finds: &mut Vec<Find>) {
    let mut end = 0;
    for at in memchr::memmem::find_iter(text, b"Secret") {
        if at >= end && is_kind(text, at) {
            let manifest = manifest(text, end, at);
            end = manifest.end.max(at + 1);
            read_manifest(text, manifest, finds);
        }
    }
}

/// `kind: Secret`, `"kind": "Secret"`, also escaped.
fn is_kind(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(16)..at).unwrap_or_default();
    let is_sign = |byte: &u8| matches!(byte, b' ' | b':' | b'"' | b'\\');
    let length = before.iter().rposition(|byte| !is_sign(byte)).map_or(0, |last| last + 1);
    let signs = before.get(length..).unwrap_or_default();
    let goes_on = text.get(at + 6).is_some_and(|byte| byte.is_ascii_alphanumeric());
    before.get(..length).is_some_and(|name| name.ends_with(b"kind")) && signs.contains(&b':') && !goes_on
}

/// From the line that begins it to that of the next one.
fn manifest(text: &[u8], from: usize, kind: usize) -> Range<usize> {
    let from = from.max(kind.saturating_sub(NEAR));
    let before = text.get(from..kind).unwrap_or_default();
    let begins = [memchr::memmem::rfind(before, b"apiVersion"), memchr::memmem::rfind(before, b"\n---")];
    let first = begins.into_iter().flatten().max();
    let rest = text.get(kind..text.len().min(kind + NEAR)).unwrap_or_default();
    // The version may stand below the kind.
    let own = memchr::memmem::find(rest, b"apiVersion").filter(|_| first.is_none()).map_or(0, |at| at + 1);
    let ends = [
        rest.get(own..).and_then(|rest| memchr::memmem::find(rest, b"apiVersion")).map(|at| at + own),
        memchr::memmem::find(rest, b"\n---"),
    ];
    let last = ends.into_iter().flatten().min().unwrap_or(rest.len());
    from + first.unwrap_or_default()..kind + last
}

fn read_manifest(text: &[u8], manifest: Range<usize>, finds: &mut Vec<Find>) {
    let own = text.get(..manifest.end).unwrap_or_default();
    let mut at = manifest.start;
    while let Some(found) = own.get(at..).and_then(|rest| memchr::memmem::find(rest, b"ata")) {
        let end = at + found + 3;
        at = end;
        let name = own.get(..end).unwrap_or_default();
        let is_data =
            name.ends_with(b"stringData") || name.ends_with(b"data") && !name.ends_with(b"metadata");
        if !is_data {
            continue;
        }
        let mut cursor = Cursor::new(own, end);
        let _quote = cursor.eat_quote();
        if cursor.eat(b":") {
            at = if cursor.skip_gap() > 0 && cursor.peek() != Some(b'{') || cursor.peek() != Some(b'{') {
                read_lines(own, end, finds)
            } else {
                read_object(cursor, finds)
            };
        }
    }
}

/// `{"name":"value", …}` → where it ends.
fn read_object(mut cursor: Cursor, finds: &mut Vec<Find>) -> usize {
    cursor.eat(b"{");
    loop {
        cursor.skip_gap();
        let name = cursor.eat_quote().and_then(|quote| cursor.quoted(quote));
        let Some(name) = name else { return cursor.at };
        cursor.at = name.end;
        let _closing = cursor.eat_quote();
        cursor.skip_gap();
        let _colon = cursor.eat(b":");
        cursor.skip_gap();
        let Some(value) = cursor.eat_quote().and_then(|quote| cursor.long_quoted(quote)) else {
            return cursor.at;
        };
        push(cursor.text, name, value.clone(), finds);
        cursor.at = value.end;
        let _closing = cursor.eat_quote();
        cursor.skip_gap();
        if !cursor.eat(b",") {
            return cursor.at;
        }
    }
}

/// The lines below that are further in → where they end.
fn read_lines(text: &[u8], data: usize, finds: &mut Vec<Find>) -> usize {
    let mut at = line_end(text, data);
    let mut name = Range::default();
    let depth = depth_of(text, data);
    while let Some(start) = after_newline(text, at) {
        let end = line_end(text, start);
        let (inner, own) = indented(text, start..end);
        if own.is_empty() || inner <= depth {
            return at;
        }
        let line = text.get(own.clone()).unwrap_or_default();
        let colon = line
            .iter()
            .position(|byte| *byte == b':')
            .filter(|colon| line.get(colon + 1).is_none_or(|byte| *byte == b' '));
        if let Some(colon) = colon {
            name = own.start..own.start + colon;
            let mut cursor = Cursor::new(text.get(..own.end).unwrap_or_default(), own.start + colon + 1);
            cursor.skip_blanks();
            let value =
                cursor.eat_quote().and_then(|quote| cursor.quoted(quote)).unwrap_or(cursor.at..own.end);
            push(text, name.clone(), value, finds);
        } else {
            push(text, name.clone(), own, finds);
        }
        at = end;
    }
    at
}

fn push(text: &[u8], name: Range<usize>, value: Range<usize>, finds: &mut Vec<Find>) {
    let own = text.get(value.clone()).unwrap_or_default();
    let is_public = text.get(name).is_some_and(|name| PUBLIC.contains(&name));
    let is_block = own.iter().all(|byte| matches!(byte, b'|' | b'>' | b'-' | b'+'));
    if own.len() >= 4 && !is_block && !is_public && !is_other(own) && !is_marked(own) {
        finds.push(Find { range: value, kind: "secret", rank: Rank::Vague });
    }
}

/// Where the line ends that this place is in; a new line may be escaped.
fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let newline = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest.get(..newline).unwrap_or_default();
    let escaped = memchr::memmem::find(line, br"\n");
    let length = escaped.map_or(newline, |escaped| {
        escaped
            - line.get(..escaped).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count()
    });
    let is_return = rest.get(..length).is_some_and(|line| line.ends_with(b"\r"));
    at + length - usize::from(is_return)
}

fn after_newline(text: &[u8], end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
    match rest.get(backslashes..)? {
        [b'n', ..] if backslashes > 0 => Some(end + backslashes + 1),
        [b'\r', b'\n', ..] => Some(end + 2),
        [b'\n', ..] => Some(end + 1),
        _ => None,
    }
}

fn depth_of(text: &[u8], at: usize) -> usize {
    let before = text.get(at.saturating_sub(80)..at).unwrap_or_default();
    let start = [memchr::memrchr(b'\n', before), memchr::memmem::rfind(before, br"\n").map(|at| at + 1)];
    let start = at - before.len() + start.into_iter().flatten().max().map_or(0, |at| at + 1);
    indented(text, start..at).0
}

/// How far in a line begins, and the line itself: without the number before it, and the dash of a list.
fn indented(text: &[u8], line: Range<usize>) -> (usize, Range<usize>) {
    let mut cursor = Cursor::new(text.get(..line.end).unwrap_or_default(), line.start);
    let mark = cursor;
    cursor.skip_blanks();
    let digits = cursor.skip(|byte| byte.is_ascii_digit(), 6);
    let is_numbered = digits > 0 && (cursor.eat("→".as_bytes()) || cursor.eat(b"\t") || cursor.eat(br"\t"));
    if !is_numbered {
        cursor = mark;
    }
    let start = cursor.at;
    cursor.skip(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'+'), 64);
    (cursor.at - start, cursor.at..line.end.max(cursor.at))
}
