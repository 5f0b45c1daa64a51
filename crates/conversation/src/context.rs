//! Files beside a transcript that its conversation depends on. The caller reads them, because this crate touches no file.

use steno_transcript::{AgentId, ToolId};

use crate::build::Transcript;

/// The files beside a transcript.
#[derive(Debug, Default)]
pub struct Context {
    /// Files with tool results that were too long, by path.
    pub tool_results: Vec<String>,
    /// Its subagents.
    pub agents: Vec<AgentTranscript>,
}

/// A subagent's file, read.
#[derive(Debug)]
pub struct AgentTranscript {
    pub id: AgentId,
    pub path: String,
    pub meta: Option<AgentMeta>,
    /// Its file was written to within the last minutes.
    pub is_fresh: bool,
    pub transcript: Transcript,
}

/// The client's file about a subagent, beside its transcript.
#[derive(Debug, Clone, Default)]
pub struct AgentMeta {
    pub kind: Option<String>,
    pub description: Option<String>,
    pub tool_id: Option<ToolId>,
}
