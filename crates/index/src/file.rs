//! How the feeder of an index names its files, and where an index comes from.

/// A file by a number that stays the same as long as the index does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u64);

/// Where an index, or another part of the cache, comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was there.
    Kept,
    /// There was none.
    New,
    /// There was one of another version.
    OtherVersion,
    /// There was one that could not be read.
    Damaged,
}
