//! Messages → the windows of five hours that the limits of a subscription are about.
//!
//! A window begins with the full hour of its first message. The next one begins with a message after its end, or with one
//! that comes more than five hours after the message before it.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::model::Tokens;

use super::merge::Message;

const LENGTH: SignedDuration = SignedDuration::from_hours(5);
const HOUR: i64 = 3600;

/// When a window was, and how fast it is used while it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    pub start: Timestamp,
    /// Five hours later.
    pub end: Timestamp,
    /// Of those messages that are counted.
    pub first_at: Timestamp,
    pub last_at: Timestamp,
    /// It is not over, and its last message is less than five hours ago.
    pub running: bool,
    /// Of one that runs, and has messages of more than one minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
}

/// How fast the running window is used, from its first message to its last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    pub tokens_per_minute: f64,
    pub cost_per_hour: Option<f64>,
    /// What it will have at its end, if it goes on like that.
    pub tokens_at_end: u64,
    pub cost_at_end: Option<f64>,
    /// When `--limit` will be reached, if that is before its end; the present, where it is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_at: Option<Timestamp>,
}

/// When each window starts, in their order.
pub(super) fn starts(messages: &[Message<'_>]) -> Vec<Timestamp> {
    let mut times: Vec<Timestamp> = messages.iter().filter_map(|message| message.row.time).collect();
    times.sort_unstable();
    let mut starts: Vec<Timestamp> = Vec::new();
    let mut last: Option<Timestamp> = None;
    for time in times {
        let goes_on = |start: &Timestamp| {
            time.duration_since(*start) < LENGTH
                && last.is_some_and(|last| time.duration_since(last) <= LENGTH)
        };
        if !starts.last().is_some_and(goes_on) {
            starts.push(full_hour(time));
        }
        last = Some(time);
    }
    starts
}

/// The one that a message is in.
pub(super) fn of(starts: &[Timestamp], time: Timestamp) -> Timestamp {
    let after = starts.partition_point(|start| *start <= time);
    after.checked_sub(1).and_then(|place| starts.get(place)).copied().unwrap_or(time)
}

fn full_hour(time: Timestamp) -> Timestamp {
    let seconds = time.as_second();
    Timestamp::from_second(seconds - seconds.rem_euclid(HOUR)).unwrap_or(time)
}

/// What is known of a window whose messages were summed up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Used {
    pub(super) start: Timestamp,
    pub(super) span: (Timestamp, Timestamp),
    pub(super) tokens: Tokens,
    pub(super) cost: Option<f64>,
}

impl Used {
    pub(super) fn window(&self, now: Timestamp, limit: Option<u64>) -> Window {
        let (first_at, last_at) = self.span;
        let end = self.start.checked_add(LENGTH).unwrap_or(self.start);
        let running = now < end && now.duration_since(last_at) < LENGTH;
        let rate = if running { self.rate(now, end, limit) } else { None };
        Window { start: self.start, end, first_at, last_at, running, rate }
    }

    fn rate(&self, now: Timestamp, end: Timestamp, limit: Option<u64>) -> Option<Rate> {
        let (first_at, last_at) = self.span;
        let minutes = last_at.duration_since(first_at).as_secs_f64() / 60.0;
        if minutes < 1.0 {
            return None;
        }
        let left = end.duration_since(now).as_secs_f64() / 60.0;
        let used = self.tokens.context();
        let per_minute = used as f64 / minutes;
        let until = |limit: u64| {
            let minutes = limit.saturating_sub(used) as f64 / per_minute;
            (minutes < left)
                .then(|| now.checked_add(SignedDuration::from_secs_f64(minutes * 60.0)).unwrap_or(end))
        };
        Some(Rate {
            tokens_per_minute: per_minute,
            cost_per_hour: self.cost.map(|cost| cost / minutes * 60.0),
            tokens_at_end: used.saturating_add((per_minute * left) as u64),
            cost_at_end: self.cost.map(|cost| cost + cost / minutes * left),
            limit_at: limit.filter(|_| per_minute > 0.0).and_then(until),
        })
    }
}

#[cfg(test)]
mod tests {
    use steno_conversation::Row;

    use super::*;
    use crate::stats::gather::Book;

    fn time(text: &str) -> Timestamp {
        format!("2026-11-{text}Z").parse().unwrap()
    }

    fn started(times: &[&str]) -> Vec<Timestamp> {
        let book = Book::default();
        let message =
            |text: &&str| Message { book: &book, row: Row { time: Some(time(text)), ..Row::default() } };
        starts(&times.iter().map(message).collect::<Vec<_>>())
    }

    #[test]
    fn a_window_begins_at_the_full_hour_and_lasts_for_five() {
        let found = started(&["15T14:59:59", "15T10:30:00", "15T15:00:00", "15T20:00:00"]);
        assert_eq!(found, ["15T10:00:00", "15T15:00:00", "15T20:00:00"].map(time));
        assert_eq!(of(&found, time("15T19:59:59")), time("15T15:00:00"));
    }

    #[test]
    fn after_a_gap_a_window_begins_at_another_hour() {
        assert_eq!(started(&["15T10:30:00", "15T17:45:00"]), ["15T10:00:00", "15T17:00:00"].map(time));
        assert_eq!(started(&[]), []);
    }

    #[test]
    fn the_running_window_says_where_it_will_end() {
        let tokens = Tokens { output: 60_000, ..Tokens::default() };
        let span = (time("15T10:00:00"), time("15T11:00:00"));
        let used = Used { start: time("15T10:00:00"), span, tokens, cost: Some(3.0) };
        let window = used.window(time("15T12:00:00"), Some(90_000));
        let rate = window.rate.unwrap();
        assert_eq!((window.end, window.running, rate.tokens_at_end), (time("15T15:00:00"), true, 240_000));
        assert_eq!((rate.cost_per_hour, rate.cost_at_end), (Some(3.0), Some(12.0)));
        assert_eq!(rate.limit_at, Some(time("15T12:30:00")));
        let over = used.window(time("15T15:00:00"), None);
        assert_eq!((over.running, over.rate), (false, None));
    }
}
