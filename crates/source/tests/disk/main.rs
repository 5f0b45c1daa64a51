//! Whole directory trees on a real disk → what the crate finds in them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod discover;
mod locate;
mod strange;
mod tree;
