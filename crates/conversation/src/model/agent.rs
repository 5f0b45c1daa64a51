//! Subagents.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::{AgentId, ToolId};

use super::{Chunk, Placing, Tokens, Tool};

/// A subagent, with those that it started itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    pub id: AgentId,
    pub description: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The call that started it.
    pub tool_id: Option<ToolId>,
    /// How that call was found.
    pub linked_by: Option<LinkedBy>,
    /// Started within 100 ms of another one.
    pub parallel: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
    /// The call returned before the agent was done.
    pub background: bool,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub ongoing: bool,
    pub messages: u64,
    pub tool_calls: u64,
    pub tokens: Tokens,
    /// Its transcript; none where its records stand in the session's own.
    pub path: Option<String>,
    /// The agent file that this one goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<AgentId>,
    pub chunks: Vec<Chunk>,
    pub tools: Vec<Tool>,
    pub agents: Vec<Agent>,
    /// Its records, in the order of the file: its own, or the session's where it has no path.
    #[serde(skip)]
    pub placing: Vec<Placing>,
    /// Its place among the transcripts that the context had; none where its records stand in the session's own. Two may
    /// have the same id.
    #[serde(skip)]
    pub file: Option<usize>,
}

/// The evidence that joins an agent to its call, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkedBy {
    /// Its `.meta.json` names the call.
    Meta,
    /// The call's result names the agent.
    Result,
    /// The description of the call is the summary of the message to the team member.
    Team,
    /// Order in time; the weakest.
    Position,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Team {
    pub name: Option<String>,
    pub member: Option<String>,
    pub color: Option<String>,
}
