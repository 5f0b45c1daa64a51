//! A file of secret keys, or its bytes → the keys, read at the first need.

use std::fmt::{self, Debug, Formatter};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use age::secrecy::{ExposeSecret, SecretSlice, SecretString};

use super::identity;
use crate::error::Error;

/// No file of keys is as large.
const LARGEST: u64 = 1 << 20;

/// Asks the user for a passphrase.
pub trait Passphrase: Debug + Send + Sync {
    /// `what` it is for; `None` if no user can answer.
    fn ask(&self, what: &str) -> Option<String>;

    /// For something that has none yet: a slip of the keyboard would lock it for good.
    fn ask_new(&self, what: &str) -> Option<String> {
        self.ask(what)
    }
}

/// For runs without a user.
#[derive(Debug, Clone, Copy)]
pub struct NoPassphrase;

impl Passphrase for NoPassphrase {
    fn ask(&self, _: &str) -> Option<String> {
        None
    }
}

/// Secret keys that are read at the first need. Copies share them, and the answer to the one question.
#[derive(Clone)]
pub struct Keyring(Arc<Ring>);

struct Ring {
    source: Source,
    /// Its name in messages.
    place: String,
    passphrase: Arc<dyn Passphrase>,
    keys: OnceLock<Result<Vec<Key>, String>>,
}

enum Source {
    None,
    File(PathBuf),
    Bytes(SecretSlice<u8>),
}

/// A secret key.
pub struct Key {
    identity: Box<dyn age::Identity + Send + Sync>,
    recipient: Option<String>,
}

impl Key {
    pub(super) fn new(identity: Box<dyn age::Identity + Send + Sync>, recipient: Option<String>) -> Self {
        Self { identity, recipient }
    }

    /// The public key that belongs to it.
    pub fn recipient(&self) -> Option<&str> {
        self.recipient.as_deref()
    }

    pub(super) fn identity(&self) -> &dyn age::Identity {
        self.identity.as_ref()
    }
}

impl Debug for Key {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Key").field(&self.recipient).finish()
    }
}

impl Keyring {
    /// A keyring without keys.
    pub fn none() -> Self {
        Self::new(Source::None, String::new(), Arc::new(NoPassphrase))
    }

    /// A file of age's keys, an ssh key, or either of them under a passphrase. It is not looked at before it is needed.
    pub fn file(path: impl Into<PathBuf>, passphrase: Arc<dyn Passphrase>) -> Self {
        let path = path.into();
        let place = path.display().to_string();
        Self::new(Source::File(path), place, passphrase)
    }

    /// The content of such a file; `place` is its name in messages.
    pub fn bytes(bytes: Vec<u8>, place: &str, passphrase: Arc<dyn Passphrase>) -> Self {
        Self::new(Source::Bytes(bytes.into()), place.to_owned(), passphrase)
    }

    fn new(source: Source, place: String, passphrase: Arc<dyn Passphrase>) -> Self {
        Self(Arc::new(Ring { source, place, passphrase, keys: OnceLock::new() }))
    }

    /// There is something to read keys from; whether it holds any is not looked at.
    pub fn is_there(&self) -> bool {
        match &self.0.source {
            Source::None => false,
            Source::File(path) => path.is_file(),
            Source::Bytes(_) => true,
        }
    }

    /// At least one. What failed once fails again, so that the user is asked once.
    pub fn keys(&self) -> Result<&[Key], Error> {
        self.load().map_err(|reason| Error::Locked { reason: reason.to_owned() })
    }

    /// The keys can be read without a passphrase, or are read already.
    pub fn is_open(&self) -> bool {
        let is_loaded = self.0.keys.get().map(Result::is_ok);
        is_loaded.unwrap_or_else(|| self.0.is_plain())
    }

    pub(super) fn load(&self) -> Result<&[Key], &str> {
        let keys = self.0.keys.get_or_init(|| self.0.read());
        keys.as_deref().map_err(String::as_str)
    }

    pub(super) fn place(&self) -> &str {
        &self.0.place
    }
}

impl Debug for Keyring {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Keyring").field(&self.0.place).finish()
    }
}

impl Ring {
    fn read(&self) -> Result<Vec<Key>, String> {
        let ask = || self.passphrase.ask(&self.place).map(SecretString::from);
        match &self.source {
            Source::None => Err("the vault is encrypted, and there is no key".to_owned()),
            Source::File(path) => identity::keys(self.file(path)?.expose_secret(), &self.place, &ask),
            Source::Bytes(bytes) => identity::keys(bytes.expose_secret(), &self.place, &ask),
        }
    }

    /// The keys can be read without a passphrase.
    fn is_plain(&self) -> bool {
        let opens = |bytes: &[u8]| identity::keys(bytes, &self.place, &|| None).is_ok();
        match &self.source {
            Source::None => false,
            Source::File(path) => self.file(path).is_ok_and(|bytes| opens(bytes.expose_secret())),
            Source::Bytes(bytes) => opens(bytes.expose_secret()),
        }
    }

    fn file(&self, path: &PathBuf) -> Result<SecretSlice<u8>, String> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
        match read {
            Ok(_) if bytes.len() as u64 > LARGEST => Err(format!("{} is too large for a key", self.place)),
            Ok(_) => Ok(bytes.into()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(format!("the key is missing: there is no {}", self.place))
            }
            Err(error) => Err(format!("the key in {} cannot be read: {error}", self.place)),
        }
    }
}
