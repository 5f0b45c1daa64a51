//! A table of prices → what a message costs.
//!
//! Sums are of whole trillionths of a dollar: millions of small products added up as fractions would depend on their
//! order, and no total could be checked by hand.

use std::collections::HashMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Usage;
use steno_conversation::model::Tokens;

use super::model_name;
use crate::error::{Error, ErrorKind};

/// Dollars for a million tokens; the file names the source of the figures.
const OURS: &str = include_str!("prices.json");

/// A price for a million tokens is so many times the price of one in trillionths of a dollar.
const FOR_ONE: f64 = 1e6;
const TRILLIONTHS: f64 = 1e12;
/// Beyond this nothing is a price.
const DEAREST: f64 = 1e9;

/// Trillionths of a dollar.
pub(super) type Cost = u128;

pub(super) fn dollars(cost: Cost) -> f64 {
    cost as f64 / TRILLIONTHS
}

/// The table as it is written down.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Table {
    date: Option<String>,
    source: Option<String>,
    #[serde(rename = "webSearchPer1000")]
    web_search_per_1000: Option<f64>,
    #[serde(default)]
    models: HashMap<String, Listed>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Listed {
    input: f64,
    output: f64,
    cache_read: f64,
    #[serde(rename = "cacheWrite5m")]
    cache_write_5m: f64,
    #[serde(rename = "cacheWrite1h")]
    cache_write_1h: f64,
    above: Option<ListedAbove>,
    fast: Option<f64>,
    us: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListedAbove {
    tokens: u64,
    input: f64,
    output: f64,
    cache_read: f64,
    #[serde(rename = "cacheWrite5m")]
    cache_write_5m: f64,
    #[serde(rename = "cacheWrite1h")]
    cache_write_1h: f64,
}

/// Where prices are from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The day of the table's figures.
    pub date: Option<String>,
    pub source: Option<String>,
    /// The file whose rows come before those of the table.
    pub file: Option<String>,
}

/// The price of each model.
#[derive(Debug)]
pub(super) struct Prices {
    models: HashMap<String, Price>,
    web_search: u64,
    pub(super) origin: Origin,
}

/// What one model costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Price {
    base: Rates,
    above: Option<(u64, Rates)>,
    /// In thousandths.
    fast: u64,
    regional: u64,
}

/// Trillionths of a dollar for one token: input, output, cache reads, writes for five minutes and for an hour.
type Rates = [u64; 5];

impl Prices {
    /// Ours, and before them those of a file in the same format.
    pub(super) fn read(file: Option<&Path>) -> Result<Self, Error> {
        let ours = table(OURS).map_err(|detail| Error::new(ErrorKind::Invalid, detail))?;
        let origin = Origin { date: ours.date.clone(), source: ours.source.clone(), file: None };
        let mut prices = Self { models: HashMap::new(), web_search: 0, origin };
        prices.take(ours).map_err(|detail| Error::new(ErrorKind::Invalid, detail))?;
        if let Some(file) = file {
            let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error))?;
            let taken = table(&text).and_then(|table| prices.take(table));
            taken.map_err(|detail| refused(file, &detail))?;
            prices.origin.file = Some(file.display().to_string());
        }
        Ok(prices)
    }

    fn take(&mut self, table: Table) -> Result<(), String> {
        for (name, listed) in table.models {
            let price = Price::of(&listed).map_err(|detail| format!("{name}: {detail}"))?;
            self.models.insert(name.to_ascii_lowercase(), price);
        }
        if let Some(dollars) = table.web_search_per_1000 {
            self.web_search = scaled(dollars, TRILLIONTHS / 1000.0)?;
        }
        Ok(())
    }

    /// By the name as it is written, else by the plain one.
    pub(super) fn of(&self, model: &str) -> Option<&Price> {
        let written = self.models.get(&model.to_ascii_lowercase());
        written.or_else(|| self.models.get(&model_name::plain(model)))
    }

    pub(super) fn cost(&self, price: &Price, tokens: &Tokens, usage: &Usage) -> Cost {
        let searches = u128::from(usage.web_searches) * u128::from(self.web_search);
        price.cost_like(tokens, tokens, usage).saturating_add(searches)
    }
}

impl Prices {
    /// Of messages of which only the sum is known: none of them counts as long.
    pub(super) fn cost_of_many(&self, price: &Price, tokens: &Tokens, usage: &Usage) -> Cost {
        let searches = u128::from(usage.web_searches) * u128::from(self.web_search);
        price.cost_like(tokens, &Tokens::default(), usage).saturating_add(searches)
    }
}

impl Price {
    fn of(listed: &Listed) -> Result<Self, String> {
        let Listed { input, output, cache_read, cache_write_5m, cache_write_1h, .. } = *listed;
        let above = listed.above.as_ref().map(|above| {
            let ListedAbove { tokens, input, output, cache_read, cache_write_5m, cache_write_1h } = *above;
            Ok::<_, String>((tokens, rates([input, output, cache_read, cache_write_5m, cache_write_1h])?))
        });
        Ok(Self {
            base: rates([input, output, cache_read, cache_write_5m, cache_write_1h])?,
            above: above.transpose()?,
            fast: scaled(listed.fast.unwrap_or(1.0), 1000.0)?,
            regional: scaled(listed.us.unwrap_or(1.0), 1000.0)?,
        })
    }

