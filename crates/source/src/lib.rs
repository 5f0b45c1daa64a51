//! What Claude Code writes on disk → located files.
//!
//! The only crate that knows where sessions, their subagents and their other files are, and which of them still
//! grow. It reads names, sizes and a few tiny documents; other crates explain the content of a transcript.
//! Callers pass the Claude directories: nothing here asks for a home, an environment or the time.

mod contents;
mod directory;
mod discover;
mod document;
mod encoding;
mod error;
mod fingerprint;
mod hook;
mod inventory;
mod layout;
mod locate;
mod parent;
mod process;
mod registry;
mod retention;
mod sibling;
mod sidecar;
mod tail;
mod warning;
mod watch;

pub use contents::{Contents, LINEAGE};
pub use discover::{Discovery, discover};
pub use document::LIMIT as LONGEST_DOCUMENT;
pub use encoding::project_directory_name;
pub use error::Error;
pub use fingerprint::{Change, FileFingerprint, OpenFile, open_file};
pub use hook::{HookPayload, task_of_notification, tool_detail};
pub use inventory::{Class, Inventory, KeptFile, inventory, session_of_old_agent};
pub use layout::{AgentFile, AgentMeta, Leftover, OrphanAgent, Project, SessionFiles};
pub use locate::{Located, locate};
pub use process::is_alive;
pub use registry::{LiveEntry, Registry, live};
pub use retention::{DEFAULT_CLEANUP_PERIOD_DAYS, Retention, RetentionRequest, Source, retention};
pub use sibling::{Sibling, Siblings, siblings};
pub use sidecar::belongings;
pub use tail::Tail;
pub use warning::{Warning, WarningKind};
pub use watch::RegistryWatch;
