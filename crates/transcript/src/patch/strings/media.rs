//! A text that a record calls encoded media → whether it is.
//!
//! A transcript is not to be believed: it may call a password media, which would then not be searched for secrets.

/// Keys and tokens are shorter.
const SHORTEST: usize = 256;

/// The first bytes of images, which may be shorter than that: PNG, GIF, JPEG, WebP.
const IMAGES: [&str; 4] = ["iVBORw0KGgo", "R0lGOD", "/9j/", "UklGR"];

pub(super) fn is_media(text: &str) -> bool {
    let is_any = text.len() >= SHORTEST || IMAGES.iter().any(|beginning| text.starts_with(beginning));
    is_any && is_base64(text)
}

/// Whether all of it is base64, without line breaks.
fn is_base64(text: &str) -> bool {
    let one = text.strip_suffix('=').unwrap_or(text);
    let digits = one.strip_suffix('=').unwrap_or(one).as_bytes();
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    // The compiler vectorises a loop over a chunk.
    let mut chunks = digits.chunks(64);
    text.len().is_multiple_of(4)
        && chunks.all(|chunk| chunk.iter().fold(true, |all, byte| all & is_digit(byte)))
}
