//! Agent: which call started which subagent, in the session or in another subagent.
//!
//! Four kinds of evidence, best first: the file beside the agent's transcript, the result of the call, the summary
//! of a message to a team member, and order in time.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use jiff::Timestamp;
use serde_json::value::RawValue;
use steno_transcript::wire::{self, AgentInput};
use steno_transcript::{AgentId, RecordId, Text, ToolId, Troubles};

use crate::activity::is_agent_tool;
use crate::block::Block;
use crate::context::AgentMeta;
use crate::model::{LinkedBy, Team};
use crate::part::Part;
use crate::prompt;
use crate::verdict;
use crate::warning::Warnings;

/// How many files of one team member are followed back.
const CONTINUATIONS: usize = 10;
/// How deep agents nest before they are shown side by side.
const DEEPEST: usize = 64;

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
    prompt: Option<String>,
    description: Option<String>,
    kind: Option<String>,
    is_background: bool,
    /// The agent that its result names.
    agent_id: Option<AgentId>,
    team: Option<Team>,
}

/// A link for each candidate, in their order.
pub(crate) fn link(main: &Part, candidates: &[Candidate<'_>], warnings: &mut Warnings) -> Vec<Link> {
    let mut spawns = spawns(main, None);
    for (index, candidate) in candidates.iter().enumerate() {
        spawns.extend(self::spawns(candidate.part, Some(index)));
    }
    let mut linker = Linker::new(candidates, &spawns);
    linker.by_meta();
    linker.by_result();
    linker.by_team();
    linker.by_continuation();
    linker.by_position();
    linker.describe();
    linker.flatten(warnings);
    linker.links
}

fn spawns(part: &Part, owner: Option<usize>) -> Vec<Spawn> {
    let mut spawns = Vec::new();
    for entry in &part.entries {
        for block in &entry.blocks {
            let Block::ToolUse { id, name, input } = block else { continue };
            let structured = part.pairs.structured(id);
            if is_agent_tool(name) || structured.is_some_and(|raw| verdict::agent_id(raw).is_some()) {
                spawns.push(Spawn::new(id, owner, entry.timestamp, (input.as_deref(), structured)));
            }
        }
    }
    spawns
}

impl Spawn {
    fn new(
        id: &ToolId,
        owner: Option<usize>,
        at: Option<Timestamp>,
        (input, structured): (Option<&RawValue>, Option<&RawValue>),
    ) -> Self {
        let input = input.and_then(|raw| wire::read::<AgentInput>(raw.get(), &mut Troubles::default()));
        let (input, result) =
            (input.unwrap_or_default(), structured.map(verdict::structured).unwrap_or_default());
        let owned = |text: Option<Text<'_>>| text.map(|text| text.0.into_owned());
        let team_name = owned(result.team_name.or(input.team_name));
        Self {
            id: id.clone(),
            owner,
            at,
            is_background: input.run_in_background.0 || result.status.as_deref() == Some("async_launched"),
            prompt: owned(input.prompt),
            description: owned(input.description),
            kind: owned(input.subagent_type),
            agent_id: owned(result.agent_id).map(AgentId::new),
            team: team_name.map(|name| Team {
                name: Some(name),
                member: owned(result.name.or(input.name)),
                color: owned(result.color),
            }),
        }
    }
}

struct Linker<'a> {
    candidates: &'a [Candidate<'a>],
    spawns: &'a [Spawn],
    by_id: HashMap<&'a ToolId, &'a Spawn>,
    links: Vec<Link>,
    taken: HashSet<ToolId>,
}

/// The first of the calls that have that key.
fn first_by<'a, K: Eq + Hash>(
    spawns: &'a [Spawn],
    key: impl Fn(&'a Spawn) -> Option<K>,
) -> HashMap<K, &'a Spawn> {
    let mut found = HashMap::new();
    for spawn in spawns {
        if let Some(key) = key(spawn) {
            found.entry(key).or_insert(spawn);
        }
    }
    found
}

