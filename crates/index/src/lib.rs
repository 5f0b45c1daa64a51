//! Records → postings, so that a question need not read every file again.
//!
//! A cache: everything in it can be made again from the transcripts and the vault, and is, whenever it is missing,
//! damaged or of another version. It knows nothing of where files are: the caller gives each file a key and
//! says how much of it is known by a stamp that means nothing here.

mod error;
mod file;
mod passage;
mod private;
mod query;
mod snippet;
mod text;
mod token;

pub use error::Error;
pub use file::{FileId, Origin};
pub use passage::{Extractor, Passage, Role};
pub use private::directory as private_directory;
pub use query::{Clause, Field, Filter, Query, Term, Wanted};
pub use snippet::{Snippet, highlights, snippet};
pub use text::{Engine, Feeder, FileHits, Found, Hit, Question};
pub use token::{Token, tokens};

/// A name for the index of some places, for a directory.
pub fn name_of<'p>(places: impl IntoIterator<Item = &'p str>) -> String {
    use std::hash::{BuildHasher, Hash, Hasher};
    let mut hasher = foldhash::quality::FixedState::default().build_hasher();
    places.into_iter().for_each(|place| place.hash(&mut hasher));
    format!("{:016x}", hasher.finish())
}
