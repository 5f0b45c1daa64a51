//! A store whose names and bytes only key holders can read, over any other store.
//!
//! Above it, everything uses plain names; below it, there are only encrypted objects. A vault on its way to being encrypted
//! has both: where a name is there twice, the encrypted one counts.

mod listing;
mod names;

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Batch, Entry, Existing, Store};
use crate::encryption::{self, Encryption, OpenFailure};
use crate::error::Error;
use crate::header::Header;
use names::ObjectNames;

pub use names::KnownObject;

#[derive(Debug, Clone)]
pub struct EncryptedStore<S> {
    inner: S,
    encryption: Arc<Encryption>,
    memory: Arc<ObjectNames>,
    /// The directories of this machine's objects, now and by former keys.
    own: Vec<String>,
}

impl<S: Store> EncryptedStore<S> {
    /// Names are learned from the objects, and forgotten with it.
    pub fn new(inner: S, encryption: Arc<Encryption>) -> Self {
        Self { inner, encryption, memory: Arc::new(ObjectNames::new(None)), own: Vec::new() }
    }

    /// Names are also kept in a file, so that a list opens no object twice, and needs no key for known ones.
    pub fn remembering(inner: S, encryption: Arc<Encryption>, file: PathBuf) -> Self {
        Self { inner, encryption, memory: Arc::new(ObjectNames::new(Some(file))), own: Vec::new() }
    }

    /// The same, with the names in another file.
    pub fn remembering_in(self, file: PathBuf) -> Self {
        Self { memory: Arc::new(ObjectNames::new(Some(file))), ..self }
    }

    /// The file that names are kept in, if any.
    pub fn memory(&self) -> Option<&Path> {
        self.memory.file()
    }

    /// What cannot be opened of this machine is an error; what others encrypted may be waiting for a key.
    pub fn of_machine(mut self, slug: &str) -> Self {
        let directories = std::iter::once(self.encryption.directory_of(slug));
        let directories = directories.chain(self.encryption.former_directories_of(slug));
        self.own = directories.map(|directory| format!("machines/{directory}")).collect();
        self
    }

    /// What this machine's directory below `machines/` was called before.
    pub fn former_directories(&self) -> Vec<String> {
        let former = self.own.iter().skip(1).filter_map(|own| own.strip_prefix("machines/"));
        former.map(str::to_owned).collect()
    }

    pub fn inner(&self) -> &S {
        &self.inner
    }

    pub fn encryption(&self) -> &Encryption {
        &self.encryption
    }

    /// The object of a name; where none is there, the one that it would get.
    pub fn object_of(&self, name: &str) -> String {
        let object = self.encryption.object_of(name);
        if self.encryption.former().is_empty() || self.is_there(&object) {
            return object;
        }
        self.former_of(name).next().unwrap_or(object)
    }

    /// Objects that are there under names which it had before.
    pub fn former_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        let former = self.encryption.former_objects_of(name).filter(move |object| object != name);
        former.filter(|object| self.is_there(object))
    }

    /// The plain name of an object, if it is known or can be read.
    pub fn name_of(&self, object: &str) -> Option<String> {
        if let Some(known) = self.remembered(object) {
            return Some(known.name);
        }
        let encrypted = self.inner.open(object).ok()?;
        self.encryption.envelope(object, encrypted).ok().map(|envelope| envelope.name)
    }

    /// The facts of an object, without opening it.
    pub fn remembered(&self, object: &str) -> Option<KnownObject> {
        let mut versions = self.memory.versions(object, &self.encryption);
        if versions.len() < 2 {
            return versions.pop();
        }
        let length = self.inner.len_of(object);
        let place = versions.iter().position(|one| Some(one.encrypted) == length);
        Some(versions.swap_remove(place.unwrap_or(versions.len() - 1)))
    }

    /// Drops the remembered names of objects that are gone.
    pub fn forget_gone(&self) {
        self.memory.retain(&self.encryption, |object| {
            !matches!(self.inner.open(object), Err(Error::Missing { .. }))
        });
    }

    /// How many objects the last list left out, because no key opens them.
    pub fn waiting(&self) -> usize {
        self.memory.waiting()
    }

    fn is_there(&self, file: &str) -> bool {
        !matches!(self.open_file(file), Err(Error::Missing { .. } | Error::BadName { .. }))
    }

    /// What has no place as a plain name is not there as one.
    fn open_file(&self, file: &str) -> Result<Box<dyn Read + Send>, Error> {
        match self.inner.open(file) {
            Err(Error::Read { source, .. })
                if matches!(source.kind(), io::ErrorKind::InvalidFilename | io::ErrorKind::NotADirectory) =>
            {
                Err(Error::Missing { name: file.to_owned() })
            }
            opened => opened,
        }
    }

    /// The remembered text of an object that is still the one encrypted here.
    fn recalled(&self, object: &str) -> Option<Box<dyn Read + Send>> {
        let known = self.remembered(object)?;
        let encrypted = self.inner.read(object).ok()?;
        let text = known.is_same(&encrypted).filter(|is_same| *is_same).and(known.text)?;
        Some(Box::new(io::Cursor::new(text.into_bytes())))
    }

    /// Why an object does not open. This machine encrypts for the key that is here: its own objects are damaged then.
    fn unopened(&self, object: &str, reason: String) -> Error {
        let is_damaged =
            self.is_own(object) && self.encryption.keyring().is_open() && self.encryption.is_for_us();
        if is_damaged { OpenFailure::HEADER.about(object) } else { Error::Locked { reason } }
    }

    fn is_own(&self, object: &str) -> bool {
        self.own.iter().any(|own| listing::is_below(object, own))
    }

    fn open_plain(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        if encryption::is_object(name) {
            let encrypted = self.inner.open(name)?;
            return self.encryption.open(name, encrypted).map(|(_, bytes)| bytes);
        }
        self.open_file(name)
    }
}

