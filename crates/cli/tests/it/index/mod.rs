//! The index behind `list`, `stats` and `search`: whatever happens to it or to the files, the answers are those of a
//! program that has none.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod damaged;
mod desk;
mod gone;
mod grown;
#[cfg(unix)]
mod killed;
mod together;
