//! `restore`: what the vault holds → a list of it, or files of a Claude directory again.
//!
//! Bytes come back as they were kept, each checked against its hash before anything of its session gets its name. Only
//! a session that moves to another directory is changed, and only as asked.

pub mod all;
mod filter;
pub mod list;
mod live;
pub(crate) mod movement;
mod name;
pub mod one;
mod session;
pub(crate) mod stage;
mod target;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_vault::{Hole, Volume};

pub use crate::kept::is_loss;
use crate::kept::missing_bytes;
use crate::rewrite::Rewrite;
pub use filter::Filter;
pub use name::KeptName;

/// How files are put back.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Overwrite what is there, if the vault has it.
    pub force: bool,
    /// The Claude directory to write to, absolute.
    pub to: Option<PathBuf>,
    /// What becomes of paths in what was said and done.
    pub rewrites: Vec<Rewrite>,
    /// Give each file the time that it had, not the present one. The client deletes by that time.
    pub original_times: bool,
    /// Restore what is there of what is damaged, and say what is missing.
    pub partial: bool,
    /// Read and check everything, and write nothing.
    pub dry_run: bool,
}

/// Bytes of a kept file that are damaged or gone, and were not put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// Where the file lay in the Claude directory.
    pub file: String,
    pub generation: u32,
    pub offset: u64,
    /// Null where the length of the file is not known any more: everything from there on.
    pub length: Option<u64>,
}

impl Missing {
    pub(crate) fn of(volume: &Volume<'_>, holes: &[Hole]) -> impl Iterator<Item = Self> {
        let (file, generation) = (&volume.stream.path, volume.generation.number);
        holes.iter().map(move |hole| Self {
            file: file.clone(),
            generation,
            offset: hole.offset,
            length: hole.length,
        })
    }

    pub fn warning(&self) -> Warning {
        let hole = Hole { offset: self.offset, length: self.length };
        missing_bytes(&self.file, self.generation, hole)
    }
}

/// What becomes of one file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    pub path: String,
    /// As it is kept.
    pub bytes: u64,
    pub action: Action,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Write,
    Overwrite,
    /// The same bytes are there.
    Identical,
    /// Other bytes are there, and stay.
    Keep,
}

impl Action {
    pub fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Overwrite)
    }
}
