//! What can go wrong, by kind. A face maps the kinds to exit codes, or to HTTP.

use std::path::PathBuf;

/// Why a request could not be answered.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub kind: ErrorKind,
    message: String,
    /// What to try.
    pub hints: Vec<String>,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was asked for is not there.
    NotFound,
    /// A name that means several things.
    Ambiguous,
    /// A request that makes no sense.
    Invalid,
    /// Something stands where the result should go.
    Exists,
    /// A session that is running.
    Running,
    /// Another process holds what is needed.
    Busy,
    /// The vault does not hold what it should.
    Damaged,
    /// Made by a newer version.
    Incompatible,
    /// There is no vault yet.
    NoVault,
    /// The key that opens it is not here.
    Locked,
    /// Another program, or a host, failed or said no.
    Outside,
    /// The system failed.
    Io,
}

impl ErrorKind {
    /// All of them, in the order of their declaration.
    pub const ALL: [Self; 12] = [
        Self::NotFound,
        Self::Ambiguous,
        Self::Invalid,
        Self::Exists,
        Self::Running,
        Self::Busy,
        Self::Damaged,
        Self::Incompatible,
        Self::NoVault,
        Self::Locked,
        Self::Outside,
        Self::Io,
    ];

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Ambiguous => "ambiguous",
            Self::Invalid => "invalid",
            Self::Exists => "exists",
            Self::Running => "running",
            Self::Busy => "busy",
            Self::Damaged => "damaged",
            Self::Incompatible => "incompatible",
            Self::NoVault => "no-vault",
            Self::Locked => "locked",
            Self::Outside => "outside",
            Self::Io => "io",
        }
    }
}

impl Error {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new(), source: None }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub fn unreadable(path: PathBuf, source: std::io::Error) -> Self {
        let message = format!("cannot read {}: {source}", path.display());
        Self { source: Some(Box::new(source)), ..Self::new(ErrorKind::Io, message) }
    }
}

impl From<steno_source::Error> for Error {
    fn from(error: steno_source::Error) -> Self {
        use steno_source::Error as Source;
        match error {
            Source::Unreadable { path, source } => Self::unreadable(path, source),
            Source::MissingDirectory { .. } => Self::new(ErrorKind::NotFound, error.to_string())
                .hint("Claude Code has not run here yet, or its directory is another one: see --claude-dir"),
            Source::NotADirectory { .. } => Self::new(ErrorKind::Invalid, error.to_string())
                .hint("--claude-dir is the directory that holds `projects/`; one file is shown by `steno show PATH`"),
            Source::MissingFile { .. } | Source::NotAFile { .. } => {
                Self::new(ErrorKind::NotFound, error.to_string()).hint("`steno list` shows the sessions there are")
            }
        }
    }
}

impl From<steno_vault::Error> for Error {
    fn from(error: steno_vault::Error) -> Self {
        use steno_vault::Error as Vault;
        let is_full = error.is_full();
        let kind = match &error {
            Vault::Read { .. } | Vault::Write { .. } => ErrorKind::Io,
            Vault::Missing { .. } | Vault::Damaged(_) | Vault::Document { .. } => ErrorKind::Damaged,
            Vault::Exists { .. } | Vault::Busy { .. } => ErrorKind::Busy,
            Vault::BadName { .. } | Vault::BadRecipient { .. } => ErrorKind::Invalid,
            Vault::Newer { .. } => ErrorKind::Incompatible,
            Vault::Locked { .. } => ErrorKind::Locked,
            Vault::Offline { .. } | Vault::Refused { .. } => ErrorKind::Outside,
        };
        let hint = match &error {
            _ if is_full => {
                "the disk is full: nothing that was kept before is harmed; make room and run it again"
            }
            Vault::Write { .. } => "can you write to the vault's directory?",
            Vault::Damaged(_) | Vault::Missing { .. } => {
                "`steno verify --repair` takes it again from the live file or the remote"
            }
            Vault::Newer { .. } => "install the newest version; nothing was changed",
            Vault::Locked { reason } if reason.contains("passphrase") => {
                "run it in a terminal, or set STENO_PASSPHRASE"
            }
            Vault::Locked { .. } => {
                "--identity FILE names the key; `steno key import FILE` keeps it for good"
            }
            Vault::Busy { .. } | Vault::Exists { .. } => "wait until it is done, then run this again",
            _ => "",
        };
        let mapped = Self { source: None, ..Self::new(kind, error.to_string()) };
        let mapped = if hint.is_empty() { mapped } else { mapped.hint(hint) };
        Self { source: Some(Box::new(error)), ..mapped }
    }
}

impl From<steno_vault::git::Error> for Error {
    fn from(error: steno_vault::git::Error) -> Self {
        Self { source: None, ..Self::new(ErrorKind::Outside, error.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_kind_is_left_out_of_the_list() {
        let places: Vec<usize> = ErrorKind::ALL.into_iter().map(|kind| kind as usize).collect();
        assert_eq!(places, (0..=ErrorKind::Io as usize).collect::<Vec<_>>());
    }
}
