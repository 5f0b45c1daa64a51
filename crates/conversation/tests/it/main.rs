//! The tests of `conversation` from outside, in one program, so that they are linked once.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that fails should say where")]

mod account;
mod changes;
mod corpus;
mod passes;
mod properties;
