//! One session on the board.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_live::{Millis, State, StateOf};
use steno_source::LiveEntry;
use steno_transcript::SessionId;

/// Sessions that ended are shown this long.
const SHOWN_ENDED: Millis = 10 * 60 * 1_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub id: SessionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_path: Option<String>,
    pub state: StateOf,
    /// What the model said last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_text: Option<String>,
    /// The processes that have the session open: more than one write to the same transcript.
    pub pids: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// What is known of a session besides its state.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    pub(super) title: Option<String>,
    project_path: Option<String>,
    version: Option<String>,
}

impl About {
    pub(super) fn opened_in(&mut self, entry: &LiveEntry) {
        let path = entry.cwd.as_ref().map(|path| path.display().to_string());
        self.project_path = path.or(self.project_path.take());
        self.version.clone_from(&entry.version);
    }
}

impl Row {
    pub(super) fn new(
        id: &SessionId,
        state: StateOf,
        about: About,
        last_text: Option<String>,
        pids: Vec<u32>,
    ) -> Self {
        let About { title, project_path, version } = about;
        Self { id: id.clone(), title, project_path, state, last_text, pids, version }
    }

    /// One that ended is shown for a while.
    pub(super) fn is_shown(&self, now: Millis) -> bool {
        !matches!(self.state.state, State::Ended { .. }) || now - self.state.since < SHOWN_ENDED
    }

    /// Whether the person has to act.
    pub fn needs_you(&self) -> bool {
        matches!(self.state.state, State::Waiting { .. })
    }

    /// The order on the board.
    pub fn urgency(&self) -> u8 {
        match self.state.state {
            State::Waiting { .. } => 0,
            State::Idle => 1,
            State::Working { .. } => 2,
            State::Background { .. } => 3,
            State::Unknown => 4,
            State::Ended { .. } => 5,
        }
    }
}
