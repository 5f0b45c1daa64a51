//! Plans and what became of them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::{SessionId, ToolId};

/// A plan that the agent put before the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// None where the plan was made in another session and is implemented in this one.
    pub tool_id: Option<ToolId>,
    pub text: String,
    /// None where the plan was made in another session.
    pub proposed_at: Option<Timestamp>,
    pub verdict: Verdict,
    /// What the user said when rejecting it.
    pub feedback: Option<String>,
    /// Accepted by starting over with nothing but the plan.
    pub cleared_context: bool,
    /// The session that implements it, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implemented_in: Option<SessionId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Approved,
    Rejected,
    Pending,
}
