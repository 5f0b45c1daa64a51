//! Subagents and plans → where each is shown, and what is said of it there. Every format puts them at the same places.

use std::collections::{HashMap, HashSet, VecDeque};

use jiff::Timestamp;
use steno_conversation::Conversation;
use steno_conversation::model::{Agent, Chunk, ChunkBody, Step, Tool, Verdict};
use steno_transcript::{AgentId, ToolId};

use crate::Detail;
use crate::terminal::clean_line;
use crate::words::{self, many};

/// Agents inside agents that are shown.
pub(crate) const DEEPEST: usize = 64;

/// All agents of a conversation, which of them a call shows, and which of them were shown already.
#[derive(Debug)]
pub(crate) struct Roster<'a> {
    all: Vec<&'a Agent>,
    by_id: HashMap<&'a AgentId, usize>,
    called: HashSet<&'a AgentId>,
    /// By place in `all`. No agent is shown twice, whatever the calls say: there are no circles.
    shown: HashSet<usize>,
}

impl<'a> Roster<'a> {
    pub(crate) fn new(conversation: &'a Conversation) -> Self {
        let mut all: Vec<&Agent> = conversation.agents.iter().collect();
        let mut next = 0;
        while let Some(agent) = all.get(next).copied() {
            all.extend(&agent.agents);
            next += 1;
        }
        let mut by_id = HashMap::new();
        for (place, agent) in all.iter().enumerate() {
            by_id.entry(&agent.id).or_insert(place);
        }
        let chunks = all.iter().flat_map(|agent| &agent.chunks).chain(&conversation.chunks);
        let called = chunks.flat_map(calls).collect();
        Self { all, by_id, called, shown: HashSet::new() }
    }

    /// How many agents there are, with all those below others.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The calls that the session and its agents wait for.
    pub(crate) fn running(&self, conversation: &'a Conversation) -> HashSet<&'a ToolId> {
        let own = Some(&conversation.chunks).filter(|_| conversation.profile.ongoing);
        let agents = self.all.iter().filter(|agent| agent.ongoing).map(|agent| &agent.chunks);
        own.into_iter().chain(agents).flat_map(|chunks| open_calls(chunks)).collect()
    }

    fn place(&self, agent: &Agent) -> Option<usize> {
        let first = self.by_id.get(&agent.id).copied();
        first.filter(|place| self.all.get(*place).is_some_and(|found| std::ptr::eq(*found, agent))).or_else(
            // Another one of the same id.
            || self.all.iter().position(|found| std::ptr::eq(*found, agent)),
        )
    }

    /// The agent of a call, the first time that it is asked for.
    pub(crate) fn take(&mut self, id: &AgentId) -> Option<&'a Agent> {
        let place = *self.by_id.get(id)?;
        self.shown.insert(place).then(|| self.all.get(place).copied()).flatten()
    }

    /// Those among the agents that no call will show.
    pub(crate) fn uncalled(&mut self, agents: &'a [Agent]) -> Vec<&'a Agent> {
        let mut uncalled = Vec::new();
        for agent in agents {
            let Some(place) = self.place(agent) else { continue };
            let is_called = self.called.contains(&agent.id) && self.by_id.get(&agent.id) == Some(&place);
            if !is_called && self.shown.insert(place) {
                uncalled.push(agent);
            }
        }
        uncalled
    }

    /// Agents that are shown nowhere yet: they name each other as their origin.
    pub(crate) fn left(&mut self) -> Option<&'a Agent> {
        let place = (0..self.all.len()).find(|place| !self.shown.contains(place))?;
        self.shown.insert(place);
        self.all.get(place).copied()
    }

    /// The next agent that no call shows and that belongs to what is shown: one of `others`, or one that is shown
    /// nowhere yet. The rest is left out.
    pub(crate) fn next_other(
        &mut self,
        others: &mut VecDeque<&'a Agent>,
        tail: &Tail<'_>,
    ) -> Option<&'a Agent> {
        while let Some(agent) = others.pop_front().or_else(|| self.left()) {
            if tail.has(agent) {
                return Some(agent);
            }
            self.leave_out(agent);
        }
        None
    }

    /// Leaves out an agent with all that it has or calls; gives their number.
    pub(crate) fn leave_out(&mut self, agent: &'a Agent) -> u64 {
        let mut waiting = vec![agent];
        let mut number = 0;
        while let Some(agent) = waiting.pop() {
            number += 1;
            for place in agent.agents.iter().filter_map(|inner| self.place(inner)).collect::<Vec<_>>() {
                waiting.extend(self.shown.insert(place).then(|| self.all.get(place)).flatten());
            }
            waiting.extend(agent.chunks.iter().flat_map(calls).filter_map(|id| self.take(id)));
        }
        number
    }
}

/// What is shown of a conversation when that is not all: which agents belong to it.
#[derive(Debug)]
pub(crate) struct Tail<'a> {
    from_record: usize,
    /// When it began; none where nothing is shown, or no record says when it was written.
    since: Option<Timestamp>,
    is_empty: bool,
    /// The records that call tools.
    called_in: HashMap<&'a ToolId, usize>,
}

