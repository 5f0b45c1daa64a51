//! The transcripts below a directory, in an order that does not depend on the file system, and their total size.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// A transcript and its size.
#[derive(Debug, Clone)]
pub(crate) struct Transcript {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
}

/// Every `.jsonl` file below `directory`, sorted by path.
pub(crate) fn transcripts(directory: &Path) -> Result<Vec<Transcript>, Error> {
    let mut found = Vec::new();
    visit(directory, &mut |path, bytes| {
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(Transcript { path: path.to_owned(), bytes });
        }
        Ok(())
    })?;
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

/// The lengths of all files below `directory`, in bytes; not the blocks they take, and nothing for directories.
pub(crate) fn bytes_below(directory: &Path) -> Result<u64, Error> {
    let mut sum = 0;
    visit(directory, &mut |_, bytes| {
        sum += bytes;
        Ok(())
    })?;
    Ok(sum)
}

/// Shows every file below `directory` with its length.
pub(crate) fn visit(
    directory: &Path,
    see: &mut dyn FnMut(&Path, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory).map_err(Error::file("read", &directory))? {
            let entry = entry.map_err(Error::file("read", &directory))?;
            let path = entry.path();
            let kind = entry.metadata().map_err(Error::file("look at", &path))?;
            if kind.is_dir() {
                pending.push(path);
            } else {
                see(&path, kind.len())?;
            }
        }
    }
    Ok(())
}

/// Only those of sessions: not those of subagents.
pub(crate) fn sessions(directory: &Path) -> Result<Vec<Transcript>, Error> {
    let agent =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-"));
    Ok(transcripts(directory)?.into_iter().filter(|transcript| !agent(&transcript.path)).collect())
}
