//! The tests of `source` from outside, in one program, so that they are linked once.

mod disk;
