//! The vocabulary of a conversation, as the library, the JSON, the pages and the docs use it.
//!
//! Names here are a contract: fields are added, never renamed, removed or retyped.

mod agent;
mod chunk;
mod place;
mod placing;
mod plan;
mod session;
mod shape;
mod tool;

pub use agent::{Agent, LinkedBy, Team};
pub use chunk::{
    AgentStep, AiChunk, BashCommand, Chunk, ChunkBody, CompactChunk, Notification, PlanStep, SlashCommand,
    Step, SystemChunk, TeamMessage, ToolStep, UserChunk,
};
pub use place::RecordRef;
pub use placing::{Hidden, Line, Placing};
pub use plan::{Plan, Verdict};
pub use session::{Profile, Session, Subagent, TitleSource, Tokens};
pub use shape::{Branch, Phase};
pub(crate) use tool::is_text;
pub use tool::{Media, Persisted, Tool, ToolOutcome};
