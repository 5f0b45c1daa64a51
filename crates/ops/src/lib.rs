//! One file per thing a user can ask: `Request → Report`.
//!
//! Everything above it is a face. Nothing here prints, serves HTTP or reads the environment: the caller says which
//! directories are meant and what time it is.

pub mod census;
mod error;
mod library;
pub mod list;
mod reading;
mod resolve;
pub mod show;
mod strange;

pub use error::{Error, ErrorKind};
pub use library::Library;

/// The model, for faces that render it.
pub use steno_conversation as conversation;
pub use steno_conversation::model;
