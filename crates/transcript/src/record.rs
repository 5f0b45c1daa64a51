//! One record: its bytes, where they stand, and what they mean when asked.

use std::borrow::Cow;

use crate::content::{self, Block};
use crate::kind::Kind;
use crate::trouble::Troubles;
use crate::wire::{self, Body, Envelope, Message};

/// Where a record stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Counted from 1; objects glued to one line share it.
    pub line: u64,
    /// The first byte of the piece.
    pub offset: u64,
}

/// One JSON object of a transcript. Its envelope and blocks are read with it, in one go; texts and everything else
/// nested when they are asked for.
#[derive(Debug)]
pub struct Record<'a> {
    pub place: Place,
    /// As they stand in the file, with whatever surrounds the object on its line.
    pub bytes: &'a [u8],
    pub envelope: Envelope<'a>,
    /// The object alone.
    pub json: &'a str,
}

impl<'a> Record<'a> {
    pub fn kind(&self) -> Kind {
        self.envelope.kind.as_deref().map_or(Kind::Missing, Kind::from_name)
    }

    pub fn message(&self) -> Option<&Message<'a>> {
        match &self.envelope.message {
            Some(Body::Message(message)) => Some(message),
            _ => None,
        }
    }

    /// What a user or assistant record says; some writers give the text itself as the message.
    pub fn blocks(&self, troubles: &mut Troubles) -> Cow<'_, [Block<'a>]> {
        match &self.envelope.message {
            Some(Body::Message(message)) => Cow::Borrowed(&message.content.0),
            Some(Body::Other(raw)) => Cow::Owned(content::blocks(Some(raw), troubles)),
            None => Cow::Owned(Vec::new()),
        }
    }

    /// The fields of the object by name, as they stand.
    pub fn fields(&self) -> Option<wire::Fields<'a>> {
        serde_json::from_str(self.json).ok()
    }
}
