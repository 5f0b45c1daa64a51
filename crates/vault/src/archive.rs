//! Plain files ↔ one `.tar.gz`, for handing a configuration to another machine.
//!
//! An archive may come from anywhere: [`plan`] reads all of it into memory and refuses all of it for one bad entry,
//! [`survey()`] says which files are there already, [`apply()`] writes. Nothing is written before everything was checked.

mod apply;
mod error;
mod name;
mod read;
mod survey;
mod write;

use std::path::PathBuf;

pub use apply::{Applied, apply};
pub use error::{Error, Trouble};
pub use name::Names;
pub use read::plan;
pub use survey::{Survey, survey};
pub use write::{Origin, Written, measure, write};

/// How much an archive may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of one file.
    pub file_bytes: u64,
    /// Of all files together.
    pub total_bytes: u64,
    /// Files and directories.
    pub entries: u64,
}

/// An archive that was read to its end and found good.
#[derive(Debug, Clone)]
pub struct Plan {
    path: PathBuf,
    /// In the order of their names.
    pub files: Vec<PlannedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    /// Relative, with `/` between its parts.
    pub name: String,
    pub bytes: Vec<u8>,
    pub is_executable: bool,
}
