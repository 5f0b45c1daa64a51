//! A report → the commands that are the obvious thing to do after it, ready for a shell.
//!
//! Every command line that the program proposes is made here, so that all of them are quoted the same way. Where no
//! command is obvious, none is proposed.

mod advice;
mod config;
mod line;
mod reshape;
mod session;
mod vault;
mod watch;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use advice::help;
pub(crate) use config::{export_config, import_config};
pub(crate) use line::Line;
pub(crate) use reshape::{check, clone};
pub(crate) use session::{
    doctor, kept_list, list, only_kept, peek, purge, relocate, restore_all, restore_one, resume, search,
    stats,
};
pub(crate) use vault::{init, pushed, schedule, status, sync, uninstall, verify};
pub(crate) use watch::watch;

/// More than two are a list to choose from, and nothing to do.
const MOST: usize = 2;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Next")]
pub(crate) struct Step {
    /// For a POSIX shell, where this command ran.
    pub(crate) command: String,
    /// What it does, or why now.
    pub(crate) why: String,
    /// It erases, overwrites or sends something, lets it in, or opens the client: the user decides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) ask: bool,
}
