//! What every reader asks of the bytes around a place: where words begin, and what is base64.

use data_encoding::{BASE64, Encoding, Specification};
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a word can begin after these bytes: in `\nghp_…` the `n` belongs to the escape.
pub(crate) fn starts_word(before: &[u8]) -> bool {
    let is_escape = matches!(before, [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'0']);
    is_escape || !before.last().is_some_and(|&byte| is_word(byte))
}

pub(crate) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// As many letters of base64 in a row are no path.
const LONGEST_PATH: usize = 60;
/// A text of base64 that is longer is no token.
const LONGEST_TOKEN: usize = 512;

/// Whether these bytes end in the midst of a picture, a digest or a key.
pub(crate) fn is_inside_base64(before: &[u8]) -> bool {
    let run = before.iter().rev().take_while(|byte| is_base64(**byte)).count();
    run >= LONGEST_PATH && before.iter().any(u8::is_ascii_digit) && before.iter().any(u8::is_ascii_uppercase)
}

/// A whole text that is nothing but base64, too long for a token.
pub(crate) fn is_blob(text: &str) -> bool {
    text.len() > LONGEST_TOKEN && text.bytes().all(is_base64)
}

/// Whether these bytes are base64 of `name:password`, as headers and registries carry it.
pub(crate) fn holds_login(value: &[u8]) -> bool {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    decoded(value).is_some_and(|bytes| bytes.len() >= 4 && bytes.contains(&b':') && bytes.iter().all(is_text))
}

/// Base64 with or without its padding; what is left of a last group that was cut off does not count.
pub(crate) fn decoded(letters: &[u8]) -> Option<Vec<u8>> {
    static LENIENT: LazyLock<Option<Encoding>> = LazyLock::new(|| {
        let mut base64: Specification = BASE64.specification();
        base64.padding = None;
        base64.check_trailing_bits = false;
        base64.encoding().ok()
    });
    let length = letters.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let whole = if length % 4 == 1 { length - 1 } else { length };
    LENIENT.as_ref()?.decode(letters.get(..whole)?).ok()
}

/// Runs of at least so many bytes. Looks at every so many bytes only, since a run of that length covers one of them.
pub(crate) fn long_runs(
    text: &[u8],
    least: usize,
    is_part: fn(u8) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            if !is_part(*text.get(at + least - 1)?) {
                at += least;
                continue;
            }
            let before = text.get(at..at + least)?;
            let start = before.iter().rposition(|byte| !is_part(*byte)).map_or(at, |gap| at + gap + 1);
            let rest = text.get(start..)?;
            let length = rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len());
            at = start + length;
            if length >= least {
                return Some(start..at);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{holds_login, starts_word};

    #[test]
    fn a_word_begins_after_an_escape_but_not_inside_another_word() {
        let yes: [&[u8]; 5] = [b"", b" ", b"\"", br"\n", br"\\n"];
        let no: [&[u8]; 4] = [b"n", b"a_", b"ta", b"31m"];
        assert!(yes.iter().all(|before| starts_word(before)));
        assert!(!no.iter().any(|before| starts_word(before)));
    }

    #[test]
    fn a_name_and_a_password_are_seen_through_base64() {
        assert!(holds_login(b"YWxpY2U6aHVudGVyMg=="));
        assert!(holds_login(b"dXNlcjpwYXNz"));
        assert!(!holds_login(b"aGVsbG8gd29ybGQ="));
        assert!(!holds_login(b"not base64: at all"));
    }
}
