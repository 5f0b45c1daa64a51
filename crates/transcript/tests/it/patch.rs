//! Strings, names and fields change where they are asked to, and not a byte besides.

mod renaming;
mod reshape;
mod strings;
