//! The board now and before → which sessions changed their state.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_live::{Millis, State};
use steno_transcript::SessionId;

use super::Row;

/// Between two turns a client is idle for a moment, which nobody has to know.
const FLICKER: Millis = 100;

/// A session in a new state.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// When it was seen, in milliseconds since 1970.
    pub at: Millis,
    /// The state before: `working`, `waiting`, `background`, `idle`, `ended`, `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    pub session: Row,
}

impl Change {
    /// It waits for the person, and did not before.
    pub fn begins_to_need_you(&self) -> bool {
        self.session.needs_you() && self.was.as_deref() != Some("waiting")
    }
}

/// Remembers what was told of each session.
#[derive(Debug, Default)]
pub struct Changes {
    told: BTreeMap<SessionId, State>,
    idle_since: BTreeMap<SessionId, Millis>,
}

impl Changes {
    /// The sessions whose state is not the one that was told last.
    pub fn of(&mut self, rows: &[Row], now: Millis) -> Vec<Change> {
        rows.iter().filter_map(|row| self.change(row, now)).collect()
    }

    fn change(&mut self, row: &Row, now: Millis) -> Option<Change> {
        let state = &row.state.state;
        if self.told.get(&row.id) == Some(state) {
            self.idle_since.remove(&row.id);
            return None;
        }
        if *state == State::Idle && self.told.contains_key(&row.id) {
            let since = *self.idle_since.entry(row.id.clone()).or_insert(now);
            if now - since < FLICKER {
                return None;
            }
        }
        self.idle_since.remove(&row.id);
        let was = self.told.insert(row.id.clone(), state.clone());
        Some(Change { at: now, was: was.map(|was| was.kind().to_owned()), session: row.clone() })
    }
}
