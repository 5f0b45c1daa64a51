//! What was strange in a remote, and did not stop us: one path and one sentence.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// As the remote has it, relative to the vault; or the name of a branch or tag.
    pub path: String,
    pub message: String,
}

impl Warning {
    pub(super) fn new(path: &[u8], message: impl Into<String>) -> Self {
        Self { path: String::from_utf8_lossy(path).into_owned(), message: message.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)
    }
}
