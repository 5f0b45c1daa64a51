//! What is found, what is left alone, and that a stream in pieces is the same as a whole.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod escapes;
mod kinds;
mod pieces;
mod refusals;
mod samples;
mod silence;
