//! Bytes ↔ records, byte for byte.
//!
//! The one reader of the JSONL format in the workspace. It never drops, reorders or repairs a byte. It gives a name to
//! what it does not understand, and writing the pieces of a file one after the other gives the file back.

pub mod content;
mod id;
mod kind;
mod line;
mod parse;
pub mod patch;
mod prefilter;
mod record;
mod seam;
mod text;
mod trouble;
pub mod wire;

pub use id::{AgentId, MessageId, RecordId, SessionId, ToolId};
pub use kind::Kind;
pub use line::{Extent, Gate, LONGEST_LINE, Line, LineReader};
pub use parse::{Piece, Shape, read, read_lines, read_types, split};
pub use prefilter::Prefilter;
pub use record::{Place, Record};
pub use seam::is_one_object;
pub use text::{Text, Words, understood};
pub use trouble::{Trouble, Troubles};
