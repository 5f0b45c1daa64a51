//! Base64, and letters as hexadecimal digits → whether there is a secret in it: keys, files of settings, logins.
//!
//! Nothing around such a block says so. Each is looked at once, from its beginning, and left at once where it decodes to
//! no text.

use std::ops::Range;

use crate::find::{Find, Rank};
use crate::pattern::Pattern;
use crate::random;
use crate::scanner::SCANNER;
use crate::text::{decoded, long_runs};

/// Shorter ones hold too little to be sure.
const SHORTEST: usize = 26;
/// So much of a block is looked through.
const LONGEST: usize = 24 * 1024;
/// These letters are decoded first, to see whether it is text.
const FIRST: usize = 32;

pub(crate) fn read(text: &[u8], finds: &mut Vec<Find>) {
    let mut end = 0;
    for run in long_runs(text, SHORTEST, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')) {
        if run.start < end {
            continue;
        }
        let Some((range, said)) = block(text, run) else { continue };
        end = range.end;
        let mut inside = Vec::new();
        SCANNER.read(said.as_bytes(), &mut inside);
        random::read(said.as_bytes(), &mut inside);
        // A login as a registry hands it out has no other sign.
        let is_login = said.starts_with("{\"payload\":\"") || said.starts_with("{\"datakey\":\"");
        if is_login || inside.iter().any(|find| find.rank <= Rank::Random) {
            finds.push(Find { range, kind: "encoded-secret", rank: Rank::Form });
        }
    }
}

/// The whole block that begins with this run, and what it says.
fn block(text: &[u8], first: Range<usize>) -> Option<(Range<usize>, String)> {
    // Base64 that goes on in the next line, whose newline may be escaped.
    static NEXT: Pattern = Pattern::new(
        r#"\A(?:\r?\n|\\{1,4}n)[ \t]{0,12}((?:[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]{2}){1,64})(?:[\s\\"']|$)"#,
    );
    if let Some(said) = text.get(first.clone()).and_then(in_hexadecimal) {
        return Some((first, said));
    }
    let start = said(text.get(first.start..first.start + FIRST.min(first.len()) / 4 * 4)?)?;
    let is_text = start.chars().filter(char::is_ascii).count() * 10 >= start.chars().count() * 9;
    if !is_text {
        return None;
    }
    let padding = text.get(first.end..)?.iter().take(2).take_while(|byte| **byte == b'=').count();
    let mut range = first.start..first.end + padding;
    let mut letters = text.get(range.clone())?.to_vec();
    while letters.len() < LONGEST
        && !letters.ends_with(b"=")
        && let Some(next) = NEXT.value(text, range.end..range.end + 400)
    {
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
    use super::{block, long_runs};

    #[test]
    fn blocks_are_read_across_lines() {
        let text = b"see\nREJfUEFTU1dPUkQ9S3g5M2tkUXAy\nbVoK\nand aGVsbG8gd29ybGQ= and /usr/share/doc/packages/of/it";
        let runs = long_runs(text, 28, |byte| byte.is_ascii_alphanumeric() || byte == b'/');
        let all: Vec<_> = runs.filter_map(|run| block(text, run)).collect();
        assert_eq!(all, [(4..37, "DB_PASSWORD=Kx93kdQp2mZ\n".to_owned())]);
    }
}
