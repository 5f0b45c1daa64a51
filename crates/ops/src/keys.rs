//! Where the secret key is that opens encrypted vaults, and how its passphrase is asked for.

use std::path::PathBuf;
use std::sync::Arc;

use steno_vault::Manifest;
use steno_vault::encryption::{Keyring, NoPassphrase, Passphrase};

/// What opens encrypted vaults here.
#[derive(Debug, Clone)]
pub struct Keys {
    /// The file with the secret key, whether it is there or not.
    pub identity: Option<PathBuf>,
    /// Where it is unless the user names another place.
    pub usual: Option<PathBuf>,
    pub passphrase: Arc<dyn Passphrase>,
}

impl Default for Keys {
    fn default() -> Self {
        Self { identity: None, usual: None, passphrase: Arc::new(NoPassphrase) }
    }
}

impl Keys {
    pub(crate) fn ring(&self) -> Keyring {
        match &self.identity {
            Some(path) => Keyring::file(path, Arc::clone(&self.passphrase)),
            None => Keyring::none(),
        }
    }

    /// The same, with the file that was named when the vault was set up, where nothing else is there.
    pub(crate) fn ring_of(&self, manifest: &Manifest) -> Keyring {
        let is_there = self.identity.as_ref().is_some_and(|path| path.is_file());
        let is_usual = self.identity == self.usual;
        match manifest.identity.as_ref().filter(|_| is_usual && !is_there) {
            Some(path) => Keyring::file(path, Arc::clone(&self.passphrase)),
            None => self.ring(),
        }
    }
}
