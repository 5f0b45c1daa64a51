//! The facts of each file, kept from one command to the next, so that only files that changed are read.
//!
//! Disposable: without a cache every file is read again, and every answer stays the same.

mod account;
mod database;
mod fact;
mod fingerprint;
mod head;
mod learn;
mod place;
mod profile;
mod text;

use std::path::PathBuf;

use steno_index::Origin;

use crate::sources::Sources;
use database::Database;

pub use account::Accounts;
pub use fact::Learnt;
pub use head::Heads;
pub use place::{cache_directories, remove_all};
pub use profile::Profiles;
pub use text::{MOST_INDEXED, Texts};

/// The cache of some Claude directories and a vault.
#[derive(Debug, Default)]
pub struct Cache {
    /// None where nothing can be stored.
    directory: Option<PathBuf>,
    database: Option<Database>,
    /// What a user should know, if it had to be made anew or cannot be used.
    pub note: Option<String>,
}

impl Cache {
    /// Never fails: without a database every file is read again.
    pub fn open(sources: &dyn Sources) -> Self {
        let Some(directory) = place::of(sources) else { return Self::default() };
        match Database::open(&directory) {
            Ok((database, origin)) => {
                let is_lost = origin == Origin::New && !place::describe(sources, &directory);
                let origin = if is_lost { Origin::Damaged } else { origin };
                Self { directory: Some(directory), database: Some(database), note: note(origin) }
            }
            Err(error) => Self { directory: Some(directory), database: None, note: Some(error.to_string()) },
        }
    }

    /// Replaces a database that turned out to be damaged; where that fails, goes on without one.
    fn distrust(&mut self, error: &steno_index::Error) {
        self.note = Some(error.to_string());
        self.database = None;
        let is_damaged = matches!(error, steno_index::Error::Damaged { .. });
        let Some(directory) = self.directory.as_ref().filter(|_| is_damaged) else { return };
        if Database::remove(directory).is_ok()
            && let Ok((database, _)) = Database::open(directory)
        {
            self.database = Some(database);
            self.note = note(Origin::Damaged);
        }
    }
}

/// The state of a cache.
#[derive(Debug)]
pub enum Health {
    /// As it should be, or not there.
    Well,
    MadeAnew(PathBuf, String),
    Unusable(PathBuf, String),
}

impl Cache {
    /// Opens the cache, and rebuilds its damaged parts.
    pub fn examine(sources: &dyn Sources) -> Health {
        let Some(directory) = place::of(sources).filter(|directory| directory.exists()) else {
            return Health::Well;
        };
        let mut cache = Self::open(sources);
        if cache.database.is_none() {
            return Health::Unusable(directory, cache.note.unwrap_or_default());
        }
        let unusable = cache.examine_texts(&directory).err();
        match (unusable, cache.note) {
            (Some(error), _) => Health::Unusable(directory, error.to_string()),
            (None, Some(note)) => Health::MadeAnew(directory, note),
            (None, None) => Health::Well,
        }
    }
}

/// What is said of a cache that was not as it should have been.
fn note(origin: Origin) -> Option<String> {
    match origin {
        Origin::Kept | Origin::New => None,
        Origin::OtherVersion => {
            Some("the index was made by another version, and has been made anew".to_owned())
        }
        Origin::Damaged => Some("the index was damaged, and has been made anew".to_owned()),
    }
}
