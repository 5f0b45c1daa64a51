//! Records, as they stream by → a row for each message: what it used, when, where, and of which model.
//!
//! Apart from the profile, because sums are made over many files, where forks, resumes and subagents repeat each
//! other's messages: a sum for each file could not be corrected any more, rows can.

use std::collections::HashMap;
use std::num::NonZeroU64;

use foldhash::fast::FixedState;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use steno_transcript::{Kind, Piece, Prefilter, Record, SessionId, Shape};

use crate::beside::{self, Beside};
use crate::client_sum::{self, ClientSum};
use crate::time;
use crate::usage::{self, MessageKey, Usage};
use crate::warning::Warnings;

/// The model of messages that the client wrote itself.
const SYNTHETIC: &str = "<synthetic>";

/// The messages of one file, in the order of their first records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub rows: Vec<Row>,
    /// What the rows' names say.
    names: Vec<String>,
    /// How the records of each row repeat it; only where that was asked for. Not stored.
    #[serde(skip)]
    pub repeats: Vec<Repeats>,
    /// The first session id in the file.
    pub session: Option<SessionId>,
    /// Records that the client wrote in a model's place; they are in no row.
    pub synthetic: u64,
    /// When its first message was written.
    pub start: Option<Timestamp>,
    /// What the client itself says of the session.
    pub client: Option<ClientSum>,
}

/// One message, as one file has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// None for a record that is a message of its own.
    pub key: Option<MessageKey>,
    /// Of such a record, a hash of what copies of it in other files have in common with it: not the uuid, for a clone
    /// has its own.
    pub record: Option<NonZeroU64>,
    /// The least of its records.
    pub time: Option<Timestamp>,
    pub model: Option<Name>,
    pub cwd: Option<Name>,
    pub git_branch: Option<Name>,
    /// Of a subagent.
    pub is_agent: bool,
    pub usage: Usage,
    /// The type of a sampling that is beside the totals of its message; none of a message.
    pub beside: Option<Name>,
}

/// A text that many rows share, by its place in the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name(u32);

/// The count of a tool that does not know that records repeat their message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeats {
    pub records: u64,
    /// The usage of each record, in the first record alone and as a sum.
    pub first: Usage,
    pub sum: crate::model::Tokens,
}

impl Account {
    pub fn text(&self, name: Option<Name>) -> Option<&str> {
        let Name(place) = name?;
        self.names.get(usize::try_from(place).ok()?).map(String::as_str)
    }
}

/// Makes an [`Account`] piece by piece.
#[derive(Debug, Default)]
pub struct Accountant {
    account: Account,
    counts_repeats: bool,
    places: HashMap<MessageKey, usize, foldhash::fast::RandomState>,
    known: HashMap<String, Name, FixedState>,
}

impl Accountant {
    /// One that tells how records repeat their messages, too.
    pub fn counting_repeats(counts_repeats: bool) -> Self {
        Self { counts_repeats, ..Self::default() }
    }

    /// One that goes on where another one stopped.
    pub fn resume(account: Account) -> Self {
        let places = account.rows.iter().enumerate();
        let places = places.filter_map(|(place, row)| row.key.map(|key| (key, place))).collect();
        let names = account.names.iter().zip(0..).map(|(text, place)| (text.clone(), Name(place)));
        Self { known: names.collect(), counts_repeats: false, places, account }
    }

    /// Which lines it has to see.
    pub fn lines() -> Prefilter {
        Prefilter::for_types(&["assistant", Kind::CostState.name()])
    }

    pub fn observe(&mut self, piece: &Piece<'_>, warnings: &mut Warnings) {
        let mut troubles = piece.troubles;
        if let Shape::Record(record) = &piece.shape {
            if self.account.session.is_none() {
                self.account.session = record.envelope.session_id.as_deref().map(SessionId::from);
            }
            if record.kind() == Kind::Assistant {
                let at = time::of(&record.envelope, &mut troubles);
                self.count(record, at);
            } else if record.kind() == Kind::CostState {
                let sum = client_sum::of_record(record);
                self.account.client = sum.or_else(|| self.account.client.take());
            }
        }
        if !troubles.is_empty() {
            warnings.add_troubles(piece.place.line, troubles);
        }
    }

    pub fn finish(self) -> Account {
        let start = self.account.rows.iter().filter_map(|row| row.time).min();
        Account { start, ..self.account }
    }

    fn count(&mut self, record: &Record<'_>, at: Option<Timestamp>) {
        let message = record.message();
        let model = message.and_then(|message| message.model.as_deref());
        if model == Some(SYNTHETIC) {
            self.account.synthetic += 1;
            return;
        }
        let key = message.and_then(|message| MessageKey::of(record, message));
        let usage = message.map(usage::of_message).unwrap_or_default();
        self.count_one(record, Row::new(key, at, usage), model);
        for Beside { number, kind, model: own, usage } in message.map(beside::of_message).unwrap_or_default()
        {
            let beside = self.name(Some(&kind));
            let row = Row::new(key.map(|key| key.beside(number)), at, usage);
            self.count_one(record, Row { beside, ..row }, own.as_deref().or(model));
        }
    }

    /// A message, or a sampling beside it.
    fn count_one(&mut self, record: &Record<'_>, of_record: Row, model: Option<&str>) {
        let Row { key, time: at, usage, .. } = of_record;
        let place = key.and_then(|key| self.places.get(&key).copied());
        let known = place.and_then(|place| self.account.rows.get_mut(place).map(|row| (place, row)));
        let Some((place, row)) = known else {
            return self.add(record, of_record, model);
        };
        row.usage.raise(&usage);
        row.time = [row.time, at].into_iter().flatten().min();
        if row.model.is_none() {
            let name = self.name(model);
            self.account.rows.get_mut(place).into_iter().for_each(|row| row.model = name);
        }
        if let Some(repeats) = self.account.repeats.get_mut(place) {
            repeats.records += 1;
            repeats.sum.add(&usage.tokens());
        }
    }

