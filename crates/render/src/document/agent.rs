//! Subagents: each inside the call that started it, or after the conversation where no call shows it.

use std::collections::VecDeque;

use steno_conversation::model::{Agent, AgentStep, Step};

use super::said::level;
use super::{Part, Walker};
use crate::roster::{self, DEEPEST, Origin, Tail};
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
        let tail = Tail::new(self.conversation, self.detail.from_record);
        let mut is_first = true;
        while let Some(agent) = self.roster.next_other(&mut others, &tail) {
            if std::mem::take(&mut is_first) {
                let text = "Subagents without a call above".to_owned();
                self.put(Part::Heading { level: level(0), text, notes: Vec::new(), is_break: true });
            }
            self.agent(agent, Origin::Unknown, 0);
        }
    }

    fn agent(&mut self, agent: &'a Agent, origin: Origin, depth: usize) {
        if depth >= DEEPEST {
            let below = many(self.roster.leave_out(agent), "subagent");
            return self.note(format!("… {below} below"));
        }
        let name = agent.description.as_deref().map(one_line).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| one_line(agent.id.as_str()));
        let notes = roster::figures(agent, Origin::Call);
        self.heading(level(depth) + 1, format!("Subagent: {name}"), notes);
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
