//! The agents' skill and the program cannot drift apart: what the skill names exists, what exists is named in the skill
//! or left out for a reason, what it says of answers is true of real ones, and all versions are one.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

#[cfg(unix)]
mod answers;
mod named;
mod page;
#[cfg(unix)]
#[path = "../standin/mod.rs"]
mod standin;
mod versions;
