//! Pieces → a transcript that was read once → the conversation, by the passes in their order.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::{AgentId, Kind, Piece, SessionId, Shape, ToolId, Troubles};

use crate::block::Block;
use crate::context::{AgentTranscript, Context};
use crate::entry::Entry;
use crate::model::{Agent, Branch, Chunk, Phase, Plan, Profile, Tokens, Tool, Verdict};
use crate::pass::agent::{Candidate, Link};
use crate::pass::pair::Pairs;
use crate::pass::plan::Plans;
use crate::pass::thread::Threads;
use crate::pass::{agent, boundary, chunk, merge, pair, plan, thread};
use crate::profile::{Gathered, Profiler};
use crate::usage::Ledger;
use crate::warning::{Warning, Warnings};

/// Agents that start within this many milliseconds of each other run in parallel.
const PARALLEL_MS: i64 = 100;

/// Reads a transcript piece by piece.
#[derive(Debug)]
pub struct Builder {
    entries: Vec<Entry>,
    profiler: Profiler,
    record_types: BTreeMap<String, u64>,
    warnings: Warnings,
}

impl Builder {
    /// `file` is how warnings call it.
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            entries: Vec::new(),
            profiler: Profiler::default(),
            record_types: BTreeMap::new(),
            warnings: Warnings::new(file),
        }
    }

    pub fn push(&mut self, piece: &Piece<'_>) {
        let mut troubles = piece.troubles;
        if let Shape::Record(record) = &piece.shape {
            self.profiler.observe(record, &mut troubles);
            let entry = Entry::new(self.entries.len(), record, &mut troubles);
            *self.record_types.entry(entry.kind.name().to_owned()).or_default() += 1;
            self.entries.push(entry);
        }
        self.warnings.add_troubles(piece.place.line, troubles);
    }

    pub fn finish(self, id: SessionId) -> Transcript {
        let gathered = self.profiler.finish(id);
        Transcript { entries: self.entries, gathered, record_types: self.record_types, warnings: self.warnings }
    }
}

/// A file that was read, before its surroundings are known.
#[derive(Debug)]
pub struct Transcript {
    entries: Vec<Entry>,
    gathered: Gathered,
    record_types: BTreeMap<String, u64>,
    warnings: Warnings,
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
}

impl Conversation {
    /// Whether other sessions may tell what became of a plan: accepting one with a cleared context can start a
    /// new file.
    pub fn has_open_plans(&self) -> bool {
        self.plans.iter().any(|plan| plan.verdict != Verdict::Approved && !plan.text.is_empty())
    }

    /// Looks among the first prompts of the project's other sessions.
    pub fn settle_plans(&mut self, first_prompts: &[(SessionId, String)]) {
        plan::settle_elsewhere(&mut self.plans, first_prompts);
    }
}

/// Explains a transcript; the order of the passes is the order of this function.
pub fn conversation(transcript: Transcript, mut context: Context) -> Conversation {
    let Transcript { entries, gathered, record_types, mut warnings } = transcript;
    let agents = std::mem::take(&mut context.agents);
    let (mut main, inline) = Part::new(entries, &context, &mut warnings).without_sidechains(&context);
    let mut agent_warnings = Vec::new();
    let files = agents.into_iter().map(|agent| AgentFile::new(agent, &context, &mut agent_warnings));
    let agent_files: Vec<AgentFile> = files.chain(inline).collect();
    let agent_files = drop_silent(agent_files, &main);
    let links = {
        let candidates: Vec<Candidate> = agent_files.iter().map(AgentFile::candidate).collect();
        agent::link(&main, &candidates)
    };
    let called = called_agents(&agent_files, &links);
    let phases = boundary::phases(&main.entries, &main.threads.on_line);
    let chunks = main.chunks(&called);
    let agents = grow_tree(agent_files, links, &called);
    let unknown_types = record_types.keys().filter(|name| !Kind::from_name(name).is_known()).cloned().collect();
    Conversation {
        profile: gathered.profile,
        chunks,
        tools: main.pairs.tools,
        agents,
        plans: main.plans.plans,
        phases,
        branches: main.threads.branches,
        record_types,
        unknown_types,
        warnings: warnings.into_list().into_iter().chain(agent_warnings).collect(),
    }
}

/// One conversation after the passes that look at records only: the session's own, or an agent's.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) entries: Vec<Entry>,
    pub(crate) pairs: Pairs,
    threads: Threads,
    plans: Plans,
}

impl Part {
    fn new(mut entries: Vec<Entry>, context: &Context, warnings: &mut Warnings) -> Self {
        merge::merge(&mut entries);
        let threads = thread::thread(&entries, warnings);
        let pairs = pair::pair(&entries, context, warnings);
        let plans = plan::plan(&entries, &pairs);
        Self { entries, pairs, threads, plans }
    }

    /// Older clients write their subagents into the session's own file: those become agents of their own.
    fn without_sidechains(mut self, context: &Context) -> (Self, Vec<AgentFile>) {
        let sidechains = std::mem::take(&mut self.threads.sidechains);
        let inline = sidechains.iter().filter_map(|members| AgentFile::inline(&mut self.entries, members, context));
        let inline = inline.collect();
        (self, inline)
    }

