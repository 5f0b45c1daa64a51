//! The shape of a conversation: the lines it took, and the contexts it filled.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RecordRef;

/// One line of the conversation; a rewind leaves the old one behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// Where the line ends.
    pub leaf: RecordRef,
    /// The last record that it shares with the others; none for a line that shares nothing.
    pub forked_at: Option<RecordRef>,
    pub messages: u64,
    /// Whether this is the line that the client goes on with.
    pub active: bool,
}

/// What filled the context between two compactions.
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
