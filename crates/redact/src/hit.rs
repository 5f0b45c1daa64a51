//! A match of a pattern with what stands around it → whether it begins and ends like a word of its own.
//!
//! Apart from the rules because of JSON: in `\nghp_…` the letter before the token belongs to the escape.

/// How many bytes before a match may speak about it.
pub(crate) const BEFORE: usize = 64;

/// What a rule is asked to accept or to refuse.
#[derive(Clone, Copy)]
pub(crate) struct Hit<'a> {
    /// At most [`BEFORE`] bytes.
    pub(crate) before: &'a [u8],
    /// All that the pattern matched.
    pub(crate) text: &'a [u8],
    /// The part of it that must not be seen.
    pub(crate) secret: &'a [u8],
    pub(crate) after: Option<u8>,
}

impl Hit<'_> {
    pub(crate) fn is_a_word(&self) -> bool {
        starts_word(self.before) && !self.after.is_some_and(is_word)
    }
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a word can begin after these bytes.
pub(crate) fn starts_word(before: &[u8]) -> bool {
    !before.last().is_some_and(|&byte| is_word(byte)) || ends_in_escape(before)
}

fn ends_in_escape(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'0'] => true,
        [.., b'%', high, low] => are_hex(&[*high, *low]),
        [.., b'\\', b'x', high, low] => are_hex(&[*high, *low]),
        [.., b'\\', b'u', a, b, c, d] => are_hex(&[*a, *b, *c, *d]),
        _ => ends_in_colour(before),
    }
}

/// A terminal's colour code ends in a letter: `ESC [ 0 1 ; 3 1 m`.
fn ends_in_colour(before: &[u8]) -> bool {
    let Some(rest) = before.strip_suffix(b"m").or_else(|| before.strip_suffix(b"K")) else {
        return false;
    };
    let code = rest.iter().rev().find(|byte| !byte.is_ascii_digit() && **byte != b';');
    code == Some(&b'[')
}

fn are_hex(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::starts_word;

    #[test]
    fn a_word_begins_after_an_escape_but_not_inside_another_word() {
        let yes: [&[u8]; 9] =
            [b"", b" ", b"\"", br"\n", br"\\n", br"x\u003d", b"key%3D", b"\x1b[01;31m", br"\u001b[K"];
        for before in yes {
            assert!(starts_word(before), "{}", before.escape_ascii());
        }
        let no: [&[u8]; 5] = [b"n", b"a_", b"ta", b"u003d", b"31m"];
        for before in no {
            assert!(!starts_word(before), "{}", before.escape_ascii());
        }
    }
}
