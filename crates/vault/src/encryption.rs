//! Plain names and bytes ↔ encrypted objects: age files whose names say nothing.
//!
//! Nothing else in the vault knows of encryption. An object is an ordinary age file of ordinary zstd frames, so that
//! `age -d -i identity.txt FILE | zstd -dc` gives what was kept, without this program.

mod age_file;
mod document;
mod envelope;
mod failure;
mod identity;
mod keyring;
mod name;
mod new_key;
mod recipients;

use std::io::{self, Read};

pub use age_file::{begins_encrypted, is_sound};
pub use document::{fingerprint, mac, unwrap_former, unwrap_names, wrap_former, wrap_names};
pub use envelope::Envelope;
pub(crate) use failure::OpenFailure;
pub use keyring::{Key, Keyring, NoPassphrase, Passphrase};
pub use name::{NameKey, is_object, stays_plain};
pub use new_key::{NewKey, is_protected, protect};
pub use recipients::Recipients;

use crate::error::Error;
use crate::header::Header;
use crate::segment::is_whole;
use age_file::AgeFile;
use envelope::Content;

/// The recipients, name keys and secret keys of a vault. Encrypting needs no secret key, only opening does.
#[derive(Debug)]
pub struct Encryption {
    recipients: Recipients,
    names: NameKey,
    /// Name keys that were given up, while objects have names by them.
    former: Vec<NameKey>,
    keyring: Keyring,
}

impl Encryption {
    pub fn new(recipients: Recipients, names: NameKey, keyring: Keyring) -> Self {
        Self { recipients, names, former: Vec::new(), keyring }
    }

    /// Objects that were named by other keys are opened as well; new ones never get such names.
    #[must_use]
    pub fn after(self, former: Vec<NameKey>) -> Self {
        let former = former.into_iter().filter(|key| *key != self.names).collect();
        Self { former, ..self }
    }

    /// The same without the former keys, which a removed recipient still knows.
    pub(crate) fn without_former(&self) -> Self {
        Self::new(self.recipients.clone(), self.names.clone(), self.keyring.clone())
    }

    pub fn recipients(&self) -> &Recipients {
        &self.recipients
    }

    pub fn names(&self) -> &NameKey {
        &self.names
    }

    pub fn former(&self) -> &[NameKey] {
        &self.former
    }

    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// The name of the object that a plain name is encrypted as.
    pub fn object_of(&self, name: &str) -> String {
        self.names.object_of(name)
    }

    /// Its names by the former keys.
    pub fn former_objects_of(&self, name: &str) -> impl Iterator<Item = String> {
        self.former.iter().map(|key| key.object_of(name))
    }

    /// The key by which a name is that of an object.
    fn key_of(&self, object: &str, name: &str) -> Option<&NameKey> {
        std::iter::once(&self.names).chain(&self.former).find(|key| key.object_of(name) == object)
    }

    pub(crate) fn is_named(&self, object: &str, name: &str) -> bool {
        self.key_of(object, name).is_some()
    }

    /// The name of a machine's directory below `machines/`.
    pub fn directory_of(&self, slug: &str) -> String {
        self.names.directory_of(slug)
    }

    /// Its names by the former keys.
    pub fn former_directories_of(&self, slug: &str) -> Vec<String> {
        self.former.iter().map(|key| key.directory_of(slug)).collect()
    }

    /// Whether there is a key at all. Whether it fits shows when an object is opened.
    pub fn can_read(&self) -> bool {
        self.keyring.is_there()
    }

    /// Whether the vault can be read without asking for a passphrase.
    pub(crate) fn is_open(&self) -> bool {
        self.keyring.is_open() && self.is_for_us()
    }

    /// Whether one of the keys is a recipient. May ask for the passphrase.
    pub fn is_for_us(&self) -> bool {
        let is_recipient = |key: &Key| key.recipient().is_some_and(|own| self.recipients.contains(own));
        self.keyring.keys().is_ok_and(|keys| keys.iter().any(is_recipient))
    }

    /// The object of these bytes. Twice the same bytes are two different objects.
    pub fn encrypt(&self, name: &str, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let encrypted = envelope::pack(&self.names, name, bytes)
            .and_then(|(frame, content)| self.recipients.encrypt(&[&frame, &content]));
        encrypted.map_err(Error::write(name))
    }

    /// The plain bytes; a read past their end fails unless they are those that were encrypted.
    pub fn open<R: Read + Send + 'static>(
        &self,
        object: &str,
        encrypted: R,
    ) -> Result<(Envelope, Box<dyn Read + Send>), Error> {
        let opened = self.decrypt(object, encrypted).and_then(|(envelope, key, rest)| {
            let content = Content::new(key, &envelope, rest)?;
            Ok((envelope, content))
        });
        let (envelope, content) = opened.map_err(|failure| failure.about(object))?;
        Ok((envelope, Box::new(content)))
    }

    /// The envelope of an object: reads no more than its first 64 KiB.
    pub fn envelope<R: Read>(&self, object: &str, encrypted: R) -> Result<Envelope, Error> {
        self.look(object, encrypted).map_err(|failure| failure.about(object))
    }

    pub(crate) fn look<R: Read>(&self, object: &str, encrypted: R) -> Result<Envelope, OpenFailure> {
        self.decrypt(object, encrypted).map(|(envelope, ..)| envelope)
    }

    /// The envelope, and the header of a segment.
    pub(crate) fn look_inside<R: Read>(
        &self,
        object: &str,
        encrypted: R,
    ) -> Result<(Envelope, Option<Header>), OpenFailure> {
        let (envelope, _, mut rest) = self.decrypt(object, encrypted)?;
        let is_segment = envelope.name.ends_with(".zst");
        let header = is_segment.then(|| Header::read(&mut rest).ok()).flatten();
        Ok((envelope, header))
    }

    /// The plain name and all plain bytes of an object. Only a holder of the present name key can have made it.
    pub(crate) fn opened(&self, object: &str, encrypted: Vec<u8>) -> Result<(String, Vec<u8>), Error> {
        let (name, plain) = self.opened_ever(object, encrypted)?;
        match self.names.object_of(&name) == object {
            true => Ok((name, plain)),
            false => Err(OpenFailure::HEADER.about(object)),
        }
    }

    /// The same of an object that may be named by a former key.
    pub(crate) fn opened_ever(&self, object: &str, encrypted: Vec<u8>) -> Result<(String, Vec<u8>), Error> {
        let (envelope, mut reader) = self.open(object, io::Cursor::new(encrypted))?;
        let mut plain = Vec::new();
        reader.read_to_end(&mut plain).map_err(Error::read(object))?;
        Ok((envelope.name, plain))
    }

    /// Whether an object is what was encrypted under its name; `None` without a key that opens it.
    pub fn is_whole(&self, object: &str, encrypted: &[u8]) -> Option<bool> {
        match self.opened(object, encrypted.to_vec()) {
            Ok((name, plain)) => Some(is_whole(&name, &plain)),
            Err(Error::Locked { .. }) => None,
            Err(_) => Some(false),
        }
    }

    fn decrypt<R: Read>(
        &self,
        object: &str,
        encrypted: R,
    ) -> Result<(Envelope, &NameKey, impl Read + use<R>), OpenFailure> {
        let encrypted = AgeFile::open(encrypted)?;
        let mut rest = encrypted.decrypt(&self.keyring)?;
        let envelope = Envelope::read(&mut rest)?;
        // Anyone with write access to a remote can move objects there and encrypt new ones for us, but not name them.
        let key = self.key_of(object, &envelope.name).ok_or(OpenFailure::HEADER)?;
        Ok((envelope, key, rest))
    }
}
