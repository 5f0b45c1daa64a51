//! A value → whether it is part of a program, a path or a sentence, and so tells no secret by itself.
//!
//! Apart from the secrets because here the value is judged by its form alone, whatever its name tells.

use crate::random::Classes;

use super::name::{Telling, words};
use super::value::Setting;

/// A path, an address, a call, a member, prose.
pub(crate) fn is_code(value: &[u8], setting: Setting) -> bool {
    let holds = |part: &str| memchr::memmem::find(value, part.as_bytes()).is_some();
    let is_call = holds("(") && (setting != Setting::Quoted || value.ends_with(b")"));
    let is_indexed = setting != Setting::Quoted && (holds("[") || holds("::") || holds("->"));
    let is_prose = value.iter().any(u8::is_ascii_whitespace);
    let is_sign = value.starts_with(b"\\")
        || matches!(setting, Setting::Code | Setting::Near)
            && matches!(value, [b'!' | b'+' | b'-' | b'?' | b':' | b'=', ..]);
    let is_plain_code = setting == Setting::Code && (is_number(value) || is_constant(value));
    let is_type = is_class(value) || is_integer_type(value);
    is_call
        || is_indexed
        || is_prose
        || is_sign
        || is_plain_code
        || is_type
        || is_address(value)
        || is_member(value)
}

fn is_address(value: &[u8]) -> bool {
    let starts = |start: &str| value.starts_with(start.as_bytes());
    let is_path = [
        "./", "../", "~/", "~\\", "~%", "/home/", "/usr/", "/etc/", "/var/", "/run/", "/tmp/", "/opt/",
        "/Users/",
    ];
    let is_drive = matches!(value, [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    let is_rooted = starts("/") && !is_drawn_base64(value);
    is_path.iter().any(|start| starts(start))
        || is_drive
        || is_rooted
        || memchr::memmem::find(value, b"://").is_some()
}

/// Base64 may begin with a slash, but has capitals and digits all over.
fn is_drawn_base64(value: &[u8]) -> bool {
    let classes = Classes::of(value);
    value.len() >= 20 && classes.upper > 3 && classes.digits > 2 && classes.changes * 10 >= classes.pairs * 3
}

/// `process.env.TOKEN`, `config.token`, `auth.password.label`: names with dots between, none drawn.
fn is_member(value: &[u8]) -> bool {
    let is_name = |part: &[u8]| {
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        part.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'?' | b'!'))
            && digits <= 2
            && part.len() <= 40
    };
    value.contains(&b'.') && value.split(|byte| *byte == b'.').all(is_name)
}

/// `0x80550008_u32`, `134217728`, `2048u32`; longer ones may be keys.
fn is_number(value: &[u8]) -> bool {
    let is_hex = value.starts_with(b"0x");
    let digits = value.strip_prefix(b"0x").unwrap_or(value);
    let is_digit =
        |byte: &&u8| byte.is_ascii_digit() || **byte == b'_' || (is_hex && byte.is_ascii_hexdigit());
    let (number, suffix) =
        digits.split_at_checked(digits.iter().take_while(is_digit).count()).unwrap_or_default();
    let is_suffix =
        suffix.is_empty() || is_integer_type(suffix) || matches!(suffix, b"n" | b"L" | b"UL" | b"ULL");
    !number.is_empty() && number.len() <= 20 && is_suffix
}

/// `u32`, `__u32`, `f64`
fn is_integer_type(value: &[u8]) -> bool {
    let mut value = value;
    while let [b'_', rest @ ..] = value {
        value = rest;
    }
    matches!(value, [b'i' | b'u' | b'f', bits @ ..] if matches!(bits, b"8" | b"16" | b"32" | b"64" | b"128" | b"size"))
}

/// `MAX_TOKEN_2`
fn is_constant(value: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    value.contains(&b'_') && value.iter().all(is_letter)
}

/// `Ed25519PrivateKey`, `_RSAPrivateKey`: the type of a secret.
fn is_class(value: &[u8]) -> bool {
    let last = value.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_name = last.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let begins = last.first().is_some_and(|first| first.is_ascii_uppercase() || *first == b'_');
    let has_small = last.iter().any(u8::is_ascii_lowercase);
    let parts = words(last);
    let tells = Telling::of(last).is_some_and(|telling| telling != Telling::Password)
        || parts.last().is_some_and(|word| word == "key");
    is_name && begins && has_small && parts.len() > 1 && tells
}
