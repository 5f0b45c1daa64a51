//! The documents of a vault: what it is, how this machine uses it, and what each machine holds.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::header::FORMAT;
use crate::ledger::LedgerEnd;
use crate::private;
use crate::store::{Existing, Store, put_alone, read_if_there};

const VAULT: &str = "vault.json";
const MANIFEST: &str = "manifest.json";

/// `vault.json`: written once, and again where it was lost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    pub format: u64,
    pub id: String,
    pub created: Timestamp,
    /// The recipients of the encryption; empty where the vault is plain.
    #[serde(default)]
    pub recipients: Vec<String>,
    /// The key of the names in an encrypted vault, for the recipients only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// Proves that a holder of that key wrote the recipients.
    #[serde(default, rename = "seal", skip_serializing_if = "Option::is_none")]
    pub recipients_mac: Option<String>,
    /// How often the recipients were changed: an older list is not one to go back to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub edition: u64,
    /// Keys that names were made with before, for the recipients only, while files may have such names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<String>,
    /// The machine that files of the original tool's layout without machines belong to, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
    /// What other versions wrote.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// `manifest.json`: this machine's, never sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Manifest {
    pub version: String,
    pub mode: String,
    pub machine: String,
    pub machine_slug: String,
    /// The name that this machine's files are being moved to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_slug: Option<String>,
    pub last_sync: Option<String>,
    pub schedule: Option<String>,
    pub remote: Option<String>,
    /// Each Claude directory that is kept, with the name it is kept under.
    pub homes: Vec<HomeEntry>,
    /// Since when the vault may be sent: no secret was found, or the user said so.
    pub cleared: Option<Timestamp>,
    /// Since when it may be sent to this remote whatever is found: the user said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vouched: Option<Timestamp>,
    /// Since when segments are sent: from then on their names stay.
    pub sent: Option<Timestamp>,
    /// The recipients that this machine encrypts for; empty where the vault is plain. No remote can change them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recipients: Vec<String>,
    /// The key of the names in an encrypted vault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_key: Option<String>,
    /// Of the recipients, see [`Identity::edition`].
    #[serde(skip_serializing_if = "is_zero")]
    pub edition: u64,
    /// The former ones, while files have names by them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub former_name_keys: Vec<String>,
    /// Former ones that no file is named by any more: a proof by one of them comes from a removed recipient.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given_up_name_keys: Vec<String>,
    /// The remote had other keys than these, and the user has not said yet which ones count.
    #[serde(skip_serializing_if = "is_false")]
    pub disputed: bool,
    /// The file with the secret key, where it is not in the usual place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The vault is being encrypted, or encrypted for others.
    #[serde(skip_serializing_if = "is_false")]
    pub sealing: bool,
    /// Tells this installation from another machine of the same name, at an object store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installation: Option<String>,
    /// When this machine's objects at an object store were last compared with its files here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Timestamp>,
    /// The server of an object store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// How far the ledger of each Claude directory of this machine reaches.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ledgers: BTreeMap<String, LedgerEnd>,
    /// Sessions that are being erased: the next command that writes finishes it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub purging: Vec<Purging>,
    pub last_error: Option<LastError>,
    /// The outcome of the last push.
    pub last_push: Option<LastPush>,
    /// What other versions wrote.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A purge as it was asked for, until it is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Purging {
    pub session: String,
    /// The client's files go, too.
    #[serde(default)]
    pub live: bool,
    #[serde(default)]
    pub rewrite_history: bool,
    /// The names of its plans, which nothing tells once its transcript is gone.
    #[serde(default)]
    pub plans: Vec<String>,
    /// Lists of prompts that were written anew without the session's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replaced>,
}

/// Generations of a stream that go, because what counts of them is in a later one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    pub machine: String,
    pub stream: String,
    pub generations: Vec<u32>,
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastPush {
    pub time: Timestamp,
    /// `pushed`, `up-to-date`, `held`, `offline` or `refused`.
    pub state: String,
    /// Why it was not sent.
    #[serde(default)]
    pub reason: Option<String>,
}

/// `machines/<slug>/manifest.json`: totals, readable at a remote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineManifest {
    pub version: String,
    pub machine: String,
    pub machine_slug: String,
    pub last_sync: Option<String>,
    pub sessions: u64,
    pub projects: u64,
    pub files: u64,
    /// Unpacked.
    pub bytes: u64,
    /// How far the machine's ledger reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerEnd>,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Identity {
    /// `None` where there is no vault, or one of the original tool. A newer one is an error, whatever else it says.
    pub fn read(root: &Path) -> Result<Option<Self>, Error> {
        let path = root.join(VAULT);
        let Some(document) = read::<Value>(&path)? else { return Ok(None) };
        match document.get("format").and_then(Value::as_u64) {
            Some(format) if format > FORMAT => Err(Error::Newer { path, format, known: FORMAT }),
            _ => serde_json::from_value(document).map(Some).map_err(not_understood(&path)),
        }
    }

    pub fn is_newer(&self) -> bool {
        self.format > FORMAT
    }

    pub fn new(id: String, now: Timestamp) -> Self {
        Self { format: FORMAT, id, created: now, ..Self::default() }
    }

    pub fn write(&self, root: &Path) -> Result<(), Error> {
        write(&root.join(VAULT), self)
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
    pub fn name(slug: &str) -> String {
        format!("machines/{slug}/{MANIFEST}")
    }

    pub fn read(store: &dyn Store, slug: &str) -> Result<Option<Self>, Error> {
        let name = Self::name(slug);
        let bytes = read_if_there(store, &name)?;
        bytes
            .map(|bytes| serde_json::from_slice(&bytes).map_err(not_understood(Path::new(&name))))
            .transpose()
    }

    pub fn write(&self, store: &dyn Store) -> Result<(), Error> {
        let name = Self::name(&self.machine_slug);
        let bytes = serde_json::to_vec_pretty(self).map_err(|error| Error::write(&name)(error.into()))?;
        put_alone(store, &name, &bytes, Existing::Replace)
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let bytes = private::read_if_there(path).map_err(Error::read(path))?;
    bytes.map(|bytes| serde_json::from_slice(&bytes).map_err(not_understood(path))).transpose()
}

fn not_understood(path: &Path) -> impl FnOnce(serde_json::Error) -> Error {
    move |error| Error::Document { path: path.to_owned(), reason: error.to_string() }
}

fn write(path: &Path, document: &impl Serialize) -> Result<(), Error> {
    let bytes = serde_json::to_vec_pretty(document).map_err(|error| Error::write(path)(error.into()))?;
    private::replace(path, &bytes).map_err(Error::write(path))
}
