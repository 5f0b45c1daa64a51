//! The tests of `index` from outside, in one program, so that they are linked once.

mod engine;
mod names;
