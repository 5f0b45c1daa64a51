//! The tests of `render` from outside, in one program, so that they are linked once.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that fails should say where"
)]

mod corpus;
mod document;
mod html;
mod patch;
mod portable;
