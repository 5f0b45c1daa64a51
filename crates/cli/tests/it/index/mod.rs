//! The index behind `list`, `stats` and `search`: whatever happens to it or to the files, the answers are those of a
//! program that has none.

mod damaged;
mod desk;
mod gone;
mod grown;
#[cfg(unix)]
mod killed;
mod together;
