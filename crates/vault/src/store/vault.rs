//! The vault's own directory as a store: everything above uses plain names, whether the vault is encrypted or not.
//!
//! In an encrypted vault the files on the disk have other names and other bytes; only code that handles the files
//! themselves, such as git, has to know. A vault that is being encrypted has plain files beside encrypted ones: of a
//! name that is there twice, the encrypted file counts.

mod batch;
mod listing;
mod names;

use std::borrow::Cow;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::{Batch, Entry, LocalStore, Store};
use crate::encryption::{Encryption, OpenFailure, is_object, is_sound, stays_plain};
use crate::error::Error;
use crate::header::Header;
use crate::name::is_relative;
use crate::segment::is_whole;
use batch::EncryptedBatch;
use names::ObjectNames;

pub use names::KnownObject;

const NAMES: &str = "names.jsonl";
const CACHE: &str = ".cache";

#[derive(Debug, Clone)]
pub struct VaultStore {
    files: LocalStore,
    sealed: Option<Sealed>,
}

/// How an encrypted vault names and encrypts its files.
#[derive(Debug, Clone)]
struct Sealed {
    encryption: Arc<Encryption>,
    /// The names of encrypted files, in memory and in a file of the cache: a list opens no file twice, and needs no key
    /// for known ones.
    names: Arc<ObjectNames>,
    /// The directories below `machines/` of this machine's files, now and by former keys.
    own: Vec<String>,
}

impl VaultStore {
    pub fn plain(root: impl Into<PathBuf>) -> Self {
        Self { files: LocalStore::new(root), sealed: None }
    }

    /// `own` is this machine's name: a file of its own that does not open is an error, while files of other machines may
    /// wait for a key.
    pub fn encrypted(root: impl Into<PathBuf>, encryption: Arc<Encryption>, own: &str) -> Self {
        let files = LocalStore::new(root);
        let names = Arc::new(ObjectNames::new(Some(files.root().join(CACHE).join(NAMES))));
        let sealed = Sealed { encryption, names, own: Vec::new() };
        Self { files, sealed: Some(sealed) }.of_machine(own)
    }

    /// The same, with its cache in another directory: then the vault holds encrypted files only.
    #[must_use]
    pub fn remembering_in(mut self, directory: &Path) -> Self {
        if let Some(sealed) = &mut self.sealed {
            sealed.names = Arc::new(ObjectNames::new(Some(directory.join(NAMES))));
        }
        self
    }

    /// The same for a machine that goes by another name.
    #[must_use]
    pub fn of_machine(mut self, own: &str) -> Self {
        if let Some(sealed) = &mut self.sealed {
            let former = sealed.encryption.former_directories_of(own);
            sealed.own = std::iter::once(sealed.encryption.directory_of(own)).chain(former).collect();
        }
        self
    }

    /// The same directory without the former name keys: files made with such a key are not believed.
    pub(crate) fn without_former(&self) -> Self {
        let sealed = self.sealed.as_ref().map(|sealed| match sealed.encryption.former() {
            [] => sealed.clone(),
            _ => Sealed {
                encryption: Arc::new(sealed.encryption.without_former()),
                names: Arc::new(ObjectNames::new(None)),
                own: Vec::new(),
            },
        });
        Self { files: self.files.clone(), sealed }
    }

    /// The directory of caches.
    pub fn cache(&self) -> PathBuf {
        let names = self.sealed.as_ref().and_then(|sealed| sealed.names.file()?.parent());
        names.map_or_else(|| self.root().join(CACHE), Path::to_owned)
    }

    pub fn root(&self) -> &Path {
        self.files.root()
    }

    /// The files on the disk, under their own names.
    pub fn files(&self) -> &LocalStore {
        &self.files
    }

    /// `None` where the vault is plain.
    pub fn encryption(&self) -> Option<&Encryption> {
        self.sealed.as_ref().map(|sealed| &*sealed.encryption)
    }

