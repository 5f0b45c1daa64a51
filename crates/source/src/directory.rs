//! One directory → its entries in the order of their names, links resolved, what cannot be read as warnings.

#[cfg(any(test, not(any(target_os = "linux", target_os = "android"))))]
mod portable;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod system;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::atlas::{Atlas, Look};
use crate::warning::{Warning, WarningKind};
#[cfg(not(any(target_os = "linux", target_os = "android")))]
use portable::{each, measure};
#[cfg(any(target_os = "linux", target_os = "android"))]
use system::{each, measure};

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
    /// Length and time of transcripts that are no links: asked for beside the name, they cost half.
    pub(crate) measured: Option<(u64, SystemTime)>,
    /// What else was seen then.
    pub(crate) look: Option<Look>,
}

impl Entry {
    pub(crate) fn name(&self) -> &OsStr {
        name_of(&self.path)
    }

    /// The name without its extension.
    pub(crate) fn stem(&self) -> &OsStr {
        stem_of(self.name())
    }
}

/// What stands last in the path of an entry. To take the whole path apart takes several times as long.
#[cfg(unix)]
pub(crate) fn name_of(path: &Path) -> &OsStr {
    use std::os::unix::ffi::OsStrExt;
    let last = path.as_os_str().as_bytes().rsplit(|byte| *byte == b'/').next();
    OsStr::from_bytes(last.unwrap_or_default())
}

#[cfg(not(unix))]
pub(crate) fn name_of(path: &Path) -> &OsStr {
    path.file_name().unwrap_or_default()
}

/// A name without its extension, as the standard library has it, which would take the name apart as a path.
#[cfg(unix)]
fn stem_of(name: &OsStr) -> &OsStr {
    use std::os::unix::ffi::OsStrExt;
    let bytes = name.as_bytes();
    let dot = bytes.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0);
    OsStr::from_bytes(bytes.get(..dot.unwrap_or(bytes.len())).unwrap_or_default())
}

#[cfg(not(unix))]
fn stem_of(name: &OsStr) -> &OsStr {
    Path::new(name).file_stem().unwrap_or_default()
}

/// What a directory tells of something in it.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    path: PathBuf,
    /// Nothing for a link: what it leads to is asked for.
    kind: Option<Kind>,
    measured: Option<(u64, SystemTime)>,
}

/// A directory that is not there has no entries.
pub(crate) fn list(directory: &Path, warnings: &mut Vec<Warning>) -> Vec<Entry> {
    list_by(&Atlas::default(), directory, warnings)
}

/// The same; what an atlas knows is not listed again.
pub(crate) fn list_by(atlas: &Atlas<'_>, directory: &Path, warnings: &mut Vec<Warning>) -> Vec<Entry> {
    let look = atlas.look(directory);
    if let Some(look) = &look
        && let Some(entries) = recalled(atlas, directory, look, warnings)
    {
        return entries;
    }
    let mut entries = Vec::new();
    let before = warnings.len();
    let read = each(atlas.roots(), directory, |found| match found.and_then(resolve) {
        Ok(entry) => entries.push(entry),
        Err((path, error)) => warnings.extend(Warning::of_io(&path, &error)),
    });
    // All in one directory: whole paths are in the order of their names.
    entries.sort_unstable_by(|one, other| one.path.as_os_str().cmp(other.path.as_os_str()));
    match (read, look) {
        (Err(error), _) => warnings.extend(Warning::of_io(directory, &error)),
        (Ok(()), Some(look)) if warnings.len() == before => atlas.note(directory, look, &entries),
        _ => {}
    }
    entries
}

/// What is in a directory that looks as it did when it was listed.
fn recalled(
    atlas: &Atlas<'_>,
    directory: &Path,
    look: &Look,
    warnings: &mut Vec<Warning>,
) -> Option<Vec<Entry>> {
    let names = atlas.names(directory, look)?;
    let start = start_of(directory);
    // Some people have one project with thousands of sessions.
    let found = steno_cores::portion(names, |(name, kind)| {
        let path = joined(&start, name);
        let is_measured = kind == Some(Kind::File) && is_measured(name.as_encoded_bytes());
        let (measured, look) = if is_measured { measure(atlas.roots(), &path).unzip() } else { (None, None) };
        resolve(Found { path, kind, measured }).map(|entry| Entry { look: look.flatten(), ..entry })
    });
    let mut entries = Vec::with_capacity(found.len());
    for found in found {
        match found {
            Ok(entry) => entries.push(entry),
            Err((path, error)) => warnings.extend(Warning::of_io(&path, &error)),
        }
    }
    Some(entries)
}

