//! One directory → its entries in the order of their names, links resolved, what cannot be read as warnings.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::layout::modified_of;
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
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    pub(crate) linked: bool,
    /// Length and time of transcripts that are no links: asked for while listing, they cost half.
    pub(crate) measured: Option<(u64, SystemTime)>,
}

impl Entry {
    pub(crate) fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    /// The name without its extension.
    pub(crate) fn stem(&self) -> &OsStr {
        self.path.file_stem().unwrap_or_default()
    }
}

/// A directory that is not there has no entries.
pub(crate) fn list(directory: &Path, warnings: &mut Vec<Warning>) -> Vec<Entry> {
    let mut entries = Vec::new();
    if let Err(error) = read(directory, &mut entries, warnings) {
        warnings.extend(Warning::of_io(directory, &error));
    }
    entries.sort_unstable_by(|one, other| one.path.as_os_str().cmp(other.path.as_os_str()));
    entries
}

fn read(directory: &Path, entries: &mut Vec<Entry>, warnings: &mut Vec<Warning>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        match look_at(&entry) {
            Ok(entry) => entries.push(entry),
            Err(error) => warnings.extend(Warning::of_io(&entry.path(), &error)),
        }
    }
    Ok(())
}

fn look_at(entry: &fs::DirEntry) -> io::Result<Entry> {
    let path = entry.path();
    let own = entry.file_type()?;
    if own.is_symlink() {
        let kind = kind_of(fs::metadata(&path)?.file_type());
        return Ok(Entry { path, kind, linked: true, measured: None });
    }
    // Windows tells the size of an open file late here.
    let is_wanted = cfg!(unix) && own.is_file() && is_measured(entry.file_name().as_encoded_bytes());
    let metadata = if is_wanted { entry.metadata().ok() } else { None };
    let measured = metadata.map(|metadata| (metadata.len(), modified_of(&metadata)));
    Ok(Entry { path, kind: kind_of(own), linked: false, measured })
}

/// Whether a file's length and time will be asked for.
fn is_measured(name: &[u8]) -> bool {
    name.ends_with(b".jsonl")
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
    files.sort_by(|one, other| one.path.as_os_str().cmp(other.path.as_os_str()));
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
