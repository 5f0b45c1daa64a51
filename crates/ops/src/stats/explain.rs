//! How it was counted, with the numbers of this run, and what other ways of counting would give.

mod rules;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::model::Tokens;
use steno_conversation::{MessageKey, Repeats};

use super::client::ClientCount;
use super::gather::Book;
use super::merge::Message;
use super::prices::Prices;
use super::tally::{Desk, Sum};
use super::{Request, is_selected};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explain {
    pub files: Files,
    /// Answers of models in what was asked for, each time that one is written.
    pub records: u64,
    /// What is left of them when each message counts once.
    pub messages: u64,
    pub repeated: Repeated,
    /// Records without `message.id`: each is a message.
    pub without_id: u64,
    /// Messages of which no record tells the final usage: their output is a lower bound.
    pub without_final_usage: u64,
    /// Messages of no known time.
    pub without_time: u64,
    /// Records that the client wrote in a model's place, in all files: they cost nothing and count nowhere.
    pub synthetic: u64,
    /// What is in no total of its message: the tokens of advisors, and of compactions by the API.
    #[serde(default)]
    pub beside: Vec<BesideMessages>,
    /// Messages that cost more for each token because the model read so much.
    pub long_context: u64,
    pub unpriced: Vec<Unpriced>,
    /// The sum over all records of all files.
    pub every_record: Alternative,
    /// Each message once, with the usage of its first record.
    pub first_record: Alternative,
    /// Each `requestId` once, whatever the message.
    pub by_request: Alternative,
    /// Each `message.id` once, whatever the request.
    pub by_message: Alternative,
    /// All of this in sentences.
    pub rules: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Files {
    pub read: u64,
    /// Those that only the vault still has.
    pub kept: u64,
    /// Those of subagents.
    pub agents: u64,
}

/// Why something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Repeated {
    /// More records of the same message in the same file.
    pub same_file: u64,
    /// The same message in a file of another session.
    pub other_session: u64,
    /// The same message in another file of the same session.
    pub subagent: u64,
    /// Copies, in other files, of records without `message.id`; other ways of counting count each.
    #[serde(default)]
    pub without_id: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unpriced {
    pub model: String,
    pub messages: u64,
}

/// Samplings of one type, by one model, beside the totals of their messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BesideMessages {
    /// As the API calls it: `advisor_message`, `compaction`, `message` (of a model that declined).
    #[serde(rename = "type")]
    pub kind: String,
    pub model: String,
    /// How often.
    pub times: u64,
    pub tokens: Tokens,
    pub cost_usd: Option<f64>,
}

/// What another way of counting gives for the same files, days and project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alternative {
    pub messages: u64,
    pub tokens: Tokens,
    pub cost_usd: Option<f64>,
}

impl From<Sum<'_>> for Alternative {
    fn from(sum: Sum<'_>) -> Self {
        Self { messages: sum.messages, tokens: sum.tokens, cost_usd: sum.dollars() }
    }
}

