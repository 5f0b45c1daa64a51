//! The kept files of every machine → sessions, each with everything that belongs to it.
//!
//! Apart from `live`, which looks at live directories: here nothing but names and headers is known, and what a
//! header says is believed only where it names a place that sessions have.

mod copies;
mod index;
mod loss;
mod name;
mod part;
mod place;
mod sketch;
mod slug;
mod tombstone;

use std::path::PathBuf;

use steno_vault::{Cached, Catalog, Generation, Stream, Volume};

use crate::error::{Error, ErrorKind};
use crate::sources::Sources;
use crate::vault::Vault;
pub use copies::{homes, is_agent, is_listed, once_each};
pub use index::{Index, KeptSession, recency};
pub use loss::{is_loss, missing_bytes};
pub use name::{FoundSession, KeptQuery, find, is_machine, known_machine, purged};
pub use part::{KeptPart, moved};
pub use place::{Place, place_of, target_of};
pub use sketch::{Sketch, cloned_from, custom_title, remembered, sketches};
pub use slug::Slugs;
pub use tombstone::tombstone_of;

/// A vault, open for reading.
#[derive(Debug)]
pub struct KeptSessions {
    pub vault: Vault,
    cached: Cached,
    catalog: Catalog,
}

impl KeptSessions {
    pub fn open(sources: &dyn Sources) -> Result<Self, Error> {
        let vault = sources.open()?;
        let cached = vault.cached();
        let catalog = cached.catalog()?;
        Ok(Self { vault, cached, catalog })
    }

    pub fn index(&self) -> Index<'_> {
        Index::of(&self.catalog)
    }

    pub fn volume<'a>(
        &'a self,
        machine: &'a str,
        stream: &'a Stream,
        generation: &'a Generation,
    ) -> Volume<'a> {
        Volume { store: self.cached.store(), machine, stream, generation }
    }

    /// Of a kept transcript, or of something that belongs to it.
    pub fn latest<'a>(&'a self, machine: &'a str, stream: &'a Stream) -> Option<Volume<'a>> {
        stream.latest().map(|generation| self.volume(machine, stream, generation))
    }

    /// The one that was asked for, else the latest.
    pub fn generation<'a>(
        &self,
        kept: &KeptSession<'a>,
        number: Option<u32>,
    ) -> Result<&'a Generation, Error> {
        let found = match number {
            Some(number) => kept.stream.generation(number),
            None => kept.stream.latest(),
        };
        found.ok_or_else(|| {
            let wanted = number.map_or_else(|| "content".to_owned(), |number| format!("generation {number}"));
            let numbers: Vec<String> =
                kept.stream.generations.iter().map(|generation| generation.number.to_string()).collect();
            Error::new(ErrorKind::NotFound, format!("session {} has no {wanted}", kept.id))
                .hint(format!("it has {}", numbers.join(", ")))
        })
    }

    /// What went wrong while a session was read, with the way around it.
    pub fn damaged(&self, kept: &KeptSession<'_>, number: u32, error: steno_vault::Error) -> Error {
        if !matches!(error, steno_vault::Error::Damaged(_) | steno_vault::Error::Missing { .. }) {
            return error.into();
        }
        let is_own = matches!(&error, steno_vault::Error::Damaged(damage) if damage.path == kept.stream.path);
        let known = Error::from(error);
        let mut message = format!("session {} is damaged: {known}", kept.id);
        let generation = kept.stream.generation(number).filter(|_| is_own);
        let holes = generation.map(|generation| self.volume(kept.machine, kept.stream, generation).holes());
        if let Some(Ok(holes)) = holes.filter(|holes| holes.as_ref().is_ok_and(|holes| holes.len() > 1)) {
            let named: Vec<String> = holes.iter().map(ToString::to_string).collect();
            message = format!("{message}; missing are {}", named.join(", "));
        }
        let error = Error::new(ErrorKind::Damaged, message);
        let others = kept.stream.generations.iter().filter(|other| is_own && other.number != number);
        let whole = others
            .filter(|other| self.volume(kept.machine, kept.stream, other).copy(&mut std::io::sink()).is_ok());
        let hints = whole.map(|other| format!("its generation {0} is whole: --generation {0}", other.number));
        known.hints.iter().cloned().chain(hints).fold(error, Error::hint)
    }

    /// Whether a part of the machine's ledger is missing or damaged.
    pub fn is_unguarded(&self, machine: &str) -> bool {
        self.catalog.machines.get(machine).is_some_and(|kept| kept.is_unguarded)
    }

    /// The file of the vault that a generation begins with.
    pub fn first_file(&self, generation: &Generation) -> PathBuf {
        let root = self.cached.store().root();
        let first = generation.segments.first().map(|segment| segment.file.as_str());
        first.map_or_else(|| root.to_owned(), |file| root.join(file))
    }
}

/// Finds one session and calls `act` with it.
pub fn with_session<T>(
    sources: &dyn Sources,
    query: KeptQuery<'_>,
    act: impl for<'a> FnOnce(&'a KeptSessions, &'a Index<'a>, FoundSession<'a>) -> Result<T, Error>,
) -> Result<T, Error> {
    let kept_sessions = KeptSessions::open(sources)?;
    let index = kept_sessions.index();
    let found = find(sources, &kept_sessions, &index, query)?;
    act(&kept_sessions, &index, found)
}

/// Whether the vault has a session; one that cannot be read has none.
pub fn has(sources: &dyn Sources, id: &str) -> bool {
    let is_there = sources.look().is_ok_and(|vault| vault.is_some());
    is_there
        && KeptSessions::open(sources)
            .is_ok_and(|kept_sessions| kept_sessions.index().sessions.iter().any(|kept| kept.id == id))
}

/// The vault's own error out of an I/O error that wraps it.
pub fn unwrapped(error: std::io::Error, path: &str) -> steno_vault::Error {
    match error.downcast::<steno_vault::Error>() {
        Ok(inner) => inner,
        Err(source) => steno_vault::Error::Read { path: path.into(), source },
    }
}
