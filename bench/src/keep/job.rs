//! What every tool is asked to do, in this order, in every round.

use crate::keep::tools::{Command, Tool};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    First,
    Unchanged,
    RestoreOne,
    /// On a machine that has nothing.
    Taken,
    RestoreAll,
    Appended,
}

/// The jobs in their order, each with what ours is meant to reach on a gigabyte.
#[derive(Debug)]
pub(crate) struct Course(pub(crate) &'static [(Job, &'static str)]);

/// On the same disk.
pub(crate) const HERE: Course = Course(&[
    (Job::First, "≤ 2.6 s durable; ≥ 1.7× borg and restic; size ≤ 1.05× borg's"),
    (Job::Unchanged, "≤ 20 ms"),
    (Job::RestoreOne, "≤ 10 ms, every hash checked"),
    (Job::RestoreAll, "≤ 2.5 s, every hash checked"),
    // Last, because not every tool would restore what it has seen then.
    (Job::Appended, "≤ 60 ms durable; growth ≤ 0.35× the new bytes"),
]);

/// In an object store.
pub(crate) const ELSEWHERE: Course = Course(&[
    (Job::First, "quicker than restic"),
    (Job::Unchanged, "one request at most"),
    (Job::Appended, "growth ≤ 0.35× the new bytes"),
    // Afterwards there are other machines there, which a sync would look at.
    (Job::Taken, ""),
    (Job::RestoreAll, "quicker than restic, every hash checked"),
]);

impl Job {
    pub(crate) fn group(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Unchanged => "unchanged",
            Self::RestoreOne => "one",
            Self::Taken => "taken",
            Self::RestoreAll => "all",
            Self::Appended => "appended",
        }
    }

    /// How the tool does it, if it does.
    pub(crate) fn command(self, tool: &Tool) -> Option<Command> {
        match self {
            Self::First => Some(tool.backup),
            Self::Unchanged | Self::Appended => tool.incremental.then_some(tool.backup),
            Self::RestoreOne => tool.restore_one,
            Self::Taken => tool.take,
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
