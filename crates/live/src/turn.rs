//! When the last turn began and ended, and what it left running in the background.

use std::collections::BTreeMap;

use crate::mark::{Latest, Mark, at, mark, replace};
use crate::observation::{Background, Millis, SeenBy, TaskId};

/// A task may end while the hook that lists it as running is on its way.
const LISTED_TOO_LATE: Millis = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Turn {
    pub(crate) prompted: Option<Mark>,
    /// The main thread's own records in the transcript.
    spoke: Option<Mark>,
    /// Hooks of tools. Old clients send those of subagents without the subagent's id.
    tool_hooks: Option<Mark>,
    ended: Option<Mark>,
    interrupted: Option<Mark>,
    compaction: Option<Latest<bool>>,
    compacted: Option<Mark>,
    listed_by_hook: Option<Latest<Background>>,
    listed_by_transcript: Option<Latest<Background>>,
    running: BTreeMap<TaskId, Running>,
}

#[derive(Debug, Default)]
struct Running {
    started: Option<Mark>,
    ended: Option<Mark>,
    is_agent: bool,
}

impl Turn {
    pub(crate) fn prompted(&mut self, seen: Mark) {
        mark(&mut self.prompted, seen);
    }

    pub(crate) fn spoke(&mut self, seen: Mark) {
        mark(&mut self.spoke, seen);
    }

    pub(crate) fn used_tool(&mut self, seen: Mark) {
        let slot = if seen.seen_by == SeenBy::Hook { &mut self.tool_hooks } else { &mut self.spoke };
        mark(slot, seen);
    }

    pub(crate) fn ended(&mut self, seen: Mark, background: Option<Background>) {
        mark(&mut self.ended, seen);
        let Some(background) = background else { return };
        let slot = if seen.seen_by == SeenBy::Hook {
            &mut self.listed_by_hook
        } else {
            &mut self.listed_by_transcript
        };
        replace(slot, seen, background);
    }

    pub(crate) fn interrupted(&mut self, seen: Mark) {
        mark(&mut self.interrupted, seen);
    }

    pub(crate) fn compaction_began(&mut self, seen: Mark, manual: bool) {
        replace(&mut self.compaction, seen, manual);
    }

    pub(crate) fn compaction_ended(&mut self, seen: Mark) {
        mark(&mut self.compacted, seen);
    }

    pub(crate) fn task_started(&mut self, id: TaskId, is_agent: bool, seen: Mark) {
        let task = self.running.entry(id).or_default();
        mark(&mut task.started, seen);
        task.is_agent |= is_agent;
    }

    pub(crate) fn task_ended(&mut self, id: TaskId, is_agent: bool, seen: Mark) {
        let task = self.running.entry(id).or_default();
        mark(&mut task.ended, seen);
        task.is_agent |= is_agent;
    }

    /// The latest sign that a turn runs.
    pub(crate) fn began(&self, after: Millis) -> Option<Mark> {
        let tool_hooks = self.tool_hooks.filter(|_| self.running_since(after).next().is_none());
        let compaction = self.compaction.as_ref().filter(|latest| latest.value).map(|latest| latest.mark);
        let latest = self.prompted.max(self.spoke).max(tool_hooks).max(compaction);
        latest.filter(|mark| mark.at >= after)
    }

    /// The latest sign that a turn ended. The end of a compaction is one if the person asked for it: others happen
    /// within a turn.
    pub(crate) fn over(&self, after: Millis) -> Option<Mark> {
        let asked_for = self.compaction.as_ref().is_some_and(|latest| latest.value);
        let latest = self.ended.max(self.interrupted).max(self.compacted.filter(|_| asked_for));
        latest.filter(|mark| mark.at >= after)
    }

    pub(crate) fn interrupted_at(&self) -> Millis {
        at(self.interrupted)
    }

    pub(crate) fn ended_at(&self) -> Millis {
        at(self.ended)
    }

    pub(crate) fn agent_stopped_at(&self, id: &str) -> Millis {
        self.running.get(id).map_or(Millis::MIN, |agent| at(agent.ended))
    }

    /// Subagents that run now.
    pub(crate) fn agents(&self, after: Millis) -> u32 {
        count(self.running_since(after).filter(|task| task.is_agent))
    }

    /// How many tasks the last turn left running: as it listed them, else those that were seen to start.
    pub(crate) fn pending(&self, after: Millis) -> u32 {
        let began = at(self.prompted).max(after);
        let listed = [&self.listed_by_hook, &self.listed_by_transcript]
            .into_iter()
            .find_map(|latest| latest.as_ref().filter(|latest| latest.mark.at >= began));
        match listed.map(|latest| (latest.mark.at, &latest.value)) {
            Some((listed_at, Background::Tasks(ids))) => {
                let running = |id: &&TaskId| {
                    self.running.get(*id).is_none_or(|task| at(task.ended) < listed_at - LISTED_TOO_LATE)
                };
                count(ids.iter().filter(running))
            }
            Some((listed_at, Background::Agents(number))) => {
                let stopped =
                    self.running.values().filter(|task| task.is_agent && at(task.ended) > listed_at);
                number.saturating_sub(count(stopped))
            }
            None => count(self.running_since(after)),
        }
    }

    fn running_since(&self, after: Millis) -> impl Iterator<Item = &Running> {
        self.running.values().filter(move |task| {
            at(task.started) >= after && task.started.is_some() && task.ended < task.started
        })
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
