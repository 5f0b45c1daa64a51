//! What every tool is asked to do, in this order, in every round.

use crate::keep::tools::{Command, Tool};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    First,
    Unchanged,
    RestoreOne,
    RestoreAll,
    /// Last, because a store that has seen it holds more than the home of the next round.
    Appended,
}

impl Job {
    pub(crate) const ALL: [Self; 5] =
        [Self::First, Self::Unchanged, Self::RestoreOne, Self::RestoreAll, Self::Appended];

    pub(crate) fn group(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Unchanged => "unchanged",
            Self::RestoreOne => "one",
            Self::RestoreAll => "all",
            Self::Appended => "appended",
        }
    }

    /// What ours is meant to reach on a gigabyte.
    pub(crate) fn target(self) -> &'static str {
        match self {
            Self::First => "≤ 2.6 s durable; ≥ 1.7× borg and restic; size ≤ 1.05× borg's",
            Self::Unchanged => "≤ 20 ms",
            Self::RestoreOne => "≤ 10 ms, every hash checked",
            Self::RestoreAll => "≤ 2.5 s, every hash checked",
            Self::Appended => "≤ 60 ms durable; growth ≤ 0.35× the new bytes",
        }
    }

    /// How the tool does it, if it does.
    pub(crate) fn command(self, tool: &Tool) -> Option<Command> {
        match self {
            Self::First => Some(tool.backup),
            Self::Unchanged | Self::Appended => tool.incremental.then_some(tool.backup),
            Self::RestoreOne => Some(tool.restore_one),
            Self::RestoreAll => Some(tool.restore_all),
        }
    }

    pub(crate) fn restores(self) -> bool {
        matches!(self, Self::RestoreOne | Self::RestoreAll)
    }

    /// Whether it leaves everything as it was, and can be done many times for a better median.
    pub(crate) fn repeats(self) -> bool {
        matches!(self, Self::Unchanged | Self::RestoreOne)
    }
}
