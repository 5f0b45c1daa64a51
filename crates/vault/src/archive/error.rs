//! Why an archive is not written, not believed or not unpacked.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is not a .tar.gz archive", path.display())]
    NotAnArchive { path: PathBuf },
    #[error("{} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("refused {}: '{name}' {trouble}", path.display())]
    Entry { path: PathBuf, name: String, trouble: Trouble },
    #[error("refused {}: it holds more than {limit} bytes", path.display())]
    TooManyBytes { path: PathBuf, limit: u64 },
    #[error("refused {}: it holds more than {limit} files and directories", path.display())]
    TooManyEntries { path: PathBuf, limit: u64 },
    #[error("{} would be overwritten in {}", names.join(", "), into.display())]
    Exists { into: PathBuf, names: Vec<String> },
    #[error("'{name}' would be written outside of {}: a link leads to {}", into.display(), leads_to.display())]
    Outside { into: PathBuf, name: String, leads_to: PathBuf },
    #[error("'{name}' cannot be written: {} is in the way", path.display())]
    InTheWay { name: String, path: PathBuf },
}

/// A fault of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("has no name")]
    Nameless,
    #[error("is an absolute path")]
    Absolute,
    #[error("leads out of its directory")]
    Parent,
    #[error("has a name that is not safe on every system")]
    OddName,
    #[error("has a name that is too long")]
    LongName,
    #[error("is a link")]
    Link,
    #[error("is a device")]
    Device,
    #[error("is a pipe")]
    Pipe,
    #[error("is neither a file nor a directory")]
    OtherKind,
    #[error("appears twice")]
    Twice,
    #[error("is a file and a directory at once")]
    FileAndDirectory,
    #[error("is larger than {limit} bytes")]
    TooLarge { limit: u64 },
}
