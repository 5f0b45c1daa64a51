//! A file's name → whether it is ever written again; its bytes → whether they are whole, and what they are known by.

use crate::name::SegmentName;
use crate::seal;
use crate::whole::is_whole;

pub(super) const SEALED: &str = ".age";
const DIGITS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Written once.
    Segment,
    /// Written again when what it tells changes.
    Document,
    /// Sealed, and nobody here knows its plain name.
    Unknown,
}

impl Kind {
    pub(super) fn of(name: &str, plain: &dyn Fn(&str) -> Option<String>) -> Self {
        if !name.ends_with(SEALED) {
            return Self::by_name(name);
        }
        plain(name).map_or(Self::Unknown, |name| Self::by_name(&name))
    }

    fn by_name(name: &str) -> Self {
        if SegmentName::parse(name).is_some() { Self::Segment } else { Self::Document }
    }
}

/// What says nothing of itself is taken as it is.
pub(super) fn is_sound(name: &str, bytes: &[u8]) -> bool {
    if name.ends_with(SEALED) {
        return seal::is_sound(bytes);
    }
    SegmentName::parse(name).is_none() || is_whole(name, bytes)
}

/// The start of the hash of a file.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    let mut hash = blake3::hash(bytes).to_hex().to_string();
    hash.truncate(DIGITS);
    hash
}
