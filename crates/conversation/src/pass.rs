//! The passes that turn entries into a conversation, one file each, in the order in which they run.

pub(crate) mod agent;
pub(crate) mod boundary;
pub(crate) mod chunk;
pub(crate) mod merge;
pub(crate) mod pair;
pub(crate) mod placing;
pub(crate) mod plan;
pub(crate) mod thread;
