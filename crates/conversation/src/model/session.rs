//! A session as a row of a list.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::{AgentId, SessionId};

/// A row of `list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    #[serde(flatten)]
    pub profile: Profile,
    /// How many subagents it has, warm-ups and empty ones left out.
    pub agents: u64,
    /// Those that have a file of their own, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagents: Option<Vec<Subagent>>,
    /// The machine that kept it, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

/// A subagent as a row below its session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subagent {
    pub id: AgentId,
    /// What kind of agent was asked for, where the client wrote that down.
    pub agent_type: Option<String>,
    /// What it was asked to do.
    pub description: Option<String>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub messages: u64,
    pub tool_calls: u64,
    pub models: Vec<String>,
    pub tokens: Tokens,
    pub size_bytes: u64,
}

/// The facts about a session as a whole. Some come from outside its transcript (`live`, `kept`, `path` …); the caller adds
/// them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The stem of the transcript's file name: what the client resumes by.
    pub id: SessionId,
    /// Other session ids found inside, each naming its part of the file.
    pub aliases: Vec<SessionId>,
    pub title: Option<String>,
    pub title_source: Option<TitleSource>,
    /// The name of the project's directory, an encoding of its path that cannot be undone.
    pub project_hash: Option<String>,
    pub cwd: Option<String>,
    pub git_branch: Option<String>,
    /// The least and the greatest timestamp; records need not be in the order of time.
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// Merged user and assistant messages, those with nothing but tool results included.
    pub messages: u64,
    /// Prompts that started a turn.
    pub turns: u64,
    pub tool_calls: u64,
    pub models: Vec<String>,
    pub versions: Vec<String>,
    pub tokens: Tokens,
    /// Of the transcript alone.
    pub size_bytes: u64,
    /// Whether it is running.
    pub ongoing: bool,
    /// Whether the client's own file exists.
    pub live: bool,
    /// Whether the vault has it.
    pub kept: bool,
    pub path: Option<String>,
    /// The session that this one was cloned from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloned_from: Option<SessionId>,
}

/// Where a title was found; earlier ones win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TitleSource {
    Custom,
    Ai,
    Summary,
    Plan,
    Prompt,
    Slug,
}

/// Token counts: each message once, the maximum of each field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    #[serde(rename = "cacheWrite5m")]
    pub cache_write_5m: u64,
    #[serde(rename = "cacheWrite1h")]
    pub cache_write_1h: u64,
    /// Messages of which no record has a final usage: their output is only a lower bound.
    pub without_final_usage: u64,
}

impl Tokens {
    pub fn add(&mut self, other: &Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write_5m = self.cache_write_5m.saturating_add(other.cache_write_5m);
        self.cache_write_1h = self.cache_write_1h.saturating_add(other.cache_write_1h);
        self.without_final_usage = self.without_final_usage.saturating_add(other.without_final_usage);
    }

    /// Everything the model read for its answer, and the answer.
    pub fn context(&self) -> u64 {
        [self.cache_read, self.cache_write_5m, self.cache_write_1h, self.output]
            .iter()
            .fold(self.input, |sum, part| sum.saturating_add(*part))
    }
}