    pub fn is_encrypted(&self) -> bool {
        self.sealed.is_some()
    }

    /// The file that a name is kept in; where there is none, the one that it would get.
    pub fn file_of<'a>(&self, name: &'a str) -> Cow<'a, str> {
        let next = self.next_file_of(name);
        let has_former = self.encryption().is_some_and(|encryption| !encryption.former().is_empty());
        if !has_former || self.is_there(&next) {
            return next;
        }
        self.former_files_of(name).next().map_or(next, Cow::Owned)
    }

    /// The file that a name is kept in from now on.
    pub fn next_file_of<'a>(&self, name: &'a str) -> Cow<'a, str> {
        match self.encryption().filter(|_| !is_object(name)) {
            Some(encryption) => Cow::Owned(encryption.object_of(name)),
            None => Cow::Borrowed(name),
        }
    }

    /// Files that it is kept in, too, under names that a former key gave it.
    pub(crate) fn former_files_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        let encryption = self.encryption().filter(|_| !is_object(name));
        let former = encryption.into_iter().flat_map(move |encryption| encryption.former_objects_of(name));
        former.filter(move |file| file != name && self.is_there(file))
    }

    /// The name of the content of a file, if it is known or can be read.
    pub fn name_of(&self, file: &str) -> Option<String> {
        let Some(encryption) = self.encryption() else { return Some(file.to_owned()) };
        if let Some(known) = self.remembered(file) {
            return Some(known.name);
        }
        encryption.envelope(file, self.files.open(file).ok()?).ok().map(|envelope| envelope.name)
    }

    /// The facts of an encrypted file, without opening it.
    pub fn remembered(&self, file: &str) -> Option<KnownObject> {
        let sealed = self.sealed.as_ref()?;
        let mut versions = sealed.names.versions(file, &sealed.encryption);
        if versions.len() < 2 {
            return versions.pop();
        }
        let length = self.files.entry(file).map(|entry| entry.len);
        let place = versions.iter().position(|one| Some(one.encrypted) == length);
        Some(versions.swap_remove(place.unwrap_or(versions.len() - 1)))
    }

    /// Whether these bytes are what this machine encrypted as that file, as far as is remembered.
    pub(crate) fn was_encrypted_here(&self, file: &str, bytes: &[u8]) -> bool {
        self.remembered(file).is_some_and(|known| known.is_same(bytes) == Some(true))
    }

    /// The plain name and bytes of a file, which may come from a remote; `None` where it cannot be opened.
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

    /// Former names of this machine's directory below `machines/`.
    pub fn former_directories(&self) -> Vec<String> {
        self.sealed.iter().flat_map(|sealed| sealed.own.iter().skip(1)).cloned().collect()
    }

    /// The former directories that are empty here.
    pub fn directories_left(&self) -> Vec<String> {
        let is_left = |directory: &String| {
            self.files.list(&format!("machines/{directory}")).is_ok_and(|files| files.is_empty())
        };
        self.former_directories().into_iter().filter(is_left).collect()
    }

    /// Whether files in a place have names by a former key, as far as is remembered.
    pub(crate) fn is_renamed(&self, place: &str) -> bool {
        let Some(encryption) = self.encryption().filter(|encryption| !encryption.former().is_empty()) else {
            return false;
        };
        let files = self.files.list(place).unwrap_or_default();
        let is_former =
            |file: &str| self.remembered(file).is_some_and(|known| encryption.object_of(&known.name) != file);
        files.iter().any(|entry| is_former(&entry.name))
    }

    /// Drops the remembered names of files that are gone.
    pub fn forget_gone(&self) {
        if let Some(sealed) = &self.sealed {
            let is_there = |file: &str| !matches!(self.files.open(file), Err(Error::Missing { .. }));
            sealed.names.retain(&sealed.encryption, is_there);
        }
    }

    /// How many files of other machines the last list left out, because no key opens them.
    pub fn waiting(&self) -> usize {
        self.sealed.as_ref().map_or(0, |sealed| sealed.names.waiting())
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
        let file = self.file_of(name);
        let entry = self.files.entry(&file)?;
        let len = match self.encryption() {
            None => entry.len,
            Some(encryption) => match self.remembered(&file) {
                Some(known) if known.encrypted == entry.len => known.length,
                _ => encryption.envelope(&file, self.files.open(&file).ok()?).ok()?.length,
            },
        };
        Some(Entry { name: name.to_owned(), len, ..entry })
    }

    fn is_there(&self, file: &str) -> bool {
        !matches!(self.open_plain(file), Err(Error::Missing { .. } | Error::BadName { .. }))
    }

    /// A plain name that no file can have is missing.
    fn open_plain(&self, file: &str) -> Result<Box<dyn Read + Send>, Error> {
        match self.files.open(file) {
            Err(Error::Read { source, .. })
                if matches!(source.kind(), io::ErrorKind::InvalidFilename | io::ErrorKind::NotADirectory) =>
            {
                Err(Error::Missing { name: file.to_owned() })
            }
            opened => opened,
        }
    }
}

