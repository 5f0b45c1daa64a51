//! One file per thing a user can ask: `Request → Report`.
//!
//! Everything above it is a face. Nothing here prints, serves HTTP or reads the environment: the caller says which
//! directories are meant and what time it is.

pub mod census;
mod error;
mod holdings;
mod library;
pub mod list;
mod parallel;
mod part;
mod reading;
mod resolve;
pub mod show;
mod surroundings;
mod warning;

pub use error::{Error, ErrorKind};
pub use library::Library;
/// What reports are made of, for faces that render them.
pub use steno_conversation::{ByVersion, CensusReport, Conversation, Unknown, Warning, model};
