//! A file of the vault, and a remote's file of that name → whether the remote's may replace it.
//!
//! Anyone with write access to a remote can put anything there. A whole file gives way only to one that opens under its
//! name, and a whole segment only to the same content. No passphrase is asked for.

use crate::encryption::{self, Encryption};
use crate::error::Error;
use crate::name::SegmentName;
use crate::segment::is_whole;

/// The ending of encrypted files.
pub(crate) const ENCRYPTED: &str = ".age";
/// The directory of a machine that encrypted documents are in.
const DOCUMENTS: &str = "documents";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Written once.
    Segment,
    /// Written again when what it says changes.
    Document,
}

impl FileKind {
    /// By the name of a file. An encrypted one tells by its directory, so that damage does not change its kind.
    pub(crate) fn of(file: &str) -> Self {
        let is_document = match file.ends_with(ENCRYPTED) {
            true => file.split('/').nth(2) == Some(DOCUMENTS),
            false => SegmentName::parse(file).is_none(),
        };
        if is_document { Self::Document } else { Self::Segment }
    }
}

/// How a file is opened: only under the name key of now, or also under a former one.
type Open = fn(&Encryption, &str, Vec<u8>) -> Result<(String, Vec<u8>), Error>;

/// The result of opening a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// The hash of the plain bytes.
    Whole(blake3::Hash),
    /// A whole file of the original tool, which that writes anew when a transcript has grown.
    Original,
    Damaged,
    /// No key here opens it.
    Locked,
}

impl Content {
    pub(crate) fn of(encryption: Option<&Encryption>, file: &str, bytes: Vec<u8>) -> Self {
        Self::opened_by(Encryption::opened, encryption, file, bytes)
    }

    /// Also of a file that was named by a former key.
    fn of_standing(encryption: Option<&Encryption>, file: &str, bytes: Vec<u8>) -> Self {
        Self::opened_by(Encryption::opened_ever, encryption, file, bytes)
    }

    fn opened_by(open: Open, encryption: Option<&Encryption>, file: &str, bytes: Vec<u8>) -> Self {
        let opened = match encryption {
            _ if !file.ends_with(ENCRYPTED) => Ok((file.to_owned(), bytes)),
            Some(encryption) if encryption.is_open() => open(encryption, file, bytes),
            _ => return Self::Locked,
        };
        match opened {
            Ok((name, plain)) if !is_whole(&name, &plain) => Self::Damaged,
            Ok((name, _)) if name.ends_with(".gz") => Self::Original,
            Ok((_, plain)) => Self::Whole(blake3::hash(&plain)),
            Err(Error::Locked { .. }) => Self::Locked,
            Err(_) => Self::Damaged,
        }
    }

    fn is_whole(self) -> bool {
        matches!(self, Self::Whole(_) | Self::Original)
    }
}

/// Whether bytes look whole without a key.
pub(crate) fn is_sound(file: &str, bytes: &[u8]) -> bool {
    if file.ends_with(ENCRYPTED) {
        return encryption::is_sound(bytes);
    }
    SegmentName::parse(file).is_none() || is_whole(file, bytes)
}

pub(crate) fn may_replace(
    encryption: Option<&Encryption>,
    file: &str,
    standing: &[u8],
    incoming: &[u8],
) -> bool {
    if !is_sound(file, incoming) {
        return !is_sound(file, standing);
    }
    let new = Content::of(encryption, file, incoming.to_vec());
    let old = || Content::of_standing(encryption, file, standing.to_vec());
    match FileKind::of(file) {
        FileKind::Document => new != Content::Damaged || !old().is_whole(),
        FileKind::Segment if !is_sound(file, standing) => new != Content::Damaged,
        FileKind::Segment => {
            let old = old();
            new.is_whole() && (old == new || !old.is_whole())
        }
    }
}