/// Books have to tell how records repeat their messages.
pub(super) fn explain(
    request: &Request,
    books: &[Book],
    messages: &[Message<'_>],
    client: Option<&ClientCount>,
    prices: &Prices,
) -> Explain {
    let all = || messages.iter().filter(|message| is_selected(request, message));
    let (mut desk, mut counted) = (Desk::new(prices), Sum::default());
    all().for_each(|message| counted.add(&mut desk, message));
    let messages = || all().filter(|message| message.row.beside.is_none());
    let count = |is: fn(&Message<'_>) -> bool| messages().filter(|message| is(message)).count() as u64;
    let without_id = count(|message| message.row.key.is_none());
    let files = |is: fn(&&Book) -> bool| books.iter().filter(is).count() as u64;
    let unpriced = counted.unpriced.iter();
    let unpriced = unpriced.map(|(model, messages)| Unpriced { model: (*model).into(), messages: *messages });
    let mut explain = Explain {
        files: Files {
            read: books.len() as u64,
            kept: files(|book| book.is_kept),
            agents: files(|book| book.is_agent),
        },
        records: rows(request, books).map(|(_, repeats)| repeats.records).sum(),
        messages: counted.messages,
        repeated: repeated(request, books, without_id),
        without_id,
        without_final_usage: counted.tokens.without_final_usage,
        without_time: count(|message| message.row.time.is_none()),
        synthetic: books.iter().map(|book| book.account.synthetic).sum(),
        beside: beside(all(), prices),
        long_context: counted.long,
        unpriced: unpriced.collect(),
        every_record: every_record(request, books, prices),
        first_record: first_record(request, books, prices),
        by_request: by(request, books, prices, |message| message.row.key?.request),
        by_message: by(request, books, prices, |message| message.row.key.map(|key| key.message)),
        rules: Vec::new(),
    };
    explain.rules = rules::of(&explain, request, client, prices);
    explain
}

fn beside<'a>(messages: impl Iterator<Item = &'a Message<'a>>, prices: &'a Prices) -> Vec<BesideMessages> {
    let mut sums: BTreeMap<(&str, &str), (u64, Sum<'_>)> = BTreeMap::new();
    let mut desk = Desk::new(prices);
    for message in messages {
        let Some(kind) = message.book.account.text(message.row.beside) else { continue };
        let (times, sum) = sums.entry((kind, message.model())).or_default();
        *times += 1;
        sum.add(&mut desk, message);
    }
    let of = |((kind, model), (times, sum)): ((&str, &str), (u64, Sum<'_>))| BesideMessages {
        kind: kind.to_owned(),
        model: model.to_owned(),
        times,
        tokens: sum.tokens,
        cost_usd: sum.dollars(),
    };
    sums.into_iter().map(of).collect()
}

/// `without_id` is how many messages have none.
fn repeated(request: &Request, books: &[Book], without_id: u64) -> Repeated {
    let mut repeated = Repeated { same_file: 0, other_session: 0, subagent: 0, without_id: 0 };
    let mut owners: HashMap<MessageKey, &str> = HashMap::new();
    let mut keyless: u64 = 0;
    for (message, repeats) in rows(request, books) {
        repeated.same_file += repeats.records.saturating_sub(1);
        let Some(key) = message.row.key else {
            keyless += 1;
            continue;
        };
        match owners.entry(key) {
            Entry::Vacant(place) => drop(place.insert(&message.book.session)),
            Entry::Occupied(owner) if *owner.get() == message.book.session => repeated.subagent += 1,
            Entry::Occupied(_) => repeated.other_session += 1,
        }
    }
    repeated.without_id = keyless.saturating_sub(without_id);
    repeated
}

/// Every message of every file that was asked for.
fn rows<'a>(request: &'a Request, books: &'a [Book]) -> impl Iterator<Item = (Message<'a>, &'a Repeats)> {
    let all = books.iter().flat_map(|book| {
        let rows = book.account.rows.iter().zip(&book.account.repeats);
        rows.map(move |(row, repeats)| (Message { book, row: *row }, repeats))
    });
    // Other ways of counting do not know of samplings beside a message.
    all.filter(|(message, _)| message.row.beside.is_none() && is_selected(request, message))
}

fn every_record(request: &Request, books: &[Book], prices: &Prices) -> Alternative {
    let (mut desk, mut sum) = (Desk::new(prices), Sum::default());
    for (message, repeats) in rows(request, books) {
        sum.add_sum(&mut desk, &message, repeats);
    }
    sum.into()
}

fn first_record(request: &Request, books: &[Book], prices: &Prices) -> Alternative {
    let (mut desk, mut sum) = (Desk::new(prices), Sum::default());
    let mut seen = HashSet::new();
    for (message, repeats) in rows(request, books) {
        if message.row.key.is_none_or(|key| seen.insert(key)) {
            sum.add_as(&mut desk, &message, repeats.first.tokens());
        }
    }
    sum.into()
}

/// Each of something once, with the most of each count; what has none of it is on its own.
fn by<'a, K: Eq + Hash>(
    request: &'a Request,
    books: &'a [Book],
    prices: &'a Prices,
    key: impl Fn(&Message<'_>) -> Option<K>,
) -> Alternative {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut messages: Vec<Message<'a>> = Vec::new();
    for (message, _) in rows(request, books) {
        let next = messages.len();
        let place = key(&message).map_or(next, |key| *places.entry(key).or_insert(next));
        match messages.get_mut(place) {
            Some(first) => first.row.usage.raise(&message.row.usage),
            None => messages.push(message),
        }
    }
    let (mut desk, mut sum) = (Desk::new(prices), Sum::default());
    messages.iter().for_each(|message| sum.add(&mut desk, message));
    sum.into()
}
