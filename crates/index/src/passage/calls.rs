//! Tool calls that are not answered yet: a result names its call, and only the call names the tool.

use serde::{Deserialize, Serialize};

/// More than any client has open at once; unanswered calls must not pile up.
const MOST: usize = 256;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Calls(Vec<Call>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) files: Vec<String>,
    /// Whether it said what the plan is.
    pub(super) has_plan: bool,
}

impl Calls {
    pub(super) fn open(&mut self, call: Call) {
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(call);
    }

    /// The call that a result answers; the last of that id.
    pub(super) fn answer(&mut self, id: &str) -> Option<Call> {
        let place = self.0.iter().rposition(|call| call.id == id)?;
        Some(self.0.remove(place))
    }
}
