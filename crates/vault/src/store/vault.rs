//! The vault's own directory as a store: everything above uses plain names.
//!
//! In an encrypted vault the files on the disk have other names and other bytes; only who handles the files themselves,
//! such as git, has to know.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Batch, EncryptedStore, Entry, LocalStore, Store};
use crate::encryption::{Encryption, is_object, is_sound};
use crate::error::Error;
use crate::header::Header;
use crate::whole::is_whole;

/// Where the names of encrypted files are remembered.
const NAMES: &str = "names.jsonl";
const CACHE: &str = ".cache";

#[derive(Debug, Clone)]
pub enum VaultStore {
    Plain(LocalStore),
    Encrypted(EncryptedStore<LocalStore>),
}

impl VaultStore {
    pub fn plain(root: impl Into<PathBuf>) -> Self {
        Self::Plain(LocalStore::new(root))
    }

    /// `own` is this machine's name.
    pub fn encrypted(root: impl Into<PathBuf>, encryption: Arc<Encryption>, own: &str) -> Self {
        let files = LocalStore::new(root);
        let names = files.root().join(CACHE).join(NAMES);
        Self::Encrypted(EncryptedStore::remembering(files, encryption, names).of_machine(own))
    }

    /// The same, with its cache in another directory: then the vault holds encrypted files only.
    #[must_use]
    pub fn remembering_in(self, directory: &Path) -> Self {
        match self {
            Self::Plain(files) => Self::Plain(files),
            Self::Encrypted(encrypted) => Self::Encrypted(encrypted.remembering_in(directory.join(NAMES))),
        }
    }

    /// The directory of caches.
    pub fn cache(&self) -> PathBuf {
        let memory = self.encrypted_store().and_then(EncryptedStore::memory);
        memory.and_then(Path::parent).map_or_else(|| self.root().join(CACHE), Path::to_owned)
    }

    /// The same for a machine that goes by another name.
    #[must_use]
    pub fn of_machine(self, own: &str) -> Self {
        match self {
            Self::Plain(files) => Self::Plain(files),
            Self::Encrypted(encrypted) => Self::Encrypted(encrypted.of_machine(own)),
        }
    }

    pub fn root(&self) -> &Path {
        self.files().root()
    }

    /// The files on the disk, under their own names.
    pub fn files(&self) -> &LocalStore {
        match self {
            Self::Plain(files) => files,
            Self::Encrypted(encrypted) => encrypted.inner(),
        }
    }

    fn encrypted_store(&self) -> Option<&EncryptedStore<LocalStore>> {
        match self {
            Self::Plain(_) => None,
            Self::Encrypted(encrypted) => Some(encrypted),
        }
    }

    /// What it is encrypted with; nothing where it is plain.
    pub fn encryption(&self) -> Option<&Encryption> {
        self.encrypted_store().map(EncryptedStore::encryption)
    }

    pub fn is_encrypted(&self) -> bool {
        self.encryption().is_some()
    }

