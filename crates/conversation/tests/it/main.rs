//! The tests of `conversation` from outside, in one program, so that they are linked once.

mod account;
mod corpus;
mod passes;
mod properties;
