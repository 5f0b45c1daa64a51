//! What the client says that a session used: its own sum, in `cost-state` records.
//!
//! The client writes it when it ends, and goes on from it when it resumes or forks: the last one of a file is about all
//! of it. It includes requests of which no record exists, such as those for compactions and titles.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use steno_transcript::Record;

use crate::model::Tokens;

/// The last sum of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientSum {
    /// By model, as it is written.
    pub models: BTreeMap<String, ClientModel>,
    /// Billionths of a dollar.
    pub cost: u64,
    /// The client knew no price of some of it.
    pub is_cost_partial: bool,
    /// When the first message after it was written: that one and all later ones are not in it.
    pub until: Option<Timestamp>,
}

/// What it says of one model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientModel {
    pub tokens: Tokens,
    pub web_searches: u64,
    /// Billionths of a dollar.
    pub cost: u64,
}

/// The record as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    #[serde(rename = "totalCostUSD", default)]
    cost: f64,
    #[serde(default)]
    has_unknown_model_cost: bool,
    #[serde(default)]
    model_usage: BTreeMap<String, WrittenModel>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenModel {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    #[serde(default)]
    cache_read_input_tokens: u64,
    #[serde(default)]
    cache_creation_input_tokens: u64,
    /// Older clients do not tell the lifetimes apart.
    #[serde(rename = "cacheCreationEphemeral1hInputTokens", default)]
    one_hour: u64,
    #[serde(default)]
    web_search_requests: u64,
    #[serde(rename = "costUSD", default)]
    cost: f64,
}

/// None where the record is not as we know it.
pub(crate) fn of_record(record: &Record<'_>) -> Option<ClientSum> {
    let written: Written = serde_json::from_str(record.json).ok()?;
    let models = written.model_usage.into_iter().map(|(name, model)| (name, model.into())).collect();
    Some(ClientSum {
        models,
        cost: billionths(written.cost),
        is_cost_partial: written.has_unknown_model_cost,
        until: None,
    })
}

impl From<WrittenModel> for ClientModel {
    fn from(model: WrittenModel) -> Self {
        let one_hour = model.one_hour.min(model.cache_creation_input_tokens);
        let tokens = Tokens {
            input: model.input_tokens,
            output: model.output_tokens,
            cache_read: model.cache_read_input_tokens,
            cache_write_5m: model.cache_creation_input_tokens - one_hour,
            cache_write_1h: one_hour,
            without_final_usage: 0,
        };
        Self { tokens, web_searches: model.web_search_requests, cost: billionths(model.cost) }
    }
}

/// The cast saturates: less than nothing is nothing.
fn billionths(dollars: f64) -> u64 {
    (dollars * 1e9).round() as u64
}
