//! The documents of a vault: what it is, how this machine uses it, and what each machine holds.

use std::fs;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::header::FORMAT;
use crate::private;

const VAULT: &str = "vault.json";
const MANIFEST: &str = "manifest.json";

/// `vault.json`: written once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub format: u64,
    pub id: String,
    pub created: Timestamp,
    #[serde(default)]
    pub recipients: Vec<String>,
}

/// `manifest.json`: this machine's, never sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub mode: String,
    #[serde(default)]
    pub machine: String,
    #[serde(default)]
    pub machine_slug: String,
    #[serde(default)]
    pub last_sync: Option<String>,
    #[serde(default)]
    pub schedule: Option<String>,
    #[serde(default)]
    pub remote: Option<String>,
    /// Each Claude directory that is kept, with the name it is kept under.
    #[serde(default)]
    pub homes: Vec<HomeEntry>,
    /// Since when what is kept may be sent: nothing secret was found, or somebody said so.
    #[serde(default)]
    pub cleared: Option<Timestamp>,
    /// Since when segments are sent: from then on their names stay.
    #[serde(default)]
    pub sent: Option<Timestamp>,
    #[serde(default)]
    pub last_error: Option<LastError>,
    /// What other versions wrote.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HomeEntry {
    pub claude_dir: String,
    pub slug: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastError {
    pub time: Timestamp,
    pub command: String,
    pub error: String,
}

/// `machines/<slug>/manifest.json`: totals, for who looks at a remote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineManifest {
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub machine: String,
    #[serde(default)]
    pub machine_slug: String,
    #[serde(default)]
    pub last_sync: Option<String>,
    #[serde(default)]
    pub sessions: u64,
    #[serde(default)]
    pub projects: u64,
    #[serde(default)]
    pub files: u64,
    /// Unpacked.
    #[serde(default)]
    pub bytes: u64,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

impl Identity {
    /// `None` where there is no vault, or one of the original tool. A newer one is an error.
    pub fn read(root: &Path) -> Result<Option<Self>, Error> {
        let identity: Option<Self> = read(&root.join(VAULT))?;
        match &identity {
            Some(newer) if newer.format > FORMAT => {
                Err(Error::Newer { path: root.join(VAULT), format: newer.format, known: FORMAT })
            }
            _ => Ok(identity),
        }
    }

    pub fn is_newer(&self) -> bool {
        self.format > FORMAT
    }

    pub fn create(root: &Path, id: String, now: Timestamp) -> Result<Self, Error> {
        let identity = Self { format: FORMAT, id, created: now, recipients: Vec::new() };
        write(&root.join(VAULT), &identity)?;
        Ok(identity)
    }
}

impl Manifest {
    pub fn read(root: &Path) -> Result<Option<Self>, Error> {
        read(&root.join(MANIFEST))
    }

    pub fn write(&self, root: &Path) -> Result<(), Error> {
        write(&root.join(MANIFEST), self)
    }
}

impl MachineManifest {
    pub fn read(root: &Path, slug: &str) -> Result<Option<Self>, Error> {
        read(&root.join("machines").join(slug).join(MANIFEST))
    }

    pub fn write(&self, root: &Path) -> Result<(), Error> {
        write(&root.join("machines").join(&self.machine_slug).join(MANIFEST), self)
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(Error::read(path)(error)),
    };
    let reason =
        |error: serde_json::Error| Error::Document { path: path.to_owned(), reason: error.to_string() };
    serde_json::from_slice(&bytes).map(Some).map_err(reason)
}

fn write(path: &Path, document: &impl Serialize) -> Result<(), Error> {
    let bytes = serde_json::to_vec_pretty(document).map_err(|error| Error::write(path)(error.into()))?;
    private::replace(path, &bytes).map_err(Error::write(path))
}
