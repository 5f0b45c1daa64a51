//! A vault that leaves its machine: what a remote and a key give back, and what a remote learns without the key.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod another;
mod back;
mod disputed;
mod each_change;
mod failed;
mod fault;
mod guarded;
mod hostile;
mod killed;
mod locked;
mod mixed;
mod planted;
mod protected;
mod purged;
mod reach;
mod recipient;
mod shut_out;
mod stage;
mod tail;
mod together;
mod waiting;
