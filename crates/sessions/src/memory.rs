//! Every transcript, and what was learnt of it before → what is known of it now, reading only what is new.
//!
//! Nothing depends on it: where nothing can be remembered, everything is read again.

mod account;
mod fact;
mod head;
mod learn;
mod place;
mod profile;
mod stamp;
mod text;

use std::any::Any;
use std::path::PathBuf;

use steno_index::{Answers, Origin, Rows};

use crate::error::Error;
use crate::sources::Sources;

pub use account::Accounts;
pub use fact::Lesson;
pub use head::Heads;
pub use learn::Novelties;
pub use place::{atlas_place, forget_everything, remembered_places};
pub use profile::Profiles;
pub use text::{MOST_INDEXED, Texts};

/// What is remembered of files from one command to the next.
#[derive(Debug, Default)]
pub struct Memory {
    /// None where nothing can be remembered.
    directory: Option<PathBuf>,
    rows: Option<Rows>,
    /// What was recalled before anybody asked.
    ahead: Option<Box<dyn Any + Send>>,
    /// What was found out, and is still to be remembered.
    later: Vec<Novelties>,
    /// The index of texts, where it was opened before anybody asked.
    opened: Option<text::Ahead>,
    /// What it answered, as it was then.
    answers: Option<Answers>,
    /// What happened to what was remembered, if anybody should know.
    pub note: Option<String>,
}

impl Memory {
    /// Never fails: without memory everything is read again.
    pub fn open(sources: &dyn Sources) -> Self {
        let Some(directory) = place::of(sources) else { return Self::default() };
        match Rows::open(&directory) {
            Ok((rows, origin)) => {
                let is_lost = origin == Origin::New && !place::describe(sources, &directory);
                let origin = if is_lost { Origin::Damaged } else { origin };
                Self { directory: Some(directory), rows: Some(rows), note: note(origin), ..Self::default() }
            }
            Err(error) => {
                Self { note: Some(error.to_string()), directory: Some(directory), ..Self::default() }
            }
        }
    }
}

impl Memory {
    /// Reads what is remembered while somebody walks: both wait for the disk, and neither needs the other.
    pub fn open_beside<T: Send>(
        sources: &dyn Sources,
        read_ahead: impl FnOnce(&mut Self) + Send,
        walk: impl FnOnce() -> Result<T, Error> + Send,
    ) -> Result<(Self, T), Error> {
        // What is not there is made only once there is something to remember.
        if place::of(sources).is_none_or(|directory| !directory.exists()) {
            let walked = walk()?;
            return Ok((Self::open(sources), walked));
        }
        let remember = || {
            let mut memory = Self::open(sources);
            read_ahead(&mut memory);
            memory
        };
        // The walk takes longer, and another thread may be busy.
        let (walked, memory) = steno_cores::beside(walk, remember);
        Ok((memory, walked?))
    }

    /// Rows that turned out to be damaged are made anew; where that is not possible, nothing is remembered.
    fn distrust(&mut self, error: &steno_index::Error) {
        self.note = Some(error.to_string());
        self.rows = None;
        // What was found in them counts no more than they do.
        self.ahead = None;
        self.opened = None;
        self.answers = None;
        let is_damaged = matches!(error, steno_index::Error::Damaged { .. });
        let Some(directory) = self.directory.as_ref().filter(|_| is_damaged) else { return };
        if Rows::remove(directory).is_ok()
            && let Ok((rows, _)) = Rows::open(directory)
        {
            self.rows = Some(rows);
            self.note = note(Origin::Damaged);
        }
    }
}

/// How an index is.
#[derive(Debug)]
pub enum Health {
    /// As it should be, or not there.
    Well,
    MadeAnew(PathBuf, String),
    Unusable(PathBuf, String),
}

impl Memory {
    /// Opens what is there, and makes anew what is damaged.
    pub fn examine(sources: &dyn Sources) -> Health {
        let Some(directory) = place::of(sources).filter(|directory| directory.exists()) else {
            return Health::Well;
        };
        let mut memory = Self::open(sources);
        if memory.rows.is_none() {
            return Health::Unusable(directory, memory.note.unwrap_or_default());
        }
        let unusable = memory.examine_texts(&directory).err();
        match (unusable, memory.note) {
            (Some(error), _) => Health::Unusable(directory, error.to_string()),
            (None, Some(note)) => Health::MadeAnew(directory, note),
            (None, None) => Health::Well,
        }
    }
}

/// What is said of an index that was not as it should have been.
fn note(origin: Origin) -> Option<String> {
    match origin {
        Origin::Kept | Origin::New => None,
        Origin::OtherVersion => {
            Some("the index was made by another version, and has been made anew".to_owned())
        }
        Origin::Damaged => Some("the index was damaged, and has been made anew".to_owned()),
    }
}