    fn chunks(&mut self, agents: &HashMap<ToolId, AgentId>) -> Vec<Chunk> {
        let shown = self.threads.on_line.iter().enumerate().filter(|(_, shown)| **shown).map(|(index, _)| index);
        let sources = chunk::Sources { entries: &self.entries, pairs: &mut self.pairs, plans: &self.plans, agents };
        chunk::chunk(sources, shown)
    }

    /// The text that an agent was started with.
    pub(crate) fn first_user_text(&self) -> Option<String> {
        let first = self.entries.iter().find(|entry| entry.kind == Kind::User && !entry.is_meta && !entry.has_tool_result())?;
        Some(first.text())
    }

    pub(crate) fn started_at(&self) -> Option<Timestamp> {
        self.entries.iter().filter_map(|entry| entry.timestamp).min()
    }
}

/// An agent's transcript after its own passes.
struct AgentFile {
    source: AgentSource,
    figures: Figures,
    is_unfinished: bool,
    part: Part,
}

struct AgentSource {
    id: AgentId,
    path: Option<String>,
    meta: Option<crate::context::AgentMeta>,
    is_fresh: bool,
}

/// What is counted of an agent.
struct Figures {
    span: Option<(Timestamp, Timestamp)>,
    messages: u64,
    tool_calls: u64,
    tokens: Tokens,
}

impl AgentFile {
    fn new(agent: AgentTranscript, context: &Context, warned: &mut Vec<Warning>) -> Self {
        let AgentTranscript { id, path, meta, is_fresh, transcript } = agent;
        let Transcript { entries, gathered: Gathered { profile, is_unfinished, .. }, mut warnings, .. } = transcript;
        let part = Part::new(entries, context, &mut warnings);
        warned.extend(warnings.into_list());
        let figures = Figures {
            span: profile.started_at.zip(profile.ended_at),
            messages: profile.messages,
            tool_calls: profile.tool_calls,
            tokens: profile.tokens,
        };
        Self { source: AgentSource { id, path: Some(path), meta, is_fresh }, figures, is_unfinished, part }
    }

    /// The sidechain records of the session's file that belong together, taken out of it.
    fn inline(entries: &mut [Entry], members: &[usize], context: &Context) -> Option<Self> {
        let taken: Vec<Entry> =
            members.iter().filter_map(|index| entries.get_mut(*index).map(Entry::take)).collect();
        let first = taken.first()?.at.clone();
        let id = first.uuid.map_or_else(|| format!("line-{}", first.line), |uuid| uuid.to_string());
        let source = AgentSource { id: AgentId::new(id), path: None, meta: None, is_fresh: false };
        let figures = Figures::count(&taken);
        // What is strange about these records was said of the file that they stand in.
        let part = Part::new(taken, context, &mut Warnings::new(""));
        Some(Self { source, figures, is_unfinished: false, part })
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate { id: &self.source.id, meta: self.source.meta.as_ref(), part: &self.part }
    }
}

impl Figures {
    fn count(entries: &[Entry]) -> Self {
        let mut ledger = Ledger::default();
        let mut users = 0;
        for entry in entries {
            match entry.kind {
                Kind::Assistant => ledger.count(entry.key, entry.usage),
                Kind::User => users += 1,
                _ => {}
            }
        }
        let times = || entries.iter().filter_map(|entry| entry.timestamp);
        let blocks = entries.iter().flat_map(|entry| &entry.blocks);
        Self {
            span: times().min().zip(times().max()),
            messages: users + ledger.messages(),
            tool_calls: blocks.filter(|block| matches!(block, Block::ToolUse { .. })).count() as u64,
            tokens: ledger.total(),
        }
    }
}

/// Leaves out the agents that nobody called: warm-ups, compaction's own, empty files.
fn drop_silent(agents: Vec<AgentFile>, main: &Part) -> Vec<AgentFile> {
    let is_named = |id: &AgentId, agents: &[AgentFile]| {
        let names = |part: &Part| part.entries.iter().any(|entry| {
            entry.tool_use_result.as_deref().and_then(crate::verdict::agent_id).as_ref() == Some(id)
        });
        names(main) || agents.iter().any(|agent| names(&agent.part))
    };
    let heard: Vec<bool> = agents
        .iter()
        .map(|agent| {
            let head = Head {
                is_empty: agent.part.entries.is_empty(),
                first_user_text: agent.part.first_user_text(),
                has_meta: agent.source.meta.is_some(),
            };
            is_heard(&agent.source.id, &head, || is_named(&agent.source.id, &agents))
        })
        .collect();
    agents.into_iter().zip(heard).filter(|(_, heard)| *heard).map(|(agent, _)| agent).collect()
}

/// What tells a real agent from one that nobody called.
#[derive(Debug, Clone, Default)]
pub struct Head {
    pub is_empty: bool,
    pub first_user_text: Option<String>,
    pub has_meta: bool,
}

