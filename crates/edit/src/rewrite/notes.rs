//! What was rewritten → a list of it, each path once.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::path::Note;

/// How many different paths are noted: a report is for reading.
const MOST: usize = 4096;

/// A path that became another, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rewritten {
    pub from: String,
    pub to: String,
    pub count: u64,
}

/// What was rewritten so far.
#[derive(Debug, Default)]
pub struct Notes {
    counts: BTreeMap<Note, u64>,
    is_cut: bool,
}

impl Notes {
    /// By the old path.
    pub fn list(&self) -> Vec<Rewritten> {
        let rewritten = |((from, to), count): (&Note, &u64)| Rewritten {
            from: from.clone(),
            to: to.clone(),
            count: *count,
        };
        self.counts.iter().map(rewritten).collect()
    }

    /// Whether there were more different paths than are listed.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) fn add(&mut self, note: Note) {
        let is_full = self.counts.len() >= MOST;
        match self.counts.get_mut(&note) {
            Some(count) => *count += 1,
            None if is_full => self.is_cut = true,
            None => drop(self.counts.insert(note, 1)),
        }
    }
}
