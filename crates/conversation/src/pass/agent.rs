//! Agent: which call started which subagent, in the session or in another subagent.
//!
//! Four kinds of evidence, best first: the file beside the agent's transcript, the result of the call, the summary
//! of a message to a team member, and order in time.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde::Deserialize;
use steno_transcript::{AgentId, RecordId, ToolId, understood};

use crate::activity::is_agent_tool;
use crate::block::Block;
use crate::context::AgentMeta;
use crate::model::{LinkedBy, Team};
use crate::part::Part;
use crate::prompt;
use crate::verdict;

/// How many files of one team member are followed back.
const CONTINUATIONS: usize = 10;

/// An agent before its place is known.
pub(crate) struct Candidate<'a> {
    pub(crate) id: &'a AgentId,
    pub(crate) meta: Option<&'a AgentMeta>,
    pub(crate) part: &'a Part,
}

/// Where an agent belongs.
#[derive(Debug, Default, Clone)]
pub(crate) struct Link {
    /// The agent that started it; none for the session itself.
    pub(crate) owner: Option<usize>,
    pub(crate) tool_id: Option<ToolId>,
    pub(crate) linked_by: Option<LinkedBy>,
    pub(crate) continues: Option<AgentId>,
    pub(crate) description: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) background: bool,
    pub(crate) team: Option<Team>,
}

/// A call that starts an agent.
#[derive(Debug)]
struct Spawn {
    id: ToolId,
    owner: Option<usize>,
    at: Option<Timestamp>,
    input: SpawnInput,
    result: SpawnResult,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SpawnInput {
    description: Option<String>,
    subagent_type: Option<String>,
    prompt: Option<String>,
    run_in_background: Option<bool>,
    team_name: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SpawnResult {
    #[serde(rename = "agentId")]
    agent_id: Option<String>,
    status: Option<String>,
    team_name: Option<String>,
    name: Option<String>,
    color: Option<String>,
}

/// A link for each candidate, in their order.
pub(crate) fn link(main: &Part, candidates: &[Candidate<'_>]) -> Vec<Link> {
    let mut spawns = spawns(main, None);
    for (index, candidate) in candidates.iter().enumerate() {
        spawns.extend(self::spawns(candidate.part, Some(index)));
    }
    let mut linker =
        Linker { candidates, spawns, links: vec![Link::default(); candidates.len()], taken: HashSet::new() };
    linker.by_meta();
    linker.by_result();
    linker.by_team();
    linker.by_continuation();
    linker.by_position();
    linker.describe();
    linker.break_circles();
    linker.links
}

fn spawns(part: &Part, owner: Option<usize>) -> Vec<Spawn> {
    let calls = part.entries.iter().flat_map(|entry| entry.blocks.iter().map(move |block| (entry, block)));
    calls
        .filter_map(|(entry, block)| match block {
            Block::ToolUse { id, name, input } => Some((entry, id, name, input)),
            _ => None,
        })
        .filter_map(|(entry, id, name, input)| {
            let structured = part.pairs.structured(id);
            let starts =
                is_agent_tool(name) || structured.is_some_and(|raw| verdict::agent_id(raw).is_some());
            starts.then(|| Spawn {
                id: id.clone(),
                owner,
                at: entry.timestamp,
                input: input.as_deref().and_then(understood).unwrap_or_default(),
                result: structured.and_then(understood).unwrap_or_default(),
            })
        })
        .collect()
}

struct Linker<'a> {
    candidates: &'a [Candidate<'a>],
    spawns: Vec<Spawn>,
    links: Vec<Link>,
    taken: HashSet<ToolId>,
}

impl Linker<'_> {
    fn is_open(&self, index: usize) -> bool {
        self.links.get(index).is_some_and(|link| link.linked_by.is_none())
    }

    /// Joins an agent to a call; an agent cannot have started itself.
    fn join(&mut self, index: usize, tool: &ToolId, by: LinkedBy) {
        let owner = self.spawns.iter().find(|spawn| spawn.id == *tool).and_then(|spawn| spawn.owner);
        if owner == Some(index) {
            return;
        }
        self.taken.insert(tool.clone());
        if let Some(link) = self.links.get_mut(index) {
            link.owner = owner;
            link.tool_id = Some(tool.clone());
            link.linked_by = Some(by);
        }
    }

    fn by_meta(&mut self) {
        for (index, candidate) in self.candidates.iter().enumerate() {
            if let Some(tool) = candidate.meta.and_then(|meta| meta.tool_id.clone()) {
                self.join(index, &tool, LinkedBy::Meta);
            }
        }
    }

    fn by_result(&mut self) {
        for (index, candidate) in self.candidates.iter().enumerate() {
            let named = |spawn: &&Spawn| spawn.result.agent_id.as_deref() == Some(candidate.id.as_str());
            let tool = self.spawns.iter().find(named).map(|spawn| spawn.id.clone());
            if let Some(tool) = tool.filter(|_| self.is_open(index)) {
                self.join(index, &tool, LinkedBy::Result);
            }
        }
    }

