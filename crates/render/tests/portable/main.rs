//! Sessions as each client wrote them → documents that other programs read.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod blocks;
mod lines;
mod properties;
mod reading;
mod records;
mod thinking;
