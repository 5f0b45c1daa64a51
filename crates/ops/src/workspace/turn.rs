//! The right to change the vault → its documents as they are once it is ours.
//!
//! Who waits for another process has read the documents before that one changed them. So nobody acts by what was read
//! before the lock: it is compared under the lock, and read again where it is another.

use steno_vault::{Lock, Manifest, Writer, private};

use super::{Documents, Vault, Workspace};
use crate::error::{Error, ErrorKind};
use crate::{recovery, sealing};

impl Workspace {
    /// The documents on the disk are what this process made of them. The caller holds the vault's lock.
    pub(crate) fn settle(&self, vault: &mut Vault) {
        vault.documents = Documents::read(&self.vault);
        recovery::keep_copy(self, vault);
    }

    /// The vault as it is now, taken over where that is needed, and the right to change it.
    pub(crate) fn begin(&self, vault: Vault, command: &str) -> Result<(Vault, Writer), Error> {
        private::make_private(&self.vault).map_err(|error| {
            Error::new(ErrorKind::Io, format!("cannot make {} private: {error}", self.vault.display()))
                .hint("a vault has to be a directory of your own; --vault DIR names another place")
        })?;
        let lock = self.lock(command)?;
        let mut vault = self.adopted(self.renewed(vault)?)?;
        if vault.store.is_encrypted() {
            self.clear_inside()?;
        }
        let mut writer = Self::writing(lock, &vault)?;
        // Before anything else is changed, or sent.
        sealing::finish(self, &mut vault, &mut writer)?;
        self.settle(&mut vault);
        Ok((vault, writer))
    }

    /// The same, and nothing is taken over.
    pub(crate) fn hold(&self, vault: Vault, command: &str) -> Result<(Vault, Writer), Error> {
        let lock = self.lock(command)?;
        let vault = self.renewed(vault)?;
        let writer = Self::writing(lock, &vault)?;
        Ok((vault, writer))
    }

    /// A directory of the original tool, or one that lost its `vault.json`, becomes a vault: nothing in it changes.
    pub(crate) fn adopt(&self, vault: Vault) -> Result<Vault, Error> {
        Ok(self.begin(vault, "a takeover")?.0)
    }

    /// The right to change a vault that was opened before; nobody may have changed its documents since.
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

    /// The caller holds the lock.
    fn renewed(&self, vault: Vault) -> Result<Vault, Error> {
        if Documents::read(&self.vault) == vault.documents { Ok(vault) } else { self.open() }
    }

    fn writing(lock: Lock, vault: &Vault) -> Result<Writer, Error> {
        Ok(Writer::holding(lock, vault.store.clone(), vault.id(), vault.owners())?)
    }
}
