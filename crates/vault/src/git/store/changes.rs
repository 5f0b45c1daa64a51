//! What is put and removed together, until it becomes a commit.
//!
//! Bytes are blobs as soon as they are put. Nothing leads to them before there is a commit, and what was dropped goes
//! with git's housekeeping.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::commit::ObjectId;
use super::super::index::FILE;
use super::tip::Tip;
use super::{GitStore, check};
use crate::error::Error;
use crate::store::{Batch, Existing};

#[derive(Debug)]
pub(super) struct GitBatch<'a> {
    store: &'a GitStore,
    changes: Mutex<Changes>,
}

#[derive(Debug, Default)]
pub(super) struct Changes {
    put: Vec<Put>,
    removed: Vec<String>,
}

#[derive(Debug)]
struct Put {
    name: String,
    id: ObjectId,
    existing: Existing,
}

impl<'a> GitBatch<'a> {
    pub(super) fn new(store: &'a GitStore) -> Self {
        Self { store, changes: Mutex::default() }
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch for GitBatch<'_> {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
        check(name)?;
        let id = self.store.write(bytes)?;
        self.changes().put.push(Put { name: name.to_owned(), id, existing });
        Ok(())
    }

    fn withdraw(&self, name: &str) -> Result<(), Error> {
        self.changes().put.retain(|put| put.name != name);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        check(name)?;
        self.changes().removed.push(name.to_owned());
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), Error> {
        let changes = std::mem::take(&mut *self.changes());
        self.store.send(&changes)
    }
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.put.is_empty() && self.removed.is_empty()
    }

    pub(super) fn message(&self) -> String {
        format!("{} put, {} removed\n", self.put.len(), self.removed.len())
    }

    /// Whether all of it can be put on top of a commit.
    pub(super) fn judge(&self, tip: &Tip) -> Result<(), Error> {
        let mut names: BTreeSet<&str> = tip.names().collect();
        for Put { name, existing, .. } in &self.put {
            let taken = names.contains(name.as_str()) && *existing == Existing::Refuse;
            let other = if taken { Some(name.as_str()) } else { in_the_way(&names, name) };
            if let Some(other) = other {
                return Err(Error::Exists { name: other.to_owned() });
            }
            names.insert(name);
        }
        Ok(())
    }

    /// For `git update-index --index-info`; a later line outranks an earlier one.
    pub(super) fn lines(&self, tip: &Tip) -> Vec<u8> {
        let put: BTreeMap<&str, &ObjectId> =
            self.put.iter().map(|put| (put.name.as_str(), &put.id)).collect();
        let there = |name: &str| tip.file(name).map(|file| &file.id).or_else(|| put.get(name).copied());
        let removed = self.removed.iter().filter_map(|name| Some((name, there(name)?)));
        let gone = removed.map(|(name, id)| format!("0 {}\t{name}\0", "0".repeat(id.as_str().len())));
        let new = put.iter().map(|(name, id)| format!("{FILE} {id}\t{name}\0"));
        new.chain(gone).collect::<String>().into_bytes()
    }
}

/// A file where a directory would have to be, or the other way round.
fn in_the_way<'a>(names: &BTreeSet<&'a str>, name: &'a str) -> Option<&'a str> {
    let ends = name.match_indices('/').map(|(end, _)| end);
    let mut above = ends.filter_map(|end| name.get(..end));
    let below = format!("{name}/");
    let next = || names.range::<str, _>((Bound::Included(below.as_str()), Bound::Unbounded)).next().copied();
    above.find(|above| names.contains(above)).or_else(|| next().filter(|next| next.starts_with(&below)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_a_directory_have_no_name_in_common() {
        let names = BTreeSet::from(["a-", "a/b/c", "d"]);
        let way = |name| in_the_way(&names, name);
        assert_eq!([way("a"), way("a/b"), way("d/e/f")], [Some("a/b/c"), Some("a/b/c"), Some("d")]);
        assert_eq!([way("a/b/c"), way("a/c"), way("e"), way("a/b-")], [None; 4]);
    }
}
