//! The tests of `redact` from outside, in one program, so that they are linked once.

mod masking;
mod planted;
