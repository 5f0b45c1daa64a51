//! Passages → postings, and questions → the passages that answer them.
//!
//! The engine is tantivy's; nothing of it is seen outside. Texts themselves are not kept: a hit names the record, and
//! the record has the text.

mod ask;
mod budget;
mod collect;
mod entry;
mod feeder;
mod guard;
mod merging;
mod open_index;
mod schema;
mod seal;

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use jiff::Timestamp;
use tantivy::Searcher;

use crate::error::Error;
use crate::file::{FileId, Origin};
use crate::passage::Role;
use crate::query::Query;

pub use feeder::Feeder;
use open_index::OpenIndex;
use schema::Fields;
use seal::Seal;

/// The directory inside the index's own.
const DIRECTORY: &str = "text";

/// An index of text. Several processes may have it open, and several threads may ask.
pub struct Engine {
    path: PathBuf,
    fields: Fields,
    /// The state that was looked at last.
    open_index: Mutex<OpenIndex>,
}

/// A question to an engine.
#[derive(Debug)]
pub struct Question<'a> {
    /// Filters by project, session and time are the asker's own; the engine applies the others.
    pub query: &'a Query,
    /// Only these files, if any are named.
    pub files: Option<&'a HashSet<FileId>>,
    pub since: Option<Timestamp>,
    /// Times before this one.
    pub until: Option<Timestamp>,
    /// How many of the best hits of each file are wanted.
    pub each: usize,
    /// From here the age of a passage is counted.
    pub now: Timestamp,
    /// When to give what was found so far.
    pub deadline: Option<Instant>,
}

#[derive(Debug, Default)]
pub struct Found {
    /// Every file with a hit, the one with the best first.
    pub files: Vec<FileHits>,
    /// The deadline came before the end.
    pub is_partial: bool,
}

#[derive(Debug)]
pub struct FileHits {
    pub file: FileId,
    /// How many passages of it answer.
    pub count: u64,
    /// The best first.
    pub best: Vec<Hit>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub line: u64,
    pub offset: u64,
    pub role: Role,
    /// To the second.
    pub time: Option<Timestamp>,
    pub tool: Option<Arc<str>>,
    pub score: f32,
}

impl Engine {
    /// The index in a directory, which is made where it is missing, and anew where it is of another version or damaged.
    pub fn open(directory: &Path) -> Result<(Self, Origin), Error> {
        let path = directory.join(DIRECTORY);
        let (open_index, origin) = open_index::open(&path)?;
        Ok((Self { path, fields: Fields::new(), open_index: Mutex::new(open_index) }, origin))
    }

    /// Another one for every index that was made, by whatever process: who notes elsewhere what was fed to it notes
    /// this, too.
    pub fn identity(&self) -> Result<String, Error> {
        Seal::present(&self.path).map(|seal| seal.identity().to_owned())
    }

    /// The right to change it; nothing where another process has it. `expected` is how many bytes of transcripts there
    /// are to read, about: little is not worth many threads.
    pub fn feeder(&self, expected: u64) -> Result<Option<Feeder>, Error> {
        Feeder::open(&self.path, self.fields, expected)
    }

    /// Every file with a hit, and its best hits. Sees what any process committed before.
    pub fn search(&self, question: &Question<'_>) -> Result<Found, Error> {
        let searcher = self.searcher()?;
        guard::reading(&self.path, || {
            let asking = ask::asking(question.query, &self.fields, &searcher)?;
            collect::collect(question, &asking, &searcher)
        })
    }

    fn searcher(&self) -> Result<Searcher, Error> {
        let mut open_index = self.open_index.lock().unwrap_or_else(PoisonError::into_inner);
        open_index.refresh(&self.path)?;
        Ok(open_index.searcher())
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Engine").field("path", &self.path).finish_non_exhaustive()
    }
}
