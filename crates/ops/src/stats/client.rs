//! The client's own sum of a session, beside ours: what was billed, and is recorded nowhere else.
//!
//! The difference is apart from every total: it has no day, no branch, and mostly no time. A fork goes on from the sum
//! of its session, so of sessions that share messages one sum counts.

use std::collections::{BTreeMap, HashSet};

use foldhash::fast::RandomState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::model::Tokens;
use steno_conversation::{ClientModel, ClientSum, MessageKey, Usage};

use super::gather::Book;
use super::merge::{Message, once_each};
use super::model_name;
use super::prices::{Prices, dollars};

/// Both sums, and what lies between them: `total` is `recorded` and `unrecorded`, without `beyond`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientCount {
    /// Those of which the client wrote a sum.
    pub sessions: u64,
    /// Of these, those that are left out: they share messages with another one, whose sum is greater.
    pub forks: u64,
    /// What the client says.
    pub total: ClientPart,
    /// Ours, of the same sessions and until the sum was written.
    pub recorded: ClientPart,
    /// What the client counted, and no record tells: compactions, titles, whatever else it asked a model for.
    pub unrecorded: ClientPart,
    /// What records tell, and the client did not count.
    pub beyond: ClientPart,
    /// The same by model, where there is a difference.
    pub models: Vec<ClientDifference>,
    /// The client knew no price of some of it: its cost is a lower bound.
    pub is_cost_partial: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientPart {
    pub tokens: Tokens,
    pub web_searches: u64,
    /// Of the client's total by its own prices, of everything else by ours; of what has a price.
    pub cost_usd: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientDifference {
    pub model: String,
    pub unrecorded: Tokens,
    pub beyond: Tokens,
}

/// None where no session that is asked for has such a sum.
pub(super) fn count(
    books: &[Book],
    prices: &Prices,
    is_selected: impl Fn(&Message<'_>) -> bool,
) -> Option<ClientCount> {
    let mut sessions: Vec<Session<'_>> =
        sessions(books).filter(|session| session.last.is_none_or(|last| is_selected(&last))).collect();
    // A fork has at least what it goes on from.
    sessions.sort_by_key(|session| std::cmp::Reverse((session.sum.cost, session.messages.len())));
    let mut counted = ClientCount::default();
    let mut seen: HashSet<MessageKey, RandomState> = HashSet::default();
    for session in sessions {
        counted.sessions += 1;
        let keys = || session.messages.iter().filter_map(|message| message.row.key);
        if keys().any(|key| seen.contains(&key)) {
            counted.forks += 1;
            continue;
        }
        seen.extend(keys());
        counted.add(&session, prices);
    }
    (counted.sessions > 0).then_some(counted)
}

/// A session with the client's sum, and its messages until then.
struct Session<'a> {
    sum: &'a ClientSum,
    messages: Vec<Message<'a>>,
    last: Option<Message<'a>>,
}

/// The books of a session follow each other.
fn sessions(books: &[Book]) -> impl Iterator<Item = Session<'_>> {
    books.chunk_by(|one, two| one.session == two.session).filter_map(|books| {
        let sum =
            books.iter().filter(|book| !book.is_agent).rev().find_map(|book| book.account.client.as_ref())?;
        let is_in = |message: &Message<'_>| match (sum.until, message.row.time) {
            (Some(until), Some(time)) => time < until,
            _ => true,
        };
        let messages: Vec<Message<'_>> = once_each(books).into_iter().filter(is_in).collect();
        let last = messages.iter().max_by_key(|message| message.row.time).copied();
        Some(Session { sum, messages, last })
    })
}

impl ClientCount {
    fn add(&mut self, session: &Session<'_>, prices: &Prices) {
        self.total.cost_usd += session.sum.cost as f64 / 1e9;
        self.is_cost_partial |= session.sum.is_cost_partial;
        let mut ours: BTreeMap<String, (&str, ClientModel)> = BTreeMap::new();
        for message in &session.messages {
            let usage = message.row.usage;
            let (_, sum) = ours
                .entry(model_name::plain(message.model()))
                .or_insert((message.model(), ClientModel::default()));
            sum.tokens.add(&usage.tokens());
            sum.web_searches = sum.web_searches.saturating_add(usage.web_searches);
            self.recorded.cost_usd += prices
                .of(message.model())
                .map_or(0.0, |price| dollars(prices.cost(price, &usage.tokens(), &usage)));
        }
        let mut theirs: BTreeMap<String, (&str, ClientModel)> = BTreeMap::new();
        for (name, model) in &session.sum.models {
            let (_, sum) = theirs.entry(model_name::plain(name)).or_insert((name, ClientModel::default()));
            sum.tokens.add(&model.tokens);
            sum.web_searches = sum.web_searches.saturating_add(model.web_searches);
        }
        let names: Vec<String> = ours
            .keys()
            .chain(theirs.keys())
            .cloned()
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        for plain in names {
            let (one, other) = (ours.get(&plain), theirs.get(&plain));
            let name = one.or(other).map_or(plain.as_str(), |(name, _)| *name);
            let [ours, theirs] = [one, other].map(|of| of.map(|(_, model)| *model).unwrap_or_default());
            self.recorded.take(&ours);
            self.total.take(&theirs);
            let unrecorded = less(&theirs, &ours);
            let beyond = less(&ours, &theirs);
            self.unrecorded.take_priced(&unrecorded, name, prices);
            self.beyond.take_priced(&beyond, name, prices);
            self.differ(name, &unrecorded.tokens, &beyond.tokens);
        }
    }

    fn differ(&mut self, model: &str, unrecorded: &Tokens, beyond: &Tokens) {
        if unrecorded.context() == 0 && beyond.context() == 0 {
            return;
        }
        let known = self.models.iter().position(|known| known.model == model);
        let place = known.unwrap_or_else(|| {
            let (unrecorded, beyond) = (Tokens::default(), Tokens::default());
            self.models.push(ClientDifference { model: model.to_owned(), unrecorded, beyond });
            self.models.len() - 1
        });
        if let Some(difference) = self.models.get_mut(place) {
            difference.unrecorded.add(unrecorded);
            difference.beyond.add(beyond);
        }
    }

    /// Whether records tell all that the client counts, and no more.
    pub fn is_complete(&self) -> bool {
        self.models.is_empty()
    }
}

impl ClientPart {
    fn take(&mut self, model: &ClientModel) {
        self.tokens.add(&Tokens { without_final_usage: 0, ..model.tokens });
        self.web_searches = self.web_searches.saturating_add(model.web_searches);
    }

    /// By the prices of short messages: how many there were, nothing tells.
    fn take_priced(&mut self, model: &ClientModel, name: &str, prices: &Prices) {
        self.take(model);
        let usage = Usage { web_searches: model.web_searches, ..Usage::default() };
        self.cost_usd +=
            prices.of(name).map_or(0.0, |price| dollars(prices.cost_of_many(price, &model.tokens, &usage)));
    }
}

/// Each number of the one without that of the other.
fn less(one: &ClientModel, other: &ClientModel) -> ClientModel {
    let (a, b) = (&one.tokens, &other.tokens);
    let tokens = Tokens {
        input: a.input.saturating_sub(b.input),
        output: a.output.saturating_sub(b.output),
        cache_read: a.cache_read.saturating_sub(b.cache_read),
        cache_write_5m: a.cache_write_5m.saturating_sub(b.cache_write_5m),
        cache_write_1h: a.cache_write_1h.saturating_sub(b.cache_write_1h),
        without_final_usage: 0,
    };
    ClientModel { tokens, web_searches: one.web_searches.saturating_sub(other.web_searches), cost: 0 }
}
