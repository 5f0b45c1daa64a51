//! A finished session: its files and the ids inside them.

use serde_json::Value;
use steno_transcript::{AgentId, SessionId};

use super::Session;
use crate::{Era, Made};

/// What a session leaves on disk.
#[derive(Debug, Clone)]
pub struct Built {
    pub id: SessionId,
    pub era: Era,
    pub cwd: String,
    /// The transcript, byte for byte.
    pub bytes: Vec<u8>,
    pub agents: Vec<AgentFile>,
    pub tool_results: Vec<ToolResultFile>,
    pub made: Made,
}

/// The transcript of one subagent.
#[derive(Debug, Clone)]
pub struct AgentFile {
    pub id: AgentId,
    pub bytes: Vec<u8>,
    /// The `.meta.json` beside it, from 2.1.3xx on.
    pub meta: Option<Value>,
    pub made: Made,
}

/// A tool's output that was too long for the transcript.
#[derive(Debug, Clone)]
pub struct ToolResultFile {
    pub name: String,
    pub text: String,
}

impl Session {
    pub fn build(&self) -> Built {
        Built {
            id: self.id.clone(),
            era: self.era,
            cwd: self.surroundings.cwd.clone(),
            bytes: self.bytes.clone(),
            agents: self.agents.clone(),
            tool_results: self.tool_results.clone(),
            made: self.made.clone(),
        }
    }

    /// The transcript written so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Built {
    /// The transcript's lines without their newlines.
    pub fn lines(&self) -> Vec<&[u8]> {
        let mut lines: Vec<&[u8]> = self.bytes.split(|byte| *byte == b'\n').collect();
        if lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
        }
        lines
    }

    /// The lines as JSON; panics on a line that is not.
    pub fn values(&self) -> Vec<Value> {
        self.lines().into_iter().map(|line| serde_json::from_slice(line).expect("a line of JSON")).collect()
    }

    /// Every file with its path below the project's directory, where this era put it.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let id = &self.id;
        let mut files = vec![(format!("{id}.jsonl"), self.bytes.clone())];
        for agent in &self.agents {
            let stem = match self.era {
                Era::V1_0 | Era::V2_0_42 => format!("agent-{}", agent.id),
                Era::V2_1_56 | Era::V2_1_325 => format!("{id}/subagents/agent-{}", agent.id),
            };
            files.push((format!("{stem}.jsonl"), agent.bytes.clone()));
            if let Some(meta) = &agent.meta {
                files.push((format!("{stem}.meta.json"), meta.to_string().into_bytes()));
            }
        }
        for result in &self.tool_results {
            files.push((format!("{id}/tool-results/{}", result.name), result.text.clone().into_bytes()));
        }
        files
    }
}
