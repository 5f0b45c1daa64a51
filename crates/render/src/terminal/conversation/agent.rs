//! Subagents: each inside the call that started it, or after the conversation where no call shows it.

use std::collections::VecDeque;

use steno_conversation::model::{Agent, ToolStep};
use steno_transcript::AgentId;

use super::Writer;
use crate::roster::{self, DEEPEST, Origin};
use crate::terminal::sheet::{Mark, SEPARATOR};
use crate::terminal::style::{AGENT, NOTICE, WEAK, paint};
use crate::words::many;

impl<'a> Writer<'a> {
    /// A call, with the agent that it started inside.
    pub(super) fn called_agent(&mut self, tool: &ToolStep, id: Option<&AgentId>, depth: usize) {
        self.call(tool, AGENT, depth);
        match id.and_then(|id| self.roster.take(id)) {
            Some(agent) => {
                self.agent(agent, Origin::Call, depth);
                // The result that the user asked for is not among the agent's own words.
                if self.sight.is_here {
                    self.outcome(tool, depth);
                }
            }
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
        if self.is_partial { None } else { self.roster.left() }
    }

    fn agent(&mut self, agent: &'a Agent, origin: Origin, depth: usize) {
        let level = depth / 2 + 1;
        if level > DEEPEST {
            let below = many(self.roster.leave_out(agent), "agent");
            return self.sheet.block(depth + 1, &Mark::new(AGENT, "…"), &format!("{below} below"), WEAK);
        }
        let figures = roster::figures(agent, origin);
        self.sheet.block(depth + 1, &Mark::new(AGENT, "┌"), &figures.join(SEPARATOR), WEAK);
        let file = self.sight.enter(agent);
        let seen = roster::told_by_the_call(agent, origin);
        let first = agent.chunks.iter().position(|chunk| self.sight.is_in(chunk)).unwrap_or(0);
        self.is_partial |= first > 0;
        self.before(depth + 2, first - usize::from(seen.is_some_and(|seen| seen < first)), "chunk");
        for (place, chunk) in agent.chunks.iter().enumerate().skip(first) {
            if Some(place) != seen || self.sight.is_in(chunk) {
                self.chunk(chunk, depth + 2);
            }
        }
        for other in self.roster.uncalled(&agent.agents) {
            self.agent(other, Origin::Unknown, depth + 2);
        }
        self.sight.leave(file);
        self.sheet.block(depth + 1, &Mark::new(AGENT, "└"), "", WEAK);
    }
}
