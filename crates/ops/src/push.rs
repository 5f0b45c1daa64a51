//! What became of sending what was kept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many places a report names.
const NAMED: usize = 20;

/// What became of sending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Push {
    pub state: State,
    /// Why it was not sent.
    pub reason: Option<String>,
    /// Files of other machines that came in.
    pub received: u64,
    /// What was found, where it holds the push, or goes along since `--push` cleared this remote.
    pub secrets: Option<Secrets>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Pushed,
    /// The remote has everything.
    UpToDate,
    /// Something looks secret; `--push` sends it all the same.
    Held,
    /// Not reached: it goes with the next sync.
    Offline,
    /// Reached, and it said no.
    Refused,
}

impl Push {
    pub(crate) fn new(state: State) -> Self {
        Self { state, reason: None, received: 0, secrets: None }
    }

    pub(crate) fn because(state: State, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::new(state) }
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.state, State::Pushed | State::UpToDate)
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.state == State::Refused
    }
}

/// What looks like a secret in what was to be sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Secrets {
    pub found: u64,
    /// How many of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// The first of them; never the secret itself.
    pub places: Vec<SecretsPlace>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecretsPlace {
    pub kind: String,
    /// Below the Claude directory.
    pub path: String,
    pub session: Option<String>,
    /// The first line is 1.
    pub line: u64,
}

impl Secrets {
    pub(crate) fn add(&mut self, kind: &str, line: u64, path: &str, session: Option<&String>) {
        self.found += 1;
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
        if self.places.len() < NAMED {
            let (kind, path) = (kind.to_owned(), path.to_owned());
            self.places.push(SecretsPlace { kind, path, session: session.cloned(), line });
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.found += other.found;
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        self.places.extend(other.places);
        self.places.truncate(NAMED);
    }
}
