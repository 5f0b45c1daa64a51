//! `steno share`: a page for others, and what must not be on it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that fails should say where, and the numbers belong into its output"
)]

mod locked;
mod look_alikes;
mod marks;
mod media;
mod outputs;
mod page;
mod places;
mod planted;
