//! What a search answers.

use std::ops::Range;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Role;
use steno_conversation::model::RecordRef;

use super::Mode;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// As it was asked.
    pub query: String,
    pub mode: Mode,
    /// How many passages answer; of a literal or an expression without filters, how many lines.
    pub total: u64,
    /// How many sessions they stand in.
    pub total_sessions: u64,
    /// Those that are shown, the one with the best hit first.
    pub sessions: Vec<Session>,
    /// The best of each of these sessions, in the order of the sessions.
    pub hits: Vec<Hit>,
    /// No passage has all the words: these sessions have each of them somewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scattered: bool,
    /// The time was up before everything was searched.
    pub partial: bool,
    /// What happened to the index, if anybody should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What of the query means something else than it looks like; where nothing was found, what else to try.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

/// A session that answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub id: String,
    pub title: Option<String>,
    pub cwd: Option<String>,
    pub git_branch: Option<String>,
    pub ended_at: Option<Timestamp>,
    /// Whether the client's own file exists.
    pub live: bool,
    /// Whether the vault has it.
    pub kept: bool,
    /// The machine that kept it, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// A subagent's file, where the session itself is nowhere: `show` takes it instead of the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How many passages or lines of it answer, those of its subagents included.
    pub hits: u64,
}

/// A passage that answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    pub session: String,
    /// The subagent in whose file it stands.
    pub agent: Option<String>,
    /// Where in that file.
    pub record: RecordRef,
    /// What `show --at` opens it by.
    pub at: String,
    pub timestamp: Option<Timestamp>,
    pub role: Role,
    /// The tool that was called, or that gave it.
    pub tool: Option<String>,
    /// A short stretch of it, on one line.
    pub snippet: String,
    /// What was looked for: bytes of the snippet, from and to.
    pub highlights: Vec<(usize, usize)>,
    /// Greater is better; it compares only with others of the same answer.
    pub score: f32,
}

impl Hit {
    /// A shorter snippet, of about so many characters, and what was looked for in it.
    pub fn narrowed(&self, width: usize) -> (String, Vec<(usize, usize)>) {
        let found: Vec<Range<usize>> = self.highlights.iter().map(|(start, end)| *start..*end).collect();
        let narrow = steno_index::snippet(&self.snippet, &found, width);
        (narrow.text, narrow.highlights.into_iter().map(|place| (place.start, place.end)).collect())
    }
}
