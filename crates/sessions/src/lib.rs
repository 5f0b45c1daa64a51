//! Every session by its id, whether it is live, kept in the vault, or both: where it is, its bytes, and its facts.
//!
//! The one door to sessions. Everything else asks here, and reads the bytes of live and kept files in the same way.

pub mod cache;
pub mod claude_dirs;
pub mod error;
pub mod file;
mod gate;
pub mod kept;
pub mod live;
pub mod machine;
pub mod names;
pub mod nearest;
pub mod part;
pub mod piece;
pub mod progress;
pub mod reading;
pub mod reference;
pub mod resolve;
pub mod session;
pub mod sessions;
pub mod sources;
pub mod surroundings;
pub mod vault;
pub mod warning;

pub use claude_dirs::ClaudeDirs;
pub use error::{Error, ErrorKind};
pub use progress::{Progress, Silent};
pub use sources::Sources;
pub use vault::{Documents, Vault, slug_of, text_of};
