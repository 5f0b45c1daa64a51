//! The conversation as people read it: chunks, and the steps of the agent's chunks.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use steno_transcript::{AgentId, ToolId};

use super::{Media, RecordRef, Tokens, ToolOutcome};

/// A stretch of the conversation in which one side speaks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chunk {
    pub index: usize,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub records: Vec<RecordRef>,
    #[serde(flatten)]
    pub body: ChunkBody,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ChunkBody {
    User(UserChunk),
    Ai(AiChunk),
    System(SystemChunk),
    Compact(CompactChunk),
}

/// What the user said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserChunk {
    pub text: String,
    pub images: Vec<Media>,
    /// Typed while the agent worked.
    pub queued: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<SlashCommand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bash: Option<BashCommand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_team: Option<TeamMessage>,
    /// This prompt was written by the client to implement a plan: its place in `plans`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlashCommand {
    /// With its slash.
    pub name: String,
    pub args: String,
}

/// A command that the user ran with `!`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BashCommand {
    pub command: String,
    pub stdout: Option<String>,
    pub stderr: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TeamMessage {
    pub member: Option<String>,
    pub color: Option<String>,
    pub summary: Option<String>,
}

/// The agent's steps until the user or the client speaks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiChunk {
    pub model: Option<String>,
    pub tokens: Tokens,
    pub duration_ms: Option<u64>,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Step {
    Thinking {
        text: String,
        redacted: bool,
        record: RecordRef,
    },
    Text {
        text: String,
        record: RecordRef,
    },
    Tool(ToolStep),
    Agent(AgentStep),
    Plan(PlanStep),
    Notification(Notification),
    Interruption {
        text: String,
        record: RecordRef,
    },
    /// An image or document that the agent shows.
    Media {
        #[serde(flatten)]
        media: Media,
        record: RecordRef,
    },
    /// A block of a type that is not known, as it stands.
    Unknown {
        block_type: String,
        raw: Value,
        record: RecordRef,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolStep {
    pub id: ToolId,
    /// Empty where only the result is left.
    pub name: String,
    pub input: Value,
    /// None while it runs, or where it was lost.
    pub result: Option<ToolOutcome>,
    pub duration_ms: Option<u64>,
    pub record: RecordRef,
}

impl ChunkBody {
    /// The steps of an AI chunk; the other chunks have none.
    pub fn steps(&self) -> &[Step] {
        if let Self::Ai(ai) = self { &ai.steps } else { &[] }
    }
}

impl Step {
    /// The record that it is made of; of a call, the call's.
    pub fn record(&self) -> &RecordRef {
        match self {
            Self::Thinking { record, .. }
            | Self::Text { record, .. }
            | Self::Interruption { record, .. }
            | Self::Media { record, .. }
            | Self::Unknown { record, .. } => record,
            Self::Tool(tool) | Self::Agent(AgentStep { tool, .. }) | Self::Plan(PlanStep { tool, .. }) => {
                &tool.record
            }
            Self::Notification(note) => &note.record,
        }
    }

    /// The call of a tool, whatever the tool started.
    pub fn tool(&self) -> Option<&ToolStep> {
        match self {
            Self::Tool(tool) | Self::Agent(AgentStep { tool, .. }) | Self::Plan(PlanStep { tool, .. }) => {
                Some(tool)
            }
            _ => None,
        }
    }
}

/// A subagent was started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentStep {
    /// Its id in `agents`, where its transcript was found.
    pub agent: Option<AgentId>,
    #[serde(flatten)]
    pub tool: ToolStep,
}

/// A plan was put before the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    /// Its place in `plans`.
    pub plan: usize,
    #[serde(flatten)]
    pub tool: ToolStep,
}

/// A background task reports back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    pub task: Option<String>,
    pub tool_id: Option<ToolId>,
    pub status: Option<String>,
    pub text: String,
    pub record: RecordRef,
}

/// Command output, API errors, notices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SystemChunk {
    pub subtype: String,
    pub text: String,
}

/// The client replaced what was said so far by a summary.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompactChunk {
    /// `manual` or `auto`, where it is recorded.
    pub trigger: Option<String>,
    pub pre_tokens: Option<u64>,
    pub post_tokens: Option<u64>,
    pub summary: String,
}
