//! Sessions as each client wrote them → documents that other programs read.

pub(crate) mod accounting;
mod blocks;
pub(crate) mod carrying;
pub(crate) mod gathering;
mod lines;
mod properties;
mod records;
mod thinking;
mod words;
