//! A plan → files on the disk: all under temporary names first, then each renamed to its own.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::Error;
use super::survey::{Target, survey};
use super::{Plan, PlannedFile, read};
use crate::rename::rename;

/// How many files were dealt with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Applied {
    pub written: u64,
    /// Were there with the same bytes.
    pub identical: u64,
}

/// Unpacks an archive into a directory. Different files that are there are an error, or overwritten with `force`.
pub fn apply(plan: &Plan, into: &Path, force: bool) -> Result<Applied, Error> {
    let survey = survey(plan, into)?;
    if !force && !survey.existing.is_empty() {
        return Err(Error::Exists { into: into.to_owned(), names: survey.existing });
    }
    let mut staging = Staging::default();
    staging.fill(plan, &survey.targets)?;
    let written = staging.files.len() as u64;
    staging.settle()?;
    Ok(Applied { written, identical: survey.identical.len() as u64 })
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

    fn settle(mut self) -> Result<(), Error> {
        let mut files = std::mem::take(&mut self.files).into_iter();
        while let Some((temporary, path)) = files.next() {
            if let Err(source) = rename(&temporary, &path) {
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
