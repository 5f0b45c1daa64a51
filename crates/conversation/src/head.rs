//! The beginning of a transcript → is this an agent that somebody called?
//!
//! The client starts agents of its own, to warm up and to compact; nobody wants to see those.

use steno_transcript::{AgentId, Kind, Piece, Shape, Troubles};

use crate::entry::Entry;

/// What tells a real agent from one that nobody called.
#[derive(Debug, Clone, Default)]
pub struct Head {
    pub is_empty: bool,
    pub first_user_text: Option<String>,
    pub has_meta: bool,
}

impl Head {
    /// Looks at a piece; true once the first user text is known.
    pub fn observe(&mut self, piece: &Piece<'_>) -> bool {
        let Shape::Record(record) = &piece.shape else { return false };
        self.is_empty = false;
        if record.kind() != Kind::User || record.envelope.is_meta.0 {
            return false;
        }
        let mut troubles = Troubles::default();
        let entry = Entry::new(0, record, &mut troubles);
        if !entry.has_tool_result() {
            self.first_user_text = Some(entry.text());
        }
        self.first_user_text.is_some()
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
