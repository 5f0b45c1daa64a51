//! One directory → its entries in the order of their names, links resolved, what cannot be read as warnings.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::warning::{Warning, WarningKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    /// A pipe, socket or device: opening one can block for ever.
    Special,
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: OsString,
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    pub(crate) linked: bool,
    /// Of transcripts that are no links: asked for beside the name, it costs half.
    pub(crate) metadata: Option<fs::Metadata>,
}

/// A directory that is not there has no entries.
pub(crate) fn list(directory: &Path, warnings: &mut Vec<Warning>) -> Vec<Entry> {
    let found = match fs::read_dir(directory) {
        Ok(found) => found,
        Err(error) => {
            warnings.extend(Warning::of_io(directory, &error));
            return Vec::new();
        }
    };
    let mut entries = Vec::new();
    for entry in found {
        match entry {
            Ok(entry) => entries.extend(resolve(&entry, warnings)),
            Err(error) => warnings.extend(Warning::of_io(directory, &error)),
        }
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries
}

fn resolve(entry: &fs::DirEntry, warnings: &mut Vec<Warning>) -> Option<Entry> {
    let path = entry.path();
    let own = entry.file_type();
    let linked = own.as_ref().is_ok_and(fs::FileType::is_symlink);
    let resolved = if linked { fs::metadata(&path).map(|metadata| metadata.file_type()) } else { own };
    match resolved {
        Ok(file_type) => {
            // Windows tells the size of an open file late there.
            let is_wanted =
                cfg!(unix) && file_type.is_file() && !linked && path.extension() == Some(OsStr::new("jsonl"));
            let metadata = if is_wanted { entry.metadata().ok() } else { None };
            Some(Entry { name: entry.file_name(), path, kind: kind_of(file_type), linked, metadata })
        }
        Err(error) => {
            warnings.extend(Warning::of_io(&path, &error));
            None
        }
    }
}

fn kind_of(file_type: fs::FileType) -> Kind {
    if file_type.is_file() {
        Kind::File
    } else if file_type.is_dir() {
        Kind::Directory
    } else {
        Kind::Special
    }
}

/// All files below a directory. Links to directories are named, not followed, so the walk stays inside and ends.
pub(crate) fn files_below(directory: &Path, warnings: &mut Vec<Warning>) -> Vec<Entry> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in list(&directory, warnings) {
            match entry.kind {
                Kind::File => files.push(entry),
                Kind::Directory if entry.linked => warnings.push(refuse_link(&entry.path)),
                Kind::Directory => open.push(entry.path),
                Kind::Special => warnings.push(not_a_file(&entry.path)),
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

pub(crate) fn not_a_file(path: &Path) -> Warning {
    Warning::new(path, WarningKind::NotAFile, "a regular file is expected here")
}

pub(crate) fn refuse_link(path: &Path) -> Warning {
    if leads_up(path) {
        Warning::new(path, WarningKind::CyclicLink, "the link leads back to a directory it stands in")
    } else {
        Warning::new(path, WarningKind::LinkedDirectory, "a link to a directory is not followed here")
    }
}

pub(crate) fn leads_up(link: &Path) -> bool {
    let place = link.parent().map(fs::canonicalize);
    match (fs::canonicalize(link), place) {
        (Ok(target), Some(Ok(place))) => place.starts_with(target),
        _ => false,
    }
}
