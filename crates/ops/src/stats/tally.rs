//! Messages → rows, and their sum.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;
use jiff::Timestamp;
use steno_conversation::Repeats;
use steno_conversation::model::Tokens;

use super::merge::{Message, UNKNOWN};
use super::period::{Calendar, Period};
use super::prices::{Cost, Price, Prices, dollars};
use super::window::{self, Used};
use super::{By, Request, Row, Total, is_selected};

/// What several messages have in common. Those of no known time come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key<'a> {
    Time(Period),
    Name(&'a str),
    Pair(&'a str, &'a str),
    Unknown,
}

/// Prices by the names of models as they are written, each looked up once.
pub(super) struct Desk<'a> {
    prices: &'a Prices,
    known: HashMap<&'a str, Option<Price>, RandomState>,
    /// Messages that follow each other are mostly of one model.
    last: Option<(&'a str, Option<Price>)>,
}

/// A sum of messages.
#[derive(Debug, Default)]
pub(super) struct Sum<'a> {
    pub(super) messages: u64,
    pub(super) tokens: Tokens,
    cost: Cost,
    priced: u64,
    web_searches: u64,
    /// With the number of their messages.
    pub(super) unpriced: BTreeMap<&'a str, u64>,
    /// So long that their tokens cost more.
    pub(super) long: u64,
    /// Where the first of them was written.
    project: Option<&'a str>,
    /// The times of the first and the last.
    span: Option<(Timestamp, Timestamp)>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(prices: &'a Prices) -> Self {
        Self { prices, known: HashMap::default(), last: None }
    }

    pub(super) fn price(&mut self, model: &'a str) -> Option<Price> {
        if let Some((_, price)) = self.last.filter(|(last, _)| *last == model) {
            return price;
        }
        let price = *self.known.entry(model).or_insert_with(|| self.prices.of(model).copied());
        self.last = Some((model, price));
        price
    }
}

impl<'a> Sum<'a> {
    pub(super) fn add(&mut self, desk: &mut Desk<'a>, message: &Message<'a>) {
        self.add_as(desk, message, message.row.usage.tokens());
    }

    /// The message with other counts than its own.
    pub(super) fn add_as(&mut self, desk: &mut Desk<'a>, message: &Message<'a>, tokens: Tokens) {
        let usage = &message.row.usage;
        self.messages += u64::from(message.row.beside.is_none());
        self.tokens.add(&tokens);
        self.web_searches = self.web_searches.saturating_add(usage.web_searches);
        let model = message.model();
        match desk.price(model) {
            Some(price) => {
                self.priced += 1;
                self.cost = self.cost.saturating_add(desk.prices.cost(&price, &tokens, usage));
                self.long += u64::from(price.is_long(&tokens));
            }
            // Nothing costs nothing, whatever the price.
            None if tokens.context() == 0 => self.priced += 1,
            None => *self.unpriced.entry(model).or_default() += 1,
        }
    }

    /// Every record of the message as if it were one of its own.
    pub(super) fn add_sum(&mut self, desk: &mut Desk<'a>, message: &Message<'a>, repeats: &Repeats) {
        let usage = &message.row.usage;
        self.messages += repeats.records;
        self.tokens.add(&repeats.sum);
        if let Some(price) = desk.price(message.model()) {
            self.priced += 1;
            // Whether it is long is the same for each of them: they repeat what was read.
            let once = usage.tokens();
            self.cost = self.cost.saturating_add(price.cost_like(&repeats.sum, &once, usage));
        }
    }

    /// None where nothing has a price; nothing at all costs nothing.
    pub(super) fn dollars(&self) -> Option<f64> {
        (self.priced > 0 || self.messages == 0).then(|| dollars(self.cost))
    }

    pub(super) fn models(&self) -> Vec<String> {
        self.unpriced.keys().map(|model| (*model).to_owned()).collect()
    }

