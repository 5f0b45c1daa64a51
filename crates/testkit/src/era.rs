//! The four generations of the format that differ enough to be written apart.

/// A client generation. What differs: the order of fields, where subagents live, how parallel tool results hang in
/// the tree, whether `stop_reason` is known, and which records surround a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// 1.0.x: subagents are sidechains inside the transcript, `stop_reason` is null, the title is a `summary`.
    V1_0,
    /// 2.0.42: subagents beside the transcript, warm-up agents, `stop_reason` on every record.
    V2_0_42,
    /// 2.1.56: progress records in the chain, parallel results fork the tree, `stop_reason` null.
    V2_1_56,
    /// 2.1.325: attachments, a request log, background agents, `origin.kind`.
    V2_1_325,
}

impl Era {
    pub const ALL: [Self; 4] = [Self::V1_0, Self::V2_0_42, Self::V2_1_56, Self::V2_1_325];

    pub fn version(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0.108",
            Self::V2_0_42 => "2.0.42",
            Self::V2_1_56 => "2.1.56",
            Self::V2_1_325 => "2.1.325",
        }
    }

    pub fn model(self) -> &'static str {
        match self {
            Self::V1_0 => "claude-sonnet-4-20250514",
            Self::V2_0_42 => "claude-sonnet-4-5-20250929",
            Self::V2_1_56 => "claude-sonnet-4-6",
            Self::V2_1_325 => "claude-opus-5-5",
        }
    }

    /// When a session of this era begins unless a test says otherwise.
    pub fn start(self) -> &'static str {
        match self {
            Self::V1_0 => "2025-09-07T10:00:00.000Z",
            Self::V2_0_42 => "2025-11-15T10:00:00.000Z",
            Self::V2_1_56 => "2026-02-27T10:00:00.000Z",
            Self::V2_1_325 => "2026-11-15T10:00:00.000Z",
        }
    }

    /// The tool that starts a subagent.
    pub fn spawner(self) -> &'static str {
        if self == Self::V2_1_325 { "Agent" } else { "Task" }
    }

    /// Whether the newest order of fields applies: context behind the payload instead of before it.
    pub(crate) fn context_last(self) -> bool {
        self == Self::V2_1_325
    }

    /// Whether each record knows why its message stopped. The others write what the stream said so far.
    pub(crate) fn knows_stop_reason(self) -> bool {
        matches!(self, Self::V2_0_42 | Self::V2_1_325)
    }

    /// Whether a tool result hangs below its own call; before that, results were chained one after the other.
    pub(crate) fn results_hang_below_calls(self) -> bool {
        matches!(self, Self::V2_1_56 | Self::V2_1_325)
    }
}
