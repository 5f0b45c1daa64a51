//! What a source saw of a session: the one shape in which registry, hooks and transcripts reach this crate.
//!
//! `steno watch --record` writes these, one JSON object a line, and `--replay` reads them: field names are a promise.

use serde::{Deserialize, Serialize};
use steno_transcript::{AgentId, SessionId, ToolId};

/// Milliseconds since 1970, by the clock of the machine that saw it.
pub type Millis = i64;
/// The id that the client gave to a shell or subagent in the background; of a subagent also its [`AgentId`].
pub type TaskId = String;
/// Names a call by its tool and input, for hooks that know no `tool_use_id`.
pub type CallKey = String;

/// One thing that one source saw. The same thing may be seen twice, by two sources, or late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Observation {
    pub session: SessionId,
    /// When it happened, not when it was read.
    pub at: Millis,
    pub seen_by: SeenBy,
    /// The client's process, where the source knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientId>,
    #[serde(flatten)]
    pub what: What,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SeenBy {
    Transcript,
    Hook,
    Registry,
    /// The table of processes of the machine.
    Processes,
}

/// A process of the client. The start time tells it from a later process with the same pid.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClientId {
    pub pid: u32,
    #[serde(default)]
    pub start: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum What {
    /// The client's entry in its registry.
    Status(ClientStatus),
    /// The process of the client ended. One that was killed left its registry entry behind.
    Gone {
        killed: bool,
    },
    SessionStarted {
        by: StartedBy,
    },
    SessionEnded {
        reason: String,
    },
    /// A prompt was sent, by the person or by the client itself when a background task ended.
    Prompted,
    /// The model said something in the main thread.
    Spoke,
    ToolBegan {
        id: ToolId,
        tool: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallKey>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentId>,
    },
    /// A tool ran, failed, or was refused.
    ToolEnded {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<ToolId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallKey>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentId>,
    },
    /// The client notes that the session uses a tool that it did not use before.
    ToolNamed {
        tool: String,
    },
    /// `default`, `plan`, …
    Mode {
        mode: String,
    },
    /// The client asks the person: may this tool run?
    Asked {
        tool: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
        call: CallKey,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentId>,
    },
    /// The turn of the main thread is over. `background` is what still ran, where the source says so.
    TurnEnded {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        background: Option<Background>,
    },
    /// The person stopped the turn.
    Interrupted,
    CompactionBegan {
        manual: bool,
    },
    CompactionEnded,
    AgentStarted {
        id: AgentId,
    },
    AgentStopped {
        id: AgentId,
    },
    TaskStarted {
        id: TaskId,
    },
    TaskEnded {
        id: TaskId,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientStatus {
    /// Absent in the first moments, and in clients that write none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<String>,
    /// When the status changed; the entry itself may have been rewritten since.
    pub since: Millis,
    /// `claude -p`: the client shows no dialogs.
    #[serde(default)]
    pub headless: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Busy,
    /// The turn is over, a shell runs in the background.
    Shell,
    Idle,
    Waiting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartedBy {
    Startup,
    Resume,
    Clear,
    /// The session goes on: a compaction ended.
    Compact,
}

/// What runs on after a turn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Background {
    Tasks(Vec<TaskId>),
    /// Subagents alone, and only their number: what a transcript says.
    Agents(u32),
}