    fn add(&mut self, record: &Record<'_>, row: Row, model: Option<&str>) {
        if let Some(client) = &mut self.account.client {
            client.until = client.until.or(row.time);
        }
        let envelope = &record.envelope;
        let last = self.account.rows.last().copied().unwrap_or_default();
        let row = Row {
            record: if row.key.is_none() { likeness(record, &row, model) } else { None },
            model: self.name_like(last.model, model),
            cwd: self.name_like(last.cwd, envelope.cwd.as_deref()),
            git_branch: self.name_like(last.git_branch, envelope.git_branch.as_deref()),
            is_agent: envelope.is_sidechain.0,
            ..row
        };
        if let Some(key) = row.key {
            self.places.insert(key, self.account.rows.len());
        }
        self.account.rows.push(row);
        if self.counts_repeats {
            let (first, sum) = (row.usage, row.usage.tokens());
            self.account.repeats.push(Repeats { records: 1, first, sum });
        }
    }

    /// Mostly the same as that of the message before.
    fn name_like(&mut self, last: Option<Name>, text: Option<&str>) -> Option<Name> {
        if last.is_some() && self.account.text(last) == text { last } else { self.name(text) }
    }

    fn name(&mut self, text: Option<&str>) -> Option<Name> {
        let text = text.filter(|text| !text.is_empty())?;
        if let Some(name) = self.known.get(text) {
            return Some(*name);
        }
        let name = Name(u32::try_from(self.account.names.len()).ok()?);
        self.account.names.push(text.to_owned());
        self.known.insert(text.to_owned(), name);
        Some(name)
    }
}

/// A hash equal in every copy of a record.
fn likeness(record: &Record<'_>, row: &Row, model: Option<&str>) -> Option<NonZeroU64> {
    match row.time {
        Some(time) => usage::hashed(Some(&format!("{time}\0{model:?}\0{:?}", row.usage.counts))),
        None => {
            let uuid = record.envelope.uuid.as_deref()?;
            let beside = row.beside.map(|kind| format!("{uuid}\0{kind:?}\0{:?}", row.usage.counts));
            usage::hashed(Some(beside.as_deref().unwrap_or(uuid)))
        }
    }
}

impl Row {
    fn new(key: Option<MessageKey>, time: Option<Timestamp>, usage: Usage) -> Self {
        Self {
            key,
            record: None,
            time,
            model: None,
            cwd: None,
            git_branch: None,
            is_agent: false,
            usage,
            beside: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use serde_json::{Value, json};
    use steno_transcript::{LineReader, read_types};

    use super::*;

    fn account(records: &[Value]) -> Account {
        let text: String = records.iter().map(|record| format!("{record}\n")).collect();
        let mut accountant = Accountant::counting_repeats(true);
        let mut warnings = Warnings::new("file");
        read_types(&mut LineReader::new(text.as_bytes()), &Accountant::lines(), |piece| {
            accountant.observe(&piece, &mut warnings);
            ControlFlow::Continue(())
        })
        .unwrap();
        accountant.finish()
    }

    fn record(id: Option<&str>, time: &str, model: &str, output: u64) -> Value {
        json!({
            "type": "assistant", "timestamp": time, "cwd": "/home/dev/api", "gitBranch": "", "sessionId": "s",
            "requestId": "r",
            "message": {"id": id, "model": model, "stop_reason": null, "content": [], "usage": {
                "input_tokens": 3, "output_tokens": output, "server_tool_use": {"web_search_requests": 2},
                "speed": "fast", "inference_geo": "us",
            }},
        })
    }

    #[test]
    fn a_message_is_one_row_with_the_most_of_each_and_the_least_time() {
        let account = account(&[
            record(Some("m"), "2026-01-01T00:00:02Z", "claude", 1),
            json!({"type": "user", "sessionId": "other"}),
            record(Some("m"), "2026-01-01T00:00:01Z", "claude", 500),
        ]);
        let [row] = account.rows[..] else { panic!("{account:?}") };
        assert_eq!((row.usage.tokens().output, row.usage.tokens().input), (500, 3));
        assert_eq!(row.time, Some("2026-01-01T00:00:01Z".parse().unwrap()));
        assert_eq!((account.text(row.model), account.text(row.cwd)), (Some("claude"), Some("/home/dev/api")));
        assert_eq!((row.git_branch, row.usage.web_searches), (None, 2));
        assert!(row.usage.is_fast && row.usage.is_regional && !row.usage.is_final);
        let [repeats] = account.repeats[..] else { panic!("{account:?}") };
        assert_eq!((repeats.records, repeats.first.tokens().output, repeats.sum.output), (2, 1, 501));
        assert_eq!((account.session.as_ref().map(SessionId::as_str), account.synthetic), (Some("s"), 0));
    }

    #[test]
    fn records_without_an_id_are_their_own_and_the_clients_own_are_none() {
        let account = account(&[
            record(None, "2026-01-01T00:00:00Z", "claude", 1),
            record(None, "2026-01-01T00:00:00Z", "claude", 1),
            record(Some("m"), "2026-01-01T00:00:00Z", SYNTHETIC, 1),
        ]);
        assert_eq!((account.rows.len(), account.synthetic), (2, 1));
    }
}
