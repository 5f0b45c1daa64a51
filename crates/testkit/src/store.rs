//! A store in memory, and the one suite that every store must pass.

mod conformance;

pub use conformance::conformance;

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

use steno_vault::{Batch, Entry, Error, Existing, Store};

/// Named bytes that are forgotten with it.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl MemoryStore {
    pub fn new() -> Self {
        Self::default()
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn check(name: &str) -> Result<(), Error> {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\0');
    if name.split('/').all(is_plain) { Ok(()) } else { Err(Error::BadName { name: name.to_owned() }) }
}

impl Store for MemoryStore {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        if !below.is_empty() {
            check(below)?;
        }
        let is_below = |name: &str| {
            below.is_empty() || name.strip_prefix(below).is_some_and(|rest| rest.starts_with('/'))
        };
        let kept = self.kept();
        let chosen = kept.iter().filter(|(name, _)| is_below(name));
        let entry = |(name, bytes): (&String, &Vec<u8>)| Entry {
            name: name.clone(),
            len: bytes.len() as u64,
            modified: None,
        };
        Ok(chosen.map(entry).collect())
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        check(name)?;
        match self.kept().get(name) {
            Some(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
            None => Err(Error::Missing { name: name.to_owned() }),
        }
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        Ok(Box::new(MemoryBatch { store: self, changes: Mutex::default() }))
    }
}

#[derive(Debug)]
struct MemoryBatch<'a> {
    store: &'a MemoryStore,
    changes: Mutex<Changes>,
}

#[derive(Debug, Default)]
struct Changes {
    put: Vec<(String, Vec<u8>, Existing)>,
    removed: Vec<String>,
}

impl MemoryBatch<'_> {
    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch for MemoryBatch<'_> {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
        check(name)?;
        self.changes().put.push((name.to_owned(), bytes.to_owned(), existing));
        Ok(())
    }

    fn withdraw(&self, name: &str) -> Result<(), Error> {
        self.changes().put.retain(|(put, ..)| put != name);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        check(name)?;
        self.changes().removed.push(name.to_owned());
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), Error> {
        let changes = std::mem::take(&mut *self.changes());
        let mut kept = self.store.kept();
        for (name, bytes, existing) in changes.put {
            if existing == Existing::Refuse && kept.contains_key(&name) {
                return Err(Error::Exists { name });
            }
            kept.insert(name, bytes);
        }
        for name in changes.removed {
            kept.remove(&name);
        }
        Ok(())
    }
}
