//! Tools that were called, and permissions that were asked for: which call is open, which dialog is not answered.

use std::collections::BTreeMap;

use steno_transcript::{AgentId, ToolId};

use crate::mark::{Mark, at, mark};
use crate::observation::{CallKey, Millis};
use crate::turn::Turn;

/// Two hooks of one call are separate processes: the later may carry the earlier time.
const HOOKS_OVERTAKE: Millis = 1_000;
/// A tool is named within this time before and after the dialog opens.
const NAMED_BEFORE: Millis = 300;
const NAMED_AFTER: Millis = 500;
/// Calls and dialogs remembered of one session; the oldest go first.
const REMEMBERED: usize = 2_000;

#[derive(Debug, Default)]
pub(crate) struct Calls {
    tools: BTreeMap<ToolId, Tool>,
    asks: BTreeMap<(Millis, CallKey, Option<AgentId>), Ask>,
    ended: BTreeMap<CallKey, Mark>,
    /// When each tool was first named.
    named: BTreeMap<String, Mark>,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Tool {
    began: Option<Mark>,
    ended: Option<Mark>,
    pub(crate) name: String,
    pub(crate) detail: Option<String>,
    call: Option<CallKey>,
    pub(crate) agent: Option<AgentId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(crate) asked: Mark,
    pub(crate) tool: String,
    pub(crate) detail: Option<String>,
    call: CallKey,
    agent: Option<AgentId>,
}

impl Tool {
    pub(crate) fn new(
        name: String,
        detail: Option<String>,
        call: Option<CallKey>,
        agent: Option<AgentId>,
    ) -> Self {
        Self { name, detail, call, agent, began: None, ended: None }
    }

    pub(crate) fn began_at(&self) -> Millis {
        at(self.began)
    }
}

impl Calls {
    /// The hook knows the input, the transcript the thread: what one copy lacks, the other fills in.
    pub(crate) fn began(&mut self, id: ToolId, tool: Tool, seen: Mark) {
        let known = self.tools.entry(id).or_default();
        mark(&mut known.began, seen);
        known.name = known.name.clone().max(tool.name);
        known.detail = known.detail.take().max(tool.detail);
        known.call = known.call.take().max(tool.call);
        known.agent = known.agent.take().max(tool.agent);
        if self.tools.len() > REMEMBERED {
            let oldest = self.tools.iter().min_by_key(|(_, tool)| (tool.began.is_some(), tool.began));
            if let Some(id) = oldest.map(|(id, _)| id.clone()) {
                self.tools.remove(&id);
            }
        }
    }

    pub(crate) fn ended(&mut self, id: Option<ToolId>, call: Option<CallKey>, seen: Mark) {
        if let Some(id) = id {
            mark(&mut self.tools.entry(id).or_default().ended, seen);
        }
        let Some(call) = call else { return };
        self.ended.entry(call).and_modify(|old| *old = (*old).max(seen)).or_insert(seen);
        if self.ended.len() > REMEMBERED {
            let oldest = self.ended.iter().min_by_key(|(_, mark)| **mark).map(|(call, _)| call.clone());
            self.ended.remove(&oldest.unwrap_or_default());
        }
    }

    pub(crate) fn named(&mut self, tool: String, seen: Mark) {
        self.named.entry(tool).and_modify(|first| *first = (*first).min(seen)).or_insert(seen);
    }

    /// The only tool that was first named around this time: a client without hooks writes the call itself to the transcript
    /// only when its dialog is answered.
    pub(crate) fn named_around(&self, time: Millis) -> Option<&str> {
        let near = |mark: &Mark| (time - NAMED_BEFORE..=time + NAMED_AFTER).contains(&mark.at);
        let mut near = self.named.iter().filter(|(_, mark)| near(mark)).map(|(tool, _)| tool.as_str());
        near.next().filter(|_| near.next().is_none())
    }

    pub(crate) fn asked(
        &mut self,
        tool: String,
        detail: Option<String>,
        call: CallKey,
        agent: Option<AgentId>,
        asked: Mark,
    ) {
        let key = (asked.at, call.clone(), agent.clone());
        self.asks.insert(key, Ask { asked, tool, detail, call, agent });
        if self.asks.len() > REMEMBERED {
            self.asks.pop_first();
        }
    }

    /// The latest dialog that no observation says is answered.
    pub(crate) fn open_ask(&self, turn: &Turn, after: Millis) -> Option<&Ask> {
        self.asks.values().rev().take_while(|ask| ask.asked.at >= after).find(|ask| self.is_open(ask, turn))
    }

    fn is_open(&self, ask: &Ask, turn: &Turn) -> bool {
        let asked = ask.asked.at;
        let over = match &ask.agent {
            // A subagent's dialog stays open when the main turn ends.
            Some(agent) => turn.agent_stopped_at(agent.as_str()),
            None => turn.ended_at().max(at(turn.prompted)),
        };
        over < asked && turn.interrupted_at() < asked && self.call_ended_at(ask) < asked
    }

    fn call_ended_at(&self, ask: &Ask) -> Millis {
        let same = |tool: &&Tool| {
            tool.call.as_ref() == Some(&ask.call)
                && tool.agent == ask.agent
                && tool.began_at() <= ask.asked.at + HOOKS_OVERTAKE
        };
        match self.tools.values().filter(same).max_by_key(|tool| tool.began) {
            Some(tool) => {
                at(tool.ended).max(if tool.ended.is_none() { self.key_ended_at(ask) } else { Millis::MIN })
            }
            None => self.key_ended_at(ask),
        }
    }

    fn key_ended_at(&self, ask: &Ask) -> Millis {
        at(self.ended.get(&ask.call).copied())
    }

    /// The latest call without a result.
    pub(crate) fn open_tool(&self, after: Millis, main_only: bool) -> Option<&Tool> {
        let open = |tool: &&Tool| {
            tool.began.is_some()
                && tool.ended.is_none()
                && tool.began_at() >= after
                && (!main_only || tool.agent.is_none())
        };
        self.tools.values().filter(open).max_by_key(|tool| tool.began)
    }
}
