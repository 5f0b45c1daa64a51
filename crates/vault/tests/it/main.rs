//! The tests of `vault` from outside, in one program, so that they are linked once.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test that fails should say where"
)]

mod archive;
mod depot;
mod desk;
mod exchange;
mod faults;
mod git;
mod headers;
mod keeping;
mod ledger;
mod locking;
mod original;
mod other;
mod part;
mod promise;
mod repair;
mod sealed;
mod stores;
