//! The shape of a conversation: its branches, and the contexts between compactions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RecordRef;

/// One branch of the conversation; a rewind leaves the old one behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// The last record of the branch.
    pub leaf: RecordRef,
    /// The last record that it shares with the others; none if it shares nothing.
    pub forked_at: Option<RecordRef>,
    pub messages: u64,
    /// Whether the client goes on with this branch.
    pub active: bool,
}

/// The context between two compactions, and how it grew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Phase {
    pub index: usize,
    pub start_tokens: u64,
    pub end_tokens: u64,
    /// What this phase added: its end less its start.
    pub contribution: i64,
    /// The compaction that ended it; none for the last.
    pub boundary: Option<RecordRef>,
}
