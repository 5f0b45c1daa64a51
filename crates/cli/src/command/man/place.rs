//! Pages → files of a directory: all of them, or none, and never over others' files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_ops::{Error, ErrorKind};

use super::page::Page;

/// How our pages begin; the last one led to the first, once.
const OPENINGS: [&str; 3] = [".TH \"STENO", ".TH \"CLAUDE-BACKUP\"", ".so man1/steno.1\n"];

/// What becomes of a page's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Write,
    /// A page of another version is there.
    Overwrite,
    /// The same page is there.
    Identical,
}

/// What would be done with each page; an error where one cannot be written.
pub(super) fn plan(directory: &Path, pages: &[Page]) -> Result<Vec<(PathBuf, Action)>, Error> {
    is_possible(directory)?;
    let step = |page: &Page| {
        let path = directory.join(page.file());
        let action = action(&path, page)?;
        Ok((path, action))
    };
    pages.iter().map(step).collect()
}

/// All of them are written beside their places before the first gets its name.
pub(super) fn apply(directory: &Path, pages: &[Page]) -> Result<(), Error> {
    fs::create_dir_all(directory).map_err(|error| unwritten(directory, &error))?;
    let stage = directory.join(format!(".steno-man.{}", std::process::id()));
    fs::create_dir(&stage).map_err(|error| unwritten(directory, &error))?;
    let outcome = write(&stage, directory, pages);
    // A directory that stays is harmless, and the outcome says more.
    let _ = fs::remove_dir_all(&stage);
    outcome
}

fn write(stage: &Path, directory: &Path, pages: &[Page]) -> Result<(), Error> {
    for page in pages {
        let path = stage.join(page.file());
        fs::write(&path, &page.text).map_err(|error| unwritten(&path, &error))?;
    }
    for page in pages {
        let path = directory.join(page.file());
        fs::rename(stage.join(page.file()), &path).map_err(|error| unwritten(&path, &error))?;
    }
    Ok(())
}

/// It is a directory, or can become one.
fn is_possible(directory: &Path) -> Result<(), Error> {
    let nearest = directory.ancestors().find(|path| fs::symlink_metadata(path).is_ok());
    match nearest.filter(|path| !path.is_dir()) {
        Some(path) => {
            let message = format!("{} is no directory", path.display());
            Err(Error::new(ErrorKind::Exists, message).hint("--dir names a directory, such as man1"))
        }
        None => Ok(()),
    }
}

/// A link is not ours either: it leads to a file of the user's.
fn action(path: &Path, page: &Page) -> Result<Action, Error> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Action::Write),
        Err(error) => return Err(failed("read", path, &error)),
    };
    let text = if metadata.is_file() { fs::read(path) } else { Ok(Vec::new()) };
    let text = text.map_err(|error| failed("read", path, &error))?;
    if text == page.text.as_bytes() {
        return Ok(Action::Identical);
    }
    if OPENINGS.iter().any(|opening| text.starts_with(opening.as_bytes())) {
        return Ok(Action::Overwrite);
    }
    let message = format!("{} is there, and is no page of ours", path.display());
    Err(Error::new(ErrorKind::Exists, message)
        .hint("move it away, or name another directory; nothing was written"))
}

fn unwritten(path: &Path, error: &io::Error) -> Error {
    failed("write", path, error)
}

fn failed(verb: &str, path: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot {verb} {}: {error}", path.display()))
}
