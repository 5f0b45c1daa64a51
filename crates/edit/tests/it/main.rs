//! The tests of `edit` from outside, in one program, so that they are linked once.

mod client;
mod corpus;
