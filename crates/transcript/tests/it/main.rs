//! The tests of `transcript` from outside, in one program, so that they are linked once.

mod corpus;
mod patch;
mod properties;
mod strange_lines;
mod torn;
