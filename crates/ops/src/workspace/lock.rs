//! The vault's lock → the right to change the vault.

use steno_vault::{Lock, Manifest, Writer};

use super::{Documents, Vault, Workspace};
use crate::error::{Error, ErrorKind};

impl Workspace {
    /// The right to change a vault that was opened before. Fails where its documents were changed since.
    pub(crate) fn writer(&self, vault: &Vault, command: &str) -> Result<Writer, Error> {
        let lock = self.lock(command)?;
        if Documents::read(&self.vault) != vault.documents {
            let message = "another process has changed the vault meanwhile";
            return Err(Error::new(ErrorKind::Busy, message).hint("nothing was changed here; run this again"));
        }
        Self::writing(lock, vault)
    }

    /// Changes what the manifest says, where there is one, and nothing else.
    pub(crate) fn restate(&self, change: impl FnOnce(&mut Manifest)) -> Result<(), Error> {
        // Where nothing was ever written from here, not even a lock shall say otherwise.
        if Manifest::read(&self.vault)?.is_none() {
            return Ok(());
        }
        let _lock = self.lock("a note")?;
        let Some(mut manifest) = Manifest::read(&self.vault)? else { return Ok(()) };
        change(&mut manifest);
        Ok(manifest.write(&self.vault)?)
    }

    pub(crate) fn lock(&self, command: &str) -> Result<Lock, Error> {
        let holder = format!("{command} since {}", self.dirs.now.strftime("%Y-%m-%d %H:%M:%SZ"));
        Ok(Lock::take(&self.vault, &holder, self.patience)?)
    }

    /// The caller has read the vault's documents under the lock.
    pub(crate) fn writing(lock: Lock, vault: &Vault) -> Result<Writer, Error> {
        Ok(Writer::holding(lock, vault.store.clone(), vault.id(), vault.owners())?)
    }
}
