//! Everything that was observed of one session, in registers that only move forward: the order of arrival, repeats and
//! late copies leave the same session.

use std::collections::BTreeSet;

use crate::mark::{Latest, Mark, at, mark, replace};
use crate::observation::{ClientId, Millis, Observation, SeenBy, StartedBy, What};
use crate::turn::Turn;
use crate::wait::{Calls, Tool};

#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) started: Option<Mark>,
    /// Why it ended, and by which client.
    pub(crate) ended: Option<Latest<(String, Option<ClientId>)>>,
    pub(crate) turn: Turn,
    pub(crate) calls: Calls,
    pub(crate) mode: Option<Latest<String>>,
    /// The last time that a hook told something.
    pub(crate) hooks: Option<Mark>,
    pub(crate) last: Option<Mark>,
    /// Every client that had the session open.
    pub(crate) clients: BTreeSet<ClientId>,
}

impl Session {
    pub(crate) fn observe(&mut self, observation: Observation) {
        let seen = Mark { at: observation.at, seen_by: observation.seen_by };
        mark(&mut self.last, seen);
        if seen.seen_by == SeenBy::Hook {
            mark(&mut self.hooks, seen);
        }
        match observation.what {
            // The board keeps these with the client.
            What::Status(_) | What::Gone { .. } => {}
            What::SessionStarted { by: StartedBy::Compact } | What::CompactionEnded => {
                self.turn.compaction_ended(seen)
            }
            What::SessionStarted { .. } => mark(&mut self.started, seen),
            What::SessionEnded { reason } => replace(&mut self.ended, seen, (reason, observation.client)),
            What::Prompted => self.turn.prompted(seen),
            What::Spoke => self.turn.spoke(seen),
            What::ToolBegan { id, tool, detail, call, agent } => {
                if agent.is_none() {
                    self.turn.used_tool(seen);
                }
                self.calls.began(id, Tool::new(tool, detail, call, agent), seen);
            }
            What::ToolEnded { id, call, agent } => {
                if agent.is_none() {
                    self.turn.used_tool(seen);
                }
                self.calls.ended(id, call, seen);
            }
            What::ToolNamed { tool } => self.calls.named(tool, seen),
            What::Mode { mode } => replace(&mut self.mode, seen, mode),
            What::Asked { tool, detail, call, agent } => self.calls.asked(tool, detail, call, agent, seen),
            What::TurnEnded { background } => self.turn.ended(seen, background),
            What::Interrupted => self.turn.interrupted(seen),
            What::CompactionBegan { manual } => self.turn.compaction_began(seen, manual),
            What::AgentStarted { id } => self.turn.task_started(id.to_string(), true, seen),
            What::AgentStopped { id } => self.turn.task_ended(id.to_string(), true, seen),
            What::TaskStarted { id } => self.turn.task_started(id, false, seen),
            What::TaskEnded { id } => self.turn.task_ended(id, false, seen),
        }
    }

    /// What happened before the session was last opened no longer counts.
    pub(crate) fn opened_at(&self) -> Millis {
        at(self.started)
    }
}
