//! A text the user types or keeps in a file → a passphrase in the one form that both sides know; or one made here.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

use super::lock::random;
use crate::error::{Error, ErrorKind};

/// Shorter ones can be tried out, however slow each attempt is.
pub(super) const LEAST: usize = 12;
/// No letters that are taken for others; their number is a power of two, so that all of them are as likely.
const SIGNS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Five bits each.
const MADE: usize = 20;
/// What people leave around a passphrase without meaning it.
const AROUND: [char; 4] = [' ', '\t', '\r', '\n'];

/// Opens a page that was encrypted with it.
#[derive(Clone)]
pub struct Passphrase {
    text: String,
    is_made: bool,
}

impl Passphrase {
    /// Typed elsewhere, letters may be put together in another way: they are composed here and by the page.
    pub fn new(text: &str) -> Result<Self, Error> {
        let text: String = text.nfc().collect::<String>().trim_matches(AROUND).to_owned();
        if text.is_empty() {
            let error = Error::new(ErrorKind::Invalid, "the passphrase is empty");
            return Err(error.hint("--generate-passphrase makes one"));
        }
        Ok(Self { text, is_made: false })
    }

    /// One of 100 bits that can be read out, such as `k7qf-9mzt-2xhd-v4rp-w8ne`.
    pub fn make() -> Result<Self, Error> {
        let signs = random::<MADE>()?.map(|byte| SIGNS.get(usize::from(byte & 31)).copied().unwrap_or(b'0'));
        let groups: Vec<String> =
            signs.chunks(4).map(|group| group.iter().copied().map(char::from).collect()).collect();
        Ok(Self { text: groups.join("-"), is_made: true })
    }

    /// Whether it has fewer than `LEAST` characters.
    pub fn is_weak(&self) -> bool {
        self.text.chars().count() < LEAST
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Its text, where nobody knows it yet.
    pub(super) fn untold(&self) -> Option<String> {
        self.is_made.then(|| self.text.clone())
    }
}

/// Whatever prints it shows nothing.
impl fmt::Debug for Passphrase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Passphrase")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails should say where")]

    use super::*;

    #[test]
    fn it_is_the_same_however_it_was_typed() {
        let composed = Passphrase::new("blaue Tür um fünf").unwrap();
        let pasted = Passphrase::new("  blaue Tu\u{308}r um fu\u{308}nf\r\n").unwrap();
        assert_eq!(composed.as_bytes(), pasted.as_bytes());
        assert_eq!(composed.untold(), None);
        assert!(Passphrase::new(" \t\n").is_err());
    }

    #[test]
    fn what_is_made_here_is_long_and_never_the_same() {
        let (one, other) = (Passphrase::make().unwrap(), Passphrase::make().unwrap());
        assert_ne!(one.as_bytes(), other.as_bytes());
        let text = one.untold().unwrap();
        assert_eq!(text.split('-').map(str::len).collect::<Vec<_>>(), [4; 5]);
        assert!(text.bytes().all(|sign| sign == b'-' || SIGNS.contains(&sign)), "{text}");
        assert!(!one.is_weak());
    }

    #[test]
    fn a_short_one_is_weak_by_its_characters() {
        assert!(Passphrase::new("ÄÖÜäöüÄÖÜäö").unwrap().is_weak());
        assert!(!Passphrase::new("ÄÖÜäöüÄÖÜäöü").unwrap().is_weak());
    }

    #[test]
    fn it_is_not_printed() {
        let shown = format!("{:?}", Passphrase::new("correct horse").unwrap());
        assert!(!shown.contains("horse"), "{shown}");
    }
}
