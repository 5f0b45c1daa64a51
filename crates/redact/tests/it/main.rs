//! The tests of `redact` from outside, in one program, so that they are linked once.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that fails should say where"
)]

mod images;
mod masking;
mod planted;
