//! Base64, and letters as hexadecimal digits → whether there is a secret in it: keys, files of settings, logins.
//!
//! Apart from the readers because nothing around such a block tells; each block is looked at once, from its beginning,
//! and what decodes to no text is left at once.

use std::ops::Range;

use super::blob::decoded;
use super::drawn;
use super::find::{Find, Rank};
use super::seeker::SEEKER;

/// Shorter ones hold too little to be sure.
const SHORTEST: usize = 28;
/// So much of a block is looked through.
const LONGEST: usize = 24 * 1024;
const FIRST: usize = 32;
/// Between the lines of a block: a new line, escaped or not, and blanks or the number of the line before the next.
const GAP: usize = 16;

pub(crate) fn read(text: &[u8], finds: &mut Vec<Find>) {
    for (range, said) in blocks(text) {
        let mut inside = Vec::new();
        SEEKER.read(said.as_bytes(), &mut inside);
        drawn::read(said.as_bytes(), &mut inside);
        let holds_secret = inside.iter().any(|find| find.rank <= Rank::Drawn);
        if holds_secret || is_registry_login(&said) {
            finds.push(Find { range, kind: "encoded-secret", rank: Rank::Form });
        }
    }
}

/// All blocks, and what they say.
fn blocks(text: &[u8]) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let first = run(text, at)?;
            at = first.end;
            if let Some((range, said)) = block(text, first) {
                at = range.end;
                return Some((range, said));
            }
        }
    })
}

/// Whether a text is a login as a registry hands it out, which has no other sign.
fn is_registry_login(said: &str) -> bool {
    said.starts_with("{\"payload\":\"") || said.starts_with("{\"datakey\":\"")
}

/// The next run that is long enough; looks at every few bytes only, since a run of that length covers one of them.
fn run(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let last = text.get(at + SHORTEST - 1)?;
        if !is_base64(*last) {
            at += SHORTEST;
            continue;
        }
        let before = text.get(at..at + SHORTEST)?;
        let start = before.iter().rposition(|byte| !is_base64(*byte)).map_or(at, |gap| at + gap + 1);
        let length = run_length(text.get(start..)?);
        if length >= SHORTEST {
            return Some(start..start + length);
        }
        at = start + length;
    }
}

fn block(text: &[u8], first: Range<usize>) -> Option<(Range<usize>, String)> {
    if let Some(said) = text.get(first.clone()).and_then(in_hexadecimal) {
        return Some((first, said));
    }
    let start = said(text.get(first.start..first.start + FIRST.min(first.len()) / 4 * 4)?)?;
    let is_text = start.chars().filter(|letter| letter.is_ascii()).count() * 10 >= start.chars().count() * 9;
    if !is_text {
        return None;
    }
    let mut letters = text.get(first.clone())?.to_vec();
    let mut range = first;
    while let Some(next) = line_after(text, range.end).filter(|_| letters.len() < LONGEST) {
        letters.extend_from_slice(text.get(next.clone())?);
        range.end = next.end;
    }
    letters.truncate(LONGEST);
    said(&letters).map(|said| (range, said))
}

/// Two digits for each letter.
fn in_hexadecimal(digits: &[u8]) -> Option<String> {
    if !digits.len().is_multiple_of(2) || digits.len() > LONGEST {
        return None;
    }
    let letter = |pair: &[u8]| -> Option<char> {
        let code = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        (code.is_ascii_graphic() || code.is_ascii_whitespace()).then_some(char::from(code))
    };
    digits.chunks(2).map(letter).collect()
}

/// Base64 that goes on in the next line.
fn line_after(text: &[u8], end: usize) -> Option<Range<usize>> {
    let rest = text.get(end..text.len().min(end + GAP))?;
    let escape = rest.iter().take_while(|byte| **byte == b'\\').count();
    let newline = match rest.get(escape..)? {
        [b'n', ..] if escape > 0 => escape + 1,
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => return None,
    };
    let blanks = rest.get(newline..)?.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = end + newline + blanks;
    let line = text.get(start..)?;
    let length = run_length(line);
    let ends = matches!(line.get(length), None | Some(b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b' '));
    (length >= 4 && length.is_multiple_of(4) && ends).then_some(start..start + length)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// With the signs that fill up the last four.
fn run_length(rest: &[u8]) -> usize {
    let length = rest.iter().position(|byte| !is_base64(*byte)).unwrap_or(rest.len());
    length + rest.iter().skip(length).take(2).take_while(|byte| **byte == b'=').count()
}

/// What the letters say, where that is text.
fn said(letters: &[u8]) -> Option<String> {
    let bytes = decoded(letters)?;
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t');
    if bytes.iter().any(is_control) {
        return None;
    }
    // The end may lie in a letter.
    let text = bytes.utf8_chunks().next()?.valid();
    (text.len() + 3 >= bytes.len()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_are_read_across_lines() {
        let text = b"see\nREJfUEFTU1dPUkQ9S3g5M2tkUXAy\nbVoK\nand aGVsbG8gd29ybGQ= and /usr/share/doc/packages/of/it";
        let all: Vec<_> = blocks(text).collect();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0], (4..37, "DB_PASSWORD=Kx93kdQp2mZ\n".to_owned()));
    }
}
