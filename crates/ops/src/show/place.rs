//! A record that the user named → the chunk to open at.
//!
//! Not every record is in a chunk: some are on a line that a rewind left, some say something about the session as a
//! whole. Then it is the chunk nearest to it, which is said where it matters.

use steno_conversation::Conversation;
use steno_conversation::model::{Agent, Chunk, Step, Thread};
use steno_transcript::{AgentId, RecordId};

use crate::reader::Sought;

/// The place of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// In whose file, if not in the session's own.
    pub agent: Option<AgentId>,
    pub line: u64,
}

/// A chunk to open at, and what to say about it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Opening {
    /// Nothing where there is none.
    pub(super) chunk: Option<usize>,
    pub(super) spot: Option<Spot>,
    pub(super) note: Option<&'static str>,
}

const ABANDONED: &str =
    "this record is on a branch that a rewind left: it is shown first, then the conversation near it";
const BESIDE: &str =
    "this record is not part of the conversation: it is shown first, then the conversation near it";
const ALONE: &str = "this record is not part of a conversation: this file has none";
const UNHEARD: &str =
    "the conversation does not show this subagent, as no call started it: the record is shown first";

/// `sought` is the record's place, if there is one of that name.
pub(super) fn opening(conversation: &Conversation, at: &str, sought: Option<&Sought>) -> Option<Opening> {
    let line: Option<u64> = at.parse().ok();
    let by_line =
        line.and_then(|line| in_main(conversation, line, sought.filter(|sought| sought.line == line)));
    by_line.or_else(|| by_uuid(conversation, at)).or_else(|| {
        let sought = sought?;
        let spot = Spot { agent: sought.agent.clone(), line: sought.line };
        let opening = match &sought.agent {
            Some(agent) => in_agent(conversation, agent),
            None => in_main(conversation, sought.line, Some(sought))?,
        };
        Some(Opening { spot: Some(spot), ..opening })
    })
}

fn by_uuid(conversation: &Conversation, at: &str) -> Option<Opening> {
    let is_meant = |uuid: &RecordId| !at.is_empty() && uuid.as_str().starts_with(at);
    let own = |chunk: &Chunk| {
        let record = chunk.records.iter().find(|record| record.uuid.as_ref().is_some_and(is_meant))?;
        Some(Opening { spot: Some(Spot { agent: None, line: record.line }), ..at_chunk(chunk) })
    };
    conversation.chunks.iter().find_map(own)
}

/// The chunk that has the line; for a line that none has, the next one after it, or the last.
fn in_main(conversation: &Conversation, line: u64, sought: Option<&Sought>) -> Option<Opening> {
    let has = |chunk: &&Chunk| chunk.records.iter().any(|record| record.line == line);
    let spot = Some(Spot { agent: None, line });
    if let Some(chunk) = conversation.chunks.iter().find(has) {
        return Some(Opening { spot, ..at_chunk(chunk) });
    }
    let inline = conversation.agents.iter().find(|agent| agent.path.is_none() && speaks_at(agent, line));
    if let Some(agent) = inline {
        return Some(Opening { spot, ..call_of(conversation, agent) });
    }
    let records = || {
        let chunks = conversation.chunks.iter();
        chunks.flat_map(|chunk| chunk.records.iter().map(move |record| (record.line, chunk)))
    };
    let next = records().filter(|(own, _)| *own >= line).min_by_key(|(own, _)| *own);
    let last = || sought.and_then(|_| records().max_by_key(|(own, _)| *own));
    let Some((_, chunk)) = next.or_else(last) else {
        return sought.map(|_| Opening { note: Some(ALONE), spot, ..Opening::default() });
    };
    let placing = sought.and_then(|sought| conversation.placing.get(sought.index));
    let is_abandoned = placing.is_some_and(|placing| placing.thread == Thread::Abandoned);
    let note = if is_abandoned { ABANDONED } else { BESIDE };
    Some(Opening { note: sought.map(|_| note), spot, ..at_chunk(chunk) })
}

fn at_chunk(chunk: &Chunk) -> Opening {
    Opening { chunk: Some(chunk.index), ..Opening::default() }
}

/// The chunk in which a subagent was called, or the one that called it, and so on.
fn in_agent(conversation: &Conversation, id: &AgentId) -> Opening {
    let is_it = |agent: &Agent| agent.id == *id;
    match conversation.agents.iter().find(|agent| has_below(agent, &is_it)) {
        Some(agent) => call_of(conversation, agent),
        None => Opening { note: Some(UNHEARD), ..first(conversation) },
    }
}

fn speaks_at(agent: &Agent, line: u64) -> bool {
    has_below(agent, &|agent: &Agent| {
        let mut records = agent.chunks.iter().flat_map(|chunk| &chunk.records);
        agent.path.is_none() && records.any(|record| record.line == line)
    })
}

/// Whether it is true of an agent, or of one that it called. Without recursion: files may nest as they like.
fn has_below(agent: &Agent, is_it: &dyn Fn(&Agent) -> bool) -> bool {
    let mut waiting = vec![agent];
    while let Some(agent) = waiting.pop() {
        if is_it(agent) {
            return true;
        }
        waiting.extend(&agent.agents);
    }
    false
}

/// By the call itself; of one whose call is not known, by time.
fn call_of(conversation: &Conversation, agent: &Agent) -> Opening {
    let calls = |step: &Step| match step {
        Step::Agent(step) => {
            step.agent.as_ref() == Some(&agent.id) || agent.tool_id.as_ref() == Some(&step.tool.id)
        }
        Step::Tool(tool) => agent.tool_id.as_ref() == Some(&tool.id),
        _ => false,
    };
    let has_call = |chunk: &&Chunk| chunk.body.steps().iter().any(calls);
    let is_before = |chunk: &&Chunk| chunk.started_at.is_some() && chunk.started_at <= agent.started_at;
    let by_call = conversation.chunks.iter().find(has_call);
    let chunk = by_call.or_else(|| conversation.chunks.iter().rev().find(is_before));
    chunk.map_or_else(|| first(conversation), at_chunk)
}

fn first(conversation: &Conversation) -> Opening {
    conversation.chunks.first().map(at_chunk).unwrap_or_default()
}
