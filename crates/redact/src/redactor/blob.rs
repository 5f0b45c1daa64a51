//! Bytes before a match → whether it lies in the middle of something long in base64: a picture, a digest, a key.
//!
//! Apart from the words because there `/` and `+` are letters like all the others.

/// As many of them in a row are no path.
const LONG: usize = 60;

pub(crate) fn is_inside_blob(before: &[u8]) -> bool {
    let run = before.iter().rev().take_while(|byte| is_base64(**byte)).count();
    run >= LONG && before.iter().any(u8::is_ascii_digit) && before.iter().any(u8::is_ascii_uppercase)
}

/// A whole text that is nothing but base64, too long for a token.
pub(crate) fn is_blob(text: &str) -> bool {
    text.len() > 512 && text.bytes().all(is_base64)
}

pub(crate) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Whether these bytes are base64 of `name:password`, as headers and registries carry it.
pub(crate) fn holds_login(value: &[u8]) -> bool {
    let decoded = decoded(value);
    let is_text = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    decoded.is_some_and(|bytes| bytes.len() >= 4 && bytes.contains(&b':') && bytes.iter().all(is_text))
}

pub(crate) fn decoded(value: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(value.len());
    let (mut bits, mut count) = (0_u32, 0_u32);
    for &letter in value.iter().filter(|letter| **letter != b'=') {
        bits = (bits << 6 | worth(letter)?) & 0xFFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

fn worth(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::holds_login;

    #[test]
    fn a_name_and_a_password_are_seen_through_base64() {
        assert!(holds_login(b"YWxpY2U6aHVudGVyMg=="));
        assert!(holds_login(b"dXNlcjpwYXNz"));
        assert!(!holds_login(b"aGVsbG8gd29ybGQ="));
        assert!(!holds_login(b"not base64: at all"));
    }
}
