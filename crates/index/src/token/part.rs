//! A word → its parts, by its capitals: `getUserName`, `HTTPServer`, `base64Decode`.

use super::character::{Kind, kind_at};

/// A part of a word, from where it was looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) end: usize,
    /// No other part of the same word follows.
    pub(super) is_last: bool,
    /// Is indexed as it is, if it is not too long.
    pub(super) is_plain: bool,
    pub(super) is_ascii: bool,
}

/// The part of a word that begins at a byte. Digits belong to the letters before them, and begin nothing.
#[inline]
pub(super) fn part_at(text: &str, from: usize) -> Part {
    let mut part = Part { end: from, is_last: true, is_plain: true, is_ascii: true };
    // A capital behind another one begins a part if a small letter is right behind it.
    let mut capital = None;
    let mut has_capital = false;
    let mut has_small = false;
    while let Some((kind, length)) = kind_at(text, part.end) {
        match (kind, capital) {
            (Kind::Small, Some(end)) if !is_plural(text, part.end) => {
                return Part { end, is_last: false, ..part };
            }
            (Kind::Small, _) => {
                has_small = true;
                capital = None;
                part.end += small_letters(text, part.end + length);
            }
            (Kind::Capital, _) if has_small => return Part { is_last: false, ..part },
            (Kind::Capital, _) => {
                capital = has_capital.then_some(part.end);
                has_capital = true;
                part.is_plain = false;
            }
            (Kind::Digit, _) => capital = None,
            (Kind::Mark, _) => {}
            (Kind::Sign | Kind::Escape | Kind::Dense, _) => break,
        }
        part.is_ascii &= length == 1;
        part.end += length;
    }
    part
}

/// How many plain small letters begin at a byte: a fast path, because most words have nothing else.
#[inline]
fn small_letters(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count()
}

/// The s of `URLs`, after which no small letter follows.
fn is_plural(text: &str, at: usize) -> bool {
    text.as_bytes().get(at) == Some(&b's') && !matches!(kind_at(text, at + 1), Some((Kind::Small, _)))
}

/// Where the word ends that a byte is in.
pub(super) fn word_end(text: &str, from: usize) -> usize {
    let mut end = from;
    while let Some((kind, length)) = kind_at(text, end) {
        if matches!(kind, Kind::Sign | Kind::Escape | Kind::Dense) {
            break;
        }
        end += length;
    }
    end
}
