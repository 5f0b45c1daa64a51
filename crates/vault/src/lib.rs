//! Named bytes, kept safe.
//!
//! Files of a Claude directory become streams of compressed segments in a directory that `ls` and `zstd` can
//! read, and that only ever grows. Nothing here knows what a session means: callers say which file
//! belongs to which.

pub mod archive;
pub mod encryption;
pub mod fault;
pub mod git;
pub mod object_sync;
pub mod private;
pub mod remote;
pub mod s3;

mod admission;
mod cache;
mod catalog;
mod damage;
mod error;
mod frame;
mod header;
mod keep;
mod ledger;
mod lock;
mod manifest;
mod merge;
mod name;
mod outdated;
mod purge;
mod reading;
mod real;
mod receive;
mod reencrypt;
mod rename;
mod repair;
mod replacement;
mod segment;
mod store;
mod stream;
mod tombstones;
mod verify;
mod work;

pub use catalog::{Catalog, Machine, Owners, knows_no_machines};
pub use damage::{Damage, Reason};
pub use error::Error;
pub use header::{Hash, Header};
pub use keep::{Candidate, Keep, Kept, Outcome, Role, Trouble};
pub use ledger::LedgerEnd;
pub use lock::Lock;
pub use manifest::{HomeEntry, Identity, LastError, LastPush, MachineManifest, Manifest, Purging, Replaced};
pub use name::{SegmentName, path_of, text_of};
pub use outdated::{Outdated, remove_outdated};
pub use purge::Tombstone;
pub use reading::{Hole, Reader, Salvage, Volume};
pub use real::real;
pub use reencrypt::{Reencrypted, reencrypt};
pub use rename::{exchange, rename, rename_new};
pub use repair::{RepairSource, Repaired};
pub use segment::is_whole;
pub use store::{Batch, Entry, Existing, KnownObject, LocalStore, Store, VaultStore};
pub use stream::{Broken, Codec, Generation, Segment, Stream};
pub use tombstones::Tombstones;
pub use verify::{Checked, verify};
pub use work::{Cached, Writer};
