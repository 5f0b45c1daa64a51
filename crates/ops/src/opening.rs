//! The vault's documents and the user's keys → an open vault; under its lock, one that may be changed.
//!
//! A process that waits for the lock has read the documents before the process that held it changed them. So nothing
//! is done by what was read before the lock: it is compared under the lock, and read again where it differs.

use std::path::Path;

use jiff::tz::TimeZone;
use steno_vault::{Identity, Manifest, VaultStore, Writer, knows_no_machines, private};

use crate::claude_dirs::ClaudeDirs;
use crate::error::{Error, ErrorKind};
use crate::machine::{machines, root_of};
use crate::progress::Progress;
use crate::shell::quoted;
use crate::workspace::{Documents, Sources, Vault, Workspace, random_id};
use crate::{recovery, sealing};

/// How often a vault is looked at anew because another process changed its documents meanwhile.
const LOOKS: usize = 5;

impl Sources for Workspace {
    fn dirs(&self) -> &ClaudeDirs {
        &self.dirs
    }

    fn vault(&self) -> &Path {
        &self.vault
    }

    fn cache(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    fn zone(&self) -> &TimeZone {
        &self.zone
    }

    fn progress(&self) -> &dyn Progress {
        &*self.progress
    }

    fn open(&self) -> Result<Vault, Error> {
        Self::open(self)
    }

    fn look(&self) -> Result<Option<Vault>, Error> {
        Self::look(self)
    }
}

impl Workspace {
    /// The vault; an error that says how to make one where there is none.
    pub(crate) fn open(&self) -> Result<Vault, Error> {
        self.look()?.ok_or_else(|| {
            let message = format!("there is no vault at {}", self.vault.display());
            let error = Error::new(ErrorKind::NoVault, message);
            let make = |line: &str| format!("`{line}` makes one and runs the first backup");
            if self.is_default_vault {
                return error.hint(make("steno init"));
            }
            let place = self.vault.to_str().map_or_else(|| "DIR".to_owned(), quoted);
            error
                .hint(make(&format!("steno init --vault {place}")))
                .hint("--vault DIR or STENO_VAULT names another place")
        })
    }

    /// The vault, if there is one. Changes nothing.
    pub(crate) fn look(&self) -> Result<Option<Vault>, Error> {
        for _ in 0..LOOKS {
            let documents = Documents::read(&self.vault);
            match self.look_once() {
                // Another process changed them meanwhile: the error may be about what was half there.
                Err(_) if Documents::read(&self.vault) != documents => {}
                outcome => return outcome,
            }
        }
        self.look_once()
    }

    fn look_once(&self) -> Result<Option<Vault>, Error> {
        let Some(vault) = self.look_closed()? else { return Ok(None) };
        let seal = sealing::seal(self, vault.identity.as_ref(), &vault.manifest)?;
        match &seal {
            Some(seal) => recovery::check_found(self, &vault, seal)?,
            None => recovery::check_plain(self, &vault)?,
        }
        let is_lost = vault.manifest.recipients.is_empty() && vault.manifest.homes.is_empty();
        let is_told = seal.is_none() || !is_lost;
        let store = sealing::store(self, seal, vault.slug());
        let mut vault = Vault { store, ..vault };
        if !is_told {
            let slug = recovery::sealed_slug(&vault.store, &self.machine);
            vault.store = vault.store.of_machine(&slug);
            vault.manifest.machine_slug = slug;
        }
        Ok(Some(vault))
    }

