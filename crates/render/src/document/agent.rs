//! Subagents: each inside the call that started it, or after the conversation where no call shows it.

use std::collections::VecDeque;

use jiff::Timestamp;
use steno_conversation::model::{Agent, AgentStep, Chunk, Step};

use super::said::level;
use super::{Part, Walker};
use crate::roster::{self, DEEPEST, Origin};
use crate::words::{many, one_line};

impl<'a> Walker<'a, '_> {
    /// A call, with the agent that it started inside where that is wanted.
    pub(super) fn called_agent(&mut self, step: &'a AgentStep, depth: usize) {
        self.call(&step.tool);
        match step.agent.as_ref().and_then(|id| self.roster.take(id)) {
            Some(agent) if self.detail.agents => {
                self.agent(agent, Origin::Call, depth);
                self.close_section(depth);
                let has_failed = step.tool.result.as_ref().is_some_and(|result| result.is_error);
                if self.detail.full_results || has_failed {
                    self.go_on();
                    self.outcome(&step.tool);
                }
            }
            Some(agent) => {
                let figures = [many(agent.messages, "message"), many(agent.tool_calls, "tool call")];
                self.note(format!("Subagent: {}", figures.join(", ")));
                self.roster.leave_out(agent);
                self.outcome(&step.tool);
            }
            None => self.outcome(&step.tool),
        }
    }

    /// The agents of a step that is left out are left out with it.
    pub(super) fn skip(&mut self, step: &'a Step) {
        let Step::Agent(AgentStep { agent: Some(id), .. }) = step else { return };
        if let Some(agent) = self.roster.take(id) {
            self.roster.leave_out(agent);
        }
    }

    /// What no call above shows: agents whose call is lost or was left behind, and files that go on from another.
    pub(super) fn other_agents(&mut self) {
        if !self.detail.agents {
            return;
        }
        let mut others = VecDeque::from(self.roster.uncalled(&self.conversation.agents));
        let since = self.since();
        others.retain(|agent| since.is_none_or(|since| agent.ended_at.is_none_or(|end| end >= since)));
        let mut is_first = true;
        while let Some(agent) = others.pop_front().or_else(|| self.roster.left()) {
            if std::mem::take(&mut is_first) {
                self.put(Part::Rule);
                let text = "Subagents without a call above".to_owned();
                self.put(Part::Heading { level: level(0), text, notes: Vec::new() });
            }
            self.agent(agent, Origin::Unknown, 0);
        }
    }

    /// When what is shown began, where not all of it is.
    fn since(&self) -> Option<Timestamp> {
        let from = self.detail.from_record;
        let is_shown = |chunk: &&Chunk| chunk.records.last().is_some_and(|record| record.index >= from);
        self.conversation.chunks.iter().find(is_shown).filter(|_| from > 0)?.started_at
    }

    fn agent(&mut self, agent: &'a Agent, origin: Origin, depth: usize) {
        if depth >= DEEPEST {
            let below = many(self.roster.leave_out(agent), "subagent");
            return self.note(format!("… {below} below"));
        }
        let name = agent.description.as_deref().map(one_line).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| one_line(agent.id.as_str()));
        let notes = roster::figures(agent, Origin::Call);
        self.put(Part::Heading { level: level(depth) + 1, text: format!("Subagent: {name}"), notes });
        let seen = roster::told_by_the_call(agent, origin).filter(|_| !self.detail.all);
        for (place, chunk) in agent.chunks.iter().enumerate() {
            if Some(place) != seen {
                self.chunk(chunk, 0, depth + 1);
            }
        }
        for other in self.roster.uncalled(&agent.agents) {
            self.agent(other, Origin::Unknown, depth + 1);
        }
        self.note(format!("End of subagent: {name}"));
    }
}
