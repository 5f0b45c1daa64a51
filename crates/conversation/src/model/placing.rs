//! The place of each record of a file in the conversation, for callers that go through the records themselves.

use jiff::Timestamp;

/// The place of one record in the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placing {
    /// The record's place among the records of its file, counted from 0.
    pub index: usize,
    pub timestamp: Option<Timestamp>,
    pub thread: Thread,
    /// The first record, on its thread, of the message that it is part of; none for a record that is not a message.
    pub message: Option<usize>,
    /// The indices of its content blocks that earlier records of the message hold as well, on the same thread.
    pub repeated: Vec<usize>,
    /// Those of them with more content: calls whose input was not yet whole before.
    pub fuller: Vec<usize>,
    pub is_compact_summary: bool,
    /// Why people do not see it, unless they ask for everything.
    pub hidden: Option<Hidden>,
}

/// Which thread of the conversation a record belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thread {
    /// The thread that the client goes on with, and records that have no place in the tree.
    Active,
    /// A thread that a rewind left behind.
    Abandoned,
    /// The thread of a subagent, in the session's own file.
    Sidechain,
    /// The record repeats an earlier one.
    Repeated,
}

/// Why a message is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// Caveats, reminders, warm-ups, and messages that a member of a team has nothing to do.
    Noise,
    /// Text that the client sends to the model in the user's name.
    Meta,
    /// The note that the user interrupted the agent.
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
