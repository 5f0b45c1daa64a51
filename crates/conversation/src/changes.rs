//! A conversation → what its tool calls changed, file by file.
//!
//! Each call that edited or wrote a file is applied to the file's content as far as that is recorded: in the call's
//! result, by the call before it, or in the client's file history. Denied and failed calls change nothing. What a
//! command changed is recorded nowhere, so commands are only counted.

mod call;
mod file;
mod hunk;
mod order;

use std::collections::HashMap;

pub use file::{FileChange, Note, Part};
pub use hunk::Hunk;

use crate::Conversation;
use call::Call;
use file::Progress;

/// What a session changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// In the order in which they were first touched.
    pub files: Vec<FileChange>,
    /// Shell commands that ran. What they changed is not recorded.
    pub commands: u64,
    /// Calls whose result is missing: whether they were applied is not known, and they are left out.
    pub unanswered: u64,
}

/// The content of files before the session touched them, by path, from the client's file history. None: there was no
/// such file.
pub type Originals = HashMap<String, Option<String>>;

/// What the calls of a session and of its subagents changed.
pub fn changes(conversation: &Conversation, originals: &Originals) -> Changes {
    let mut changes = Changes::default();
    let mut files: Vec<Progress> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for call in order::calls(conversation) {
        match call {
            Call::Command => changes.commands += 1,
            Call::Unanswered => changes.unanswered += 1,
            Call::Edit(edit) => {
                let place = *places.entry(edit.path.clone()).or_insert(files.len());
                if place == files.len() {
                    files.push(Progress::new(&edit.path, originals.get(&edit.path)));
                }
                if let Some(file) = files.get_mut(place) {
                    file.apply(edit);
                }
            }
        }
    }
    changes.files = files.into_iter().filter_map(Progress::finish).collect();
    changes
}
