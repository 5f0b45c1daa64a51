//! `steno clone`: a new session beside the old one, which nobody touches.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that fails should say where, and one that is skipped should say so"
)]

mod beside;
mod compress;
mod desk;
mod harm;
mod lineage;
mod plain;
mod wish;
