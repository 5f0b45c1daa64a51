//! A PEM block → whether there is a key in it, or only the lines around one.
//!
//! Apart from the rules because such a block is long, and cut into lines by newlines, escapes and line numbers.

use crate::hit::Hit;
use crate::random::entropy;

const SHORTEST_LINE: usize = 40;

pub(crate) fn holds_key(hit: &Hit) -> bool {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut lines = hit.text.split(|byte| !is_base64(byte));
    hit.before.ends_with(b"-----") && lines.any(is_key_line)
}

fn is_key_line(line: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| line.iter().any(class);
    line.len() >= SHORTEST_LINE
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && entropy(line) > 3.2
}
