//! What was strange on disk, and did not stop us: one path, one kind, one sentence.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub path: PathBuf,
    pub kind: WarningKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// A Claude directory that was asked for is not there, while another one is.
    MissingDirectory,
    Unreadable,
    DanglingLink,
    /// A link that leads to itself or to a directory above it.
    CyclicLink,
    /// A link to a directory deep inside a session's directory: not followed, it could lead anywhere.
    LinkedDirectory,
    NotADirectory,
    NotAFile,
    /// The name is not UTF-8; the id shown for it is an approximation, the path is exact.
    NameNotText,
    /// A small document beside the transcripts does not hold what it should.
    BadSidecar,
    /// A second file of a session that was written to later elsewhere.
    DuplicateSession,
    /// A subagent whose session is nowhere to be found.
    OrphanAgent,
    /// A session's directory whose transcript is nowhere to be found.
    LeftoverDirectory,
}

impl WarningKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::MissingDirectory => "missing-directory",
            Self::Unreadable => "unreadable",
            Self::DanglingLink => "dangling-link",
            Self::CyclicLink => "cyclic-link",
            Self::LinkedDirectory => "linked-directory",
            Self::NotADirectory => "not-a-directory",
            Self::NotAFile => "not-a-file",
            Self::NameNotText => "name-not-text",
            Self::BadSidecar => "bad-sidecar",
            Self::DuplicateSession => "duplicate-session",
            Self::OrphanAgent => "orphan-agent",
            Self::LeftoverDirectory => "leftover-directory",
        }
    }
}

impl Warning {
    pub(crate) fn new(path: &Path, kind: WarningKind, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), kind, message: message.into() }
    }

    /// `None` when the path is simply gone: the client deletes and renames files while we look.
    pub(crate) fn of_io(path: &Path, error: &io::Error) -> Option<Self> {
        let (kind, message) = match error.kind() {
            _ if is_link_loop(error) => (WarningKind::CyclicLink, "the link leads back to itself".to_owned()),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if path.is_symlink() => {
                (WarningKind::DanglingLink, "the link leads nowhere".to_owned())
            }
            io::ErrorKind::NotFound => return None,
            io::ErrorKind::NotADirectory => {
                (WarningKind::NotADirectory, "a directory is expected here".to_owned())
            }
            _ => (WarningKind::Unreadable, format!("cannot be read: {error}")),
        };
        Some(Self::new(path, kind, message))
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path.display(), self.message)
    }
}

/// `ELOOP`; the standard library's own name for it is not stable yet.
fn is_link_loop(error: &io::Error) -> bool {
    let code = if cfg!(target_os = "linux") { 40 } else { 62 };
    cfg!(unix) && error.raw_os_error() == Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_vanished_is_no_warning() {
        let gone = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(Warning::of_io(Path::new("/nowhere/at/all"), &gone), None);
    }

    #[test]
    fn a_warning_reads_as_path_and_sentence() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let warning = Warning::of_io(Path::new("/a"), &denied).unwrap();
        assert_eq!(warning.kind, WarningKind::Unreadable);
        assert_eq!(warning.to_string(), "/a: cannot be read: permission denied");
    }
}
