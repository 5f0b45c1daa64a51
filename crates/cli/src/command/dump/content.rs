//! What of a session goes into a document: the flags that `dump` and `share` have in common.

use steno_ops::{Error, dump, rewrite};

/// What documents may be written as.
pub(crate) const FORMATS: &[&str] = &["markdown", "text", "html", "json", "jsonl"];

#[derive(Debug, clap::Args)]
pub(crate) struct Content {
    /// Only the last N messages
    #[arg(long, value_name = "N")]
    tail: Option<usize>,
    /// Show thinking in full
    #[arg(long, visible_alias = "include-thinking")]
    thinking: bool,
    /// Show tool results in full
    #[arg(long)]
    full_results: bool,
    /// Subagents, each where it was called (a page always has them)
    #[arg(long)]
    agents: bool,
    /// The client's own notes, too
    #[arg(long, alias = "include-system-events")]
    system_events: bool,
    /// Leave out the summaries that compactions wrote
    #[arg(long)]
    exclude_compact_summaries: bool,
    /// Hidden messages and noise, too
    #[arg(long)]
    all: bool,
    /// Rewrite paths: OLD=NEW, `wsl-to-win`, `win-to-wsl` or `strip`
    #[arg(long, value_name = "RULE")]
    rewrite: Vec<String>,
    /// List the paths that were rewritten
    #[arg(long, requires = "rewrite")]
    pub(crate) rewrite_report: bool,
}

impl Content {
    pub(crate) fn wish(&self) -> Result<dump::Content, Error> {
        let rewrites = rewrite::parse_all(&self.rewrite)?;
        Ok(dump::Content {
            thinking: self.thinking,
            full_results: self.full_results,
            agents: self.agents,
            system_events: self.system_events,
            without_compact_summaries: self.exclude_compact_summaries,
            all: self.all,
            tail: self.tail,
            rewrites,
        })
    }
}
