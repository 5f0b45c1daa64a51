//! Records of a session → the messages that a client sends when it resumes the session, before the new prompt.
//!
//! What a client makes of a file was found out by watching it: which records it takes up, what it mends, how it puts
//! them together. The steps are those of the client: its chain of records (`line`), preparation, normalisation.

mod attachment;
mod block;
mod frame;
mod link;
mod message;
mod normalise;
mod pair;
mod prepare;
mod said;

use serde_json::{Value, json};
use steno_transcript::{Piece, Place, Shape, Trouble};

use crate::line::{chain, chain_of_older};
use crate::outline::{NodeId, OutlineBuilder};
use frame::Frames;
use link::RawRecord;
use message::Message;
use said::ChainRecord;

/// What a record takes, whatever it says, from its fields to the message that is made of it. Measured, not counted.
const OF_LINK: u64 = 1400;
/// How often its bytes are held at once: as they are spelled, in the message, and in the answer.
const OF_BYTE: u64 = 4;

/// Clients differ in what they make of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Client {
    /// As 2.0.42.
    V2_0,
    /// As 2.1.56.
    V2_1,
    /// As 2.1.325.
    #[default]
    Newest,
}

/// What a client sends, as far as the file tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prediction {
    /// As `{"role", "content": [blocks]}`; what the client adds for the new turn is not among them.
    pub messages: Vec<Value>,
    /// What the client says in words of its own, which are not known: left out, or without those words.
    pub uncertain: Vec<Uncertain>,
}

/// A record of which we know that it is sent, and not how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncertain {
    pub place: Place,
    /// What it is, such as the type of an attachment.
    pub what: String,
}

/// Gathers what may be sent. Every piece of the file has to pass, in order.
#[derive(Debug, Default)]
pub struct Predictor {
    builder: OutlineBuilder,
    /// By the places of the records in the outline.
    links: Vec<Option<RawRecord>>,
    /// A line that is no JSON as a whole: a client reads nothing of it, not even whole objects.
    skipped: Option<u64>,
    frames: Frames,
    /// Bytes of memory that `links` takes, and the messages that are made of them.
    weight: u64,
}

impl Predictor {
    /// Roughly how much memory the messages are going to take, in bytes, with all that they are made of.
    pub fn weight(&self) -> u64 {
        self.weight + self.frames.bytes + self.builder.weight()
    }

    pub fn observe(&mut self, piece: &Piece<'_>) {
        let Shape::Record(record) = &piece.shape else {
            self.skipped = Some(piece.place.line);
            return;
        };
        let is_whole =
            !piece.troubles.contains(Trouble::GluedObjects) && !piece.troubles.contains(Trouble::NulBytes);
        if is_whole && self.skipped != Some(piece.place.line) {
            self.builder.observe(piece);
            let link = RawRecord::read(record);
            self.weight += link.as_ref().map_or(0, |link| OF_LINK + OF_BYTE * link.bytes());
            self.links.push(link);
        }
        self.frames.observe(record);
    }

    /// The original of a clone tells more of the client's words than the clone may have kept.
    pub fn learn(&mut self, piece: &Piece<'_>) {
        if let Shape::Record(record) = &piece.shape {
            self.frames.observe(record);
        }
    }

    pub fn messages(self, client: Client) -> Prediction {
        let outline = self.builder.finish();
        let chain = match client {
            Client::Newest => chain(&outline),
            Client::V2_1 => chain_of_older(&outline, true),
            Client::V2_0 => chain_of_older(&outline, false),
        };
        let mut uncertain = Vec::new();
        let mut read = |place: NodeId| {
            let link = self.links.get(place.0 as usize)?.as_ref()?;
            Some(ChainRecord::read(outline.node(place)?, link, &mut uncertain))
        };
        let said = chain.into_iter().filter_map(&mut read).collect();
        let said = prepare::prepare(said, client);
        let sent = normalise::normalise(said, client, &self.frames, &mut uncertain);
        Prediction { messages: sent.into_iter().map(written).collect(), uncertain }
    }
}

fn written(message: Message) -> Value {
    json!({ "role": message.role.name(), "content": message.content })
}

#[cfg(test)]
mod tests;