    /// The same without a look at keys: the content of an encrypted one cannot be read.
    pub(crate) fn look_closed(&self) -> Result<Option<Vault>, Error> {
        // Before they are read: a change in between is noticed later.
        let documents = Documents::read(&self.vault);
        let (identity, is_spoilt) = recovery::understood(Identity::read(&self.vault))?;
        let (manifest, is_manifest_spoilt) = recovery::understood(Manifest::read(&self.vault))?;
        let is_original = || ["machines", "projects"].iter().any(|name| self.vault.join(name).is_dir());
        let is_stated = identity.is_some();
        let is_nothing = identity.is_none() && manifest.is_none() && !is_spoilt && !is_manifest_spoilt;
        if is_nothing && !is_original() {
            return Ok(None);
        }
        // The original tool writes neither homes nor a vault.json.
        let is_lost = is_spoilt
            || identity.is_none() && manifest.as_ref().is_some_and(|manifest| !manifest.homes.is_empty());
        let known = || recovery::known_identity(self, manifest.as_ref().unwrap_or(&Manifest::default()));
        let identity = identity.or_else(known);
        let is_lost = is_lost || identity.is_some() && !is_stated;
        let is_manifest_lost = is_manifest_spoilt || identity.is_some() && manifest.is_none();
        let mut manifest = manifest.unwrap_or_default();
        recovery::complete(&mut manifest, &self.vault, identity.as_ref(), &self.machine);
        let mut warnings = Vec::new();
        warnings.extend(is_manifest_lost.then(|| recovery::lost_manifest(&self.vault, &manifest)));
        warnings.extend(is_lost.then(|| recovery::lost_identity(&self.vault)));
        let store = VaultStore::plain(&self.vault);
        Ok(Some(Vault { identity, manifest, warnings, store, documents }))
    }

    /// A vault whose documents are all there. The caller holds its lock.
    fn adopted(&self, mut vault: Vault) -> Result<Vault, Error> {
        let identity = match vault.identity.take() {
            Some(identity) => identity,
            None => self.identify(&mut vault)?,
        };
        if !Identity::read(&self.vault).is_ok_and(|stated| stated.is_some()) {
            identity.write(&self.vault)?;
        }
        let mut identity = self.claim_original(identity, &vault)?;
        if sealing::follow(&mut vault, &identity) {
            let seal = sealing::seal(self, Some(&identity), &vault.manifest)?;
            vault.store = sealing::store(self, seal, vault.slug());
        }
        if let Some(seal) = vault.store.encryption() {
            vault.manifest.recipients = seal.recipients().to_vec();
            sealing::note_keys(&mut vault.manifest, seal);
            vault.warnings.extend(sealing::suspicion(&vault.manifest, &identity));
            if sealing::is_proven(&identity, seal.names(), seal.recipients()) {
                vault.manifest.edition = vault.manifest.edition.max(identity.edition);
            }
            if sealing::state(&mut identity, seal, vault.manifest.edition)? {
                identity.write(&self.vault)?;
            }
        }
        vault.identity = Some(identity);
        Ok(vault)
    }

    /// For a directory without a `vault.json`: what git remembers of one, else a new one.
    fn identify(&self, vault: &mut Vault) -> Result<Identity, Error> {
        let Some(identity) = recovery::known_identity(self, &vault.manifest) else {
            return Ok(Identity::new(random_id(), self.dirs.now));
        };
        let seal = sealing::seal(self, Some(&identity), &vault.manifest)?;
        vault.store = sealing::store(self, seal, vault.slug());
        Ok(identity)
    }

    /// Files of the layout without machines belong to the machine that takes them over; every other machine that sees
    /// the vault has to know. Where others were before, it is not ours to say.
    fn claim_original(&self, mut identity: Identity, vault: &Vault) -> Result<Identity, Error> {
        let (own, store) = (vault.slug(), &vault.store);
        let is_alone = || machines(store).is_ok_and(|all| all.iter().all(|machine| root_of(machine) == own));
        if identity.original.is_none() && knows_no_machines(store).unwrap_or(false) && is_alone() {
            identity.original = Some(own.to_owned());
            identity.write(&self.vault)?;
        }
        Ok(identity)
    }

    /// A remote may have brought another `vault.json`, which knows nothing of the oldest files here; and this machine
    /// may go by another name than it did.
    pub(crate) fn restate_original(&self, vault: &Vault, was: &str) -> Result<(), Error> {
        let known = vault.identity.as_ref().and_then(|identity| identity.original.as_deref());
        let (Some(known), Ok(Some(mut identity))) = (known, Identity::read(&self.vault)) else {
            return Ok(());
        };
        let original = if known == was { vault.slug() } else { known };
        let is_ours = identity.original.is_none() || identity.id == vault.id();
        if is_ours && identity.original.as_deref() != Some(original) {
            identity.original = Some(original.to_owned());
            identity.write(&self.vault)?;
        }
        Ok(())
    }

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

    /// The caller holds the lock.
    fn renewed(&self, vault: Vault) -> Result<Vault, Error> {
        if Documents::read(&self.vault) == vault.documents { Ok(vault) } else { self.open() }
    }
}
