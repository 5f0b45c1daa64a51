//! What can go wrong while generating or measuring.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {action} {path}")]
    File { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("cannot run {program}")]
    Run { program: String, source: std::io::Error },
    #[error("{0} holds no transcripts to append to")]
    NoTranscripts(PathBuf),
    #[error("{0} already holds projects; what is there would be counted along")]
    Occupied(PathBuf),
    #[error("{0} failed: {1}")]
    Row(&'static str, String),
    #[error("{0} held {1} bytes of memory, more than the {2} allowed")]
    Memory(&'static str, u64, u64),
    #[error("{0} could not be watched for its memory here")]
    Unwatched(&'static str),
    #[error("no server on loopback")]
    Loopback(#[source] std::io::Error),
    #[error("`{0}` is not a size such as 512, 825K, 64M or 1G")]
    Size(String),
}

impl Error {
    /// For `map_err`: names what was done to which path.
    pub(crate) fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }
}
