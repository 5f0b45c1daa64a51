//! `restore`: what the vault holds → a list of it, or files of a Claude directory again.
//!
//! Bytes come back as they were kept, each checked against its hash before anything of its session gets its name. Only
//! a session that moves to another directory is changed, and only as asked.

pub mod all;
pub(crate) mod compare;
pub(crate) mod draft;
mod filter;
pub mod list;
mod live;
pub(crate) mod movement;
pub mod one;
mod session;
pub(crate) mod stage;
mod target;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rewrite::Rewrite;
pub use filter::Filter;

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
    /// Read and check everything, and write nothing.
    pub dry_run: bool,
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
    pub(crate) fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Overwrite)
    }
}
