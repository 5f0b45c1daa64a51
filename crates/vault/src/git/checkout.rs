//! Other machines' files of a commit → the work tree, whole or not at all, and never over ours.
//!
//! The index says what we put there before, so a run that was killed anywhere is made good by the next one.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::admission::{Admission, Admissions, native};
use super::batch::Batch;
use super::commit::ObjectId;
use super::error::Error;
use super::index::{Difference, PROGRAM};
use super::repository::Repository;
use super::sealed;
use super::warning::Warning;
use crate::encryption::Encryption;
use crate::private;
use crate::rename::rename;
use crate::whole::is_whole;

/// Whose files are put into the work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Others,
    /// Also this machine's, where they are missing: it comes back to a vault it had left.
    Everybody,
}

#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) written: usize,
    pub(super) removed: usize,
    pub(super) warnings: Vec<Warning>,
    /// Files that are gone at the remote, and were left here.
    pub(super) stayed: Vec<Warning>,
}

impl Repository {
    pub(super) fn check_out(
        &self,
        commit: &ObjectId,
        scope: Scope,
        seal: Option<&Encryption>,
    ) -> Result<Received, Error> {
        let aligned = self.alignment(commit.as_str(), &[])?;
        let mut received = Received::default();
        // First the files, then the index: killed in between, the next run finds them on its list again.
        let leaving = self.leaving(commit, &aligned.leaving, seal)?;
        for path in &leaving.removed {
            received.removed += usize::from(self.remove(path)?);
        }
        self.align(&aligned)?;
        received.stayed.extend(leaving.stayed);
        received.warnings.extend(aligned.warnings);
        let missing = self.missing(scope)?;
        if !missing.is_empty() {
            self.write_all(&missing, seal, &mut received)?;
            self.call(["update-index", "-q", "--refresh"]).finish()?;
        }
        Ok(received)
    }

    fn missing(&self, scope: Scope) -> Result<Vec<Difference>, Error> {
        let admissions = Admissions::new(&self.slug);
        let mut differences = self.unstaged()?;
        differences.retain(|difference| match admissions.of(&difference.path) {
            Admission::Theirs => !self.is_left(&difference.path),
            Admission::Older => !self.stands(&difference.path),
            Admission::Ours => {
                scope == Scope::Everybody && difference.path.contains(&b'/') && !self.stands(&difference.path)
            }
            Admission::Refused(_) => false,
        });
        Ok(differences)
    }

    fn stands(&self, path: &[u8]) -> bool {
        native(path).is_some_and(|path| self.root.join(path).symlink_metadata().is_ok())
    }

    fn write_all(
        &self,
        missing: &[Difference],
        seal: Option<&Encryption>,
        received: &mut Received,
    ) -> Result<(), Error> {
        let mut writer = Writer::new(self, seal)?;
        for difference in missing {
            let Some(path) = native(&difference.path) else { continue };
            match writer.put(&path, difference) {
                Ok(true) => received.written += 1,
                Ok(false) => {
                    let message = "what is there does not open as what it should be; what is here stays";
                    received.warnings.push(Warning::new(&difference.path, message));
                }
                Err(Error::File { source, .. }) if is_the_names_fault(&source) => {
                    let message = format!("cannot be written here: {source}");
                    received.warnings.push(Warning::new(&difference.path, message));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// With the directories it leaves empty.
    fn remove(&self, path: &Path) -> Result<bool, Error> {
        if leads_through_link(&self.root, path) {
            return Ok(false);
        }
        let full = self.root.join(path);
        crate::fault::point();
        match fs::remove_file(&full) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound || is_the_names_fault(&error) => {
                return Ok(false);
            }
            Err(error) => return Err(Error::file(&full)(error)),
        }
        let directories = path.ancestors().skip(1).take_while(|parent| parent.components().count() > 1);
        for directory in directories {
            if fs::remove_dir(self.root.join(directory)).is_err() {
                break;
            }
        }
        Ok(true)
    }
}

struct Writer<'a> {
    repository: &'a Repository,
    seal: Option<&'a Encryption>,
    batch: Batch,
    incoming: PathBuf,
    /// Directories that are known to be there, and to be no links.
    known: HashSet<PathBuf>,
}

impl<'a> Writer<'a> {
    fn new(repository: &'a Repository, seal: Option<&'a Encryption>) -> Result<Self, Error> {
        let workshop = repository.workshop();
        private::create_dir_all(&workshop).map_err(Error::file(&workshop))?;
        let incoming = workshop.join("incoming");
        Ok(Self { repository, seal, batch: Batch::start(repository)?, incoming, known: HashSet::new() })
    }

    /// False where that would replace something whole by something damaged.
    fn put(&mut self, path: &Path, difference: &Difference) -> Result<bool, Error> {
        let target = self.repository.root.join(path);
        self.prepare(path).map_err(Error::file(&target))?;
        let mut file =
            create(&self.incoming, difference.old_mode == PROGRAM).map_err(Error::file(&self.incoming))?;
        let copied = self.batch.copy(&difference.old, &mut file);
        let stderr = |error: io::Error| error.to_string();
        let copied = copied
            .map_err(|error| Error::Failed { what: "git cat-file".to_owned(), stderr: stderr(error) })?;
        copied.map_err(Error::file(&self.incoming))?;
        drop(file);
        if self.is_worse(&difference.path, &target) {
            return Ok(false);
        }
        rename(&self.incoming, &target).map_err(Error::file(&target))?;
        Ok(true)
    }

    /// What was sent once never changes, so that one of two versions of a segment is damaged; or was sealed anew.
    fn is_worse(&self, name: &[u8], standing: &Path) -> bool {
        let Ok(name) = std::str::from_utf8(name) else { return false };
        if !standing.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            return false;
        }
        let [standing, incoming] = [standing, &self.incoming].map(|path| fs::read(path).unwrap_or_default());
        if sealed::is_sealed(name) {
            return sealed::is_worse(self.seal, name, &standing, &incoming);
        }
        name.ends_with(".zst") && is_whole(name, &standing) && !is_whole(name, &incoming)
    }

    /// Makes the directories above a file; a link in the way is not followed.
    fn prepare(&mut self, path: &Path) -> io::Result<()> {
        let mut parents = path.ancestors().skip(1).collect::<Vec<_>>();
        parents.reverse();
        for parent in parents {
            if parent.as_os_str().is_empty() || self.known.contains(parent) {
                continue;
            }
            let full = self.repository.root.join(parent);
            match full.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => private_directory().create(&full)?,
                Err(error) => return Err(error),
            }
            self.known.insert(parent.to_owned());
        }
        Ok(())
    }
}

fn leads_through_link(root: &Path, path: &Path) -> bool {
    path.ancestors().skip(1).any(|parent| root.join(parent).is_symlink() && !parent.as_os_str().is_empty())
}

/// As opposed to a full disk, or one that cannot be written to.
fn is_the_names_fault(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let kinds = [Kind::NotADirectory, Kind::IsADirectory, Kind::DirectoryNotEmpty, Kind::InvalidFilename];
    kinds.contains(&error.kind()) || [Kind::InvalidInput, Kind::AlreadyExists].contains(&error.kind())
}

#[cfg(unix)]
fn create(path: &Path, program: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // The mode only counts for a new file.
    let _ = fs::remove_file(path);
    let mode = if program { 0o700 } else { 0o600 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path, _: bool) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).open(path)
}

#[cfg(unix)]
fn private_directory() -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(not(unix))]
fn private_directory() -> DirBuilder {
    DirBuilder::new()
}