impl<S: Store> Store for EncryptedStore<S> {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        if !below.is_empty() {
            check(below)?;
        }
        self.listing(below)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        check(name)?;
        if encryption::stays_plain(name) {
            return self.inner.open(name);
        }
        let object = self.object_of(name);
        match self.inner.open(&object) {
            Ok(encrypted) => match self.encryption.open(&object, encrypted) {
                Err(Error::Locked { reason }) => {
                    self.recalled(&object).ok_or_else(|| self.unopened(&object, reason))
                }
                opened => opened.map(|(_, bytes)| bytes),
            },
            Err(Error::Missing { .. }) => self.open_plain(name),
            Err(error) => Err(error),
        }
    }

    fn is_taken(&self, name: &str) -> bool {
        self.inner.is_taken(&self.object_of(name)) || self.inner.is_taken(name)
    }

    fn header_of(&self, name: &str) -> Option<Header> {
        self.remembered(&self.object_of(name))?.header
    }

    fn is_open(&self) -> bool {
        self.encryption.is_open()
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        Ok(Box::new(EncryptedBatch { store: self, inner: self.inner.batch()?, put: Mutex::default() }))
    }
}

#[derive(Debug)]
struct EncryptedBatch<'a, S> {
    store: &'a EncryptedStore<S>,
    inner: Box<dyn Batch + 'a>,
    /// Learned when it is there.
    put: Mutex<HashMap<String, KnownObject>>,
}

impl<S> EncryptedBatch<'_, S> {
    fn put(&self) -> MutexGuard<'_, HashMap<String, KnownObject>> {
        self.put.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Store> Batch for EncryptedBatch<'_, S> {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
        check(name)?;
        if encryption::stays_plain(name) {
            return self.inner.put(name, bytes, existing);
        }
        let encryption = &self.store.encryption;
        let object = encryption.object_of(name);
        let encrypted = encryption.encrypt(name, bytes)?;
        self.inner.put(&object, &encrypted, existing)?;
        self.put().insert(object.clone(), KnownObject::new(object, name, bytes, &encrypted));
        Ok(())
    }

    fn withdraw(&self, name: &str) -> Result<(), Error> {
        let object = self.store.encryption.object_of(name);
        self.put().remove(&object);
        self.inner.withdraw(&object)
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        check(name)?;
        let object = self.store.encryption.object_of(name);
        let is_put = self.put().contains_key(&object);
        if is_put || self.store.is_there(&object) {
            self.inner.remove(&object)?;
        }
        self.store.former_of(name).try_for_each(|former| self.inner.remove(&former))?;
        // Otherwise a plain one, left from before, would come to light.
        if object != name && self.store.is_there(name) { self.inner.remove(name) } else { Ok(()) }
    }

    fn commit(self: Box<Self>) -> Result<(), Error> {
        let mut put = std::mem::take(&mut *self.put());
        match self.inner.commit() {
            Err(Error::Exists { name: object }) => {
                let name = put.remove(&object).map_or(object, |put| put.name);
                Err(Error::Exists { name })
            }
            Err(error) => Err(error),
            Ok(()) => {
                self.store.memory.learn(put.into_values().collect());
                Ok(())
            }
        }
    }
}

/// Relative, and nowhere upwards. The inner store cannot tell: it sees only hashes.
fn check(name: &str) -> Result<(), Error> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    if name.split('/').all(is_plain) { Ok(()) } else { Err(Error::BadName { name: name.to_owned() }) }
}
