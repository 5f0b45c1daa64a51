//! A token that a terminal broke at its right edge → all of it.
//!
//! Apart from the readers because all of them end where the line does.

use crate::hit::is_word;
use crate::random::Classes;

use super::find::{Find, Rank};
use super::value::is_drawn;

/// Terminals are not narrower, nor is what they break.
const NARROWEST: usize = 20;
const SHORTEST: usize = 8;
const LONGEST: usize = 256;

pub(crate) fn extend(text: &[u8], finds: &mut [Find]) {
    let tokens = finds.iter_mut().filter(|find| find.rank <= Rank::Vague && find.kind != "password");
    for find in tokens {
        if let Some(end) = continued(text, find) {
            find.range.end = end;
        }
    }
}

/// The next line is nothing but letters, digits and capitals, and neither line makes a word.
fn continued(text: &[u8], find: &Find) -> Option<usize> {
    let rest = text.get(find.range.end..)?.strip_prefix(b"\n")?;
    let line = find.range.end.min(LONGEST);
    let before = text.get(find.range.end - line..find.range.end)?;
    let is_wide = memchr::memrchr(b'\n', before).map_or(line, |newline| line - newline - 1) >= NARROWEST;
    let is_token = |byte: &&u8| is_word(**byte) || matches!(byte, b'-' | b'+' | b'/' | b'=' | b'.');
    let length = rest.iter().take(LONGEST).take_while(is_token).count();
    let ends = matches!(rest.get(length), None | Some(b'\n' | b'\r'));
    let value = rest.get(..length)?;
    let classes = Classes::of(value);
    let is_mixed = classes.upper > 1 && classes.lower > 1 && classes.digits > 1;
    let is_part =
        length >= SHORTEST && is_mixed && is_drawn(value) && classes.changes * 10 >= classes.pairs * 3;
    (is_wide && ends && is_part).then_some(find.range.end + 1 + length)
}
