//! A manifest of the kind `Secret` → every value below its `data`, whatever the names say.

use std::ops::Range;

use crate::find::{Find, Rank};
use crate::line;
use crate::mark::is_marked;
use crate::name::is_one_of;
use crate::pattern::Pattern;
use crate::value::is_reference;

/// How far the data may be from the kind.
const NEAR: usize = 32 * 1024;
/// Certificates are public.
const PUBLIC: &str = "tls.crt ca.crt";

pub(crate) fn read(text: &[u8], finds: &mut Vec<Find>) {
    static KIND: Pattern = Pattern::new(r#"kind["']?[ \t]*:[ \t]*["']?Secret(?:[^A-Za-z0-9]|$)"#);
    let mut end = 0;
    for at in memchr::memmem::find_iter(text, b"Secret") {
        let near = text.get(at.saturating_sub(16)..text.len().min(at + 8)).unwrap_or_default();
        if at >= end && KIND.is_match(near) {
            let manifest = manifest(text, end, at);
            end = manifest.end.max(at + 1);
            read_manifest(text, manifest, finds);
        }
    }
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
    let next = rest.get(own..).and_then(|rest| memchr::memmem::find(rest, b"apiVersion")).map(|at| at + own);
    let last = [next, memchr::memmem::find(rest, b"\n---")].into_iter().flatten().min().unwrap_or(rest.len());
    from + first.unwrap_or_default()..kind + last
}

fn read_manifest(text: &[u8], manifest: Range<usize>, finds: &mut Vec<Find>) {
    static DATA: Pattern = Pattern::new(r#"(?:^|[^A-Za-z])(?:stringData|data)["']?[ \t]*:[ \t]*"#);
    let own = text.get(..manifest.end).unwrap_or_default();
    let mut at = manifest.start;
    while let Some(found) = own.get(at..).and_then(|rest| DATA.find(rest)) {
        let start = at + found.end();
        at = if own.get(start) == Some(&b'{') {
            read_object(own, start, finds)
        } else {
            read_lines(own, start, finds)
        };
    }
}

/// `{"name":"value", …}` → where it ends.
fn read_object(text: &[u8], start: usize, finds: &mut Vec<Find>) -> usize {
    static PAIR: Pattern = Pattern::new(r#"\A[\s,{]*"([^"\n]+)"\s*:\s*"([^"]*)""#);
    let mut at = start;
    while let Some(groups) = text.get(at..).and_then(|rest| PAIR.captures(rest)) {
        let (Some(whole), Some(name), Some(value)) = (groups.get(0), groups.get(1), groups.get(2)) else {
            break;
        };
        push(text, name.as_bytes(), at + value.start()..at + value.end(), finds);
        at += whole.end();
    }
    at
}

/// The lines below that are further in → where they end.
fn read_lines(text: &[u8], start: usize, finds: &mut Vec<Find>) -> usize {
    // How far in it is, behind the number of the line; a name; the value.
    static LINE: Pattern = Pattern::new(
        r#"\A(?:[ \t]*\d{1,6}(?:\xE2\x86\x92|\t))?([ \t+-]*)(?:["']?([\w.-]+)["']?:(?:[ \t]+|$))?["']?([^"'\r]*)"#,
    );
    let line_at = |at: usize| {
        let (end, next) = line::end_of(text, at);
        let groups = LINE.captures(text.get(at..end)?)?;
        let (indent, value) = (groups.get(1)?.len(), groups.get(3)?);
        let name = groups.get(2).map(|name| name.as_bytes().to_vec());
        Some((indent, name, at + value.start()..at + value.end(), next))
    };
    let Some((depth, _, _, mut at)) = line_at(line::start_of(text, start)) else { return start };
    let mut name = Vec::new();
    while let Some((_, own, value, next)) = line_at(at).filter(|line| line.0 > depth && at < text.len()) {
        name = own.unwrap_or(name);
        push(text, &name, value, finds);
        at = next;
    }
    at.max(start)
}

fn push(text: &[u8], name: &[u8], value: Range<usize>, finds: &mut Vec<Find>) {
    let own = text.get(value.clone()).unwrap_or_default();
    let is_public = is_one_of(&String::from_utf8_lossy(name), PUBLIC);
    let is_block = own.iter().all(|byte| matches!(byte, b'|' | b'>' | b'-' | b'+'));
    if own.len() >= 4 && !is_block && !is_public && !is_reference(own) && !is_marked(own) {
        finds.push(Find { range: value, kind: "secret", rank: Rank::Context });
    }
}
