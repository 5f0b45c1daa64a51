//! A report → the command that is the obvious thing to do after it, ready for a shell.
//!
//! Separate from the reports, so that what is advised stands in one place, and every line is quoted the same way. Where
//! nothing is obvious, nothing is said.

mod config;
mod line;
mod reshape;
mod session;
mod vault;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use config::{export_kept_plan, export_plan, exported, exported_kept, import_plan, lost_config};
pub(crate) use line::{Line, quoted};
pub(crate) use reshape::{check, clone};
pub(crate) use session::{
    Meant, Standing, doctor, kept_list, list, peek, purge, relocate, restore_all, restore_one, search, show,
    stats,
};
pub(crate) use vault::{init, key, remote, repair, schedule, status, sync, uninstall, verify};

/// More than two are a list to choose from, and nothing to do.
const MOST: usize = 2;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Next")]
pub struct Step {
    /// For a POSIX shell, where this command ran.
    pub command: String,
    /// What it does, or why now.
    pub why: String,
    /// It erases, overwrites or sends something, lets it in, or opens the client: the user decides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask: bool,
}
