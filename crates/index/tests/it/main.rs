//! The tests of `index` from outside, in one program, so that they are linked once.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that fails should say where"
)]

mod engine;
mod names;
