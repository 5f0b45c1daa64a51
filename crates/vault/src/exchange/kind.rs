//! A file's name → whether it is ever written again; its bytes → whether they are whole, and what they are known by.

use crate::encryption;
use crate::name::SegmentName;
use crate::whole::is_whole;

pub(super) const SEALED: &str = ".age";
const DIGITS: usize = 16;
/// Below a machine's directory.
const DOCUMENTS: &str = "documents";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Written once.
    Segment,
    /// Written again when what it tells changes.
    Document,
}

impl Kind {
    /// A sealed one tells by its place: what cannot be opened any more is still what it was.
    pub(super) fn of(name: &str) -> Self {
        let is_document = match name.ends_with(SEALED) {
            true => name.split('/').nth(2) == Some(DOCUMENTS),
            false => SegmentName::parse(name).is_none(),
        };
        if is_document { Self::Document } else { Self::Segment }
    }
}

/// What says nothing of itself is taken as it is.
pub(super) fn is_sound(name: &str, bytes: &[u8]) -> bool {
    if name.ends_with(SEALED) {
        return encryption::is_sound(bytes);
    }
    SegmentName::parse(name).is_none() || is_whole(name, bytes)
}

/// The start of the hash of a file.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    let mut hash = blake3::hash(bytes).to_hex().to_string();
    hash.truncate(DIGITS);
    hash
}
