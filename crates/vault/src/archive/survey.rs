//! A plan and a directory → which files would be written there, and which files are in the way.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{Error, Trouble};
use super::{Plan, PlannedFile};

/// The names of an archive's files, by what an unpacking would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    pub new: Vec<String>,
    /// There, and different.
    pub existing: Vec<String>,
    /// There, with the same bytes: nothing is to be done.
    pub identical: Vec<String>,
}

/// A file of the archive, and its place on the disk.
pub(super) struct Target<'a> {
    pub(super) file: &'a PlannedFile,
    pub(super) path: PathBuf,
    pub(super) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Missing,
    Different,
    Identical,
}

/// Fails where a file cannot be written whatever is forced: through a link out of the directory, or over a directory.
pub fn survey(plan: &Plan, into: &Path) -> Result<Survey, Error> {
    let mut survey = Survey::default();
    for target in targets(plan, into)? {
        let names = match target.state {
            State::Missing => &mut survey.new,
            State::Different => &mut survey.existing,
            State::Identical => &mut survey.identical,
        };
        names.push(target.file.name.clone());
    }
    Ok(survey)
}

pub(super) fn targets<'a>(plan: &'a Plan, into: &Path) -> Result<Vec<Target<'a>>, Error> {
    let root = resolve(into)?;
    let mut places = BTreeSet::new();
    let mut targets = Vec::new();
    for file in &plan.files {
        let path = place(&root, into, &file.name)?;
        if !places.insert(path.clone()) {
            // Two names that a link inside of the directory makes one.
            let (path, name) = (plan.path.clone(), file.name.clone());
            return Err(Error::Entry { path, name, trouble: Trouble::Twice });
        }
        let state = state(file, &path)?;
        targets.push(Target { file, path, state });
    }
    Ok(targets)
}

/// The directory as it really is; one that is to be made is where its parent really is.
fn resolve(directory: &Path) -> Result<PathBuf, Error> {
    let cannot_read = |source| Error::Read { path: directory.to_owned(), source };
    match directory.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !directory.is_symlink() => {
            let absolute = std::path::absolute(directory).map_err(cannot_read)?;
            match (absolute.parent(), absolute.file_name()) {
                (Some(parent), Some(name)) => Ok(resolve(parent)?.join(name)),
                _ => Err(cannot_read(error)),
            }
        }
        resolved => resolved.map_err(cannot_read),
    }
}

/// The path that a name leads to through links; it must be below the root.
fn place(root: &Path, into: &Path, name: &str) -> Result<PathBuf, Error> {
    let mut place = root.to_owned();
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        place.push(part);
        if parts.peek().is_none() {
            break;
        }
        let in_the_way = |path: &Path| Error::InTheWay { name: name.to_owned(), path: path.to_owned() };
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(Error::Read { path: place, source }),
            Ok(metadata) if metadata.is_dir() => {}
            Ok(metadata) if metadata.is_symlink() => {
                let leads_to = place.canonicalize().map_err(|_| in_the_way(&place))?;
                if !leads_to.starts_with(root) {
                    return Err(Error::Outside { into: into.to_owned(), name: name.to_owned(), leads_to });
                }
                if !leads_to.is_dir() {
                    return Err(in_the_way(&place));
                }
                place = leads_to;
            }
            Ok(_) => return Err(in_the_way(&place)),
        }
    }
    Ok(place)
}

/// A link at the end is replaced, never written through, so it may lead anywhere.
fn state(file: &PlannedFile, path: &Path) -> Result<State, Error> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(State::Missing),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
        Ok(metadata) if metadata.is_dir() => {
            Err(Error::InTheWay { name: file.name.clone(), path: path.to_owned() })
        }
        Ok(_) if is_identical(file, path) => Ok(State::Identical),
        Ok(_) => Ok(State::Different),
    }
}

fn is_identical(file: &PlannedFile, path: &Path) -> bool {
    let is_candidate =
        |metadata: fs::Metadata| metadata.is_file() && metadata.len() == file.bytes.len() as u64;
    fs::metadata(path).is_ok_and(is_candidate) && fs::read(path).is_ok_and(|bytes| bytes == file.bytes)
}
