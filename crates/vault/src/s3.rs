//! An S3-compatible object store as a store of the vault.
//!
//! Everything else here is blocking and knows files; this is the one place that speaks HTTP. It keeps the same
//! names and the same bytes as a directory would, so the rules of the vault are the same for both.

pub mod profile;

mod access;
mod address;
mod batch;
mod bucket;
mod client;
mod failure;
mod key;
mod listing;
mod response;
mod retry;

use std::fmt::{self, Debug, Formatter};
use std::future::Future;
use std::io::{Cursor, Read};

use tokio::runtime::{Builder, Runtime};

pub use access::{Access, Credentials};
pub use address::{Address, is_object_address};
pub use retry::RetryPolicy;

use crate::error::Error;
use crate::store::{Batch, Entry, Store};

use batch::ObjectBatch;
use bucket::Bucket;

/// Threads of the runtime that all callers share.
const WORKERS: usize = 2;

/// Must not be used from within an asynchronous task.
pub struct ObjectStore {
    bucket: Bucket,
    runtime: Runtime,
}

impl ObjectStore {
    /// Sends nothing yet: whether the store can be reached shows with the first request.
    pub fn open(address: &Address, access: Access) -> Result<Self, Error> {
        let bucket = Bucket::new(address, access)?;
        let runtime = Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build();
        let runtime = runtime.map_err(|error| Error::Refused { reason: error.to_string() })?;
        Ok(Self { bucket, runtime })
    }

    /// How many requests went out so far, repeated ones included.
    pub fn requests(&self) -> u64 {
        self.bucket.client.requests()
    }

    /// Keys of objects that no vault has, and that lists passed over so far; with escapes where they cannot be shown.
    pub fn strange(&self) -> std::collections::BTreeSet<String> {
        self.bucket.client.strange()
    }

    fn wait<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        self.runtime.block_on(work)
    }
}

impl Debug for ObjectStore {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ObjectStore").field("bucket", &self.bucket).finish_non_exhaustive()
    }
}

impl Store for ObjectStore {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        self.wait(self.bucket.list(below))
    }

    /// Whole when it returns, so that a connection that breaks later breaks nothing.
    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        let bytes = self.wait(self.bucket.get(name, None))?;
        Ok(Box::new(Cursor::new(bytes)))
    }

    fn read_within(&self, name: &str, most: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = self.wait(self.bucket.get(name, Some(most)))?;
        bytes.truncate(usize::try_from(most.saturating_add(1)).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        Ok(Box::new(ObjectBatch::new(self)))
    }
}
