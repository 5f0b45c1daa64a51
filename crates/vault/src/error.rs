//! The errors of the vault.

use std::io;
use std::path::PathBuf;

use crate::damage::Damage;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("nothing is called {name} in the vault")]
    Missing { name: String },
    #[error("{name} is in the vault already")]
    Exists { name: String },
    #[error("'{name}' is no name for something in a vault")]
    BadName { name: String },
    #[error("{0}")]
    Damaged(Box<Damage>),
    #[error("{} was written by a newer version (format {format}; this one knows {known})", path.display())]
    Newer { path: PathBuf, format: u64, known: u64 },
    #[error("{} cannot be understood: {reason}", path.display())]
    Document { path: PathBuf, reason: String },
    /// It is encrypted, and no key here opens it.
    #[error("{reason}")]
    Locked { reason: String },
    #[error("'{recipient}' is no key to encrypt for: {reason}")]
    BadRecipient { recipient: String, reason: &'static str },
    #[error("another process uses the vault: {holder}")]
    Busy { holder: String },
    #[error("the remote cannot be reached: {reason}")]
    Offline { reason: String },
    #[error("the remote refused: {reason}")]
    Refused { reason: String },
}

impl Error {
    pub(crate) fn read(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Write { path, source }
    }

    /// Whether the disk, or a quota, is full.
    pub fn is_full(&self) -> bool {
        let (Self::Read { source, .. } | Self::Write { source, .. }) = self else { return false };
        matches!(
            source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
        )
    }
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Self {
        Self::Damaged(Box::new(damage))
    }
}
