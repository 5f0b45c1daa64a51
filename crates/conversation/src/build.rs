//! Pieces → a transcript that was read once → the conversation, by the passes in their order.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::{Kind, Piece, SessionId, Shape, ToolId};

use crate::context::Context;
use crate::entry::Entry;
use crate::head::Implementation;
use crate::memory_limit::{MemoryLimit, MemoryUse, Pushed};
use crate::model::{Agent, Branch, Chunk, Phase, Placing, Plan, Profile, Tool, Verdict};
use crate::part::Part;
use crate::pass::agent::Candidate;
use crate::pass::{agent, boundary, placing, plan};
use crate::profile::{Gathered, Profiler};
use crate::scope::Scope;
use crate::subagent::{AgentFile, called_agents, drop_silent, grow_tree};
use crate::warning::{Warning, Warnings};

/// The kind of the warning about records that are left out for lack of memory.
pub const LEFT_OUT: &str = "left-out";

/// Reads a transcript piece by piece.
#[derive(Debug)]
pub struct Builder {
    entries: Vec<Entry>,
    profiler: Profiler,
    record_types: BTreeMap<String, u64>,
    warnings: Warnings,
    scope: Scope,
    memory: MemoryUse,
}

impl Builder {
    /// `file` is the name in warnings.
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            entries: Vec::new(),
            profiler: Profiler::default(),
            record_types: BTreeMap::new(),
            warnings: Warnings::new(file),
            scope: Scope::default(),
            memory: MemoryUse::default(),
        }
    }

    /// Before anything is pushed.
    pub fn with_scope(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }

    /// Before anything is pushed. Without a limit, every record is kept.
    pub fn within(self, limit: MemoryLimit) -> Self {
        Self { memory: MemoryUse::new(limit), ..self }
    }

    /// How much memory the records take.
    pub fn held(&self) -> u64 {
        self.memory.held()
    }

    /// From now on no record is dropped. Gives how many of the oldest were dropped now.
    pub fn settle(&mut self) -> usize {
        let dropped = self.memory.settle();
        self.drop_oldest(dropped);
        dropped
    }

    /// The other records are counted anew from 0.
    fn drop_oldest(&mut self, count: usize) {
        self.entries.drain(..count.min(self.entries.len()));
        for entry in self.entries.iter_mut().filter(|_| count > 0) {
            entry.at.index -= count;
        }
    }

    pub fn push(&mut self, piece: &Piece<'_>) -> Pushed {
        let mut troubles = piece.troubles;
        let mut pushed = Pushed::default();
        if let Shape::Record(record) = &piece.shape {
            self.profiler.observe(record, &mut troubles);
            let entry = Entry::new(self.entries.len(), record, self.scope, &mut troubles);
            *self.record_types.entry(entry.kind.name().to_owned()).or_default() += 1;
            pushed = self.memory.take(entry.bytes(), record.json.len() as u64);
            if pushed.is_taken {
                self.entries.push(entry);
                self.drop_oldest(pushed.dropped);
            }
        }
        self.warnings.add_troubles(piece.place.line, troubles);
        pushed
    }

    pub fn finish(mut self, id: SessionId) -> Transcript {
        if let Some(message) = self.memory.left_out.message(self.memory.limit()) {
            self.warnings.add(LEFT_OUT, None, message);
        }
        let gathered = self.profiler.finish(id);
        Transcript {
            entries: self.entries,
            gathered,
            record_types: self.record_types,
            warnings: self.warnings,
            scope: self.scope,
        }
    }
}

/// A file that was read, before its surroundings are known.
#[derive(Debug)]
pub struct Transcript {
    entries: Vec<Entry>,
    gathered: Gathered,
    record_types: BTreeMap<String, u64>,
    warnings: Warnings,
    scope: Scope,
}

impl Transcript {
    pub fn profile(&self) -> &Profile {
        &self.gathered.profile
    }

    /// Whether the agent was at work when the file ended.
    pub fn is_unfinished(&self) -> bool {
        self.gathered.is_unfinished
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn into_parts(self) -> (Vec<Entry>, Gathered, Warnings, Scope) {
        (self.entries, self.gathered, self.warnings, self.scope)
    }
}

/// A whole conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    #[serde(flatten)]
    pub profile: Profile,
    pub chunks: Vec<Chunk>,
    pub tools: Vec<Tool>,
    pub agents: Vec<Agent>,
    pub plans: Vec<Plan>,
    pub phases: Vec<Phase>,
    pub branches: Vec<Branch>,
    /// How many records there are of each type, unknown ones included.
    pub record_types: BTreeMap<String, u64>,
    pub unknown_types: Vec<String>,
    pub warnings: Vec<Warning>,
    /// The place of each record of the file, in its order.
    #[serde(skip)]
    pub placing: Vec<Placing>,
    /// The records with which the messages of the active thread start, by their index in the file. Messages of nothing but
    /// tool results are left out.
    #[serde(skip)]
    pub message_starts: Vec<usize>,
}