impl<'a> Linker<'a> {
    fn new(candidates: &'a [Candidate<'a>], spawns: &'a [Spawn]) -> Self {
        Self {
            candidates,
            spawns,
            by_id: first_by(spawns, |spawn| Some(&spawn.id)),
            links: vec![Link::default(); candidates.len()],
            taken: HashSet::new(),
        }
    }

    fn is_open(&self, index: usize) -> bool {
        self.links.get(index).is_some_and(|link| link.linked_by.is_none())
    }

    /// Joins an agent to a call; an agent cannot have started itself.
    fn join(&mut self, index: usize, tool: &ToolId, by: LinkedBy) {
        let owner = self.by_id.get(tool).and_then(|spawn| spawn.owner);
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
            if let Some(tool) = candidate.meta.and_then(|meta| meta.tool_id.as_ref()) {
                self.join(index, tool, LinkedBy::Meta);
            }
        }
    }

    fn by_result(&mut self) {
        let named = first_by(self.spawns, |spawn| spawn.agent_id.as_ref());
        for (index, candidate) in self.candidates.iter().enumerate() {
            if let Some(spawn) = named.get(candidate.id).filter(|_| self.is_open(index)) {
                self.join(index, &spawn.id, LinkedBy::Result);
            }
        }
    }

    fn by_team(&mut self) {
        let described = first_by(self.spawns, |spawn| spawn.description.as_deref());
        for (index, candidate) in self.candidates.iter().enumerate() {
            let Some(text) = candidate.part.first_user_text() else { continue };
            let Some(summary) = prompt::attribute(&text, "teammate-message", "summary") else { continue };
            if let Some(spawn) = described.get(summary).filter(|_| self.is_open(index)) {
                self.join(index, &spawn.id, LinkedBy::Team);
            }
        }
    }

    /// An agent whose first record follows the last record of another agent's file continues that agent.
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

    /// The rest: by the same prompt first, then by the first free call before the agent's start.
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
        // An agent that a call started has a prompt.
        let text = part.first_user_text()?;
        let started = part.started_at();
        let fits = |spawn: &&Spawn| {
            if same_prompt {
                return spawn.prompt.as_deref().map(str::trim) == Some(text.trim());
            }
            match (spawn.at, started) {
                (Some(called), Some(started)) => called <= started,
                _ => true,
            }
        };
        let is_free = |spawn: &&Spawn| {
            spawn.owner != Some(index) && spawn.agent_id.is_none() && !self.taken.contains(&spawn.id)
        };
        self.spawns.iter().filter(is_free).find(fits).map(|spawn| spawn.id.clone())
    }

    /// Takes description and type from the call, if the agent's own file does not have them.
    fn describe(&mut self) {
        for (link, candidate) in self.links.iter_mut().zip(self.candidates) {
            let meta = candidate.meta.cloned().unwrap_or_default();
            link.description = meta.description;
            link.kind = meta.kind;
            let Some(spawn) = link.tool_id.as_ref().and_then(|id| self.by_id.get(id)) else { continue };
            link.description = link.description.take().or_else(|| spawn.description.clone());
            link.kind = link.kind.take().or_else(|| spawn.kind.clone());
            link.background = spawn.is_background;
            link.team = spawn.team.clone().map(|team| with_color(team, candidate.part));
        }
    }

    /// Agents that started each other in a circle, or nest too deep, are moved to the session.
    fn flatten(&mut self, warnings: &mut Warnings) {
        for index in 0..self.links.len() {
            let owner = |at: &usize| self.links.get(*at).and_then(|link| link.owner);
            // Only members of a circle are moved, not agents below one.
            let is_circle =
                std::iter::successors(owner(&index), owner).take(self.links.len()).any(|at| at == index);
            self.lift(index, is_circle, warnings);
        }
        for index in 0..self.links.len() {
            let owner = |at: &usize| self.links.get(*at).and_then(|link| link.owner);
            let depth = std::iter::successors(owner(&index), owner).take(DEEPEST + 1).count();
            self.lift(index, depth > DEEPEST, warnings);
        }
    }

    fn lift(&mut self, index: usize, is_odd: bool, warnings: &mut Warnings) {
        if let Some(link) = self.links.get_mut(index).filter(|_| is_odd) {
            link.owner = None;
            let id = self.candidates.get(index).map_or("", |candidate| candidate.id.as_str());
            warnings.add("agent-nesting", None, format!("agent {id} is nested in a circle or too deep"));
        }
    }
}

/// Adds the colour of a team member, from the first message to it if the call does not have it.
fn with_color(mut team: Team, part: &Part) -> Team {
    let text = part.first_user_text().unwrap_or_default();
    let color = || prompt::attribute(&text, "teammate-message", "color").map(str::to_owned);
    team.color = team.color.or_else(color);
    team
}
