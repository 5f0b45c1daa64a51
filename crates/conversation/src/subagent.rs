//! Subagents: their transcripts after the passes → the tree of who started whom.

use std::collections::HashMap;

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
use crate::usage::Ledger;
use crate::warning::{Warning, Warnings};

/// Agents that start within this many milliseconds of each other run in parallel.
const PARALLEL_MS: i64 = 100;

/// An agent's transcript after its own passes.
pub(crate) struct AgentFile {
    source: AgentSource,
    figures: Figures,
    is_unfinished: bool,
    part: Part,
}

struct AgentSource {
    id: AgentId,
    path: Option<String>,
    meta: Option<AgentMeta>,
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
    pub(crate) fn new(agent: AgentTranscript, context: &Context, warned: &mut Vec<Warning>) -> Self {
        let AgentTranscript { id, path, meta, is_fresh, transcript } = agent;
        let (entries, Gathered { profile, is_unfinished, .. }, mut warnings) = transcript.into_parts();
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
    pub(crate) fn inline(entries: &mut [Entry], members: &[usize], context: &Context) -> Option<Self> {
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

    pub(crate) fn candidate(&self) -> Candidate<'_> {
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
pub(crate) fn drop_silent(agents: Vec<AgentFile>, main: &Part) -> Vec<AgentFile> {
    let is_named = |id: &AgentId, agents: &[AgentFile]| {
        let names = |part: &Part| {
            part.entries.iter().any(|entry| {
                entry.tool_use_result.as_deref().and_then(crate::verdict::agent_id).as_ref() == Some(id)
            })
        };
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
    let owner_of = |index: &usize| owners.get(*index).copied().flatten();
    order.sort_by_key(|index| std::cmp::Reverse(std::iter::successors(Some(*index), owner_of).count()));
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
            && other
                .is_some_and(|other| (other.as_millisecond() - start.as_millisecond()).abs() <= PARALLEL_MS)
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
