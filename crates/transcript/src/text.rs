//! JSON strings that borrow from their line and are unescaped only when they are read.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use memchr::memchr;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};
use serde_json::value::RawValue;

/// serde copies a `Cow` inside an `Option`; this type does not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

/// A text that may hold half a surrogate pair. The client writes one, escaped, where it cuts a text in the middle of a
/// character. serde_json refuses it in a string, but not when it is asked for bytes.
pub(crate) struct Lossy<'a>(pub(crate) Text<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for Lossy<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TextVisitor).map(Self)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Text(text_of(bytes)))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text_of(bytes).into_owned())))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

/// The text of a JSON string, with a replacement character for half a surrogate pair.
pub(crate) fn lossy(json: &str) -> Option<Text<'_>> {
    serde_json::from_str::<Lossy>(json).ok().map(|text| text.0)
}

/// Nearly all texts are valid UTF-8, and checking that first is several times faster than repairing.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // Half a surrogate pair is three bytes that are not UTF-8, and should become one character.
        Err(_) => Cow::Owned(String::from_utf8_lossy(bytes).replace("\u{fffd}\u{fffd}\u{fffd}", "\u{fffd}")),
    }
}

/// The text of a block, unescaped only when it is read: undoing the escapes of a long text costs more than the rest of
/// its record.
#[derive(Debug, Clone)]
pub enum Words<'a> {
    Plain(Cow<'a, str>),
    /// A JSON string.
    Escaped(&'a RawValue),
}

impl<'a> Words<'a> {
    /// The words of a JSON string. A number is taken as its digits; other values have none.
    pub(crate) fn of(raw: &'a RawValue) -> Option<Self> {
        match raw.get().as_bytes().first()? {
            b'"' => Some(Self::Escaped(raw)),
            b'0'..=b'9' | b'-' => Some(Self::Plain(Cow::Borrowed(raw.get()))),
            _ => None,
        }
    }

    pub fn get(&self) -> Cow<'_, str> {
        match self {
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Escaped(raw) => lossy(raw.get()).unwrap_or_default().0,
        }
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Plain(text) => text.trim().is_empty(),
            // A longer text is not only white space.
            Self::Escaped(raw) => raw.get().len() < 64 && self.get().trim().is_empty(),
        }
    }
}

/// Parses a nested value as a type of the caller's. Half a surrogate pair becomes a replacement character instead of
/// failing the whole value.
pub fn understood<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    let json = raw.get();
    match serde_json::from_str(json) {
        Ok(value) => Some(value),
        Err(_) => mended(json).and_then(|json| serde_json::from_str(&json).ok()),
    }
}

/// The same JSON with every half of a surrogate pair replaced; none if it has no such half.
fn mended(json: &str) -> Option<String> {
    let mut mended = json.as_bytes().to_vec();
    let mut at = 0;
    while let Some(found) = memchr(b'\\', mended.get(at..)?) {
        let escape = at + found;
        at = escape + 2;
        match surrogate(&mended, escape) {
            Some(0xd800..=0xdbff) if matches!(surrogate(&mended, escape + 6), Some(0xdc00..=0xdfff)) => {
                at = escape + 12
            }
            Some(_) => mended.get_mut(escape + 2..escape + 6)?.copy_from_slice(b"fffd"),
            None => {}
        }
    }
    (mended != json.as_bytes()).then(|| String::from_utf8(mended).ok())?
}

/// The surrogate that the escape at `at` means.
fn surrogate(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let code = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    matches!(code, 0xd800..=0xdfff).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_string_is_borrowed_and_an_escaped_one_copied() {
        let plain: Text = serde_json::from_str(r#""plain""#).unwrap();
        assert!(matches!(plain.0, Cow::Borrowed("plain")));
        let escaped: Text = serde_json::from_str(r#""a\nb""#).unwrap();
        assert_eq!(&*escaped, "a\nb");
    }

    #[test]
    fn half_a_surrogate_pair_becomes_a_replacement_character() {
        let cut = lossy(r#""cut \ud83d off""#).unwrap();
        assert_eq!(&*cut, "cut \u{fffd} off");
    }

    #[test]
    fn a_value_with_half_a_surrogate_pair_is_understood() {
        let raw =
            RawValue::from_string(r#"{"a":"\ud83d\ude00 \\ud83d \ude00 \ud83d","agentId":"a1"}"#.into())
                .unwrap();
        let value: serde_json::Value = understood(&raw).unwrap();
        assert_eq!(value["a"], "\u{1f600} \\ud83d \u{fffd} \u{fffd}");
        assert_eq!(value["agentId"], "a1");
    }
}
