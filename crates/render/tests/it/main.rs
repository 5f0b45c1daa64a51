//! The tests of `render` from outside, in one program, so that they are linked once.

mod corpus;
mod document;
mod html;
mod portable;