impl Conversation {
    /// Whether another session may implement a plan of this one: accepting a plan with a cleared context can start a new
    /// file.
    pub fn has_open_plans(&self) -> bool {
        self.plans.iter().any(|plan| plan.verdict != Verdict::Approved && !plan.text.is_empty())
    }

    /// The record with which the last `count` messages start; `usize::MAX` for no messages.
    pub fn first_record_of_tail(&self, count: usize, without_compact_summaries: bool) -> usize {
        let starts: Vec<usize> = self.starts(without_compact_summaries).collect();
        match starts.len().checked_sub(count) {
            Some(first) => starts.get(first).copied().unwrap_or(usize::MAX),
            None => 0,
        }
    }

    /// How many messages start before a record.
    pub fn messages_before(&self, record: usize, without_compact_summaries: bool) -> u64 {
        self.starts(without_compact_summaries).filter(|start| *start < record).count() as u64
    }

    fn starts(&self, without_compact_summaries: bool) -> impl Iterator<Item = usize> {
        let is_summary =
            |start: &usize| self.placing.get(*start).is_some_and(|placing| placing.is_compact_summary);
        let starts = self.message_starts.iter().copied();
        starts.filter(move |start| !(without_compact_summaries && is_summary(start)))
    }

    /// Approves plans that other sessions of the project were asked to implement.
    pub fn settle_plans(&mut self, requests: &[(SessionId, Implementation)]) {
        plan::settle_elsewhere(&mut self.plans, requests);
    }
}

/// Explains a transcript; the order of the passes is the order of this function.
pub fn conversation(transcript: Transcript, mut context: Context) -> Conversation {
    let Transcript { entries, gathered, record_types, mut warnings, scope } = transcript;
    let agents = std::mem::take(&mut context.agents);
    let (mut main, inline) = Part::main(entries, &context, scope, &mut warnings);
    let tools = all_tools(&main, &inline);
    let mut agent_warnings = Vec::new();
    let files =
        agents.into_iter().enumerate().map(|agent| AgentFile::new(agent, &context, &mut agent_warnings));
    let mut agent_files = drop_silent(files.chain(inline).collect(), &main);
    let links = {
        let candidates: Vec<Candidate> = agent_files.iter().map(AgentFile::candidate).collect();
        agent::link(&main, &candidates, &mut warnings)
    };
    let called = called_agents(&agent_files, &links);
    let mut plans = Vec::new();
    main.plans.move_to(&mut plans);
    for agent in &mut agent_files {
        agent.part.plans.move_to(&mut plans);
    }
    let phases = boundary::phases(&main.entries, &main.threads.of_entries);
    let message_starts = placing::message_starts(&main.entries, &main.placing, scope);
    let chunks = main.chunks(&called, scope);
    let agents = grow_tree(agent_files, links, &called);
    let unknown_types =
        record_types.keys().filter(|name| !Kind::from_name(name).is_known()).cloned().collect();
    Conversation {
        profile: gathered.profile,
        chunks,
        tools,
        agents,
        plans,
        phases,
        branches: main.threads.branches,
        record_types,
        unknown_types,
        warnings: warnings.into_list().into_iter().chain(agent_warnings).collect(),
        placing: main.placing,
        message_starts,
    }
}

/// The tool calls of the whole file, in its order: the session's own, and those of agents that stand in it.
fn all_tools(main: &Part, inline: &[AgentFile]) -> Vec<Tool> {
    let mut tools: BTreeMap<&ToolId, Tool> = BTreeMap::new();
    for tool in main.pairs.tools.iter().chain(inline.iter().flat_map(|agent| &agent.part.pairs.tools)) {
        match tools.get_mut(&tool.id) {
            // The call is in one part, the result in another.
            Some(half) => {
                half.call = half.call.take().or_else(|| tool.call.clone());
                half.result = half.result.take().or_else(|| tool.result.clone());
            }
            None => drop(tools.insert(&tool.id, tool.clone())),
        }
    }
    let mut tools: Vec<Tool> = tools.into_values().collect();
    tools.sort_by_key(|tool| tool.call.as_ref().or(tool.result.as_ref()).map(|record| record.index));
    tools
}

/// Adds a piece to the profile and its troubles to the warnings; `list` needs no more.
pub fn observe(piece: &Piece<'_>, profiler: &mut Profiler, warnings: &mut Warnings) {
    let mut troubles = piece.troubles;
    if let Shape::Record(record) = &piece.shape {
        profiler.observe(record, &mut troubles);
    }
    if !troubles.is_empty() {
        warnings.add_troubles(piece.place.line, troubles);
    }
}