impl Head {
    /// Looks at a piece; true once the first user text is known.
    pub fn observe(&mut self, piece: &Piece<'_>) -> bool {
        let Shape::Record(record) = &piece.shape else { return false };
        self.is_empty = false;
        if record.kind() != Kind::User || record.envelope.is_meta.0 {
            return false;
        }
        let mut troubles = Troubles::default();
        let entry = Entry::new(0, record, &mut troubles);
        if !entry.has_tool_result() {
            self.first_user_text = Some(entry.text());
        }
        self.first_user_text.is_some()
    }
}

/// Whether an agent counts: not empty, not compaction's own, not a warm-up. Warm-ups of 2.0.x have no prompt, but
/// so have real agents of that time, which a result then names.
pub fn is_heard(id: &AgentId, head: &Head, is_named: impl FnOnce() -> bool) -> bool {
    if head.is_empty || id.as_str().starts_with("acompact") {
        return false;
    }
    match head.first_user_text.as_deref() {
        Some(text) => text.trim() != "Warmup",
        None => head.has_meta || is_named(),
    }
}

fn called_agents(agents: &[AgentFile], links: &[Link]) -> HashMap<ToolId, AgentId> {
    let mut called = HashMap::new();
    for (agent, link) in agents.iter().zip(links) {
        if let Some(tool) = &link.tool_id {
            called.entry(tool.clone()).or_insert_with(|| agent.source.id.clone());
        }
    }
    called
}

/// Puts each agent below the one that started it.
fn grow_tree(agents: Vec<AgentFile>, links: Vec<Link>, called: &HashMap<ToolId, AgentId>) -> Vec<Agent> {
    let owners: Vec<Option<usize>> = links.iter().map(|link| link.owner).collect();
    let starts: Vec<Option<Timestamp>> = agents.iter().map(|agent| agent.part.started_at()).collect();
    let parallel: Vec<bool> = (0..agents.len()).map(|index| is_parallel(index, &owners, &starts)).collect();
    let mut grown: Vec<Option<Agent>> = agents
        .into_iter()
        .zip(links)
        .zip(parallel)
        .map(|((agent, link), parallel)| Some(finish_agent(agent, link, parallel, called)))
        .collect();
    let mut order: Vec<usize> = (0..grown.len()).collect();
    // Deepest first, so that an agent has all of its own before it moves.
    order.sort_by_key(|index| std::cmp::Reverse(std::iter::successors(Some(*index), |at| owners.get(*at).copied().flatten()).count()));
    for index in order {
        let Some(owner) = owners.get(index).copied().flatten() else { continue };
        let Some(agent) = grown.get_mut(index).and_then(Option::take) else { continue };
        match grown.get_mut(owner).and_then(Option::as_mut) {
            Some(parent) => parent.agents.push(agent),
            None => {
                if let Some(slot) = grown.get_mut(index) {
                    *slot = Some(agent);
                }
            }
        }
    }
    let mut roots: Vec<Agent> = grown.into_iter().flatten().collect();
    sort_by_start(&mut roots);
    roots
}

fn sort_by_start(agents: &mut [Agent]) {
    agents.sort_by(|one, two| one.started_at.cmp(&two.started_at).then_with(|| one.id.cmp(&two.id)));
    for agent in agents {
        sort_by_start(&mut agent.agents);
    }
}

fn is_parallel(index: usize, owners: &[Option<usize>], starts: &[Option<Timestamp>]) -> bool {
    let Some(start) = starts.get(index).copied().flatten() else { return false };
    let mut others = owners.iter().zip(starts).enumerate().filter(|(other, _)| *other != index);
    others.any(|(_, (owner, other))| {
        Some(owner) == owners.get(index)
            && other.is_some_and(|other| (other.as_millisecond() - start.as_millisecond()).abs() <= PARALLEL_MS)
    })
}

fn finish_agent(agent: AgentFile, link: Link, parallel: bool, called: &HashMap<ToolId, AgentId>) -> Agent {
    let AgentFile { source, figures, is_unfinished, mut part } = agent;
    Agent {
        id: source.id,
        description: link.description,
        kind: link.kind,
        tool_id: link.tool_id,
        linked_by: link.linked_by,
        parallel,
        team: link.team,
        background: link.background,
        started_at: figures.span.map(|(least, _)| least),
        ended_at: figures.span.map(|(_, greatest)| greatest),
        ongoing: is_unfinished && source.is_fresh,
        messages: figures.messages,
        tool_calls: figures.tool_calls,
        tokens: figures.tokens,
        path: source.path,
        continues: link.continues,
        chunks: part.chunks(called),
        agents: Vec::new(),
    }
}

/// Looks at a piece without keeping anything of it: what `list` needs.
pub fn observe(piece: &Piece<'_>, profiler: &mut Profiler, warnings: &mut Warnings) {
    let mut troubles: Troubles = piece.troubles;
    match &piece.shape {
        Shape::Record(record) => profiler.observe(record, &mut troubles),
        Shape::Skimmed(envelope) => profiler.observe_envelope(envelope, &mut troubles),
        Shape::Blank | Shape::Broken(_) => {}
    }
    if !troubles.is_empty() {
        warnings.add_troubles(piece.place.line, troubles);
    }
}
