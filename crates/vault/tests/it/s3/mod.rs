//! An object store keeps the promises of every other store, also while the network breaks.

mod another;
mod condition;
mod conformance;
mod fault;
mod page;
mod refusal;

use std::sync::atomic::{AtomicUsize, Ordering};

use steno_testkit::s3::{Proxy, Server};
use steno_vault::s3::ObjectStore;
use steno_vault::{Error, Existing, Store};

/// A prefix that nobody had before.
fn fresh() -> String {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    format!("vault {}/of/tests", NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn through(server: &Server, proxy: &Proxy) -> ObjectStore {
    ObjectStore::open(&server.address("p"), server.access(proxy.endpoint())).unwrap()
}

fn put(store: &dyn Store, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
    let batch = store.batch()?;
    batch.put(name, bytes, existing)?;
    batch.commit()
}
