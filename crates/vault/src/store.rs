//! Named bytes ↔ a disk, an encrypted directory or an object store.
//!
//! Names are relative, with `/` between their parts. Puts become visible and durable with their batch, whole
//! or not at all for each name; a batch that is dropped leaves nothing.

mod local;
mod vault;

use std::fmt::Debug;
use std::io::Read;
use std::time::SystemTime;

use serde::Serialize;

pub use local::LocalStore;
pub use vault::{KnownObject, VaultStore};

use crate::error::Error;
use crate::header::Header;

pub trait Store: Debug + Send + Sync {
    /// Everything below a name, in the order of the names; `""` for all.
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error>;

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error>;

    /// At most so many bytes, and one more that tells that there are more. A store that takes objects into memory stops
    /// there.
    fn read_within(&self, name: &str, most: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut reader = self.open(name)?.take(most.saturating_add(1));
        reader.read_to_end(&mut bytes).map_err(Error::read(name))?;
        Ok(bytes)
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error>;

    /// The header of a segment, where it is remembered: without a key it cannot be read.
    fn header_of(&self, _name: &str) -> Option<Header> {
        None
    }

    /// Whether the store can be read without asking for a passphrase.
    fn is_open(&self) -> bool {
        true
    }

    /// Whether something has the name, readable or not.
    fn is_taken(&self, name: &str) -> bool {
        self.open(name).is_ok()
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.open(name)?.read_to_end(&mut bytes).map_err(Error::read(name))?;
        Ok(bytes)
    }
}

/// All bytes of a name; `None` where the store does not have it.
pub(crate) fn read_if_there(store: &dyn Store, name: &str) -> Result<Option<Vec<u8>>, Error> {
    match store.read(name) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Error::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Puts one name by itself.
pub(crate) fn put_alone(
    store: &dyn Store,
    name: &str,
    bytes: &[u8],
    existing: Existing,
) -> Result<(), Error> {
    let batch = store.batch()?;
    batch.put(name, bytes, existing)?;
    batch.commit()
}

pub(crate) fn json_of(name: &str, document: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(document).map_err(|error| Error::write(name)(error.into()))
}

/// Changes that are made together.
pub trait Batch: Debug + Send + Sync {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error>;

    /// Takes back what was put under a name.
    fn withdraw(&self, name: &str) -> Result<(), Error>;

    /// Takes effect after everything that was put is durable. A name that is not there is fine.
    fn remove(&self, name: &str) -> Result<(), Error>;

    /// Durable when it returns.
    fn commit(self: Box<Self>) -> Result<(), Error>;
}

/// Whether a put may replace bytes of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    Refuse,
    Replace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub len: u64,
    /// When it was written, where the store knows.
    pub modified: Option<SystemTime>,
}
