//! What can be learnt of a file by reading it.

use std::io;

use steno_conversation::Warnings;

use super::database::Table;
use crate::file::Lines;
use crate::sessions::ListedFile;

/// Something that is learnt of each file, and remembered.
pub trait Fact {
    const TABLE: Table;
    /// Reads a file line by line.
    type Learner: Default;
    type Value: Send + 'static;

    /// Goes on where another learner stopped; nothing where the stored bytes are not understood.
    fn resume(state: &[u8], body: &[u8]) -> Option<Self::Learner>;
    /// What `resume` needs besides the body; nothing where a file is always read from its beginning.
    fn state(learner: &Self::Learner) -> Option<Vec<u8>>;
    fn read(learner: &mut Self::Learner, lines: &mut Lines<'_>, warnings: &mut Warnings) -> io::Result<()>;
    fn finish(learner: Self::Learner, item: &ListedFile<'_>) -> Self::Value;
    fn encode(value: &Self::Value) -> Option<Vec<u8>>;
    fn decode(body: &[u8]) -> Option<Self::Value>;
}

/// What was learnt of one file.
#[derive(Debug)]
pub struct Learnt<T> {
    pub value: T,
    /// How many warnings there are about it.
    pub warnings: u64,
}
