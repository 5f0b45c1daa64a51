//! Links of a file → those that a client takes up, from the first to the leaf.

mod gap;
mod newest;
mod older;
mod parallel;
mod preserved;
mod web;

use steno_transcript::{Kind, Record};

use super::link::Link;
pub(super) use newest::newest;
pub(super) use older::older;

/// A record that has a say in what is taken up.
#[derive(Debug)]
pub(super) enum Entry {
    Link(Box<Link>),
    Leaf(Leaf),
}

/// A `last-prompt`: the leaf of the conversation when it was written.
#[derive(Debug)]
pub(super) struct Leaf {
    /// None with nothing said, or with `null` where the user wants nothing of the conversation.
    uuid: Option<Box<str>>,
    is_explicit: bool,
}

impl Entry {
    pub(super) fn read(record: &Record<'_>) -> Option<Self> {
        if record.kind() != Kind::LastPrompt {
            return Link::read(record).map(|link| Self::Link(Box::new(link)));
        }
        let envelope = &record.envelope;
        let uuid = envelope.leaf_uuid.as_deref().filter(|uuid| !uuid.is_empty()).map(Box::from);
        let says_none =
            || record.fields().is_some_and(|fields| fields.iter().any(|(name, _)| name == "leafUuid"));
        (uuid.is_some() || says_none()).then_some(Self::Leaf(Leaf { uuid, is_explicit: envelope.explicit.0 }))
    }
}
