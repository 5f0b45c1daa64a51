//! Where each record of a file stands in the conversation: for those who go through the records themselves.

use jiff::Timestamp;

/// What became of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placing {
    /// The record's place among the records of its file, counted from 0.
    pub index: usize,
    pub timestamp: Option<Timestamp>,
    pub line: Line,
    /// The first record, on its line, of the message that it is part of; none where nobody speaks.
    pub message: Option<usize>,
    /// The places of its content blocks that earlier records of the message hold as well, on the same line.
    pub repeated: Vec<usize>,
    /// Those of them that say more: calls whose input was not yet whole.
    pub fuller: Vec<usize>,
    pub is_compact_summary: bool,
    /// Why people do not see it, unless they ask for everything.
    pub hidden: Option<Hidden>,
}

/// Which line of the conversation a record belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Line {
    /// The one that the client goes on with. What has no place in the tree counts as on it.
    Active,
    /// One that a rewind left.
    Abandoned,
    /// A subagent's, inside the session's own file.
    Sidechain,
    /// None: it repeats a record that stood before.
    Repeated,
}

/// Why a message is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// Caveats, reminders, warm-ups, and members of a team that have nothing to do.
    Noise,
    /// What the client told the model in the user's name.
    Meta,
    /// That the user interrupted the agent.
    Interruption,
    /// The client's request to implement an accepted plan.
    PlanRequest,
}

impl Hidden {
    pub fn name(self) -> &'static str {
        match self {
            Self::Noise => "noise",
            Self::Meta => "meta",
            Self::Interruption => "interruption",
            Self::PlanRequest => "plan-request",
        }
    }
}
