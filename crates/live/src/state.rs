//! The state of a session, as people and programs read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::observation::{Millis, SeenBy};

/// A state, and what led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateOf {
    #[serde(flatten)]
    pub state: State,
    /// Since when, in milliseconds since 1970.
    pub since: Millis,
    pub because: Because,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum State {
    /// The model works, or a tool that it called.
    Working {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
        /// Subagents that run.
        agents: u32,
    },
    /// The client shows a dialog and does nothing until the person answers.
    Waiting {
        #[serde(rename = "for")]
        waiting_for: WaitingFor,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// The turn is over; shells or subagents run on.
    Background {
        /// How many, where a source says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tasks: Option<u32>,
    },
    /// It is the person's turn.
    Idle,
    /// No client has the session open.
    Ended { reason: String },
    /// No source tells.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitingFor {
    Permission,
    Question,
    Plan,
    Dialog,
}

/// The observation that decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Because {
    pub seen_by: SeenBy,
    pub at: Millis,
    /// In words: `the registry says busy`.
    pub what: String,
}

impl State {
    /// The word in `kind`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Working { .. } => "working",
            Self::Waiting { .. } => "waiting",
            Self::Background { .. } => "background",
            Self::Idle => "idle",
            Self::Ended { .. } => "ended",
            Self::Unknown => "unknown",
        }
    }
}

impl WaitingFor {
    /// What a dialog for this tool is about.
    pub(crate) fn of_tool(tool: &str) -> Self {
        match tool {
            "AskUserQuestion" => Self::Question,
            "ExitPlanMode" => Self::Plan,
            _ => Self::Permission,
        }
    }
}
