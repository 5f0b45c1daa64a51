//! The tests of `transcript` from outside, in one program, so that they are linked once.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that fails should say where")]

mod corpus;
mod patch;
mod properties;
mod strange_lines;
mod torn;
