//! One file per thing a user can ask: `Request → Report`.
//!
//! Everything above it is a face. Nothing here prints, serves HTTP or reads the environment: the caller says which
//! directories are meant and what time it is.

mod aside;
pub mod check;
pub mod clone;
mod custody;
mod detection;
pub mod doctor;
pub mod dump;
mod error;
pub mod export_config;
mod holdings;
pub mod hook;
mod identity;
pub mod import_config;
pub mod init;
mod journal;
pub mod key;
mod lens;
mod library;
pub mod list;
mod machine;
mod memory;
mod moment;
pub mod names;
mod nearest;
pub mod next;
mod part;
pub mod peek;
mod piece;
mod place;
mod program;
mod progress;
pub mod purge;
mod reader;
mod reading;
mod recovery;
mod reference;
pub mod relocate;
pub mod remote;
mod resolve;
pub mod restore;
pub mod rewrite;
pub mod schedule;
pub mod sealing;
pub mod search;
mod session;
pub mod share;
mod shelf;
pub mod show;
mod size;
pub mod stats;
pub mod status;
mod stock;
mod surroundings;
pub mod sync;
pub mod uninstall;
pub mod verify;
mod warning;

pub use custody::Custody;
pub use error::{Error, ErrorKind};
pub use library::Library;
pub use moment::moment;
pub use program::Program;
pub use progress::{Progress, Silent};
pub use size::size_text;
pub use steno_conversation::{ByVersion, CensusReport, Conversation, LEFT_OUT, Unknown, Warning, model};
pub use steno_cores::{call_in, join_in};
/// What reports are made of, for faces that render them.
pub use steno_vault::depot;
#[cfg(feature = "faults")]
pub use steno_vault::fault;
