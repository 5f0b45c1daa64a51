//! Boundary: the contexts between compactions, and how many tokens each grew to.

use crate::entry::Entry;
use crate::model::{Phase, Thread};

pub(crate) fn phases(entries: &[Entry], threads: &[Thread]) -> Vec<Phase> {
    let active = entries.iter().zip(threads).filter(|(_, thread)| **thread == Thread::Active);
    let mut phases: Vec<Phase> = Vec::new();
    let mut start: Option<u64> = Some(0);
    let mut current = 0;
    let mut has_usage = false;
    for (entry, _) in active {
        if entry.is_boundary() {
            let metadata = entry.compact.as_ref();
            let end = metadata.and_then(|metadata| metadata.pre_tokens).unwrap_or(current);
            phases.push(phase(phases.len(), start.unwrap_or(0), end, Some(entry.at.clone())));
            start = metadata.and_then(|metadata| metadata.post_tokens);
            current = start.unwrap_or(0);
        } else if entry.usage.tokens().context() > 0 {
            has_usage = true;
            current = entry.usage.tokens().context();
            // An older client does not record what it kept; the next request reads that much.
            start.get_or_insert(current.saturating_sub(entry.usage.tokens().output));
        }
    }
    if has_usage || !phases.is_empty() {
        phases.push(phase(phases.len(), start.unwrap_or(0), current, None));
    }
    phases
}

fn phase(index: usize, start: u64, end: u64, boundary: Option<crate::model::RecordRef>) -> Phase {
    let contribution = i64::try_from(i128::from(end) - i128::from(start)).unwrap_or(i64::MAX);
    Phase { index, start_tokens: start, end_tokens: end, contribution, boundary }
}
