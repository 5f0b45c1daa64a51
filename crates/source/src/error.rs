//! What stops this crate: the thing asked for is not there, or cannot be read at all.
//!
//! Everything smaller is a [`Warning`](crate::Warning) beside the answer.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no such directory: {}", path.display())]
    MissingDirectory { path: PathBuf },
    #[error("not a directory: {}", path.display())]
    NotADirectory { path: PathBuf },
    #[error("no such file: {}", path.display())]
    MissingFile { path: PathBuf },
    #[error("not a regular file: {}", path.display())]
    NotAFile { path: PathBuf },
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

impl Error {
    pub(crate) fn file(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::MissingFile { path },
            _ => Self::Unreadable { path, source },
        }
    }
}
