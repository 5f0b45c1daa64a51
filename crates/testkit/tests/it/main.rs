//! The tests of `testkit` from outside, in one program, so that they are linked once.

mod browser;
mod home;
mod session;
