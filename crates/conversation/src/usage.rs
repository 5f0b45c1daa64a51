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

/// The usage of one record; `is_final` where it has a stop reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    pub(crate) tokens: Tokens,
    pub(crate) is_final: bool,
}

pub(crate) fn of_message(message: &Message<'_>) -> Usage {
    let is_final = message.stop_reason.is_some();
    let Some(usage) = &message.usage else { return Usage { is_final, ..Usage::default() } };
    let by_lifetime = usage.by_lifetime.clone().unwrap_or_default();
    let (five_minutes, one_hour) = (by_lifetime.five_minutes.0, by_lifetime.one_hour.0);
    // Before the client told them apart, all cache writes lived for five minutes.
    let untold = usage.cache_creation.0.saturating_sub(five_minutes.saturating_add(one_hour));
    let tokens = Tokens {
        input: usage.input.0,
        output: usage.output.0,
        cache_read: usage.cache_read.0,
        cache_write_5m: five_minutes.saturating_add(untold),
        cache_write_1h: one_hour,
        without_final_usage: 0,
    };
    Usage { tokens, is_final }
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
    large: HashMap<MessageKey, Tokens>,
    /// The sum over records that are messages of their own.
    alone: Tokens,
    alone_count: u64,
}

/// Four billion tokens are enough for one message.
#[derive(Debug, Clone, Copy, Default)]
struct Small {
    counts: [u32; 5],
    is_final: bool,
}

impl Ledger {
    pub(crate) fn count(&mut self, key: Option<MessageKey>, usage: Usage) {
        let Some(key) = key else {
            self.alone.add(&usage.tokens);
            self.alone.without_final_usage += u64::from(!usage.is_final);
            self.alone_count += 1;
            return;
        };
        let entry = self.messages.entry(key).or_default();
        entry.is_final |= usage.is_final;
        match small(&usage.tokens) {
            Some(counts) => {
                for (most, count) in entry.counts.iter_mut().zip(counts) {
                    *most = count.max(*most);
                }
            }
            None => raise(self.large.entry(key).or_default(), &usage.tokens),
        }
    }

    pub(crate) fn messages(&self) -> u64 {
        self.messages.len() as u64 + self.alone_count
    }

    pub(crate) fn total(&self) -> Tokens {
        let mut total = self.alone;
        for (key, entry) in &self.messages {
            let mut tokens = entry.tokens();
            if let Some(large) = self.large.get(key) {
                raise(&mut tokens, large);
            }
            tokens.without_final_usage = u64::from(!entry.is_final);
            total.add(&tokens);
        }
        total
    }
}

impl Small {
    fn tokens(&self) -> Tokens {
        let [input, output, cache_read, five_minutes, one_hour] = self.counts.map(u64::from);
        Tokens {
            input,
            output,
            cache_read,
            cache_write_5m: five_minutes,
            cache_write_1h: one_hour,
            without_final_usage: 0,
        }
    }
}

fn small(tokens: &Tokens) -> Option<[u32; 5]> {
    let fit = |count: u64| u32::try_from(count).ok();
    Some([
        fit(tokens.input)?,
        fit(tokens.output)?,
        fit(tokens.cache_read)?,
        fit(tokens.cache_write_5m)?,
        fit(tokens.cache_write_1h)?,
    ])
}

fn raise(most: &mut Tokens, tokens: &Tokens) {
    most.input = most.input.max(tokens.input);
    most.output = most.output.max(tokens.output);
    most.cache_read = most.cache_read.max(tokens.cache_read);
    most.cache_write_5m = most.cache_write_5m.max(tokens.cache_write_5m);
    most.cache_write_1h = most.cache_write_1h.max(tokens.cache_write_1h);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, output: u64, is_final: bool) -> Usage {
        Usage { tokens: Tokens { input, output, ..Tokens::default() }, is_final }
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
    fn counts_beyond_four_billion_are_exact_and_beyond_everything_held() {
        let mut ledger = Ledger::default();
        ledger.count(Some(MessageKey(1)), usage(5_000_000_000, 7, true));
        ledger.count(Some(MessageKey(1)), usage(9, 8, true));
        ledger.count(Some(MessageKey(2)), usage(u64::MAX, 0, true));
        assert_eq!((ledger.total().input, ledger.total().output), (u64::MAX, 8));
    }
}
