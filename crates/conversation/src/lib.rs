//! Records → the one model of a conversation.
//!
//! A transcript is read once, record by record, into entries. Named passes then explain them, in this order: thread,
//! merge, pair, plan, agent, boundary, chunk. Nothing here touches a file, the clock or the environment. Nothing turns a
//! conversation back into records: every node names the record it came from instead.

mod account;
mod activity;
mod beside;
mod block;
mod build;
mod census;
pub mod changes;
mod circle;
mod client_sum;
mod context;
mod entry;
mod head;
mod integrity;
mod known;
mod memory_limit;
pub mod model;
mod note;
mod part;
mod pass;
mod plan_tracker;
mod profile;
mod prompt;
mod role;
mod scope;
mod subagent;
mod time;
mod title;
mod usage;
mod verdict;
mod warning;

pub use account::{Account, Accountant, Name, Repeats, Row};
pub use activity::is_plan_tool;
pub use build::{Builder, Conversation, LEFT_OUT, Transcript, conversation, observe};
pub use census::{ByVersion, Census, CensusReport, Unknown};
pub use client_sum::{ClientModel, ClientSum};
pub use context::{AgentMeta, AgentTranscript, Context};
pub use entry::{Queued, error_text, is_prompt, queued_command};
pub use head::{Head, Implementation, is_heard};
pub use integrity::{Fault, Inspector};
pub use memory_limit::{LeftOut, MemoryLimit, Pushed};
pub use pass::pair::persisted_name;
pub use profile::{Gathered, Profiler};
pub use prompt::{Spoken, classify, printed};
pub use role::Role;
pub use scope::Scope;
pub use time::of as time_of;
pub use usage::{MessageKey, Usage};
pub use warning::{Warning, Warnings};
