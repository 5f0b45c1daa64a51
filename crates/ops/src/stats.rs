//! Tokens and cost of all sessions, each message once.
//!
//! Files become accounts (`gather`), accounts become messages that count once each (`merge`), messages become rows
//! with a price (`tally`). Only the first step touches files: a caller that keeps accounts feeds them to the rest.

mod client;
mod explain;
mod gather;
mod merge;
mod model_name;
mod period;
mod prices;
mod tally;
mod window;

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::model::Tokens;
use steno_sessions::session::OpenSession;

use crate::error::Error;
use crate::workspace::Workspace;

pub use client::{ClientCount, ClientDifference, ClientPart};
pub use explain::{Alternative, BesideMessages, Explain, Files, Repeated, Unpriced};
pub use prices::Origin;
pub use window::{Rate, Window};

use gather::Gathered;
use merge::Message;
use prices::Prices;

/// What is counted, by what, and with which prices.
#[derive(Debug, Clone)]
pub struct Request {
    pub by: By,
    /// Only messages from then on.
    pub since: Option<Timestamp>,
    /// Only messages before then.
    pub until: Option<Timestamp>,
    /// Where days begin.
    pub zone: TimeZone,
    /// A part of the project's path.
    pub project: Option<String>,
    /// A file with prices that come before ours.
    pub prices: Option<PathBuf>,
    /// Says how it was counted, too.
    pub explain: bool,
    /// Tokens that a window should not exceed.
    pub limit: Option<u64>,
    /// By which a window is running.
    pub now: Timestamp,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    #[default]
    Daily,
    Weekly,
    Monthly,
    Project,
    Model,
    Session,
    Branch,
    Window,
}

impl By {
    /// Whether rows are stretches of time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Daily | Self::Weekly | Self::Monthly | Self::Window)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub by: By,
    /// Times in their order; anything else with the greatest cost first.
    pub rows: Vec<Row>,
    /// Tokens that a window should not exceed, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    pub total: Total,
    /// Where days begin.
    pub timezone: String,
    pub prices: Origin,
    /// The client's own sum of the sessions that have one, and what of it no row has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientCount>,
    /// How it was counted, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explain>,
    /// How many warnings there are; `doctor` names them.
    pub warnings: u64,
    /// What happened to the index, where anybody should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// A day, an ISO week, a month, when a window starts, a path, a model, a session's id, or a path and a branch.
    pub key: String,
    /// The path, where the row is a session or a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Where the row is a window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    pub messages: u64,
    pub tokens: Tokens,
    /// Of the messages that have a price; null where none has.
    pub cost_usd: Option<f64>,
    /// Searches that the API made itself.
    pub web_searches: u64,
    /// The models whose messages have no price, and are not in the cost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpriced: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Total {
    pub messages: u64,
    pub tokens: Tokens,
    /// Of the messages that have a price; null where none has.
    pub cost_usd: Option<f64>,
    pub web_searches: u64,
    /// The models whose messages have no price, and are not in the cost.
    pub unpriced: Vec<String>,
}

/// Live sessions, and those that only the vault still has, of all machines.
pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let prices = Prices::read(request.prices.as_deref())?;
    let gathered = gather::all(workspace, request.explain)?;
    Ok(count(request, &gathered, &prices))
}

fn count(request: &Request, gathered: &Gathered, prices: &Prices) -> Report {
    let messages = merge::once_each(&gathered.books);
    let client = client::count(&gathered.books, prices, |message| is_selected(request, message));
    let explain = || explain::explain(request, &gathered.books, &messages, client.as_ref(), prices);
    let explain = request.explain.then(explain);
    let (rows, total) = tally::tally(request, &messages, prices);
    Report {
        by: request.by,
        rows,
        limit: request.limit,
        total,
        timezone: period::zone_name(&request.zone),
        explain,
        prices: prices.origin.clone(),
        client,
        warnings: gathered.warnings,
        note: gathered.note.clone(),
    }
}

/// The client's own sum of all sessions, beside ours.
pub(crate) fn client_of_all(workspace: &Workspace) -> Result<Option<ClientCount>, Error> {
    let gathered = gather::all(workspace, false)?;
    Ok(client::count(&gathered.books, &Prices::read(None)?, |_| true))
}

/// The same of one session.
pub(crate) fn client_of(session: &OpenSession) -> Result<Option<ClientCount>, Error> {
    Ok(client::count(&gather::of_session(session)?, &Prices::read(None)?, |_| true))
}

fn is_selected(request: &Request, message: &Message<'_>) -> bool {
    let time = message.row.time;
    let contains = |part: &String| {
        let project = message.project().unwrap_or_default();
        project.to_lowercase().contains(&part.to_lowercase())
    };
    request.since.is_none_or(|since| time.is_some_and(|time| time >= since))
        && request.until.is_none_or(|until| time.is_some_and(|time| time < until))
        && request.project.as_ref().is_none_or(contains)
}
