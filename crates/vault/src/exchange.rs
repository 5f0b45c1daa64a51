//! This machine's files → an object store, and what other machines put there → the vault's directory.
//!
//! What goes over is what lies on the disk, sealed or not, byte for byte; a file is opened only where somebody else's
//! word would have one replaced or erased. The remote looks as the vault does, with three directories more. `heads/<machine>/<number>-<token>` is put after everything else of a push,
//! so that one listing of `heads` tells whether anybody has something new; `heads/<machine>/00000000` says which
//! installation has the name, and stays. `gone/<machine>/<number>` names what was erased on purpose: what is missing
//! without that was lost, and stays wherever it still is. `renewed/<machine>/<number>` tells of what was sealed anew.
//!
//! Each machine writes below its own name only, so there is nothing to merge, and nobody waits for anybody. Whatever
//! is interrupted anywhere is done by the next run, because what is there is never taken for granted: a segment is
//! put where no such name is, and one that is there already is compared.

mod fetch;
mod gone;
pub(crate) mod graves;
mod head;
mod kind;
mod landing;
mod look;
mod meeting;
mod moved;
mod older;
mod own;
mod parallel;
mod plain;
mod record;
mod renewal;
mod run;
mod send;
mod sent;
mod take_back;
mod theirs;

use std::fmt;

use crate::error::Error;
use crate::git::Warning;
use crate::store::{LocalStore, Store, VaultStore};
use run::Run;

pub use gone::renounce;
pub use meeting::remote_vault;
pub use plain::forget_plain;
pub use record::{Last, forget_remote, last_remote};
pub use renewal::renew;

/// Who exchanges what with whom. The caller holds the vault's lock.
#[derive(Clone, Copy)]
pub struct Exchanging<'a> {
    /// What is kept; its files go over as they are on the disk, sealed or not.
    pub chest: &'a VaultStore,
    pub remote: &'a dyn Store,
    /// What tells this remote from any other; its address.
    pub address: &'a str,
    /// Where that address is looked for; written down with it.
    pub endpoint: Option<&'a str>,
    pub region: Option<&'a str>,
    /// This machine's directory below `machines`.
    pub own: &'a str,
    /// A random id of this installation: two machines of one name are told apart by it.
    pub installation: &'a str,
    /// Compares what is there with what is here, name by name, instead of believing what is remembered.
    pub full: bool,
    /// Looks at the remote's `vault.json`, empty where none is there, before anything is taken or sent; says why it is
    /// not for us.
    pub objection: &'a (dyn Fn(&[u8]) -> Option<String> + Sync),
    /// Told from several threads.
    pub progress: &'a (dyn Fn(Step) + Sync),
}

/// What is told while it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// So many bytes are to be sent.
    Sending(u64),
    Sent(u64),
    /// So many bytes are to be taken from one machine.
    Receiving(u64),
    Received(u64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchanged {
    pub state: State,
    /// Objects of ours that were put, without what tells of them.
    pub sent: u64,
    pub sent_bytes: u64,
    /// Files that were written here.
    pub received: u64,
    pub received_bytes: u64,
    /// Files of other machines that are gone from here because their machine erased them.
    pub removed: u64,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Pushed,
    UpToDate,
    /// Not reached, or not to the end; the rest goes with the next exchange.
    Offline {
        reason: String,
    },
    /// Reached, and it does not want us, or is not for us.
    Refused {
        reason: String,
    },
    /// Another installation has our name there; nothing was sent.
    SlugTaken,
}

impl Default for Exchanged {
    fn default() -> Self {
        Self {
            state: State::UpToDate,
            sent: 0,
            sent_bytes: 0,
            received: 0,
            received_bytes: 0,
            removed: 0,
            warnings: Vec::new(),
        }
    }
}

impl Exchanging<'_> {
    /// Sends, then takes.
    pub fn run(&self) -> Result<Exchanged, Error> {
        let mut report = Exchanged::default();
        let outcome = Run::begin(self, &mut report).and_then(|mut run| run.exchange());
        report.conclude(outcome)
    }

    fn local(&self) -> &LocalStore {
        self.chest.files()
    }
}

impl Exchanged {
    fn conclude(mut self, outcome: Result<State, Error>) -> Result<Self, Error> {
        self.state = match outcome {
            Ok(state) => state,
            Err(Error::Offline { reason }) => State::Offline { reason },
            Err(Error::Refused { reason }) => State::Refused { reason },
            Err(error) => return Err(error),
        };
        Ok(self)
    }

    fn warn(&mut self, path: &str, message: impl Into<String>) {
        self.warnings.push(Warning { path: path.to_owned(), message: message.into() });
    }
}

impl fmt::Debug for Exchanging<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Exchanging");
        debug.field("chest", self.chest).field("own", &self.own).field("full", &self.full);
        debug.finish_non_exhaustive()
    }
}