    fn total(&self) -> Total {
        Total {
            messages: self.messages,
            tokens: self.tokens,
            cost_usd: self.dollars(),
            web_searches: self.web_searches,
            unpriced: self.models(),
        }
    }

    fn window(&self, key: Key<'_>) -> Option<Used> {
        let Key::Time(Period::Window(start)) = key else { return None };
        Some(Used { start, span: self.span?, tokens: self.tokens, cost: self.dollars() })
    }

    fn row(self, key: Key<'_>) -> Row {
        let project = match key {
            Key::Pair(project, _) => Some(project),
            _ => self.project,
        };
        let branch = match key {
            Key::Pair(_, branch) => Some(branch.to_owned()),
            _ => None,
        };
        Row {
            key: match key {
                Key::Time(period) => period.to_string(),
                Key::Name(name) => name.to_owned(),
                Key::Pair(project, branch) => format!("{project} {branch}"),
                Key::Unknown => UNKNOWN.to_owned(),
            },
            project: project.map(str::to_owned),
            branch,
            window: None,
            messages: self.messages,
            tokens: self.tokens,
            cost_usd: self.dollars(),
            web_searches: self.web_searches,
            unpriced: self.models(),
        }
    }
}

/// Rows, in the order that they are shown in, and the sum of them all.
pub(super) fn tally<'a>(
    request: &Request,
    messages: &[Message<'a>],
    prices: &'a Prices,
) -> (Vec<Row>, Total) {
    let mut desk = Desk::new(prices);
    let mut sums = Sums::default();
    let mut total = Sum::default();
    let mut calendar = Calendar::new(&request.zone, request.by);
    let windows = if request.by == By::Window { window::starts(messages) } else { Vec::new() };
    for message in messages.iter().filter(|message| is_selected(request, message)) {
        let sum = sums.entry(key(&mut calendar, &windows, request.by, message)).or_default();
        sum.add(&mut desk, message);
        total.add(&mut desk, message);
        if let Some(time) = message.row.time.filter(|_| request.by == By::Window) {
            let (first, last) = sum.span.unwrap_or((time, time));
            sum.span = Some((first.min(time), last.max(time)));
        }
        if request.by == By::Session {
            sum.project = sum.project.or_else(|| message.project());
        }
    }
    (rows(request, sums), total.total())
}

type Sums<'a> = HashMap<Key<'a>, Sum<'a>, RandomState>;

fn rows(request: &Request, sums: Sums<'_>) -> Vec<Row> {
    let mut sums: Vec<(Key<'_>, Sum<'_>)> = sums.into_iter().collect();
    sums.sort_by_key(|(key, _)| *key);
    if !request.by.is_time() {
        // The sort is stable: equal ones stay in the order of their names.
        sums.sort_by_key(|(_, sum)| std::cmp::Reverse((sum.cost, sum.tokens.context())));
    }
    let row = |(key, sum): (Key<'_>, Sum<'_>)| {
        let window = sum.window(key).map(|used| used.window(request.now, request.limit));
        Row { window, ..sum.row(key) }
    };
    sums.into_iter().map(row).collect()
}

fn key<'a>(calendar: &mut Calendar<'_>, windows: &[Timestamp], by: By, message: &Message<'a>) -> Key<'a> {
    let project = message.project();
    match by {
        By::Daily | By::Weekly | By::Monthly => {
            message.row.time.map_or(Key::Unknown, |time| Key::Time(calendar.period(time)))
        }
        By::Window => {
            message.row.time.map_or(Key::Unknown, |time| Key::Time(Period::Window(window::of(windows, time))))
        }
        By::Project => project.map_or(Key::Unknown, Key::Name),
        By::Model => Key::Name(message.model()),
        By::Session => Key::Name(&message.book.session),
        By::Branch => Key::Pair(project.unwrap_or(UNKNOWN), message.branch().unwrap_or("-")),
    }
}
