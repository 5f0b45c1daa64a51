//! Token counts, each message once.
//!
//! A message's records repeat its usage, growing: the sum over records is twice too high, the first record too
//! low. So: the maximum of each field for each (message.id, requestId). Counting holds one small entry for each
//! message, whatever their length.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::num::NonZeroU64;

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};
use steno_transcript::wire::{self, Message};
use steno_transcript::{Record, Text};

use crate::beside::Beside;
use crate::model::Tokens;

/// The usage of one record, or of a message: the maximum of each number over its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Input, output, cache reads, all cache writes, those for five minutes, those for an hour: as recorded, because the
    /// maximum is taken over the recorded numbers.
    pub counts: [u64; 6],
    /// Searches that the API made itself.
    pub web_searches: u64,
    /// It has a stop reason.
    pub is_final: bool,
    /// Answered in the mode that costs more.
    pub is_fast: bool,
    /// Kept within the United States, which costs more.
    pub is_regional: bool,
}

type Counts = [u64; 6];

impl Usage {
    pub fn tokens(&self) -> Tokens {
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

    /// Takes the maximum of each number with another record of the same message.
    pub fn raise(&mut self, other: &Self) {
        raise(&mut self.counts, other.counts);
        self.web_searches = self.web_searches.max(other.web_searches);
        self.is_final |= other.is_final;
        self.is_fast |= other.is_fast;
        self.is_regional |= other.is_regional;
    }
}

pub(crate) fn of_message(message: &Message<'_>) -> Usage {
    let is_final = message.stop_reason.is_some();
    let Some(usage) = &message.usage else { return Usage { is_final, ..Usage::default() } };
    let is_like = |field: &Option<Text<'_>>, word: &str| field.as_deref() == Some(word);
    Usage {
        counts: counts(usage.counts()),
        web_searches: usage.server_tools.as_ref().map_or(0, |tools| tools.web_searches.0),
        is_final,
        is_fast: is_like(&usage.speed, "fast"),
        is_regional: is_like(&usage.region, "us"),
    }
}

pub(crate) fn counts((input, output, cache_read, written, by_lifetime): wire::Counts) -> Counts {
    let by_lifetime = by_lifetime.unwrap_or_default();
    [input.0, output.0, cache_read.0, written.0, by_lifetime.five_minutes.0, by_lifetime.one_hour.0]
}

/// The identity of a message in usage counts, as hashes of its ids: among millions, no two are equal by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MessageKey {
    /// Of `message.id`.
    pub message: u64,
    /// Of `requestId`; none where there is none.
    pub request: Option<NonZeroU64>,
}

impl MessageKey {
    /// Of a sampling beside the message: no message has such an id.
    pub(crate) fn beside(self, number: usize) -> Self {
        Self { message: FixedState::default().hash_one((self.message, number)), request: self.request }
    }

    /// None if the record has no message id: then it is a message of its own.
    pub(crate) fn of(record: &Record<'_>, message: &Message<'_>) -> Option<Self> {
        let id = message.id.as_deref()?;
        Some(Self { message: hash(id), request: hashed(record.envelope.request_id.as_deref()) })
    }
}

/// The hash of an id that may be missing.
pub(crate) fn hashed(id: Option<&str>) -> Option<NonZeroU64> {
    NonZeroU64::new(hash(id?))
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

/// The counts of many messages.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct MessageUsage {
    messages: HashMap<MessageKey, Small, foldhash::fast::RandomState>,
    /// Messages whose counts do not fit into a small entry; none in practice.
    large: HashMap<MessageKey, Counts>,
    /// Samplings beside their messages.
    beside: HashMap<MessageKey, Counts>,
    /// The sum over records that are messages of their own.
    alone: Tokens,
    alone_count: u64,
}

/// Four billion tokens are enough for one message.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Small {
    counts: [u32; 6],
    is_final: bool,
}

impl MessageUsage {
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

    /// Counts what a record tells of samplings beside its message.
    pub(crate) fn count_beside(&mut self, key: Option<MessageKey>, beside: &[Beside]) {
        for Beside { number, usage, .. } in beside {
            match key {
                Some(key) => raise(self.beside.entry(key.beside(*number)).or_default(), usage.counts),
                None => self.alone.add(&usage.tokens()),
            }
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
            total.add(&Usage { counts, is_final: entry.is_final, ..Usage::default() }.tokens());
        }
        for counts in self.beside.values() {
            total.add(&Usage { counts: *counts, is_final: true, ..Usage::default() }.tokens());
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
        Usage { counts: [input, output, 0, 0, 0, 0], is_final, ..Usage::default() }
    }

    fn key(message: u64) -> Option<MessageKey> {
        Some(MessageKey { message, request: None })
    }

    /// Caches hold these keys: a change here needs a new version of the caches.
    #[test]
    fn keys_are_the_same_in_every_version() {
        assert_eq!(hash("msg_01"), 885_150_961_565_881_199);
    }

    #[test]
    fn a_message_counts_once_with_the_most_of_each_field() {
        let mut sum = MessageUsage::default();
        let key = key(1);
        sum.count(key, usage(3, 1, false));
        sum.count(key, usage(2, 500, true));
        sum.count(None, usage(10, 10, false));
        let total = sum.total();
        assert_eq!((total.input, total.output, total.without_final_usage), (13, 510, 1));
        assert_eq!(sum.messages(), 2);
    }

    #[test]
    fn cache_writes_that_only_one_record_tells_apart_count_once() {
        let mut sum = MessageUsage::default();
        let key = key(1);
        sum.count(key, Usage { counts: [0, 0, 0, 100, 0, 0], ..Usage::default() });
        sum.count(key, Usage { counts: [0, 0, 0, 100, 0, 100], is_final: true, ..Usage::default() });
        let total = sum.total();
        assert_eq!((total.cache_write_5m, total.cache_write_1h), (0, 100));
    }

    #[test]
    fn counts_beyond_four_billion_are_exact_and_beyond_everything_held() {
        let mut sum = MessageUsage::default();
        sum.count(key(1), usage(5_000_000_000, 7, true));
        sum.count(key(1), usage(9, 8, true));
        sum.count(key(2), usage(u64::MAX, 0, true));
        assert_eq!((sum.total().input, sum.total().output), (u64::MAX, 8));
    }
}
