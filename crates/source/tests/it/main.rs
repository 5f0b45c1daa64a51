//! The tests of `source` from outside, in one program, so that they are linked once.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that fails should say where")]

mod disk;
mod timelines;