/// How the paths of all that is in a directory begin.
fn start_of(directory: &Path) -> OsString {
    let mut start = directory.as_os_str().to_owned();
    if !start.is_empty() && !start.as_encoded_bytes().ends_with(b"/") {
        start.push("/");
    }
    start
}

/// In one piece: a path that is joined grows.
fn joined(start: &OsStr, name: &OsStr) -> PathBuf {
    let mut path = OsString::with_capacity(start.len() + name.len());
    path.push(start);
    path.push(name);
    path.into()
}

fn resolve(found: Found) -> Result<Entry, (PathBuf, io::Error)> {
    let Found { path, kind, measured } = found;
    if let Some(kind) = kind {
        return Ok(Entry { path, kind, linked: false, measured, look: None });
    }
    match fs::metadata(&path) {
        Ok(metadata) => {
            let kind = kind_of(metadata.file_type());
            Ok(Entry { path, kind, linked: true, measured: None, look: None })
        }
        Err(error) => Err((path, error)),
    }
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
pub(crate) fn files_below(atlas: &Atlas<'_>, directory: &Path, warnings: &mut Vec<Warning>) -> Vec<Entry> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in list_by(atlas, &directory, warnings) {
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;
    use crate::atlas::Roots;

    type Answer = Result<Found, PathBuf>;

    fn sorted(
        read: impl FnOnce(&mut dyn FnMut(Result<Found, (PathBuf, io::Error)>)) -> io::Result<()>,
    ) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::new();
        let read = read(&mut |found| answers.push(found.map_err(|(path, _)| path)));
        assert!(read.is_ok(), "{read:?}");
        answers.sort_by_key(|answer| match answer {
            Ok(found) => found.path.clone(),
            Err(path) => path.clone(),
        });
        answers
    }

    #[test]
    fn the_system_and_the_standard_library_tell_the_same() {
        let place = tempfile::tempdir().unwrap();
        let long = "n".repeat(255);
        for name in ["a.jsonl", "é.jsonl", ".jsonl", "notes", &long] {
            fs::write(place.path().join(name), name).unwrap();
        }
        for (name, seconds) in [("old.jsonl", 1_000_000_000.5), ("new.jsonl", 4e9)] {
            let file = File::create(place.path().join(name)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds)).unwrap();
        }
        let ancient = File::create(place.path().join("ancient.jsonl")).unwrap();
        ancient.set_modified(SystemTime::UNIX_EPOCH - Duration::from_millis(1500)).unwrap();
        fs::create_dir(place.path().join("directory.jsonl")).unwrap();
        for (to, name) in [("a.jsonl", "link.jsonl"), ("nowhere", "broken"), (".", "circle")] {
            std::os::unix::fs::symlink(to, place.path().join(name)).unwrap();
        }
        for name in (0..2000).map(|number| format!("{number}-{}.jsonl", "x".repeat(40))) {
            fs::write(place.path().join(name), "").unwrap();
        }
        let roots = Roots::default();
        let ours = sorted(|visit| system::each(&roots, place.path(), visit));
        let theirs = sorted(|visit| portable::each(&roots, place.path(), visit));
        assert_eq!(ours.len(), 2012);
        assert_eq!(ours, theirs);
    }

    #[test]
    fn stems_are_those_of_the_standard_library() {
        for name in ["a.jsonl", "a.b.c", "a", ".hidden", ".hidden.jsonl", "a.", "..a", "...", "", "é.x"] {
            assert_eq!(
                Some(stem_of(name.as_ref())),
                Path::new(name).file_stem().or(Some("".as_ref())),
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_no_directory_is_told_alike() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for path in [file.path(), Path::new("/nowhere/at/all")] {
            let roots = Roots::default();
            let (ours, theirs) = (system::each(&roots, path, drop), portable::each(&roots, path, drop));
            assert_eq!(ours.unwrap_err().kind(), theirs.unwrap_err().kind());
        }
    }
}
