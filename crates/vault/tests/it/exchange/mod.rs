//! Vaults that exchange through a store: whatever fails, whoever comes at once, whatever the store says.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod across;
mod depot;
mod faults;
mod hostile;
mod moved;
mod purge;
mod returned;
mod sealed;
mod together;
mod world;
