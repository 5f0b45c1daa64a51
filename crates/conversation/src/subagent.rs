//! Subagents, after the passes over their transcripts → the tree of agents, each below the one that started it.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use steno_transcript::{AgentId, Kind, ToolId};

use crate::block::Block;
use crate::context::{AgentMeta, AgentTranscript, Context};
use crate::entry::Entry;
use crate::head::{Head, is_heard};
use crate::model::{Agent, Tokens};
use crate::part::Part;
use crate::pass::agent::{Candidate, Link};
use crate::profile::Gathered;
use crate::scope::Scope;
use crate::usage::MessageUsage;
use crate::warning::Warning;

/// Agents that start within this many milliseconds of each other run in parallel.
const PARALLEL_MS: i64 = 100;

/// An agent's transcript after its own passes.
pub(crate) struct AgentFile {
    source: AgentSource,
    figures: Figures,
    is_unfinished: bool,
    scope: Scope,
    pub(crate) part: Part,
}

struct AgentSource {
    id: AgentId,
    path: Option<String>,
    /// Its index among the agents of the context.
    place: Option<usize>,
    meta: Option<AgentMeta>,
    is_fresh: bool,
}

/// The counts of an agent.
pub(crate) struct Figures {
    span: Option<(Timestamp, Timestamp)>,
    messages: u64,
    tool_calls: u64,
    tokens: Tokens,
}

impl AgentFile {
    /// `place` is the index of the agent in the context.
    pub(crate) fn new(
        (place, agent): (usize, AgentTranscript),
        context: &Context,
        warned: &mut Vec<Warning>,
    ) -> Self {
        let AgentTranscript { id, path, meta, is_fresh, transcript } = agent;
        let (entries, gathered, mut warnings, scope) = transcript.into_parts();
        let Gathered { profile, is_unfinished, .. } = gathered;
        let part = Part::new(entries, context, &mut warnings);
        warned.extend(warnings.into_list());
        let figures = Figures {
            span: profile.started_at.zip(profile.ended_at),
            messages: profile.messages,
            tool_calls: profile.tool_calls,
            tokens: profile.tokens,
        };
        let source = AgentSource { id, path: Some(path), place: Some(place), meta, is_fresh };
        Self { source, figures, is_unfinished, scope, part }
    }

    /// An agent whose records stand in the session's own file; none without records.
    pub(crate) fn inline(part: Part, figures: Figures, scope: Scope) -> Option<Self> {
        let first = part.entries.first()?.at.clone();
        let id = first.uuid.map_or_else(|| format!("line-{}", first.line), |uuid| uuid.to_string());
        let source =
            AgentSource { id: AgentId::new(id), path: None, place: None, meta: None, is_fresh: false };
        Some(Self { source, figures, is_unfinished: false, scope, part })
    }

    pub(crate) fn candidate(&self) -> Candidate<'_> {
        Candidate { id: &self.source.id, meta: self.source.meta.as_ref(), part: &self.part }
    }
}

impl Figures {
    pub(crate) fn count(entries: &[Entry]) -> Self {
        let mut usage_sum = MessageUsage::default();
        let mut users = 0;
        for entry in entries {
            match entry.kind {
                Kind::Assistant => {
                    usage_sum.count(entry.key, entry.usage);
                    usage_sum.count_beside(entry.key, &entry.beside);
                }
                Kind::User => users += 1,
                _ => {}
            }
        }
        let times = || entries.iter().filter_map(|entry| entry.timestamp);
        let calls = entries.iter().flat_map(|entry| &entry.blocks).filter_map(|block| match block {
            Block::ToolUse { id, .. } => Some(id),
            _ => None,
        });
        Self {
            span: times().min().zip(times().max()),
            messages: users + usage_sum.messages(),
            tool_calls: calls.collect::<HashSet<_>>().len() as u64,
            tokens: usage_sum.total(),
        }
    }
}

/// Leaves out the agents that no call started: warm-ups, those of compactions, empty files.
pub(crate) fn drop_silent(mut agents: Vec<AgentFile>, main: &Part) -> Vec<AgentFile> {
    let parts = std::iter::once(main).chain(agents.iter().map(|agent| &agent.part));
    let named: HashSet<AgentId> =
        parts.flat_map(|part| part.pairs.all_structured()).filter_map(crate::verdict::agent_id).collect();
    agents.retain(|agent| {
        let head = Head {
            is_empty: agent.part.entries.is_empty(),
            first_user_text: agent.part.first_user_text(),
            has_meta: agent.source.meta.is_some(),
        };
        is_heard(&agent.source.id, &head, || named.contains(&agent.source.id))
    });
    agents
}

pub(crate) fn called_agents(agents: &[AgentFile], links: &[Link]) -> HashMap<ToolId, AgentId> {
    let mut called = HashMap::new();
    for (agent, link) in agents.iter().zip(links) {
        if let Some(tool) = &link.tool_id {
            called.entry(tool.clone()).or_insert_with(|| agent.source.id.clone());
        }
    }
    called
}

/// Puts each agent below the one that started it.
pub(crate) fn grow_tree(
    agents: Vec<AgentFile>,
    links: Vec<Link>,
    called: &HashMap<ToolId, AgentId>,
) -> Vec<Agent> {
    let parallel = parallel(&agents, &links);
    let mut by_owner: HashMap<Option<usize>, Vec<(usize, Agent)>> = HashMap::new();
    for (index, (agent, link)) in agents.into_iter().zip(links).enumerate() {
        let owner = link.owner;
        let agent = finish_agent(agent, link, parallel.contains(&index), called);
        by_owner.entry(owner).or_default().push((index, agent));
    }
    started_by(None, &mut by_owner)
}

/// The agents that one agent started, or the session itself. The links form no circle, and do not nest deep.
fn started_by(
    owner: Option<usize>,
    by_owner: &mut HashMap<Option<usize>, Vec<(usize, Agent)>>,
) -> Vec<Agent> {
    let started = by_owner.remove(&owner).unwrap_or_default();
    let with_own = |(index, agent)| Agent { agents: started_by(Some(index), by_owner), ..agent };
    let mut agents: Vec<Agent> = started.into_iter().map(with_own).collect();
    agents.sort_by(|one, two| one.started_at.cmp(&two.started_at).then_with(|| one.id.cmp(&two.id)));
    agents
}

/// The agents that started at about the same time as another one of the same owner.
fn parallel(agents: &[AgentFile], links: &[Link]) -> HashSet<usize> {
    let starts = agents.iter().zip(links).enumerate().filter_map(|(index, (agent, link))| {
        Some((link.owner, agent.part.started_at()?.as_millisecond(), index))
    });
    let mut starts: Vec<_> = starts.collect();
    starts.sort_unstable();
    let mut parallel = HashSet::new();
    for pair in starts.windows(2) {
        if let [(one, before, first), (two, after, second)] = pair
            && one == two
            && after - before <= PARALLEL_MS
        {
            parallel.extend([*first, *second]);
        }
    }
    parallel
}

fn finish_agent(agent: AgentFile, link: Link, parallel: bool, called: &HashMap<ToolId, AgentId>) -> Agent {
    let AgentFile { source, figures, is_unfinished, scope, mut part } = agent;
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
        chunks: part.chunks(called, scope),
        tools: part.pairs.tools,
        agents: Vec::new(),
        placing: part.placing,
        file: source.place,
    }
}
