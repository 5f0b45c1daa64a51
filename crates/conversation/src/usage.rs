//! Token counts, each message once.
//!
//! A message's records repeat its usage, growing: the sum over records is twice too high, the first record too
//! low. So: the maximum of each field for each (message.id, requestId). Counting holds one small entry for each
//! message, whatever their length.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::FixedState;
use steno_transcript::Record;
use steno_transcript::wire::Message;

use crate::model::Tokens;

/// The usage of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    counts: Counts,
    /// It has a stop reason.
    pub(crate) is_final: bool,
}

/// Input, output, cache reads, all cache writes, those for five minutes, those for an hour: as they are recorded,
/// because the maximum is taken of what is recorded.
type Counts = [u64; 6];

impl Usage {
    pub(crate) fn tokens(&self) -> Tokens {
        let [input, output, cache_read, written, five_minutes, one_hour] = self.counts;
        // Before the client told them apart, all cache writes lived for five minutes.
        let untold = written.saturating_sub(five_minutes.saturating_add(one_hour));
        Tokens {
            input,
            output,
            cache_read,
            cache_write_5m: five_minutes.saturating_add(untold),
            cache_write_1h: one_hour,
            without_final_usage: u64::from(!self.is_final),
        }
    }
}

pub(crate) fn of_message(message: &Message<'_>) -> Usage {
    let is_final = message.stop_reason.is_some();
    let Some(usage) = &message.usage else { return Usage { is_final, ..Usage::default() } };
    let by_lifetime = usage.by_lifetime.clone().unwrap_or_default();
    let counts = [
        usage.input.0,
        usage.output.0,
        usage.cache_read.0,
        usage.cache_creation.0,
        by_lifetime.five_minutes.0,
        by_lifetime.one_hour.0,
    ];
    Usage { counts, is_final }
}

/// A message's identity in usage counts, as a hash: of millions, none will meet another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MessageKey(u64);

impl MessageKey {
    /// None for a record that is a message of its own.
    pub(crate) fn of(record: &Record<'_>, message: &Message<'_>) -> Option<Self> {
        let id = message.id.as_deref()?;
        let mut hasher = FixedState::default().build_hasher();
        id.hash(&mut hasher);
        record.envelope.request_id.as_deref().hash(&mut hasher);
        Some(Self(hasher.finish()))
    }
}

/// The counts of many messages.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    messages: HashMap<MessageKey, Small, foldhash::fast::RandomState>,
    /// Messages whose counts do not fit into a small entry; none in practice.
    large: HashMap<MessageKey, Counts>,
    /// The sum over records that are messages of their own.
    alone: Tokens,
    alone_count: u64,
}

/// Four billion tokens are enough for one message.
#[derive(Debug, Clone, Copy, Default)]
struct Small {
    counts: [u32; 6],
    is_final: bool,
}

impl Ledger {
    pub(crate) fn count(&mut self, key: Option<MessageKey>, usage: Usage) {
        let Some(key) = key else {
            self.alone.add(&usage.tokens());
            self.alone_count += 1;
            return;
        };
        let entry = self.messages.entry(key).or_default();
        entry.is_final |= usage.is_final;
        let small = usage.counts.map(|count| u32::try_from(count).ok());
        if small.contains(&None) {
            raise(self.large.entry(key).or_default(), usage.counts);
        } else {
            raise(&mut entry.counts, small.map(Option::unwrap_or_default));
        }
    }

    pub(crate) fn messages(&self) -> u64 {
        self.messages.len() as u64 + self.alone_count
    }

    pub(crate) fn total(&self) -> Tokens {
        let mut total = self.alone;
        for (key, entry) in &self.messages {
            let mut counts = entry.counts.map(u64::from);
            if let Some(large) = self.large.get(key) {
                raise(&mut counts, *large);
            }
            total.add(&Usage { counts, is_final: entry.is_final }.tokens());
        }
        total
    }
}

/// Keeps the maximum of each.
fn raise<T: Ord + Copy>(most: &mut [T; 6], counts: [T; 6]) {
    for (most, count) in most.iter_mut().zip(counts) {
        *most = count.max(*most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, output: u64, is_final: bool) -> Usage {
        Usage { counts: [input, output, 0, 0, 0, 0], is_final }
    }

    #[test]
    fn a_message_counts_once_with_the_most_of_each_field() {
        let mut ledger = Ledger::default();
        let key = Some(MessageKey(1));
        ledger.count(key, usage(3, 1, false));
        ledger.count(key, usage(2, 500, true));
        ledger.count(None, usage(10, 10, false));
        let total = ledger.total();
        assert_eq!((total.input, total.output, total.without_final_usage), (13, 510, 1));
        assert_eq!(ledger.messages(), 2);
    }

    #[test]
    fn cache_writes_that_only_one_record_tells_apart_count_once() {
        let mut ledger = Ledger::default();
        let key = Some(MessageKey(1));
        ledger.count(key, Usage { counts: [0, 0, 0, 100, 0, 0], is_final: false });
        ledger.count(key, Usage { counts: [0, 0, 0, 100, 0, 100], is_final: true });
        let total = ledger.total();
        assert_eq!((total.cache_write_5m, total.cache_write_1h), (0, 100));
    }

    #[test]
    fn counts_beyond_four_billion_are_exact_and_beyond_everything_held() {
        let mut ledger = Ledger::default();
        ledger.count(Some(MessageKey(1)), usage(5_000_000_000, 7, true));
        ledger.count(Some(MessageKey(1)), usage(9, 8, true));
        ledger.count(Some(MessageKey(2)), usage(u64::MAX, 0, true));
        assert_eq!((ledger.total().input, ledger.total().output), (u64::MAX, 8));
    }
}
