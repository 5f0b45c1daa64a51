//! Placing: for each record, its thread and its message, and whether people see it.

use std::collections::{HashMap, HashSet};

use steno_transcript::Kind;

use crate::block::Block;
use crate::entry::Entry;
use crate::model::{Hidden, Placing, Thread};
use crate::pass::plan::Plans;
use crate::pass::thread::Threads;
use crate::prompt::{self, Spoken};
use crate::scope::Scope;
use crate::usage::MessageKey;

pub(crate) fn placing(entries: &[Entry], threads: &Threads, plans: &Plans) -> Vec<Placing> {
    let mut first_of: HashMap<(MessageKey, Thread), usize> = HashMap::new();
    let mut first = |entry: &Entry, thread: Thread| match entry.key {
        Some(key) => *first_of.entry((key, thread)).or_insert(entry.at.index),
        None => entry.at.index,
    };
    let placed =
        entries.iter().zip(&threads.of_entries).enumerate().map(|(index, (entry, thread))| Placing {
            index: entry.at.index,
            timestamp: entry.timestamp,
            thread: *thread,
            message: (entry.is_message() || entry.is_queued).then(|| first(entry, *thread)),
            repeated: entry.repeated.clone(),
            fuller: entry.fuller.clone(),
            is_compact_summary: entry.is_compact_summary,
            hidden: hidden(entry)
                .filter(|hidden| *hidden != Hidden::PlanRequest || plans.of_entry(index).is_some()),
        });
    placed.collect()
}

/// The records with which the messages of the active thread start. Messages without text and those of nothing but tool
/// results do not count; a `!` command is one message with its output.
pub(crate) fn message_starts(entries: &[Entry], placing: &[Placing], scope: Scope) -> Vec<usize> {
    let placed = || entries.iter().zip(placing).filter(|(_, placing)| placing.thread == Thread::Active);
    let saying: HashSet<usize> =
        placed().filter(|(entry, _)| says(entry, scope)).filter_map(|(_, placing)| placing.message).collect();
    let mut starts = Vec::new();
    let mut is_after_command = false;
    for (entry, placing) in placed() {
        let is_seen = scope.hidden || placing.hidden.is_none();
        if placing.message == Some(placing.index) && is_seen && saying.contains(&placing.index) {
            let spoken = shell(entry);
            if !(is_after_command && spoken == Some(Shell::Output)) {
                starts.push(placing.index);
            }
            is_after_command = spoken == Some(Shell::Command);
        }
    }
    starts
}

/// Whether a record has something to show.
fn says(entry: &Entry, scope: Scope) -> bool {
    if entry.kind == Kind::User && entry.has_tool_result() && !scope.hidden {
        return !entry.is_meta && matches!(prompt::classify(&entry.text()), Spoken::Prompt(_));
    }
    entry.blocks.iter().any(|block| match block {
        Block::Text(text) => !text.trim().is_empty(),
        Block::Thinking { text, redacted } => !redacted && !text.trim().is_empty(),
        Block::Unknown { .. } => entry.kind == Kind::Assistant || scope.hidden,
        Block::ToolUse { .. } | Block::Media(_) => true,
        Block::ToolResult { .. } => false,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shell {
    Command,
    Output,
}

fn shell(entry: &Entry) -> Option<Shell> {
    match prompt::classify(&Some(entry).filter(|entry| entry.kind == Kind::User)?.text()) {
        Spoken::BashInput(_) => Some(Shell::Command),
        Spoken::BashOutput { .. } => Some(Shell::Output),
        _ => None,
    }
}

/// Why a message is hidden, if it is.
pub(crate) fn hidden(entry: &Entry) -> Option<Hidden> {
    match entry.kind {
        Kind::Assistant => is_silence(entry).then_some(Hidden::Noise),
        Kind::User if entry.is_compact_summary || entry.has_tool_result() || entry.blocks.is_empty() => None,
        Kind::User if entry.is_meta => Some(Hidden::Meta),
        Kind::User => match prompt::classify(&entry.text()) {
            Spoken::Noise => {
                entry.blocks.iter().all(|block| matches!(block, Block::Text(_))).then_some(Hidden::Noise)
            }
            Spoken::CommandOutput { stdout, stderr } => {
                prompt::printed(stdout, stderr).is_empty().then_some(Hidden::Noise)
            }
            Spoken::TeamMessage(text) => prompt::is_idle(text).then_some(Hidden::Noise),
            Spoken::Interruption(_) => Some(Hidden::Interruption),
            Spoken::ImplementPlan(_) => Some(Hidden::PlanRequest),
            _ => None,
        },
        _ => None,
    }
}

/// A text that the client writes in the agent's name in place of an empty answer.
fn is_silence(entry: &Entry) -> bool {
    entry.is_synthetic() && !entry.is_api_error && entry.text() == "No response requested."
}
