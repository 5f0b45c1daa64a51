//! Queue operations → the prompts that waited in the queue.

use std::collections::{HashMap, VecDeque};

use steno_transcript::Kind;

use crate::entry::Entry;
use crate::time;

/// A text that leaves the queue within this time did not wait; up to 50 ms were observed.
const AT_ONCE_MS: u64 = 250;

/// The texts that waited in the queue while the agent worked, each with the entries that put it there. Clients in print
/// mode send every prompt through the queue and take it out at once: those did not wait.
pub(super) fn waited(entries: &[Entry]) -> HashMap<String, VecDeque<usize>> {
    let mut waited: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut keep = |(at, text): (usize, String)| waited.entry(text).or_default().push_back(at);
    let mut newest: Option<(usize, String)> = None;
    for (index, entry) in entries.iter().enumerate() {
        let operation = entry.subtype.as_deref().filter(|_| entry.kind == Kind::QueueOperation);
        let is_at_once = |since: usize| {
            let since = entries.get(since).and_then(|entry| entry.timestamp);
            operation == Some("dequeue")
                && time::milliseconds(since, entry.timestamp).is_none_or(|passed| passed <= AT_ONCE_MS)
        };
        if operation.is_some() || entry.at.uuid.is_some() {
            newest.take().filter(|(since, _)| !is_at_once(*since)).map(&mut keep);
        }
        if operation == Some("enqueue") {
            newest = Some((index, entry.text())).filter(|(_, text)| !text.is_empty());
        }
    }
    newest.map(keep);
    waited
}
