//! Boundary: the contexts that compactions cut a conversation into, and what filled each.

use crate::entry::Entry;
use crate::model::{Line, Phase};

pub(crate) fn phases(entries: &[Entry], lines: &[Line]) -> Vec<Phase> {
    let line =
        || entries.iter().zip(lines).filter(|(_, line)| **line == Line::Active).map(|(entry, _)| entry);
    let mut phases: Vec<Phase> = Vec::new();
    let mut start: Option<u64> = Some(0);
    let mut current = 0;
    let mut has_usage = false;
    for entry in line() {
        if entry.is_boundary() {
            let metadata = entry.compact.as_ref();
            let end = metadata.and_then(|metadata| metadata.pre_tokens).unwrap_or(current);
            phases.push(phase(phases.len(), start.unwrap_or(0), end, Some(entry.at.clone())));
            start = metadata.and_then(|metadata| metadata.post_tokens);
            current = start.unwrap_or(0);
        } else if entry.usage.tokens().context() > 0 {
            has_usage = true;
            current = entry.usage.tokens().context();
            // An older client does not say what it kept: what its next request reads does.
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