    fn by_team(&mut self) {
        for (index, candidate) in self.candidates.iter().enumerate() {
            let Some(text) = candidate.part.first_user_text() else { continue };
            let Some(summary) = prompt::attribute(&text, "teammate-message", "summary") else { continue };
            let described = |spawn: &&Spawn| spawn.input.description.as_deref() == Some(summary);
            let tool = self.spawns.iter().find(described).map(|spawn| spawn.id.clone());
            if let Some(tool) = tool.filter(|_| self.is_open(index)) {
                self.join(index, &tool, LinkedBy::Team);
            }
        }
    }

    /// A file whose first record follows the last one of another file goes on where that one stopped.
    fn by_continuation(&mut self) {
        let mut ends: HashMap<&RecordId, usize> = HashMap::new();
        for (index, candidate) in self.candidates.iter().enumerate() {
            if let Some(last) = candidate.part.entries.iter().rev().find_map(|entry| entry.at.uuid.as_ref()) {
                ends.insert(last, index);
            }
        }
        let before: Vec<Option<usize>> = self
            .candidates
            .iter()
            .enumerate()
            .map(|(index, candidate)| {
                let parent =
                    candidate.part.entries.iter().find(|entry| entry.at.uuid.is_some())?.parent.as_ref()?;
                ends.get(parent).copied().filter(|before| *before != index)
            })
            .collect();
        for (index, earlier) in before.iter().enumerate() {
            let Some(earlier) = *earlier else { continue };
            let next = |at: &usize| before.get(*at).copied().flatten();
            let origin = std::iter::successors(Some(earlier), next)
                .take(CONTINUATIONS)
                .find(|origin| self.links.get(*origin).is_some_and(|link| link.tool_id.is_some()));
            let inherited = origin.and_then(|origin| self.links.get(origin)).cloned();
            if let Some(link) = self.links.get_mut(index) {
                link.continues = self.candidates.get(earlier).map(|candidate| candidate.id.clone());
                if let Some(inherited) = inherited.filter(|_| link.linked_by.is_none()) {
                    link.owner = inherited.owner;
                    link.tool_id = inherited.tool_id;
                    link.linked_by = inherited.linked_by;
                }
            }
        }
    }

    /// What is left: the same prompt first, then the first free call before the agent's start.
    fn by_position(&mut self) {
        let mut open: Vec<usize> = (0..self.candidates.len()).filter(|index| self.is_open(*index)).collect();
        open.sort_by_key(|index| {
            self.candidates.get(*index).and_then(|candidate| candidate.part.started_at())
        });
        for same_prompt in [true, false] {
            for index in &open {
                if self.is_open(*index)
                    && let Some(tool) = self.free_call(*index, same_prompt)
                {
                    self.join(*index, &tool, LinkedBy::Position);
                }
            }
        }
    }

    fn free_call(&self, index: usize, same_prompt: bool) -> Option<ToolId> {
        let part = self.candidates.get(index)?.part;
        let text = part.first_user_text();
        // Without a prompt of its own it is no agent that somebody called.
        text.as_ref()?;
        let started = part.started_at();
        let names_other = |spawn: &&Spawn| spawn.result.agent_id.is_some();
        let fits = |spawn: &&Spawn| {
            if same_prompt {
                return spawn.input.prompt.as_deref().map(str::trim) == text.as_deref().map(str::trim);
            }
            match (spawn.at, started) {
                (Some(called), Some(started)) => called <= started,
                _ => true,
            }
        };
        let free = |spawn: &&Spawn| {
            spawn.owner != Some(index) && !self.taken.contains(&spawn.id) && !names_other(spawn)
        };
        self.spawns.iter().filter(free).find(fits).map(|spawn| spawn.id.clone())
    }

    /// What the call says of the agent, where nothing better does.
    fn describe(&mut self) {
        for (link, candidate) in self.links.iter_mut().zip(self.candidates) {
            let meta = candidate.meta.cloned().unwrap_or_default();
            link.description = meta.description;
            link.kind = meta.kind;
            let spawn = self.spawns.iter().find(|spawn| Some(&spawn.id) == link.tool_id.as_ref());
            if let Some(spawn) = spawn {
                link.description = link.description.take().or_else(|| spawn.input.description.clone());
                link.kind = link.kind.take().or_else(|| spawn.input.subagent_type.clone());
                link.background = spawn.input.run_in_background == Some(true)
                    || spawn.result.status.as_deref() == Some("async_launched");
            }
            link.team = team(spawn, candidate.part);
        }
    }

    /// Agents that claim to have started each other all belong to the session.
    fn break_circles(&mut self) {
        for index in 0..self.links.len() {
            let owner = |at: &usize| self.links.get(*at).and_then(|link| link.owner);
            let steps = std::iter::successors(Some(index), owner).take(self.links.len() + 1).count();
            if steps > self.links.len()
                && let Some(link) = self.links.get_mut(index)
            {
                link.owner = None;
            }
        }
    }
}

fn team(spawn: Option<&Spawn>, part: &Part) -> Option<Team> {
    let text = part.first_user_text().unwrap_or_default();
    let color = || prompt::attribute(&text, "teammate-message", "color").map(str::to_owned);
    let spawn = spawn?;
    let name = spawn.result.team_name.clone().or_else(|| spawn.input.team_name.clone())?;
    let member = spawn.result.name.clone().or_else(|| spawn.input.name.clone());
    Some(Team { name: Some(name), member, color: spawn.result.color.clone().or_else(color) })
}
