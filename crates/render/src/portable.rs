//! Records and what is known of them → a conversation that other programs can carry on.
//!
//! Unlike the other formats this one is made from the records themselves, because nothing may be lost on the way:
//! what has no place in a message travels as an extension, raw, and what is left out is counted. Which record belongs
//! where is not decided here; the model says it ([`steno_conversation::model::Placing`]).

mod block;
mod document;
mod extension;
mod field;
mod finish;
mod gather;
mod message;
mod thinking;
mod value;

pub use document::{
    Agent, Block, Conversation, Extensions, Media, Message, MessageExtensions, Object, Role, Source,
};
pub use gather::Gatherer;