    /// Whether a message is so long that each of its tokens costs more: what the model read decides.
    pub(super) fn is_long(&self, tokens: &Tokens) -> bool {
        let read = Tokens { output: 0, ..*tokens }.context();
        self.above.is_some_and(|(least, _)| read > least)
    }

    /// Of tokens that cost as much each as those of a message of that length.
    pub(super) fn cost_like(&self, tokens: &Tokens, message: &Tokens, usage: &Usage) -> Cost {
        let above = self.above.filter(|_| self.is_long(message));
        let rates = above.map_or(self.base, |(_, rates)| rates);
        let counts =
            [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write_5m, tokens.cache_write_1h];
        let product = |(count, rate): (u64, u64)| u128::from(count) * u128::from(rate);
        let sum = counts.into_iter().zip(rates).map(product).fold(0_u128, u128::saturating_add);
        if !usage.is_fast && !usage.is_regional {
            return sum;
        }
        let fast = if usage.is_fast { self.fast } else { 1000 };
        let regional = if usage.is_regional { self.regional } else { 1000 };
        sum.saturating_mul(u128::from(fast)).saturating_mul(u128::from(regional)) / 1_000_000
    }
}

fn rates(dollars: [f64; 5]) -> Result<Rates, String> {
    let mut rates = Rates::default();
    for (rate, dollars) in rates.iter_mut().zip(dollars) {
        *rate = scaled(dollars, FOR_ONE)?;
    }
    Ok(rates)
}

fn scaled(number: f64, by: f64) -> Result<u64, String> {
    let is_price = (0.0..=DEAREST).contains(&number);
    // In range, so the cast only rounds.
    if is_price { Ok((number * by).round() as u64) } else { Err(format!("{number} is not a price")) }
}

fn table(text: &str) -> Result<Table, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn unreadable(file: &Path, error: std::io::Error) -> Error {
    let hint = "--prices FILE names a JSON file of prices";
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            Error::new(ErrorKind::NotFound, format!("no such file: {}", file.display())).hint(hint)
        }
        std::io::ErrorKind::InvalidData => refused(file, "it is not text"),
        _ => Error::unreadable(file.to_owned(), error),
    }
}

fn refused(file: &Path, detail: &str) -> Error {
    let message = format!("{} is no table of prices: {detail}", file.display());
    Error::new(ErrorKind::Invalid, message).hint(
        "dollars for a million tokens: {\"models\":{\"NAME\":{\"input\":3,\"output\":15,\"cacheRead\":0.3,\
         \"cacheWrite5m\":3.75,\"cacheWrite1h\":6}}}",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices() -> Prices {
        Prices::read(None).unwrap()
    }

    fn cost(model: &str, tokens: Tokens, usage: Usage) -> f64 {
        let prices = prices();
        dollars(prices.cost(prices.of(model).unwrap(), &tokens, &usage))
    }

    #[test]
    fn our_table_can_be_read_and_says_where_it_is_from() {
        let origin = prices().origin;
        assert!(origin.date.is_some() && origin.source.is_some() && origin.file.is_none());
        assert!(prices().of("claude-nobody-9").is_none());
    }

    #[test]
    fn both_kinds_of_cache_writes_have_their_price() {
        let tokens =
            Tokens { input: 1_000_000, output: 1_000_000, cache_read: 1_000_000, ..Tokens::default() };
        assert!((cost("claude-opus-4-5-20251101", tokens, Usage::default()) - 30.5).abs() < 1e-9);
        let writes = Tokens {
            cache_write_5m: 100_000,
            cache_write_1h: 100_000,
            without_final_usage: 1,
            ..Tokens::default()
        };
        assert!((cost("claude-opus-4-5", writes, Usage::default()) - 1.625).abs() < 1e-9);
    }

    #[test]
    fn what_the_model_read_decides_whether_a_message_is_long() {
        let tokens = Tokens { input: 1, cache_read: 199_999, output: 1000, ..Tokens::default() };
        assert!(
            (cost("claude-sonnet-4", tokens, Usage::default()) - (3e-6 + 0.0599997 + 0.015)).abs() < 1e-12
        );
        let longer = Tokens { cache_write_5m: 1, ..tokens };
        let expected = 6e-6 + 0.119_999_4 + 7.5e-6 + 0.0225;
        assert!((cost("claude-sonnet-4", longer, Usage::default()) - expected).abs() < 1e-12);
    }

    #[test]
    fn speed_region_and_searches_cost_more() {
        let tokens = Tokens { output: 1_000_000, ..Tokens::default() };
        let usage = Usage { is_fast: true, is_regional: true, web_searches: 5, ..Usage::default() };
        assert!((cost("claude-opus-5", tokens, usage) - (55.0 + 0.05)).abs() < 1e-9);
        let plain = Usage { is_fast: true, ..Usage::default() };
        assert!((cost("claude-haiku-4-5", tokens, plain) - 5.0).abs() < 1e-9, "no such mode is listed");
    }

    #[test]
    fn counts_beyond_everything_do_not_overflow() {
        let tokens = Tokens { input: u64::MAX, output: u64::MAX, cache_read: u64::MAX, ..Tokens::default() };
        assert!(cost("claude-opus-4", tokens, Usage { web_searches: u64::MAX, ..Usage::default() }) > 1e12);
    }
}
