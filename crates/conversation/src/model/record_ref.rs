//! The record that a part of the conversation came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::RecordId;

/// A record of the transcript, by its uuid where it has one and by its line always.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordRef {
    pub uuid: Option<RecordId>,
    /// Counted from 1.
    pub line: u64,
    /// The record's place among the records of the file, counted from 0: objects glued to one line share it.
    #[serde(skip)]
    pub index: usize,
}
