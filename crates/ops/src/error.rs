//! What can go wrong, by kind: one place maps kinds to exit codes, another to HTTP.

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
    /// The system failed.
    Io,
}

impl ErrorKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Ambiguous => "ambiguous",
            Self::Invalid => "invalid",
            Self::Io => "io",
        }
    }

    /// 1 is the user's mistake, 2 the system's failure.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::NotFound | Self::Ambiguous | Self::Invalid => 1,
            Self::Io => 2,
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

    pub(crate) fn unreadable(path: PathBuf, source: std::io::Error) -> Self {
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
                Self::new(ErrorKind::NotFound, error.to_string())
            }
        }
    }
}
