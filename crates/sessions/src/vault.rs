//! A vault as it is found on disk: its documents, whose it is, and the store that reads what it keeps.

use std::fs;
use std::path::Path;

use steno_conversation::Warning;
use steno_vault::encryption::unwrap_names;
use steno_vault::{Cached, HomeEntry, Identity, Manifest, Owners, VaultStore};

/// A vault that is there.
#[derive(Debug, Clone)]
pub struct Vault {
    /// `None` for a directory of the original tool that was not yet taken over.
    pub identity: Option<Identity>,
    pub manifest: Manifest,
    /// Documents that were lost.
    pub warnings: Vec<Warning>,
    /// The kept files, by name.
    pub store: VaultStore,
    /// As they were read.
    pub documents: Documents,
}

impl Vault {
    /// Whose the files are whose names do not say it.
    pub fn owners(&self) -> Owners {
        let original = self.identity.as_ref().and_then(|identity| identity.original.clone());
        Owners { own: self.slug().to_owned(), original, ledgers: self.manifest.ledgers.clone() }
    }

    pub fn id(&self) -> &str {
        self.identity.as_ref().map_or("", |identity| identity.id.as_str())
    }

    /// The name that this machine's files are kept under.
    pub fn slug(&self) -> &str {
        &self.manifest.machine_slug
    }

    /// The Claude directories of this machine, with the names they are kept under.
    pub fn home(&self, claude_dir: &Path) -> Option<&HomeEntry> {
        let text = text_of(claude_dir);
        self.manifest.homes.iter().find(|home| home.claude_dir == text)
    }

    /// The Claude directory of this machine that the catalogue lists as `machine`.
    pub fn directory(&self, machine: &str) -> Option<&Path> {
        let own = self.manifest.homes.iter().find(|home| home.slug == machine);
        own.map(|home| Path::new(&home.claude_dir))
    }

    /// The same, unless it is the one that is written to without a word.
    pub fn other_directory(&self, machine: &str, usual: Option<&Path>) -> Option<&Path> {
        let usual = usual.and_then(|usual| self.home(usual));
        self.directory(machine).filter(|_| usual.is_none_or(|usual| usual.slug != machine))
    }

    /// Whether a machine of the catalogue is this one.
    pub fn is_own(&self, machine: &str) -> bool {
        machine == self.slug()
            || machine.strip_prefix(self.slug()).is_some_and(|rest| rest.starts_with("/homes/"))
    }

    /// The name below `machines/` of the directory that this machine's files lie in.
    pub fn own_directory(&self) -> String {
        self.store.directory_of(self.slug())
    }

    /// Directories that were this machine's, by keys that were given up. While files are still being named anew, those
    /// that none is left in.
    pub fn directories_left(&self) -> Vec<String> {
        match self.manifest.sealing {
            true => self.store.directories_left(),
            false => self.store.former_directories(),
        }
    }

    /// Whether the vault can be read. May ask for a passphrase.
    pub fn is_readable(&self) -> bool {
        self.store.encryption().is_none_or(|seal| {
            let names = self.identity.as_ref().and_then(|identity| identity.names.as_deref());
            seal.is_for_us() || names.is_some_and(|names| unwrap_names(names, seal.keyring()).is_ok())
        })
    }

    /// The same, without asking the user.
    pub fn is_readable_at_once(&self) -> bool {
        self.store.encryption().is_none_or(|seal| seal.keyring().is_open()) && self.is_readable()
    }

    /// Whether the vault is sent to an object store.
    pub fn has_object_store(&self) -> bool {
        self.manifest.mode == "s3"
    }

    pub fn has_remote(&self) -> bool {
        matches!(self.manifest.mode.as_str(), "github" | "git" | "s3")
    }

    /// The store, with the names and places that were read before.
    pub fn cached(&self) -> Cached {
        Cached::new(self.store.clone(), self.id(), self.owners())
    }
}

/// The bytes of `vault.json` and `manifest.json`, where they are there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documents([Option<Vec<u8>>; 2]);

impl Documents {
    pub fn read(vault: &Path) -> Self {
        Self(["vault.json", "manifest.json"].map(|name| fs::read(vault.join(name)).ok()))
    }
}

/// As it is written into the manifest: the real path where there is one.
pub fn text_of(claude_dir: &Path) -> String {
    let real = steno_vault::real(claude_dir).unwrap_or_else(|_| claude_dir.to_owned());
    real.to_string_lossy().into_owned()
}

/// A host's name as the name of a directory: small letters, digits and dashes.
pub fn slug_of(name: &str) -> String {
    let plain = |character: char| {
        if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' }
    };
    let dashed: String = name.chars().map(plain).collect();
    let parts: Vec<&str> = dashed.split('-').filter(|part| !part.is_empty()).collect();
    let slug: String = parts.join("-").chars().take(60).collect();
    if slug.is_empty() { "machine".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_name_becomes_a_plain_one() {
        assert_eq!(slug_of("Ann's MacBook.local"), "ann-s-macbook-local");
        assert_eq!(slug_of("büro"), "b-ro");
        assert_eq!(slug_of("../../etc"), "etc");
        assert_eq!(slug_of("日本"), "machine");
    }
}
