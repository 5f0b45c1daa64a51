//! An empty directory → a vault with nothing in it; and back, where it was not to stay as it is.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use steno_vault::{Manifest, VaultStore, private};

use crate::error::{Error, ErrorKind};
use crate::workspace::{Documents, Vault, Workspace, slug_of};

/// What may stand where a vault is made.
const OWN: [&str; 3] = [".cache", ".lock", ".git"];
/// Goes last: a process that waits for the lock must not find another one.
const LOCK: &str = ".lock";

/// A vault in the making.
pub(super) struct Site {
    /// The names that stood there before.
    stood: Vec<OsString>,
    was_there: bool,
}

impl Site {
    /// A directory that holds anything else is not ours. Where another process made a vault meanwhile, there is no site.
    pub(super) fn create(workspace: &Workspace) -> Result<(Option<Self>, Vault), Error> {
        let path = &workspace.vault;
        let site = match Self::look(path) {
            Ok(site) => site,
            Err(error) => return workspace.look()?.map(|vault| (None, vault)).ok_or(error),
        };
        private::create_dir_all(path).map_err(|error| {
            Error::new(ErrorKind::Io, format!("cannot make {}: {error}", path.display()))
                .hint("`steno init --vault DIR` makes it in another place")
        })?;
        // Of several that come at once, the first makes it.
        let _lock = workspace.lock("init")?;
        if let Some(vault) = workspace.look()? {
            return Ok((None, vault));
        }
        let manifest = Manifest {
            version: workspace.version.clone(),
            mode: "local".to_owned(),
            machine: workspace.machine.clone(),
            machine_slug: slug_of(&workspace.machine),
            ..Manifest::default()
        };
        manifest.write(path)?;
        let (store, documents) = (VaultStore::plain(path), Documents::read(path));
        Ok((Some(site), Vault { identity: None, manifest, warnings: Vec::new(), store, documents }))
    }

    fn look(path: &Path) -> Result<Self, Error> {
        let site = Self { stood: names(path), was_there: path.exists() };
        if let Some(other) = site.stood.iter().find(|name| !is_own(name)) {
            let message =
                format!("{} is no vault, and not empty: it holds {}", path.display(), other.display());
            return Err(Error::new(ErrorKind::Exists, message)
                .hint("name an empty directory: `steno init --vault DIR`"));
        }
        Ok(site)
    }

    /// After a failed `init` for an encrypted vault, or with a remote, no plain vault may be left that the next sync would
    /// use. One that is encrypted by now stays.
    pub(super) fn clear(&self, workspace: &Workspace, vault: &Vault) {
        let root = &workspace.vault;
        let Ok(writer) = workspace.writer(vault, "init") else { return };
        let is_sealed = |manifest: &Manifest| !manifest.recipients.is_empty();
        let is_plain = Manifest::read(root).is_ok_and(|manifest| !manifest.as_ref().is_some_and(is_sealed));
        if !is_plain || root.join("machines").exists() {
            return;
        }
        let new = || names(root).into_iter().filter(|name| !self.stood.contains(name));
        for name in new().filter(|name| name != LOCK) {
            remove(&root.join(name));
        }
        drop(writer);
        for name in new() {
            remove(&root.join(name));
        }
        if !self.was_there {
            let _ = fs::remove_dir(root);
        }
    }
}

/// Also what another process is writing, which makes the vault at this moment.
fn is_own(name: &OsString) -> bool {
    name.as_encoded_bytes().starts_with(b".steno-") || OWN.iter().any(|own| name == own)
}

fn names(directory: &Path) -> Vec<OsString> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}

/// What cannot be removed is no vault either.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
