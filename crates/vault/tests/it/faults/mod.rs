//! Killed at any instant, without room, without the right to write, with sources that change under its hands: what
//! was reported as kept is there.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that fails should say where, and one that cannot run why"
)]

use crate::desk;
#[cfg(unix)]
mod disturbed;
mod full;
mod growth;
mod killed;
mod namespace;
use crate::other;
mod source;
mod together;
