//! The types of a conversation, as the library, the JSON, the pages and the docs name them.
//!
//! Fields are a contract: they may be added, never renamed, removed or retyped.

mod agent;
mod chunk;
mod placing;
mod plan;
mod record_ref;
mod session;
mod shape;
mod tool;

pub use agent::{Agent, LinkedBy, Team};
pub use chunk::{
    AgentStep, AiChunk, BashCommand, Chunk, ChunkBody, CompactChunk, Notification, PlanStep, SlashCommand,
    Step, SystemChunk, TeamMessage, ToolStep, UserChunk,
};
pub use placing::{Hidden, Placing, Thread};
pub use plan::{Plan, Verdict};
pub use record_ref::RecordRef;
pub use session::{Profile, Session, Subagent, TitleSource, Tokens};
pub use shape::{Branch, Phase};
pub(crate) use tool::is_text;
pub use tool::{Media, Persisted, Tool, ToolOutcome};
