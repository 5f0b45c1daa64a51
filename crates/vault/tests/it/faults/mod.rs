//! Killed at any instant, without room, without the right to write, with sources that change under its hands: what
//! was reported as kept is there.

#[cfg(unix)]
mod disturbed;
mod full;
mod growth;
mod killed;
mod namespace;
use crate::other;
mod source;
mod together;
