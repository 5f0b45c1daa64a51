//! One name for each kind of speaker, in queries, in answers and in what a client sends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who speaks, or what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
    Thinking,
    /// What a tool was called with.
    Tool,
    /// What a tool gave.
    Result,
    Title,
    Summary,
    Plan,
    /// What the client itself says.
    System,
    /// Some part of a record that nobody says, such as metadata.
    Record,
}

impl Role {
    /// The roles that a text can be searched by: all but [`Role::Record`].
    pub const SPOKEN: [Self; 9] = [
        Self::User,
        Self::Assistant,
        Self::Thinking,
        Self::Tool,
        Self::Result,
        Self::Title,
        Self::Summary,
        Self::Plan,
        Self::System,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Thinking => "thinking",
            Self::Tool => "tool",
            Self::Result => "result",
            Self::Title => "title",
            Self::Summary => "summary",
            Self::Plan => "plan",
            Self::System => "system",
            Self::Record => "record",
        }
    }

    /// The role of that name among those that are spoken, in capitals or not.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::SPOKEN.into_iter().find(|role| role.name().eq_ignore_ascii_case(name))
    }
}
