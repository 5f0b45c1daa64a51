//! One file per thing a user can ask: `Request → Report`.
//!
//! Everything above it is a face. Nothing here prints, serves HTTP or reads the environment: the caller says which
//! directories are meant and what time it is.

mod aside;
mod candidate;
pub mod check;
pub mod clone;
mod compare;
mod detection;
pub mod diff;
pub mod doctor;
mod draft;
pub mod dump;
pub mod export_config;
mod heal;
mod home;
pub mod hook;
mod identity;
pub mod import_config;
pub mod init;
mod journal;
pub mod key;
mod keys;
mod lens;
pub mod list;
mod moment;
mod opening;
pub mod peek;
mod place;
mod program;
pub mod purge;
mod push;
mod reader;
mod recovery;
pub mod relocate;
pub mod remote;
mod remote_vault;
mod rescue;
pub mod restore;
pub mod resume;
pub mod rewrite;
pub mod schedule;
pub mod sealing;
pub mod search;
mod send;
mod session;
pub mod share;
mod shell;
pub mod show;
mod size;
pub mod stats;
pub mod status;
pub mod sync;
pub mod uninstall;
pub mod verify;
pub mod watch;
mod workspace;

pub use workspace::Workspace;

pub use moment::moment;
pub use program::Program;
pub use session::OnlyKept;
pub use shell::quoted;
pub use size::size_text;
pub use steno_conversation::{ByVersion, CensusReport, Conversation, LEFT_OUT, Unknown, Warning, model};
pub use steno_sessions::{ClaudeDirs, Error, ErrorKind, Progress, Silent, names};
use steno_sessions::{
    cache, claude_dirs, error, file, kept, live, machine, nearest, piece, progress, reading, reference,
    sessions, surroundings, warning,
};
#[cfg(feature = "faults")]
pub use steno_vault::fault;
/// What reports are made of, for faces that render them.
pub use steno_vault::s3;
