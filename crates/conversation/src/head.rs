//! The beginning of a transcript → is this an agent that somebody called? A record → is it a request to implement a
//! plan of another session?
//!
//! The client starts agents of its own, to warm up and to compact; nobody wants to see those.

use jiff::Timestamp;
use steno_transcript::{AgentId, Kind, Piece, Shape, Troubles};

use crate::entry::Entry;
use crate::prompt::{self, Spoken};
use crate::scope::Scope;

/// What tells a real agent from one that nobody called.
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

/// Whether an agent counts: not empty, not compaction's own, not a warm-up. Warm-ups of 2.0.x have no prompt, but
/// so have real agents of that time, which a result then names.
pub fn is_heard(id: &AgentId, head: &Head, is_named: impl FnOnce() -> bool) -> bool {
    if head.is_empty || id.as_str().starts_with("acompact") {
        return false;
    }
    match head.first_user_text.as_deref() {
        Some(text) => text.trim() != "Warmup",
        None => head.has_meta || is_named(),
    }
}

/// A request of the client's to implement an accepted plan.
#[derive(Debug, Clone)]
pub struct Implementation {
    /// What follows "Implement the following plan:".
    pub text: String,
    pub at: Option<Timestamp>,
}

impl Implementation {
    /// What every such record holds, to look for without reading it.
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
