//! Whole directory trees on a real disk → what the crate finds in them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod atlas;
mod discover;
mod inventory;
#[cfg(unix)]
mod inventory_links;
mod locate;
mod retention;
mod strange;
mod tree;
