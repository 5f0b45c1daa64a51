//! Whole directory trees on a real disk → what the crate finds in them.

mod discover;
mod inventory;
#[cfg(unix)]
mod inventory_links;
mod locate;
mod retention;
mod strange;
mod tree;
