//! The tests of `vault` from outside, in one program, so that they are linked once.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test that fails should say where"
)]

mod archive;
mod desk;
mod encrypted;
mod faults;
mod git;
mod headers;
mod keeping;
mod ledger;
mod locking;
mod object_sync;
mod original;
mod other;
mod promise;
mod repair;
mod s3;
mod stores;
