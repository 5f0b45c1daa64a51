//! Bytes from a remote → a file of the vault: whole or not at all, and nothing outside of the vault's directory.

use std::io::ErrorKind;

use crate::encryption::Encryption;
use crate::error::Error;
use crate::private::leads_through_link;
use crate::replacement::may_replace;
use crate::store::{Batch, Existing, LocalStore, Store};

/// The outcome for one file.
#[derive(Debug)]
pub(crate) enum Received {
    /// Also where the same bytes are there already.
    Written,
    /// Another file has the name, and nothing proves that this one may take its place.
    Unproven,
    BehindLink,
    /// The name cannot be one of a file here.
    BadName(Error),
}

impl Received {
    /// Why the file was not written.
    pub(crate) fn objection(&self) -> Option<String> {
        match self {
            Self::Written => None,
            Self::Unproven => Some("it does not belong there, and what is here stays".to_owned()),
            Self::BehindLink => Some("a link is in the way, and is not followed".to_owned()),
            Self::BadName(error) => Some(format!("cannot be written here: {error}")),
        }
    }
}

pub(crate) struct Receiver<'a> {
    pub(crate) files: &'a LocalStore,
    pub(crate) encryption: Option<&'a Encryption>,
}

impl Receiver<'_> {
    /// `is_sure` for bytes that this machine is known to have sent itself.
    pub(crate) fn put(
        &self,
        batch: &dyn Batch,
        (name, existing): (&str, Existing),
        bytes: &[u8],
        is_sure: bool,
    ) -> Result<Received, Error> {
        if leads_through_link(self.files.root(), name) {
            return Ok(Received::BehindLink);
        }
        let standing = self.files.read(name).ok();
        // A first try together with other files may have written it.
        if standing.as_deref() == Some(bytes) {
            return Ok(Received::Written);
        }
        let is_free = existing == Existing::Refuse || is_sure;
        if standing.is_some_and(|standing| !is_free && !may_replace(self.encryption, name, &standing, bytes))
        {
            return Ok(Received::Unproven);
        }
        match batch.put(name, bytes, existing) {
            Ok(()) => Ok(Received::Written),
            Err(error) => bad_name(error),
        }
    }

    /// Writes one file by itself, after a batch failed because of the name of another.
    pub(crate) fn put_alone<T>(
        &self,
        put: impl FnOnce(&dyn Batch) -> Result<T, Error>,
    ) -> Result<Result<T, Received>, Error> {
        let batch = self.files.batch()?;
        let done = put(batch.as_ref())?;
        match batch.commit() {
            Ok(()) => Ok(Ok(done)),
            Err(error) => bad_name(error).map(Err),
        }
    }
}

fn bad_name(error: Error) -> Result<Received, Error> {
    if is_bad_name(&error) { Ok(Received::BadName(error)) } else { Err(error) }
}

/// Whether only this name cannot be written, as opposed to a disk that is full or read-only.
pub(crate) fn is_bad_name(error: &Error) -> bool {
    match error {
        Error::Exists { .. } | Error::BadName { .. } => true,
        Error::Write { source, .. } => matches!(
            source.kind(),
            ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::DirectoryNotEmpty
                | ErrorKind::InvalidFilename
                | ErrorKind::InvalidInput
                | ErrorKind::AlreadyExists
        ),
        _ => false,
    }
}
