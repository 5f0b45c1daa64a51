//! The document as it is written. Keys are a contract: they are added, never renamed, removed or retyped.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use steno_conversation::model::Plan;
use steno_transcript::{AgentId, SessionId, ToolId};

/// A JSON object as it stood in the transcript.
pub type Object = Map<String, Value>;

/// A conversation that other programs can read and carry on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// What the client resumes it by.
    pub id: SessionId,
    pub title: Option<String>,
    pub source: Source,
    /// The least and the greatest timestamp of the whole session.
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// The line that the client goes on with, in its order; each message once, however many records it has.
    pub messages: Vec<Message>,
    /// What was put before the user, with the verdict.
    pub plans: Vec<Plan>,
    pub extensions: Extensions,
}

/// Where a conversation was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// The program that recorded it: `claude-code`.
    pub agent: String,
    /// The versions of that program.
    pub versions: Vec<String>,
    pub cwd: Option<String>,
    /// The name of the project's directory, an encoding of its path that cannot be undone.
    pub project_hash: Option<String>,
    pub git_branch: Option<String>,
}

/// What one side said at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    pub role: Role,
    /// Of its first record.
    pub timestamp: Option<Timestamp>,
    /// Empty where a record has no content.
    pub content: Vec<Block>,
    pub extensions: MessageExtensions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
}

/// A part of a message, by its type. Other fields of the block stand beside those named here; what is not of the type
/// that it should be, or bears a name of this document, under `odd_fields`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    Text {
        text: String,
        /// What it says besides, as it stands; and so in the others.
        #[serde(flatten)]
        other: Object,
    },
    /// Only where thinking was asked for.
    Thinking {
        text: String,
        /// What the API knows its own thinking by.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
        #[serde(flatten)]
        other: Object,
    },
    ToolUse {
        id: ToolId,
        name: String,
        input: Value,
        /// The type that the API has for calls of its own tools, such as `server_tool_use`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        block_type: Option<String>,
        #[serde(flatten)]
        other: Object,
    },
    /// What the client keeps beside the text stands in the message's extensions, as `toolUseResult`.
    ToolResult {
        tool_use_id: ToolId,
        /// The text, whole; of what is neither text nor image, its JSON.
        output: String,
        is_error: bool,
        /// Images and documents in the result.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Block>,
        /// The type that the API has for results of its own tools, such as `web_search_tool_result`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        block_type: Option<String>,
        #[serde(flatten)]
        other: Object,
    },
    Image(Media),
    Document(Media),
    /// A block that has no form here. It stands in the message's `extensions.original_content`, where such blocks
    /// are in the same order.
    Unknown {
        block_type: String,
    },
}

/// The data of an image or document, or where it is found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Media {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Base64, or the text of a document of text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(flatten)]
    pub other: Object,
}

/// What a message's records say besides its content, by the names that they have there. Fields without a description
/// here stand beside these; `sessionId`, `cwd`, `gitBranch` and `version` only where they differ from the
/// conversation's.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageExtensions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The record that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_uuid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logical_parent_uuid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_sidechain: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_meta: Option<bool>,
    /// The summary that a compaction put in place of what was said before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_compact_summary: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_api_error_message: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_metadata: Option<Value>,
    /// What the client keeps beside the result of a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_result: Option<Value>,
    /// The `id` of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, rename = "stop_reason", skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// Of the record that counts the most output: a message's records repeat it, growing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Value>,
    /// The rest of the `message`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub message: Object,
    /// Typed while the agent worked, and recorded as an attachment only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub queued: bool,
    /// Why people do not see it: `noise`, `meta`, `interruption` or `plan-request`. Only where everything was asked
    /// for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<String>,
    /// The blocks that have no form here, raw.
    #[serde(default, rename = "original_content", skip_serializing_if = "Vec::is_empty")]
    pub original_content: Vec<Value>,
    /// The other records of the message: what each says otherwise than the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continued: Vec<Object>,
    /// Fields that are not of the type that they should be, or that bear a name of this document.
    #[serde(default, rename = "odd_fields", skip_serializing_if = "Map::is_empty")]
    pub odd_fields: Object,
    #[serde(flatten)]
    pub other: Object,
}

/// What belongs to the conversation and is no message of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Extensions {
    /// What the client noted about its own work, raw.
    pub system_events: Vec<Object>,
    /// Records of types that are not known, raw.
    pub unknown_records: Vec<Object>,
    /// Raw; but prompts that exist as attachments only are messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Object>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permission_modes: Vec<Object>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agent_names: Vec<Object>,
    /// The records that give the session a title.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<Object>,
    /// Messages of lines that a rewind left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub abandoned: Vec<Message>,
    /// Its subagents, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Agent>,
    /// The client's bookkeeping, raw, where everything was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_records: Vec<Object>,
    /// How many records are not in this document, by their type; or by the reason: `hidden`, `before_tail`,
    /// `compact_summaries`, `sidechain` (of subagents), `repeated` (the same record again), `broken` (no record at
    /// all). `thinking` counts blocks, `agents` subagents.
    pub left_out: BTreeMap<String, u64>,
    /// What was masked or rewritten in this document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

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
    pub messages: Vec<Message>,
    pub extensions: Extensions,
    pub agents: Vec<Agent>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
