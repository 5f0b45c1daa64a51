//! `echo X | program`, `program <<< X`, where the program reads a secret from there → X.
//!
//! Apart from the flags because the secret stands before the program that gives it away, or behind all its arguments.

use std::ops::Range;

use super::command::{is_other, unquoted};
use super::cursor::Cursor;
use super::find::{Find, Rank};
use super::mark::is_marked;

/// Programs, and flags of programs, that read a secret.
pub(crate) const LITERALS: &[&str] = &[
    "sudo -",
    "--password-stdin",
    "--with-token",
    "--passphrase-fd",
    "gh secret set",
    "vercel env add",
    "secret put",
    "secret create",
    "gcloud secrets",
    "chpasswd",
    "smbpasswd",
    "| passwd",
    "|passwd",
    "cryptsetup",
    "-passin stdin",
    "-pass stdin",
    "wrangler secret",
    "htpasswd -i",
    "su -c",
];

const LONGEST: usize = 240;
/// A password and the same again.
const MOST: usize = 3;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let is_sudo = Cursor::new(text, at).eat(b"sudo -");
    let flags = text.get(at + 6..text.len().min(at + 24)).unwrap_or_default();
    let reads = flags.split(|byte| *byte == b' ').next().is_some_and(|flags| flags.contains(&b'S'))
        || memchr::memmem::find(flags, b"-S").is_some();
    if is_sudo && !reads {
        return;
    }
    let said = before(text, at).or_else(|| behind(text, at));
    for range in said.into_iter().flatten() {
        let range = without_name(text, range);
        let value = text.get(range.clone()).unwrap_or_default();
        if value.len() >= 3 && !is_other(value) && !is_marked(value) {
            finds.push(Find { range, kind: "password", rank: Rank::Vague });
        }
    }
}

/// The words of the `echo` or `printf` whose output goes there.
fn before(text: &[u8], at: usize) -> Option<Vec<Range<usize>>> {
    let from = at.saturating_sub(LONGEST);
    let line = text.get(from..at)?;
    let line_start = memchr::memrchr(b'\n', line).map_or(0, |newline| newline + 1);
    let pipe =
        memchr::memrchr(b'|', text.get(from..text.len().min(at + 1))?).filter(|pipe| *pipe > line_start)?;
    let head = line.get(line_start..pipe)?;
    let programs = [&b"echo "[..], b"printf ", b"print "];
    let start = programs
        .iter()
        .filter_map(|program| memchr::memmem::rfind(head, program).map(|at| at + program.len()))
        .max()?;
    let is_format = |word: &[u8]| word.contains(&b'%') && word.len() < 12;
    let mut words = Vec::new();
    let mut cursor = Cursor::new(text.get(..from + pipe)?, from + line_start + start);
    while let Some(word) = next_word(&mut cursor).filter(|_| words.len() < MOST) {
        let own = text.get(word.clone())?;
        if !own.starts_with(b"-") && !is_format(own) {
            words.push(unquoted(text, word));
        }
    }
    Some(words)
}

fn next_word(cursor: &mut Cursor) -> Option<Range<usize>> {
    cursor.skip_blanks();
    let start = cursor.at;
    if let Some(inner) = cursor.eat_quote().and_then(|quote| cursor.quoted(quote)) {
        cursor.at = inner.end;
        let _closing = cursor.eat_quote();
    }
    let rest = cursor.bare(b"|;&");
    cursor.at = rest.end.max(cursor.at);
    (cursor.at > start).then_some(start..cursor.at)
}

/// Behind `<<<` in the same line.
fn behind(text: &[u8], at: usize) -> Option<Vec<Range<usize>>> {
    let rest = text.get(at..text.len().min(at + LONGEST))?;
    let line = rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))?;
    let start = at + memchr::memmem::find(line, b"<<<")? + 3;
    let word = next_word(&mut Cursor::new(text, start))?;
    Some(vec![unquoted(text, word)])
}

/// `bob:X`, as `chpasswd` wants it.
fn without_name(text: &[u8], range: Range<usize>) -> Range<usize> {
    let value = text.get(range.clone()).unwrap_or_default();
    let is_name =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
    let name = value.iter().take_while(|byte| is_name(byte)).count();
    let is_pair = name > 0 && value.get(name) == Some(&b':');
    if is_pair { range.start + name + 1..range.end } else { range }
}
