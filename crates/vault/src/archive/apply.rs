//! A plan → files on the disk: all under temporary names first, then each renamed to its own.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::Error;
use super::survey::{Target, survey};
use super::{Plan, PlannedFile, read};
use crate::private;
use crate::rename::{exchange, rename, rename_new};

/// How many files were dealt with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    pub written: u64,
    /// Were there with the same bytes.
    pub identical: u64,
    /// The directory that files which were there have been moved to.
    pub replaced: Option<PathBuf>,
}

/// Unpacks an archive into a directory. Different files that are there are an error, or replaced with `force`: then
/// they move to a new directory below `replaced`, under the names that they had.
pub fn apply(plan: &Plan, into: &Path, force: bool, replaced: &Path) -> Result<Applied, Error> {
    let survey = survey(plan, into)?;
    if !force && !survey.existing.is_empty() {
        return Err(Error::Exists { into: into.to_owned(), names: survey.existing });
    }
    let mut staging = Staging::default();
    staging.fill(plan, &survey.targets)?;
    let written = staging.files.len() as u64;
    let replaced = if survey.existing.is_empty() { None } else { Some(new_directory(replaced)?) };
    let old = replaced.as_deref().map(|replaced| Replaced { names: &survey.existing, directory: replaced });
    staging.settle(&survey.targets, old.as_ref())?;
    Ok(Applied { written, identical: survey.identical.len() as u64, replaced })
}

/// What was made so far, and goes away again unless it is settled.
#[derive(Debug, Default)]
struct Staging {
    directories: Vec<PathBuf>,
    /// Temporary name and final name.
    files: Vec<(PathBuf, PathBuf)>,
}

impl Staging {
    fn fill(&mut self, plan: &Plan, targets: &[Target]) -> Result<(), Error> {
        let planned: BTreeMap<&str, &PlannedFile> =
            plan.files.iter().map(|file| (file.name.as_str(), file)).collect();
        let mut targets: BTreeMap<&str, &Path> =
            targets.iter().map(|target| (target.name.as_str(), target.path.as_path())).collect();
        let changed = || Error::Changed { path: plan.path.clone() };
        read::walk(&plan.path, plan.limits, |name, is_executable, bytes| {
            let file = planned.get(name).ok_or_else(changed)?;
            if file.hash != blake3::hash(bytes) {
                return Err(changed());
            }
            match targets.remove(name) {
                Some(path) => self.stage(path, is_executable, bytes),
                None => Ok(()),
            }
        })?;
        if targets.is_empty() { Ok(()) } else { Err(changed()) }
    }

    fn stage(&mut self, path: &Path, is_executable: bool, bytes: &[u8]) -> Result<(), Error> {
        let cannot_write = |source| Error::Write { path: path.to_owned(), source };
        let directory = path.parent().unwrap_or(Path::new("."));
        self.make_directory(directory).map_err(cannot_write)?;
        let temporary = directory.join(format!(".steno-{}-{}.tmp", std::process::id(), self.files.len()));
        // Left by a run that was killed.
        let _ = fs::remove_file(&temporary);
        self.files.push((temporary.clone(), path.to_owned()));
        let written = create(&temporary, is_executable).and_then(|mut file| {
            file.write_all(bytes)?;
            keep_permissions(&file, path, is_executable)?;
            file.sync_all()
        });
        written.map_err(cannot_write)
    }

    fn make_directory(&mut self, directory: &Path) -> io::Result<()> {
        if directory.is_dir() {
            return Ok(());
        }
        if let Some(parent) = directory.parent() {
            self.make_directory(parent)?;
        }
        fs::create_dir(directory)?;
        self.directories.push(directory.to_owned());
        Ok(())
    }

    /// A file that came to lie in a place since it was looked at stays.
    fn settle(mut self, targets: &[Target], replaced: Option<&Replaced<'_>>) -> Result<(), Error> {
        let names: BTreeMap<&Path, &str> =
            targets.iter().map(|target| (target.path.as_path(), target.name.as_str())).collect();
        let mut files = std::mem::take(&mut self.files).into_iter();
        while let Some((temporary, path)) = files.next() {
            let name = names.get(path.as_path()).copied().unwrap_or_default();
            let old = replaced.and_then(|replaced| replaced.place_of(name));
            let settled = match old {
                Some(old) => replace(&temporary, &path, &old),
                None => rename_new(&temporary, &path),
            };
            if let Err(source) = settled {
                self.files.push((temporary, path.clone()));
                self.files.extend(files);
                // Others may have come to lie in them by now.
                self.directories.clear();
                return Err(Error::Write { path, source });
            }
        }
        self.directories.clear();
        Ok(())
    }
}

/// Where files go that are replaced.
struct Replaced<'a> {
    names: &'a [String],
    directory: &'a Path,
}

impl Replaced<'_> {
    fn place_of(&self, name: &str) -> Option<PathBuf> {
        self.names.iter().any(|replaced| replaced == name).then(|| self.directory.join(name))
    }
}

/// The old file keeps its bytes, also those that a program writes to it this very moment.
fn replace(temporary: &Path, path: &Path, old: &Path) -> io::Result<()> {
    private::create_dir_all(old.parent().unwrap_or(Path::new(".")))?;
    rename(temporary, old)?;
    match exchange(old, path) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            rename(old, temporary)?;
            if fs::hard_link(path, old).is_err() {
                rename(path, old)?;
            }
            rename(temporary, path)
        }
        Err(error) => {
            rename(old, temporary)?;
            Err(error)
        }
        swapped => swapped,
    }
}

/// The directory, or the first like it that is not there.
fn new_directory(directory: &Path) -> Result<PathBuf, Error> {
    let cannot_write = |source| Error::Write { path: directory.to_owned(), source };
    private::create_dir_all(directory.parent().unwrap_or(Path::new("."))).map_err(cannot_write)?;
    for number in 1..1000 {
        let ending = if number == 1 { String::new() } else { format!("-{number}") };
        let mut path = directory.as_os_str().to_owned();
        path.push(ending);
        let path = PathBuf::from(path);
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot_write(error)),
            Ok(()) => return Ok(path),
        }
    }
    Err(cannot_write(io::ErrorKind::AlreadyExists.into()))
}

impl Drop for Staging {
    fn drop(&mut self) {
        for (temporary, _) in &self.files {
            let _ = fs::remove_file(temporary);
        }
        for directory in self.directories.iter().rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "there is no such permission"))]
fn create(path: &Path, is_executable: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if is_executable { 0o755 } else { 0o644 });
    options.open(path)
}

/// Somebody who made a file private wants the new one private too.
#[cfg(unix)]
fn keep_permissions(file: &File, path: &Path, is_executable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let Ok(existing) = fs::metadata(path) else { return Ok(()) };
    let mode = existing.permissions().mode() & 0o777;
    let mode = if is_executable { mode | (mode & 0o444) >> 2 } else { mode };
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_permissions(_: &File, _: &Path, _: bool) -> io::Result<()> {
    Ok(())
}
