//! A plan → files on the disk: all under temporary names first, then each renamed to its own.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Plan;
use super::error::Error;
use super::survey::{State, Target, targets};
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
    let (identical, targets): (Vec<_>, Vec<_>) =
        targets(plan, into)?.into_iter().partition(|target| target.state == State::Identical);
    let existing = targets.iter().filter(|target| target.state == State::Different);
    let existing: Vec<String> = existing.map(|target| target.file.name.clone()).collect();
    if !force && !existing.is_empty() {
        return Err(Error::Exists { into: into.to_owned(), names: existing });
    }
    let mut staging = Staging::default();
    targets.iter().try_for_each(|target| staging.stage(target))?;
    let replaced = if existing.is_empty() { None } else { Some(new_directory(replaced)?) };
    staging.settle(&targets, replaced.as_deref())?;
    Ok(Applied { written: targets.len() as u64, identical: identical.len() as u64, replaced })
}

/// Temporary files and new directories. They are removed unless the files are settled.
#[derive(Debug, Default)]
struct Staging {
    directories: Vec<PathBuf>,
    /// One for each target.
    temporaries: VecDeque<PathBuf>,
}

impl Staging {
    fn stage(&mut self, target: &Target<'_>) -> Result<(), Error> {
        let path = &target.path;
        let cannot_write = |source| Error::Write { path: path.clone(), source };
        let directory = path.parent().unwrap_or(Path::new("."));
        self.make_directory(directory).map_err(cannot_write)?;
        let name = format!(".steno-{}-{}.tmp", std::process::id(), self.temporaries.len());
        let temporary = directory.join(name);
        // Left by a run that was killed.
        let _ = fs::remove_file(&temporary);
        self.temporaries.push_back(temporary.clone());
        let is_executable = target.file.is_executable;
        let written = create(&temporary, is_executable).and_then(|mut file| {
            file.write_all(&target.file.bytes)?;
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

    /// A file that was put in a place since it was looked at stays.
    fn settle(mut self, targets: &[Target<'_>], replaced: Option<&Path>) -> Result<(), Error> {
        // Other programs may put files into the new directories from here on.
        self.directories.clear();
        for target in targets {
            let Some(temporary) = self.temporaries.front() else { break };
            let settled = match replaced.filter(|_| target.state == State::Different) {
                Some(replaced) => replace(temporary, &target.path, &replaced.join(&target.file.name)),
                None => rename_new(temporary, &target.path),
            };
            settled.map_err(|source| Error::Write { path: target.path.clone(), source })?;
            self.temporaries.pop_front();
        }
        Ok(())
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
        for temporary in &self.temporaries {
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

/// The new file gets the permissions of the one that it replaces.
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
