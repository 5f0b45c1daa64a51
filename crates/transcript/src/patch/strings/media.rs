//! A text that is said to be encoded media → whether it is.
//!
//! Apart from the strings because what says so is the transcript, which may say it of a password, too.

/// Longer than keys and tokens are.
const SHORTEST: usize = 256;

/// What images begin with, which may be as small as they like: PNG, GIF, JPEG, WebP.
const IMAGES: [&str; 4] = ["iVBORw0KGgo", "R0lGOD", "/9j/", "UklGR"];

pub(super) fn is_media(text: &str) -> bool {
    let is_any = text.len() >= SHORTEST || IMAGES.iter().any(|beginning| text.starts_with(beginning));
    is_any && is_base64(text)
}

/// Whether there is nothing else in it, not even a line break.
fn is_base64(text: &str) -> bool {
    let one = text.strip_suffix('=').unwrap_or(text);
    let digits = one.strip_suffix('=').unwrap_or(one).as_bytes();
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    // By the chunk, for that the compiler makes quick work of.
    let mut chunks = digits.chunks(64);
    text.len().is_multiple_of(4)
        && chunks.all(|chunk| chunk.iter().fold(true, |all, byte| all & is_digit(byte)))
}
