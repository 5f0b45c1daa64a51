//! What a clone leaves out, and where it ends.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nothing by default: then a clone is the whole session.
#[derive(Debug, Clone, Default)]
pub struct CloneOptions {
    pub cut: Option<Cut>,
    pub strip: Strip,
    pub compress: Option<Compress>,
    /// Leaves out what only the client's screen and logs need: request logs, progress, file snapshots. On with any
    /// strip, cut or compression.
    pub without_noise: bool,
    /// The time of a session in which nothing has one.
    pub now: Option<Timestamp>,
}

/// Where the clone ends, or begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// With this record, by its uuid, a unique prefix of it, or its line number as `#12`. What belongs to it, such as
    /// the results of its calls, stays.
    At(String),
    /// After the first turns.
    First(usize),
    /// Before the last turns.
    Last(usize),
}

/// What is taken out of turns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strip {
    pub tools: Option<Tools>,
    pub thinking: bool,
    pub images: bool,
}

/// What becomes of calls and their results. Counted from the end are turns that have calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tools {
    /// So many of the last turns with calls keep them.
    pub keep_recent: usize,
    /// Of these, so many percent, the oldest, keep them shortened.
    pub shortened_percent: usize,
    /// What becomes of results that are shortened.
    pub truncation: Truncation,
    /// Calls of all other turns are removed; else they are shortened as well.
    pub removes: bool,
}

/// So many lines and so many characters of a result stay, then `…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truncation {
    pub lines: usize,
    pub characters: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    Default,
    Aggressive,
    Heavy,
    Extreme,
}

/// Everything before the last turns becomes one summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compress {
    pub keep_turns: usize,
    pub summary: String,
    /// When it is done.
    pub now: Timestamp,
}

impl Truncation {
    /// That of the presets.
    pub const SHORT: Self = Self { lines: 2, characters: 120 };

    /// So many lines, and as many characters as they may reasonably have.
    pub fn of_lines(lines: usize) -> Self {
        Self { lines, characters: lines.saturating_mul(200) }
    }
}

impl Tools {
    /// All of them go.
    pub const NONE: Self =
        Self { keep_recent: 0, shortened_percent: 0, truncation: Truncation::SHORT, removes: true };

    /// How many of the turns that keep their calls keep them shortened.
    pub(crate) fn shortened_of(&self, turns: usize) -> usize {
        turns * self.shortened_percent.min(100) / 100
    }
}

impl Preset {
    /// What it takes out: thinking always.
    pub fn strip(self) -> Strip {
        let (keep_recent, percent) = match self {
            Self::Default => (20, 50),
            Self::Aggressive => (10, 50),
            Self::Heavy => (10, 80),
            Self::Extreme => (0, 0),
        };
        let tools =
            Tools { keep_recent, shortened_percent: percent, truncation: Truncation::SHORT, removes: true };
        Strip { tools: Some(tools), thinking: true, images: false }
    }
}

impl CloneOptions {
    /// Whether nothing is left out.
    pub fn is_whole(&self) -> bool {
        self.cut.is_none() && self.compress.is_none() && self.strip == Strip::default() && !self.without_noise
    }
}
