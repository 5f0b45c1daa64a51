//! How much of a conversation is written down; the same wishes for every format.

/// What is written besides what people said and the agent answered.
#[derive(Debug, Clone, Default)]
pub struct Detail {
    /// Thinking in full, not as a mark.
    pub thinking: bool,
    /// Tool results in full, not as previews.
    pub full_results: bool,
    /// Subagents, each where it was called.
    pub agents: bool,
    /// What the client noted about its own work.
    pub system_events: bool,
    /// Leaves out the summaries that compactions put in place of what was said.
    pub without_compact_summaries: bool,
    /// Hidden messages and noise, too.
    pub all: bool,
    /// Leaves out what came from records before this one, counted from 0.
    pub from_record: usize,
    /// Sentences for the end of the document: what was masked or rewritten in it.
    pub notes: Vec<String>,
}