impl<'a> Tail<'a> {
    pub(crate) fn new(conversation: &'a Conversation, from_record: usize) -> Self {
        let shown = conversation.placing.get(from_record..).unwrap_or_default();
        let called = |tool: &'a Tool| Some((&tool.id, tool.call.as_ref()?.index));
        Self {
            from_record,
            since: shown.iter().find_map(|placing| placing.timestamp),
            is_empty: shown.is_empty(),
            called_in: conversation.tools.iter().filter_map(called).collect(),
        }
    }

    /// Whether an agent of the session is shown: by where it was called; else by where its records are, or by whether
    /// it was at work after the point from which on everything is shown.
    pub(crate) fn has(&self, agent: &Agent) -> bool {
        if self.from_record == 0 {
            return true;
        }
        let called = agent.tool_id.as_ref().and_then(|id| self.called_in.get(id)).copied();
        let stands = || agent.placing.last().filter(|_| agent.path.is_none()).map(|placing| placing.index);
        match called.or_else(stands) {
            Some(record) => record >= self.from_record,
            None if self.is_empty => false,
            None => self.since.zip(agent.ended_at).is_none_or(|(since, end)| end >= since),
        }
    }
}

fn calls(chunk: &Chunk) -> impl Iterator<Item = &AgentId> {
    let steps = chunk.body.steps().iter();
    steps.filter_map(|step| if let Step::Agent(step) = step { step.agent.as_ref() } else { None })
}

/// Calls without a result at the end of a running session; an older one lost its result.
fn open_calls(chunks: &[Chunk]) -> impl Iterator<Item = &ToolId> {
    let last = chunks.iter().rev().find(|chunk| matches!(chunk.body, ChunkBody::Ai(_)));
    let steps = last.into_iter().flat_map(|chunk| chunk.body.steps().iter().rev());
    let steps = steps.take_while(|step| !matches!(step, Step::Interruption { .. }));
    let tools = steps.filter(|step| !matches!(step, Step::Plan(_))).filter_map(Step::tool);
    tools.filter(|tool| tool.result.is_none()).map(|tool| &tool.id)
}

/// Whether the reader has just seen the call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    Call,
    Unknown,
}

/// An agent in facts, each fit for a line.
pub(crate) fn figures(agent: &Agent, origin: Origin) -> Vec<String> {
    let tokens = words::tokens(agent.tokens.context(), agent.tokens.without_final_usage > 0);
    let kind = agent.kind.as_deref().unwrap_or("agent");
    let member = agent.team.as_ref().and_then(|team| team.member.as_ref());
    let description = agent.description.clone().filter(|_| matches!(origin, Origin::Unknown));
    let parts = [
        Some(format!("{kind} {}", agent.id)),
        description,
        member.map(|member| format!("team member {member}")),
        agent.continues.as_ref().map(|before| format!("continues {before}")),
        agent.background.then(|| "in the background".to_owned()),
        Some(many(agent.messages, "message")),
        Some(many(agent.tool_calls, "tool call")),
        Some(format!("{tokens} tokens")),
        agent.ongoing.then(|| "running".to_owned()),
    ];
    parts.into_iter().flatten().map(|part| clean_line(&part).into_owned()).collect()
}

/// A plan that is not approved on the spot interrupts the agent, and its card says so already; a user who
/// approves one and interrupts later does something else.
pub(crate) fn is_told_by_a_plan(conversation: &Conversation, before: Option<&Step>) -> bool {
    let Some(Step::Plan(step)) = before else { return false };
    let plan = conversation.plans.get(step.plan);
    plan.is_some_and(|plan| {
        plan.verdict != Verdict::Approved || plan.cleared_context || plan.implemented_in.is_some()
    })
}

/// The chunk of an agent that its call has said already: its first prompt is the call's input.
pub(crate) fn told_by_the_call(agent: &Agent, origin: Origin) -> Option<usize> {
    let is_prompt = |chunk: &Chunk| matches!(chunk.body, ChunkBody::User(_));
    agent.chunks.iter().position(is_prompt).filter(|_| matches!(origin, Origin::Call))
}

/// How many messages are left out before the first that is shown.
pub(crate) fn messages_before(conversation: &Conversation, detail: &Detail) -> u64 {
    conversation.messages_before(detail.from_record, detail.without_compact_summaries)
}

/// Whether all of a chunk of the session came before a record. The agent's chunks are left out step by step.
pub(crate) fn is_before(chunk: &Chunk, from_record: usize) -> bool {
    match &chunk.body {
        ChunkBody::Ai(ai) => ai.steps.iter().all(|step| step.record().index < from_record),
        // Its summary follows the boundary.
        ChunkBody::Compact(_) => chunk.records.last().is_some_and(|record| record.index < from_record),
        _ => chunk.records.first().is_some_and(|record| record.index < from_record),
    }
}
