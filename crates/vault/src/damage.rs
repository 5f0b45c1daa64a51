//! Which kept bytes are not what they should be.

use std::fmt::{self, Display, Formatter};

/// A part of a kept file that cannot be read back as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    pub machine: String,
    pub session: Option<String>,
    /// The path in the Claude directory.
    pub path: String,
    pub generation: u32,
    /// The damaged segment's name, below the vault.
    pub segment: String,
    /// Of the bytes that are concerned, where it is known.
    pub offset: Option<u64>,
    pub length: Option<u64>,
    pub reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It does not begin with a whole header.
    Header,
    /// Its bytes do not unpack.
    Unpack,
    /// It unpacks to other bytes.
    Hash,
    /// It does not continue the one before it.
    Chain,
    /// It is missing.
    Gone,
    /// The disk does not give it.
    Unreadable,
    /// A newer version wrote it: that one may say what it is.
    Newer,
    /// It is encrypted, and no key here opens it.
    Locked,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Unpack => "unpack",
            Self::Hash => "hash",
            Self::Chain => "chain",
            Self::Gone => "gone",
            Self::Unreadable => "unreadable",
            Self::Newer => "newer",
            Self::Locked => "locked",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Header => "its header is damaged",
            Self::Unpack => "it does not unpack",
            Self::Hash => "its bytes are not those that were kept",
            Self::Chain => "it does not continue the segment before it",
            Self::Gone => "it is gone",
            Self::Unreadable => "it cannot be read",
            Self::Newer => "a newer version wrote it",
            Self::Locked => "its key is not here",
        }
    }
}

impl Display for Damage {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.segment, self.reason.text())?;
        if let (Some(offset), Some(length)) = (self.offset, self.length) {
            write!(formatter, " (bytes {offset} to {} of {})", offset.saturating_add(length), self.path)?;
        }
        Ok(())
    }
}
