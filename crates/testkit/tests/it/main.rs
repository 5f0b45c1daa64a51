//! The tests of `testkit` from outside, in one program, so that they are linked once.

#![allow(clippy::unwrap_used, reason = "a test that fails should say where")]

mod browser;
mod home;
mod session;
