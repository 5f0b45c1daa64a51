//! Changes of a store that are made together.
//!
//! Puts stay in memory until the commit, so callers keep batches small. Objects are sent side by side; what
//! is removed goes when all of them are there.

mod conditional;

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::PutPayload;

use super::bucket::Bucket;
use super::{ObjectStore, key};
use crate::error::Error;
use crate::store::{Batch, Existing};

/// Requests under way at once.
const WIDTH: usize = 16;

#[derive(Debug)]
pub(super) struct ObjectBatch<'a> {
    store: &'a ObjectStore,
    changes: Mutex<Changes>,
}

#[derive(Debug, Default)]
struct Changes {
    put: Vec<Put>,
    removed: Vec<String>,
}

#[derive(Debug)]
struct Put {
    name: String,
    bytes: PutPayload,
    existing: Existing,
}

impl<'a> ObjectBatch<'a> {
    pub(super) fn new(store: &'a ObjectStore) -> Self {
        Self { store, changes: Mutex::default() }
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch for ObjectBatch<'_> {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
        key::of_name(name)?;
        let put = Put { name: name.to_owned(), bytes: bytes.to_vec().into(), existing };
        self.changes().put.push(put);
        Ok(())
    }

    fn withdraw(&self, name: &str) -> Result<(), Error> {
        self.changes().put.retain(|put| put.name != name);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        key::of_name(name)?;
        self.changes().removed.push(name.to_owned());
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), Error> {
        let changes = std::mem::take(&mut *self.changes());
        self.store.wait(changes.apply(&self.store.bucket))
    }
}

impl Changes {
    async fn apply(mut self, bucket: &Bucket) -> Result<(), Error> {
        conditional::learn(bucket, &mut self.put).await?;
        let width = if self.has_a_name_twice() { 1 } else { WIDTH };
        let puts = stream::iter(self.put.iter().map(|put| send(bucket, put)));
        puts.buffer_unordered(width).try_collect::<()>().await?;
        let removals = stream::iter(self.removed.iter().map(|name| bucket.remove(name)));
        removals.buffer_unordered(WIDTH).try_collect::<()>().await
    }

    /// Then the order of the puts matters.
    fn has_a_name_twice(&self) -> bool {
        let names: BTreeSet<&str> = self.put.iter().map(|put| put.name.as_str()).collect();
        names.len() < self.put.len()
    }
}

async fn send(bucket: &Bucket, put: &Put) -> Result<(), Error> {
    match put.existing {
        Existing::Replace => bucket.replace(&put.name, &put.bytes).await,
        Existing::Refuse => conditional::create(bucket, put).await,
    }
}
