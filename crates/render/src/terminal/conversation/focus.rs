//! The record that was asked for: which agent, chunk and step shows it.

use std::collections::HashSet;

use steno_conversation::Conversation;
use steno_conversation::model::{Agent, Chunk, RecordRef, Step};
use steno_transcript::AgentId;

/// A record, by its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Focus {
    /// The subagent in whose file it is, if not in the session's own.
    pub agent: Option<AgentId>,
    pub line: u64,
}

/// What is known of it while the conversation is written.
#[derive(Debug, Default)]
pub(super) struct FocusState<'a> {
    focus: Option<Focus>,
    /// The agent that has it, and those that called that one.
    holders: HashSet<&'a AgentId>,
    /// Whose file is being written, if not the session's own.
    file: Option<&'a AgentId>,
    /// What is being written shows it.
    pub(super) is_here: bool,
    is_marked: bool,
}

impl<'a> FocusState<'a> {
    pub(super) fn new(conversation: &'a Conversation, focus: Option<Focus>) -> Self {
        let holders = focus.as_ref().map(|focus| holders(conversation, focus)).unwrap_or_default();
        Self { focus, holders, ..Self::default() }
    }

    /// Turns to an agent; gives whose file it was before.
    pub(super) fn enter(&mut self, agent: &'a Agent) -> Option<&'a AgentId> {
        let file = agent.path.as_ref().map(|_| &agent.id).or(self.file);
        std::mem::replace(&mut self.file, file)
    }

    pub(super) fn leave(&mut self, file: Option<&'a AgentId>) {
        self.file = file;
    }

    /// The line of the record, the first time that it is here.
    pub(super) fn mark(&mut self) -> Option<u64> {
        let line = self.line().filter(|_| self.is_here && !self.is_marked);
        self.is_marked |= line.is_some();
        line
    }

    /// Whether a chunk holds the record, in itself or in an agent that was called in it.
    pub(super) fn is_in(&self, chunk: &Chunk) -> bool {
        self.names_one(&chunk.records) || chunk.body.steps().iter().any(|step| self.holds(step))
    }

    pub(super) fn names_one(&self, records: &[RecordRef]) -> bool {
        self.line().is_some_and(|line| records.iter().any(|record| record.line == line))
    }

    /// Whether a step shows the record itself.
    pub(super) fn names(&self, step: &Step) -> bool {
        let result = step.tool().and_then(|tool| tool.result.as_ref());
        let is_it = |record: &RecordRef| self.line() == Some(record.line);
        is_it(step.record()) || result.is_some_and(|result| is_it(&result.record))
    }

    /// The step to begin with: the one that shows the record, else the next after it.
    pub(super) fn first_step(&self, chunk: &Chunk, steps: &[Step]) -> usize {
        let is_behind = |step: &Step| self.line().is_some_and(|line| step.record().line >= line);
        let next = || steps.iter().position(is_behind).filter(|_| self.names_one(&chunk.records));
        steps.iter().position(|step| self.holds(step)).or_else(next).unwrap_or(0)
    }

    fn holds(&self, step: &Step) -> bool {
        let called = if let Step::Agent(step) = step { step.agent.as_ref() } else { None };
        self.names(step) || called.is_some_and(|agent| self.holders.contains(agent))
    }

    /// The line, where it is one of the file that is being written.
    fn line(&self) -> Option<u64> {
        let focus = self.focus.as_ref()?;
        (focus.agent.as_ref() == self.file).then_some(focus.line)
    }
}

/// Without recursion: files may nest as they like.
fn holders<'a>(conversation: &'a Conversation, focus: &Focus) -> HashSet<&'a AgentId> {
    let has = |agent: &Agent, file: Option<&AgentId>| {
        let mut records = agent.chunks.iter().flat_map(|chunk| &chunk.records);
        focus.agent.as_ref() == file && records.any(|record| record.line == focus.line)
    };
    // Each with its file, and the place of the one that called it.
    let mut seen: Vec<(&Agent, Option<&AgentId>, Option<usize>)> = conversation
        .agents
        .iter()
        .map(|agent| (agent, agent.path.as_ref().map(|_| &agent.id), None))
        .collect();
    let mut place = 0;
    while let Some((agent, file, caller)) = seen.get(place).copied() {
        if has(agent, file) {
            return std::iter::successors(Some((agent, caller)), |(_, caller)| {
                seen.get((*caller)?).map(|(agent, _, caller)| (*agent, *caller))
            })
            .map(|(agent, _)| &agent.id)
            .collect();
        }
        let below = agent.agents.iter();
        seen.extend(below.map(|agent| (agent, agent.path.as_ref().map(|_| &agent.id).or(file), Some(place))));
        place += 1;
    }
    HashSet::new()
}
