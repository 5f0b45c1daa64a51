//! What was strange on disk, said like what was strange in a transcript.

use std::path::Path;

use steno_conversation::Warning;

use crate::error::Error;

pub fn on_disk(warning: &steno_source::Warning) -> Warning {
    at(&warning.path, warning.kind.name(), warning.message.clone())
}

pub fn unreadable(path: &Path, error: &Error) -> Warning {
    at(path, "unreadable", error.to_string())
}

/// Something about a whole file, or about no file at all.
pub fn at(path: &Path, kind: &str, message: String) -> Warning {
    Warning { file: path.display().to_string(), line: None, kind: kind.to_owned(), message }
}
