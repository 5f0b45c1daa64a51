//! Placing: for each record, its line and its message, and whether people see it.

use std::collections::HashMap;

use steno_transcript::Kind;

use crate::block::Block;
use crate::entry::Entry;
use crate::model::{Hidden, Line, Placing};
use crate::pass::thread::Threads;
use crate::prompt::{self, Spoken};
use crate::scope::Scope;
use crate::usage::MessageKey;

pub(crate) fn placing(entries: &[Entry], threads: &Threads) -> Vec<Placing> {
    let mut first_of: HashMap<MessageKey, usize> = HashMap::new();
    let mut first = |entry: &Entry| match entry.key {
        Some(key) => *first_of.entry(key).or_insert(entry.at.index),
        None => entry.at.index,
    };
    let placed = entries.iter().zip(&threads.lines).map(|(entry, line)| Placing {
        index: entry.at.index,
        timestamp: entry.timestamp,
        line: *line,
        message: (entry.is_message() || entry.is_queued).then(|| first(entry)),
        repeated: entry.repeated.clone(),
        hidden: hidden(entry),
    });
    placed.collect()
}

/// The records with which the messages of the active line start. Messages of nothing but tool results do not count,
/// nor do those that are not seen.
pub(crate) fn message_starts(entries: &[Entry], placing: &[Placing], scope: Scope) -> Vec<usize> {
    let is_start = |(entry, placing): &(&Entry, &Placing)| {
        placing.line == Line::Active
            && placing.message == Some(placing.index)
            && (scope.hidden || placing.hidden.is_none())
            && !is_only_results(entry)
    };
    entries.iter().zip(placing).filter(is_start).map(|(_, placing)| placing.index).collect()
}

fn is_only_results(entry: &Entry) -> bool {
    entry.kind == Kind::User && entry.has_tool_result() && entry.text().is_empty() && !entry.has_media()
}

/// Why people do not see a message.
pub(crate) fn hidden(entry: &Entry) -> Option<Hidden> {
    match entry.kind {
        Kind::Assistant => is_silence(entry).then_some(Hidden::Noise),
        Kind::User if entry.is_compact_summary || entry.has_tool_result() || entry.blocks.is_empty() => None,
        Kind::User if entry.is_meta => Some(Hidden::Meta),
        Kind::User => match prompt::classify(&entry.text()) {
            Spoken::Noise => {
                entry.blocks.iter().all(|block| matches!(block, Block::Text(_))).then_some(Hidden::Noise)
            }
            Spoken::TeamMessage(text) => prompt::is_idle(text).then_some(Hidden::Noise),
            Spoken::Interruption(_) => Some(Hidden::Interruption),
            Spoken::ImplementPlan(_) => Some(Hidden::PlanRequest),
            _ => None,
        },
        _ => None,
    }
}

/// What the client writes in the agent's name where it has nothing to say.
fn is_silence(entry: &Entry) -> bool {
    entry.is_synthetic() && !entry.is_api_error && entry.text() == "No response requested."
}
