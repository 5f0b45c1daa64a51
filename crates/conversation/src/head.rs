//! The beginning of a transcript → is this an agent that a tool call started? A record → is it a request to implement a
//! plan of another session?
//!
//! The client also starts agents of its own, to warm up and to compact; no command shows those.

use jiff::Timestamp;
use steno_transcript::{AgentId, Kind, Piece, Shape, Troubles};

use crate::entry::Entry;
use crate::prompt::{self, Spoken};
use crate::scope::Scope;

/// The beginning of an agent's transcript, as far as it tells whether a call started the agent.
#[derive(Debug, Clone, Default)]
pub struct Head {
    pub is_empty: bool,
    pub first_user_text: Option<String>,
    pub has_meta: bool,
}

impl Head {
    /// Looks at a piece, in the order of the file.
    pub fn observe(&mut self, piece: &Piece<'_>) {
        let Shape::Record(record) = &piece.shape else { return };
        self.is_empty = false;
        if record.kind() != Kind::User || record.envelope.is_meta.0 {
            return;
        }
        let mut troubles = Troubles::default();
        let entry = Entry::new(0, record, Scope::default(), &mut troubles);
        if entry.has_tool_result() {
            return;
        }
        self.first_user_text.get_or_insert_with(|| entry.text());
    }
}

/// Whether an agent counts: not empty, not started for a compaction, not a warm-up. Warm-ups of 2.0.x have no prompt, but
/// neither have called agents of that time; the result of the call then names those.
pub fn is_heard(id: &AgentId, head: &Head, is_named: impl FnOnce() -> bool) -> bool {
    if head.is_empty || id.as_str().starts_with("acompact") {
        return false;
    }
    match head.first_user_text.as_deref() {
        Some(text) => text.trim() != "Warmup",
        None => head.has_meta || is_named(),
    }
}

/// A request by the client to implement an accepted plan.
#[derive(Debug, Clone)]
pub struct Implementation {
    /// The text after "Implement the following plan:".
    pub text: String,
    pub at: Option<Timestamp>,
}

impl Implementation {
    /// A text that every such record contains, to find them without parsing.
    pub const MARK: &'static str = prompt::IMPLEMENT;

    /// The request that a piece holds, if it holds one.
    pub fn of(piece: &Piece<'_>) -> Option<Self> {
        let Shape::Record(record) = &piece.shape else { return None };
        if record.kind() != Kind::User || record.envelope.is_meta.0 {
            return None;
        }
        let entry = Entry::new(0, record, Scope::default(), &mut Troubles::default());
        match prompt::classify(&entry.text()) {
            Spoken::ImplementPlan(text) => Some(Self { text: text.to_owned(), at: entry.timestamp }),
            _ => None,
        }
    }
}
