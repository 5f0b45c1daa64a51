//! Subagents: each inside the call that started it, or after the conversation where no call shows it.

use std::collections::{HashMap, HashSet, VecDeque};

use steno_conversation::Conversation;
use steno_conversation::model::{Agent, Chunk, ChunkBody, Step, ToolStep};
use steno_transcript::{AgentId, ToolId};

use super::Writer;
use crate::terminal::clean_line;
use crate::terminal::sheet::{Mark, SEPARATOR};
use crate::terminal::style::{AGENT, NOTICE, WEAK, paint};
use crate::words::{self, many};

/// Agents inside agents that are shown.
const DEEPEST: usize = 64;

/// All agents of a conversation, which of them a call shows, and which of them were shown already.
pub(super) struct Roster<'a> {
    all: Vec<&'a Agent>,
    by_id: HashMap<&'a AgentId, usize>,
    called: HashSet<&'a AgentId>,
    /// By place in `all`. No agent is shown twice, whatever the calls say: there are no circles.
    shown: HashSet<usize>,
}

impl<'a> Roster<'a> {
    pub(super) fn new(conversation: &'a Conversation) -> Self {
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

    /// The calls that the session and its agents wait for.
    pub(super) fn running(&self, conversation: &'a Conversation) -> HashSet<&'a ToolId> {
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
    fn take(&mut self, id: &AgentId) -> Option<&'a Agent> {
        let place = *self.by_id.get(id)?;
        self.shown.insert(place).then(|| self.all.get(place).copied()).flatten()
    }

    /// Those among the agents that no call will show.
    fn uncalled(&mut self, agents: &'a [Agent]) -> Vec<&'a Agent> {
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

    /// Those that stand nowhere yet: they name each other as their origin.
    fn left(&mut self) -> Option<&'a Agent> {
        let place = (0..self.all.len()).find(|place| !self.shown.contains(place))?;
        self.shown.insert(place);
        self.all.get(place).copied()
    }

    /// Leaves out an agent with all that it has or calls; gives their number.
    fn leave_out(&mut self, agent: &'a Agent) -> u64 {
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

fn calls(chunk: &Chunk) -> impl Iterator<Item = &AgentId> {
    let steps = if let ChunkBody::Ai(ai) = &chunk.body { ai.steps.as_slice() } else { &[] };
    steps.iter().filter_map(|step| if let Step::Agent(step) = step { step.agent.as_ref() } else { None })
}

/// Calls without a result at the end of what is still going on; an older one lost its result.
fn open_calls(chunks: &[Chunk]) -> impl Iterator<Item = &ToolId> {
    let last = chunks
        .iter()
        .rev()
        .find_map(|chunk| if let ChunkBody::Ai(ai) = &chunk.body { Some(ai) } else { None });
    let steps = last.into_iter().flat_map(|ai| ai.steps.iter().rev());
    let tools =
        steps.take_while(|step| !matches!(step, Step::Interruption { .. })).filter_map(|step| match step {
            Step::Tool(tool) => Some(tool),
            Step::Agent(step) => Some(&step.tool),
            _ => None,
        });
    tools.filter(|tool| tool.result.is_none()).map(|tool| &tool.id)
}

impl<'a> Writer<'a> {
    /// A call, with the agent that it started inside.
    pub(super) fn called_agent(&mut self, tool: &ToolStep, id: Option<&AgentId>, depth: usize) {
        self.call(tool, AGENT, depth);
        match id.and_then(|id| self.roster.take(id)) {
            Some(agent) => self.agent(agent, Origin::Call, depth),
            None => self.outcome(tool, depth),
        }
    }

    /// What no call above shows: agents whose call is lost or was left behind, and files that go on from another.
    pub(super) fn other_agents(&mut self) {
        let mut others = VecDeque::from(self.roster.uncalled(&self.conversation.agents));
        let mut is_first = true;
        while let Some(agent) = others.pop_front().or_else(|| self.left()) {
            if std::mem::take(&mut is_first) {
                self.sheet.gap();
                self.sheet.line(0, &paint(NOTICE, "── agents without a call above ──"));
            }
            self.agent(agent, Origin::Unknown, 0);
        }
    }

    /// Where only a part is shown, those that are missing have their calls in the other part.
    fn left(&mut self) -> Option<&'a Agent> {
        if self.detail.from_chunk > 0 { None } else { self.roster.left() }
    }

    fn agent(&mut self, agent: &'a Agent, origin: Origin, depth: usize) {
        let level = depth / 2 + 1;
        if level > DEEPEST {
            let below = many(self.roster.leave_out(agent), "agent");
            return self.sheet.block(depth + 1, &Mark::new(AGENT, "…"), &format!("{below} below"), WEAK);
        }
        let figures = figures(agent, origin);
        self.sheet.block(depth + 1, &Mark::new(AGENT, "┌"), &figures.join(SEPARATOR), WEAK);
        // Its first prompt is the input of the call, which the reader has just seen.
        let is_prompt = |chunk: &Chunk| matches!(chunk.body, ChunkBody::User(_));
        let seen = agent.chunks.iter().position(is_prompt).filter(|_| matches!(origin, Origin::Call));
        for (place, chunk) in agent.chunks.iter().enumerate() {
            if Some(place) != seen {
                self.chunk(chunk, depth + 2);
            }
        }
        for other in self.roster.uncalled(&agent.agents) {
            self.agent(other, Origin::Unknown, depth + 2);
        }
        self.sheet.block(depth + 1, &Mark::new(AGENT, "└"), "", WEAK);
    }
}

/// Whether the reader has just seen the call.
#[derive(Debug, Clone, Copy)]
enum Origin {
    Call,
    Unknown,
}

fn figures(agent: &Agent, origin: Origin) -> Vec<String> {
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
