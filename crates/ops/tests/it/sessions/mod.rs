//! Homes on a real disk → what the operations answer.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod agreement;
mod growth;
mod holdings;
mod library;
mod list;
mod name;
mod show;
