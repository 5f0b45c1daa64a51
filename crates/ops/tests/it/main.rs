//! The tests of `ops` from outside, in one program, so that they are linked once.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that fails should say where")]

mod config;
mod relocate;
mod schedule;
mod search;
mod sessions;
