//! The tests of `edit` from outside, in one program, so that they are linked once.

#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that fails should say where"
)]

mod client;
mod corpus;
mod rewrite;