impl Store for VaultStore {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        let Some(sealed) = &self.sealed else { return self.files.list(below) };
        if !below.is_empty() {
            check(below)?;
        }
        sealed.list(&self.files, below)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        let Some(sealed) = &self.sealed else { return self.files.open(name) };
        check(name)?;
        if stays_plain(name) {
            return self.files.open(name);
        }
        let file = self.file_of(name);
        match self.files.open(&file) {
            Ok(encrypted) => match sealed.encryption.open(&file, encrypted) {
                Err(Error::Locked { reason }) => {
                    self.recalled(&file).ok_or_else(|| sealed.unopened(&file, reason))
                }
                opened => opened.map(|(_, bytes)| bytes),
            },
            Err(Error::Missing { .. }) => self.open_plain(name),
            Err(error) => Err(error),
        }
    }

    fn is_taken(&self, name: &str) -> bool {
        self.files.is_taken(&self.file_of(name)) || self.files.is_taken(name)
    }

    fn header_of(&self, name: &str) -> Option<Header> {
        self.remembered(&self.file_of(name))?.header
    }

    fn is_open(&self) -> bool {
        self.encryption().is_none_or(Encryption::is_open)
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        let inner = self.files.batch()?;
        let Some(sealed) = &self.sealed else { return Ok(inner) };
        Ok(Box::new(EncryptedBatch { store: self, sealed, inner, put: Mutex::default() }))
    }
}

impl VaultStore {
    /// The remembered text of a file that is still the one encrypted here.
    fn recalled(&self, file: &str) -> Option<Box<dyn Read + Send>> {
        let known = self.remembered(file)?;
        let is_same = known.is_same(&self.files.read(file).ok()?) == Some(true);
        let text = known.text.filter(|_| is_same)?;
        Some(Box::new(Cursor::new(text.into_bytes())))
    }
}

impl Sealed {
    /// Why a file does not open. This machine encrypts for the key that is here: its own files are damaged then.
    fn unopened(&self, file: &str, reason: String) -> Error {
        let is_ours = self.encryption.keyring().is_open() && self.encryption.is_for_us();
        if self.is_own(file) && is_ours { OpenFailure::HEADER.about(file) } else { Error::Locked { reason } }
    }

    fn is_own(&self, file: &str) -> bool {
        let directory = file.strip_prefix("machines/").and_then(|below| below.split('/').next());
        directory.is_some_and(|directory| self.own.iter().any(|own| own == directory))
    }
}

/// The store of the files cannot tell: it sees only hashes.
fn check(name: &str) -> Result<(), Error> {
    if is_relative(name) { Ok(()) } else { Err(Error::BadName { name: name.to_owned() }) }
}
