//! The errors of git and of GitHub.
//!
//! Texts that came from outside are masked and cut to one line before they get here.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} is not installed", program.display())]
    NotInstalled { program: PathBuf },
    #[error("cannot run {}", program.display())]
    Unrunnable { program: PathBuf, source: io::Error },
    #[error("{what} failed: {stderr}")]
    Failed { what: String, stderr: String },
    #[error("{what} gave an answer that cannot be read: {answer}")]
    Unexpected { what: String, answer: String },
    #[error("the remote cannot be reached: {reason}")]
    Offline { reason: String },
    #[error("the remote refused: {reason}")]
    Refused { reason: String },
    #[error("the vault has no remote")]
    NoRemote,
    #[error("not an address git can use: {url:?}")]
    BadAddress { url: String },
    #[error("not a name for a machine: {slug:?}")]
    BadSlug { slug: String },
    #[error("another machine has this one's name at the remote")]
    SlugTaken,
    #[error("not this machine's to record: {}", path.display())]
    NotOurs { path: PathBuf },
    #[error("cannot use {}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Vault(#[from] crate::Error),
    #[error("gh is not signed in")]
    NotSignedIn,
    #[error("{url} is public; sessions are only sent to a private repository")]
    PublicRepository { url: String },
}

impl Error {
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}
