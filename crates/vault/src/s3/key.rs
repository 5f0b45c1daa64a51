//! A name of the vault ↔ the key of an object.
//!
//! Providers disagree about blanks, control characters and characters outside ASCII, so keys hold none of them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::error::Error;
use crate::name::is_relative;

const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b'-');

/// The key without the prefix of the store.
pub(super) fn of_name(name: &str) -> Result<String, Error> {
    if is_relative(name) { Ok(encode(name)) } else { Err(Error::BadName { name: name.to_owned() }) }
}

/// `None` for a key that no name of a vault has.
pub(super) fn to_name(key: &str) -> Option<String> {
    let name = percent_decode_str(key).decode_utf8().ok()?;
    (is_relative(&name) && encode(&name) == key).then(|| name.into_owned())
}

pub(super) fn encode(name: &str) -> String {
    utf8_percent_encode(name, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back() {
        for name in
            ["a/b.zst", "with space", "100%", "%2e%2e", "ä/日本/🦀", "line\nbreak", "q?*[]\"'\\+&", "~-_."]
        {
            let key = of_name(name).unwrap();
            assert!(key.bytes().all(|byte| byte.is_ascii_graphic()), "{key}");
            assert_eq!(to_name(&key).as_deref(), Some(name));
        }
    }

    #[test]
    fn other_keys_are_nobodys() {
        for key in ["a b", "%2f", "%61", "%FF", "%4", "%", "ä", "a//b", "..", "%2E%2E", ""] {
            assert_eq!(to_name(key), None, "{key}");
        }
    }
}
