//! Where bytes that the vault lost may still be: the live Claude directories, git, and an object store.

use std::cell::OnceCell;
use std::fs::File;
use std::path::PathBuf;

use steno_vault::git::Repository;
use steno_vault::s3::ObjectStore;
use steno_vault::{RepairSource, Store, VaultStore, is_whole, path_of};

use crate::remote_vault;
use crate::workspace::{Vault, Workspace};

#[derive(Debug)]
pub(super) struct Sources {
    /// The Claude directories, by the machine they are kept as.
    homes: Vec<(String, PathBuf)>,
    repository: Option<Repository>,
    object_store: Option<ObjectStore>,
    store: VaultStore,
    /// Whether the remote is worth asking; it is asked once.
    fetched: OnceCell<bool>,
    has_remote: bool,
}

impl Sources {
    /// The caller holds the vault's lock.
    pub(super) fn open(workspace: &Workspace, vault: &Vault) -> Self {
        let homes = vault.manifest.homes.iter();
        let git = workspace.git().filter(|_| workspace.vault.join(".git").exists());
        Self {
            homes: homes.map(|home| (home.slug.clone(), PathBuf::from(&home.claude_dir))).collect(),
            repository: git.and_then(|git| {
                Repository::open_or_init(&git, &workspace.vault, &vault.own_directory()).ok()
            }),
            object_store: object_store(workspace, vault),
            store: vault.store.clone(),
            fetched: OnceCell::new(),
            has_remote: vault.has_remote(),
        }
    }
}

/// The object store that everything was sent to.
fn object_store(workspace: &Workspace, vault: &Vault) -> Option<ObjectStore> {
    let url = vault.manifest.remote.as_deref().filter(|_| vault.has_object_store())?;
    remote_vault::object_store(workspace, &vault.manifest, url).ok()
}

impl RepairSource for Sources {
    fn live(&self, machine: &str, path: &str) -> Option<File> {
        let (_, claude_dir) = self.homes.iter().find(|(slug, _)| slug == machine)?;
        let path = claude_dir.join(path_of(path)?);
        path.is_file().then(|| File::open(path).ok()).flatten()
    }

    /// The latest commit may be as damaged as the vault: then an older version is taken.
    fn sent(&self, segment: &str) -> Option<Vec<u8>> {
        let file = self.store.file_of(segment);
        let whole = |bytes: Vec<u8>| {
            let (_, plain) = self.store.open_file(&file, bytes)?;
            is_whole(segment, &plain).then_some(plain)
        };
        if let Some(object_store) = &self.object_store {
            return object_store.read(&file).ok().and_then(whole);
        }
        let repository = self.repository.as_ref()?;
        let now = repository.read(&*file).ok().flatten().and_then(whole);
        let older = || {
            let versions = repository.versions(&*file).unwrap_or_default();
            versions.iter().filter_map(|version| repository.bytes_of(version).ok()).find_map(whole)
        };
        now.or_else(older).or_else(|| {
            let is_fetched = *self.fetched.get_or_init(|| self.has_remote && repository.fetch().is_ok());
            is_fetched.then(older).flatten()
        })
    }
}