    /// The name of the file, below the vault, that something is kept in.
    pub fn file_of<'a>(&self, name: &'a str) -> Cow<'a, str> {
        match self.encrypted_store().filter(|_| !is_object(name)) {
            Some(encrypted) => Cow::Owned(encrypted.object_of(name)),
            None => Cow::Borrowed(name),
        }
    }

    /// The name of the file that it is kept in from now on, where that is another one.
    pub fn next_file_of<'a>(&self, name: &'a str) -> Cow<'a, str> {
        match self.encryption().filter(|_| !is_object(name)) {
            Some(encryption) => Cow::Owned(encryption.object_of(name)),
            None => Cow::Borrowed(name),
        }
    }

    /// Files that it is kept in, too, under names that a former key gave it.
    pub fn former_files_of(&self, name: &str) -> Vec<String> {
        let encrypted = self.encrypted_store().filter(|_| !is_object(name));
        encrypted.map(|encrypted| encrypted.former_of(name).collect()).unwrap_or_default()
    }

    /// The same directory without the former name keys: files made with such a key are not believed.
    pub(crate) fn without_former(&self) -> Self {
        match self {
            Self::Encrypted(encrypted) if !encrypted.encryption().former().is_empty() => {
                Self::Encrypted(EncryptedStore::new(
                    encrypted.inner().clone(),
                    Arc::new(encrypted.encryption().without_former()),
                ))
            }
            store => store.clone(),
        }
    }

    /// The name of the content of a file, if known.
    pub fn name_of(&self, file: &str) -> Option<String> {
        self.encrypted_store().map_or_else(|| Some(file.to_owned()), |encrypted| encrypted.name_of(file))
    }

    /// The same without opening it.
    pub(crate) fn remembered_name(&self, file: &str) -> Option<String> {
        match self {
            Self::Plain(_) => Some(file.to_owned()),
            Self::Encrypted(encrypted) => encrypted.remembered(file).map(|known| known.name),
        }
    }

    /// Whether these bytes are what this machine encrypted as that file, as far as is remembered.
    pub(crate) fn was_encrypted_here(&self, file: &str, bytes: &[u8]) -> bool {
        let Self::Encrypted(encrypted) = self else { return false };
        encrypted.remembered(file).is_some_and(|known| known.is_same(bytes) == Some(true))
    }

    /// What a file holds, which may come from somewhere else than the disk; `None` where it cannot be opened.
    pub fn open_file(&self, file: &str, bytes: Vec<u8>) -> Option<(String, Vec<u8>)> {
        match self.encryption() {
            None => Some((file.to_owned(), bytes)),
            Some(encryption) => encryption.opened_ever(file, bytes).ok(),
        }
    }

    /// Whether a file is what its own hash or checksum says; of an encrypted one without its key, or with
    /// another one, whether it looks so.
    pub fn is_whole(&self, file: &str, bytes: &[u8]) -> bool {
        let Some(encryption) = self.encryption() else { return is_whole(file, bytes) };
        encryption.is_whole(file, bytes).unwrap_or_else(|| !encryption.is_for_us() && is_sound(bytes))
    }

    /// The name below `machines/` of the directory of a machine's files.
    pub fn directory_of(&self, slug: &str) -> String {
        self.encryption().map_or_else(|| slug.to_owned(), |encryption| encryption.directory_of(slug))
    }

    /// What this machine's directory below `machines/` was called before.
    pub fn former_directories(&self) -> Vec<String> {
        self.encrypted_store().map(EncryptedStore::former_directories).unwrap_or_default()
    }

    /// Whether files in a place have names by a former key, as far as is remembered.
    pub(crate) fn is_renamed(&self, place: &str) -> bool {
        let Some(encryption) = self.encryption().filter(|encryption| !encryption.former().is_empty()) else {
            return false;
        };
        let files = self.files().list(place).unwrap_or_default();
        let is_former =
            |file: &str| self.remembered_name(file).is_some_and(|name| encryption.object_of(&name) != file);
        files.iter().any(|entry| is_former(&entry.name))
    }

    /// Those of them that nothing is left in here.
    pub fn directories_left(&self) -> Vec<String> {
        let is_left = |directory: &String| {
            self.files().list(&format!("machines/{directory}")).is_ok_and(|files| files.is_empty())
        };
        self.former_directories().into_iter().filter(is_left).collect()
    }

    /// Drops the remembered names of files that are gone.
    pub fn forget_gone(&self) {
        self.encrypted_store().iter().for_each(|encrypted| encrypted.forget_gone());
    }

    /// How many files of other machines wait for a key.
    pub fn waiting(&self) -> usize {
        self.encrypted_store().map_or(0, EncryptedStore::waiting)
    }

    /// Files that no key opens because they are damaged, and of which not even the name is known.
    pub fn unopened(&self) -> Result<Vec<String>, Error> {
        if !self.is_encrypted() {
            return Ok(Vec::new());
        }
        let entries = self.list("")?.into_iter();
        Ok(entries.map(|entry| entry.name).filter(|name| is_object(name)).collect())
    }

    /// The entry of one name, without reading it.
    pub fn look(&self, name: &str) -> Option<Entry> {
        let metadata = self.root().join(&*self.file_of(name)).symlink_metadata().ok();
        let metadata = metadata.filter(std::fs::Metadata::is_file)?;
        let len = match self {
            Self::Plain(_) => metadata.len(),
            Self::Encrypted(encrypted) => plain_length(encrypted, name, metadata.len())?,
        };
        Some(Entry { name: name.to_owned(), len, modified: metadata.modified().ok() })
    }
}

/// As it is remembered, else as the file says itself.
fn plain_length(encrypted: &EncryptedStore<LocalStore>, name: &str, sealed_length: u64) -> Option<u64> {
    let object = encrypted.object_of(name);
    let known = encrypted.remembered(&object).filter(|known| known.encrypted == sealed_length);
    let told = || encrypted.encryption().envelope(&object, encrypted.inner().open(&object).ok()?).ok();
    known.map(|known| known.length).or_else(|| told().map(|envelope| envelope.length))
}

impl VaultStore {
    fn inner(&self) -> &dyn Store {
        match self {
            Self::Plain(files) => files,
            Self::Encrypted(encrypted) => encrypted,
        }
    }
}

impl Store for VaultStore {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        self.inner().list(below)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        self.inner().open(name)
    }

    fn is_taken(&self, name: &str) -> bool {
        self.inner().is_taken(name)
    }

    fn header_of(&self, name: &str) -> Option<Header> {
        self.inner().header_of(name)
    }

    fn is_open(&self) -> bool {
        self.inner().is_open()
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        self.inner().batch()
    }
}
