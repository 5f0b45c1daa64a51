//! Sessions as each client wrote them → documents that other programs read.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod accounting;
mod blocks;
mod carrying;
mod gathering;
mod lines;
mod properties;
mod records;
mod thinking;
mod words;
