//! Subagents: each inside the call that started it, or after the conversation where no call shows it.

use std::collections::VecDeque;

use maud::{Markup, html};
use steno_conversation::model::{Agent, ToolStep};
use steno_transcript::AgentId;

use super::fragment::{Depth, Fragments};
use super::text::Name;
use super::tool::is_error;
use crate::call::{self, View};
use crate::roster::{self, DEEPEST, Origin, Tail};
use crate::words::many;

impl<'a> Fragments<'a> {
    /// A call, with the agent that it started inside.
    pub(super) fn called_agent(&mut self, tool: &ToolStep, id: Option<&AgentId>, depth: Depth) -> Markup {
        let Some(agent) = id.and_then(|id| self.roster.take(id)) else { return self.tool(tool) };
        let view = call::view(&tool.name, &tool.input);
        html! {
            details.tool.agent.bad[is_error(tool)] {
                (self.call(tool, &view))
                @if let View::Prose(text) = view {
                    div.task { span.label { "Task" } div.prose { (self.prose(text)) } }
                }
                (self.inside(agent, Origin::Call, depth))
                @if is_error(tool) { (self.outcome(tool)) }
            }
            (self.feedback(tool))
        }
    }

    /// An agent by itself, whether or not a call has shown it.
    pub fn agent(&mut self, agent: &'a Agent) -> Markup {
        self.agent_at(agent, Depth(0))
    }

    fn agent_at(&mut self, agent: &'a Agent, depth: Depth) -> Markup {
        let kind = agent.kind.as_deref().unwrap_or("subagent");
        html! {
            details.tool.agent {
                summary {
                    span.name { (Name(kind)) }
                    " " span.about { (Name(agent.description.as_deref().unwrap_or_default())) }
                }
                (self.inside(agent, Origin::Unknown, depth))
            }
        }
    }

    fn inside(&mut self, agent: &'a Agent, origin: Origin, depth: Depth) -> Markup {
        let Depth(level) = depth;
        if level >= DEEPEST {
            let below = many(self.roster.leave_out(agent), "subagent");
            return html! { p.left-out { "… " (below) " below" } };
        }
        let inner = Depth(level + 1);
        let seen = roster::told_by_the_call(agent, origin);
        let chunks = agent.chunks.iter().enumerate().filter(|(place, _)| Some(*place) != seen);
        html! {
            ul.facts { @for fact in roster::figures(agent, Origin::Call) { li { (Name(&fact)) } } }
            @for (_, chunk) in chunks { (self.chunk_at(chunk, inner)) }
            @for other in self.roster.uncalled(&agent.agents) { (self.agent_at(other, inner)) }
        }
    }

    /// What no call above shows: agents whose call is lost or was left behind, and files that go on from another.
    pub(super) fn other_agents(&mut self) -> Markup {
        let mut others = VecDeque::from(self.roster.uncalled(&self.conversation.agents));
        let mut shown = html! {};
        let tail = Tail::new(self.conversation, self.detail.from_record);
        while let Some(agent) = self.roster.next_other(&mut others, &tail) {
            shown.0.push_str(&self.agent(agent).0);
        }
        html! {
            @if !shown.0.is_empty() {
                section.turn.others { h2.label { "Subagents without a call above" } (shown) }
            }
        }
    }
}
