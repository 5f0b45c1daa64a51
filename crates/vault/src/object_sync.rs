//! Push and pull between the vault's directory and an object store.
//!
//! Files are sent byte for byte as they are on the disk, encrypted or not. A file is opened only where the remote's
//! word alone would have a file here replaced or removed. The remote has the vault's layout and three directories
//! more:
//!
//! - `heads/<machine>/<number>-<token>` is the last object that a push puts, so that one listing of `heads` tells
//!   whether any machine has something new. `heads/<machine>/00000000` says which installation owns the name.
//! - `gone/<machine>/<number>` names what was erased on purpose. A file that is missing without being named there was
//!   lost, and stays on every other machine.
//! - `renewed/<machine>/<number>` says which objects were encrypted again, for other recipients.
//!
//! Each machine writes below its own name only, so there is nothing to merge and no lock to wait for. The next run
//! finishes what was interrupted: a segment is put only where its name is free, and compared where it is taken.

mod compare;
mod download;
mod fetch;
mod forget_plain;
mod former_names;
mod gone;
mod head;
mod identity;
mod original_tool;
mod parallel;
mod pull;
mod push;
mod record;
mod recover;
mod reencrypted;
mod run;
mod sent;

use std::fmt;

use crate::error::Error;
use crate::remote::{Outcome, Synced};
use crate::store::{LocalStore, Store, VaultStore};
use run::Run;

pub use forget_plain::forget_plain;
pub use gone::record_gone;
pub use identity::remote_vault;
pub use record::{Last, forget_remote, last_remote};
pub use reencrypted::record_reencryption;

/// A vault and the object store that it is synced with. The caller holds the vault's lock.
#[derive(Clone, Copy)]
pub struct ObjectSync<'a> {
    pub store: &'a VaultStore,
    pub remote: &'a dyn Store,
    /// The remote's address, under which its record is kept.
    pub address: &'a str,
    /// Recorded with the address, to find the remote again when the manifest is lost.
    pub endpoint: Option<&'a str>,
    pub region: Option<&'a str>,
    /// This machine's directory below `machines`.
    pub own: &'a str,
    /// A random id of this installation: it tells two machines of one name apart.
    pub installation: &'a str,
    /// List the remote and compare every name, whatever the cache says.
    pub full: bool,
    /// Gets the remote's `vault.json` (empty where there is none) before anything is pulled or pushed. Returns why the
    /// remote is not for this vault.
    pub objection: &'a (dyn Fn(&[u8]) -> Option<String> + Sync),
    /// Called from several threads.
    pub progress: &'a (dyn Fn(Transfer) + Sync),
}

/// Progress of a sync, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// How much there is to send.
    Sending(u64),
    Sent(u64),
    /// How much there is to receive from one machine.
    Receiving(u64),
    Received(u64),
}

impl ObjectSync<'_> {
    /// Pushes, then pulls.
    pub fn run(&self) -> Result<Synced, Error> {
        let mut report = Synced::default();
        report.outcome = match Run::begin(self, &mut report).and_then(|mut run| run.sync()) {
            Ok(outcome) => outcome,
            Err(Error::Offline { reason }) => Outcome::Offline { reason },
            Err(Error::Refused { reason }) => Outcome::Refused { reason },
            Err(error) => return Err(error),
        };
        Ok(report)
    }

    fn local(&self) -> &LocalStore {
        self.store.files()
    }
}

impl fmt::Debug for ObjectSync<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("ObjectSync");
        debug.field("store", self.store).field("own", &self.own).field("full", &self.full);
        debug.finish_non_exhaustive()
    }
}
