//! One conversation, the session's own or an agent's, after the passes that need nothing but its records.

use std::collections::HashMap;

use jiff::Timestamp;
use steno_transcript::{AgentId, Kind, ToolId};

use crate::context::Context;
use crate::entry::Entry;
use crate::model::{Chunk, Placing, Thread};
use crate::pass::pair::Pairs;
use crate::pass::plan::Plans;
use crate::pass::thread::Threads;
use crate::pass::{chunk, merge, pair, placing, plan, thread};
use crate::scope::Scope;
use crate::subagent::{AgentFile, Figures};
use crate::warning::Warnings;

/// A conversation whose records are understood, before its chunks are cut.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) entries: Vec<Entry>,
    pub(crate) pairs: Pairs,
    pub(crate) threads: Threads,
    pub(crate) plans: Plans,
    pub(crate) placing: Vec<Placing>,
}

impl Part {
    pub(crate) fn new(entries: Vec<Entry>, context: &Context, warnings: &mut Warnings) -> Self {
        let threads = thread::thread(&entries, warnings);
        Self::explained(entries, threads, context, warnings)
    }

    /// The session's own part. Older clients write their subagents into the session's file: those become agents of
    /// their own.
    pub(crate) fn main(
        mut entries: Vec<Entry>,
        context: &Context,
        scope: Scope,
        warnings: &mut Warnings,
    ) -> (Self, Vec<AgentFile>) {
        let mut threads = thread::thread(&entries, warnings);
        let sidechains = std::mem::take(&mut threads.sidechains);
        let mut inline = Vec::with_capacity(sidechains.len());
        for members in sidechains {
            let taken: Vec<Entry> =
                members.iter().filter_map(|index| entries.get_mut(*index).map(Entry::take)).collect();
            // The pass over the whole file has warned about their tree already.
            let threads = thread::thread(&taken, &mut Warnings::new(""));
            let figures = Figures::count(&taken);
            let part = Self::explained(taken, threads, context, warnings);
            inline.extend(AgentFile::inline(part, figures, scope));
        }
        (Self::explained(entries, threads, context, warnings), inline)
    }

    fn explained(
        mut entries: Vec<Entry>,
        threads: Threads,
        context: &Context,
        warnings: &mut Warnings,
    ) -> Self {
        merge::merge(&mut entries, &threads.of_entries);
        let pairs = pair::pair(&mut entries, &threads.of_entries, context, warnings);
        let plans = plan::plan(&entries, &pairs);
        let placing = placing::placing(&entries, &threads, &plans);
        Self { entries, pairs, threads, plans, placing }
    }

    pub(crate) fn chunks(&mut self, agents: &HashMap<ToolId, AgentId>, scope: Scope) -> Vec<Chunk> {
        let threads = self.threads.of_entries.iter().enumerate();
        let shown = threads.filter(|(_, thread)| **thread == Thread::Active).map(|(index, _)| index);
        let sources = chunk::Sources {
            entries: &self.entries,
            pairs: &mut self.pairs,
            plans: &self.plans,
            agents,
            scope,
        };
        chunk::chunk(sources, shown)
    }

    /// The text that an agent was started with.
    pub(crate) fn first_user_text(&self) -> Option<String> {
        let first = self
            .entries
            .iter()
            .find(|entry| entry.kind == Kind::User && !entry.is_meta && !entry.has_tool_result())?;
        Some(first.text())
    }

    pub(crate) fn started_at(&self) -> Option<Timestamp> {
        self.entries.iter().filter_map(|entry| entry.timestamp).min()
    }
}
