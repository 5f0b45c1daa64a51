//! Changes under plain names → changes of encrypted files.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{KnownObject, Sealed, VaultStore, check};
use crate::encryption::stays_plain;
use crate::error::Error;
use crate::store::{Batch, Existing};

#[derive(Debug)]
pub(super) struct EncryptedBatch<'a> {
    pub(super) store: &'a VaultStore,
    pub(super) sealed: &'a Sealed,
    pub(super) inner: Box<dyn Batch + 'a>,
    /// Remembered once the batch is durable.
    pub(super) put: Mutex<HashMap<String, KnownObject>>,
}

impl EncryptedBatch<'_> {
    fn put(&self) -> MutexGuard<'_, HashMap<String, KnownObject>> {
        self.put.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch for EncryptedBatch<'_> {
    fn put(&self, name: &str, bytes: &[u8], existing: Existing) -> Result<(), Error> {
        check(name)?;
        if stays_plain(name) {
            return self.inner.put(name, bytes, existing);
        }
        let object = self.sealed.encryption.object_of(name);
        let encrypted = self.sealed.encryption.encrypt(name, bytes)?;
        self.inner.put(&object, &encrypted, existing)?;
        self.put().insert(object.clone(), KnownObject::new(object, name, bytes, &encrypted));
        Ok(())
    }

    fn withdraw(&self, name: &str) -> Result<(), Error> {
        let object = self.sealed.encryption.object_of(name);
        self.put().remove(&object);
        self.inner.withdraw(&object)
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        check(name)?;
        let object = self.sealed.encryption.object_of(name);
        let is_put = self.put().contains_key(&object);
        if is_put || self.store.is_there(&object) {
            self.inner.remove(&object)?;
        }
        self.store.former_files_of(name).try_for_each(|former| self.inner.remove(&former))?;
        // Otherwise a plain file, left from before, would count again.
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
                self.sealed.names.learn(put.into_values().collect());
                Ok(())
            }
        }
    }
}
