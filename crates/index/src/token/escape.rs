//! A control sequence of a terminal → its end: its letters belong to no word.

/// How far the title or the address in a sequence may reach.
const LONGEST: usize = 4096;

const ESCAPE: u8 = 0x1b;

/// The end of the sequence that begins at a byte; behind its first byte, if it has no end.
pub(crate) fn escape_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at + 1..).unwrap_or_default();
    let length = match rest.split_first() {
        Some((b'[', rest)) => control(rest),
        Some((b']', rest)) => string(rest),
        Some((b'(' | b')', [b'0'..=b'9' | b'A'..=b'Z', ..])) => Some(1),
        _ => None,
    };
    at + length.map_or(1, |length| length + 2)
}

/// Numbers and signs, then one that ends it. A blank, which some rare ones have, is rather taken for the end of a word.
fn control(rest: &[u8]) -> Option<usize> {
    let length = rest.iter().take(LONGEST).position(|byte| !matches!(byte, 0x21..=0x3f))?;
    matches!(rest.get(length), Some(0x40..=0x7e)).then_some(length + 1)
}

fn string(rest: &[u8]) -> Option<usize> {
    let end = rest.iter().take(LONGEST).position(|byte| matches!(*byte, 0x07 | ESCAPE | b'\n'))?;
    match rest.get(end..)? {
        [0x07, ..] => Some(end + 1),
        [ESCAPE, b'\\', ..] => Some(end + 2),
        _ => None,
    }
}
