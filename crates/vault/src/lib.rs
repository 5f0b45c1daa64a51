//! Named bytes, kept safe.

pub mod archive;
pub mod git;
