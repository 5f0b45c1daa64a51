//! `exchange.json`: what each remote has of this vault, and what was erased on purpose.
//!
//! Not in the cache, because nothing else knows it: without the name of the last head a vault that was put back from
//! an older copy looks like the one that wrote it, and without the list of what was erased it would all come back.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::head::HeadName;
use crate::error::Error;
use crate::private;

const NAME: &str = "exchange.json";
const FORMAT: u64 = 1;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    format: u64,
    /// By the hash of their address.
    pub(super) remotes: BTreeMap<String, Acknowledged>,
    pub(super) gone: Vec<Gone>,
    /// How often everything was encrypted again.
    pub(super) renewed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last: Option<Last>,
    /// What other versions wrote.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The remote that a vault was last sent to: recovers a lost manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    pub address: String,
    pub installation: String,
    /// The server, where it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
}

/// `None` where the vault was never sent.
pub fn last_remote(root: &Path) -> Option<Last> {
    Record::read(root).ok()?.last
}

/// Forgets the address; the record of what the remote has stays.
pub fn forget_remote(root: &Path) -> Result<(), Error> {
    let mut record = Record::read(root)?;
    match record.last.take() {
        Some(_) => record.write(root),
        None => Ok(()),
    }
}

/// The state of this vault at one remote, as far as pushes were acknowledged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Acknowledged {
    /// The directory that this is about; a machine may get another name.
    pub(super) own: String,
    /// The name is ours there.
    pub(super) claimed: bool,
    pub(super) head: Option<HeadName>,
    /// Written down before anything is put, so that it is known as ours if we do not live to see it there.
    pub(super) next: Option<HeadName>,
    /// The start of the hash of the `vault.json` that both had.
    pub(super) vault: Option<String>,
    /// The id in it.
    pub(super) id: Option<String>,
    /// The last list of what was erased that it has.
    pub(super) gone: u64,
    /// How often it has heard that everything was encrypted again.
    pub(super) renewed: u64,
}

impl Acknowledged {
    /// Keeps the state of the vault, and drops that of our former directory.
    pub(super) fn renamed(self, own: &str) -> Self {
        Self { own: own.to_owned(), vault: self.vault, id: self.id, ..Self::default() }
    }
}

/// Names of files that were erased on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Gone {
    pub(super) number: u64,
    pub(super) names: Vec<String>,
}

impl Record {
    /// A record that cannot be parsed counts as none: then the remote is compared name by name.
    pub(super) fn read(root: &Path) -> Result<Self, Error> {
        let path = root.join(NAME);
        let bytes = private::read_if_there(&path).map_err(Error::read(&path))?;
        let Some(bytes) = bytes else { return Ok(Self::default()) };
        let record: Self = serde_json::from_slice(&bytes).unwrap_or_default();
        match record.format {
            format if format > FORMAT => Err(Error::Newer { path, format, known: FORMAT }),
            _ => Ok(record),
        }
    }

    pub(super) fn write(&mut self, root: &Path) -> Result<(), Error> {
        self.format = FORMAT;
        let path = root.join(NAME);
        let bytes = serde_json::to_vec_pretty(self).map_err(|error| Error::write(&path)(error.into()))?;
        private::replace(&path, &bytes).map_err(Error::write(&path))
    }
}
