//! The tests of `ops` from outside, in one program, so that they are linked once.

mod config;
mod relocate;
mod schedule;
mod search;
mod sessions;
