//! Other machines' files of a commit → the work tree, whole or not at all, and never over ours.
//!
//! The index says what we put there before, so a run that was killed anywhere is made good by the next one.

use std::fs;
use std::io;
use std::path::Path;

use super::blobs::Blobs;
use super::commit::ObjectId;
use super::error::Error;
use super::index::{Difference, PROGRAM};
use super::repository::{Repository, native};
use crate::admission::{Admission, Admissions};
use crate::encryption::Encryption;
use crate::private::leads_through_link;
use crate::receive::{Received, Receiver, is_bad_name};
use crate::remote::Warning;
use crate::store::{self, Existing, LocalStore, Store};

/// The machines whose files are put into the work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Others,
    /// Also this machine's, where they are missing: it comes back to a vault it had left.
    Everybody,
}

#[derive(Debug, Default)]
pub(super) struct Incoming {
    pub(super) written: u64,
    pub(super) removed: u64,
    pub(super) warnings: Vec<Warning>,
    /// Files that are gone at the remote, and were left here.
    pub(super) stayed: Vec<Warning>,
}

impl Repository {
    pub(super) fn check_out(
        &self,
        commit: &ObjectId,
        scope: Scope,
        encryption: Option<&Encryption>,
    ) -> Result<Incoming, Error> {
        let aligned = self.alignment(commit.as_str(), &[])?;
        let mut received = Incoming::default();
        // First the files, then the index: killed in between, the next run finds them on its list again.
        let leaving = self.leaving(commit, &aligned.leaving, encryption)?;
        for path in &leaving.removed {
            received.removed += u64::from(self.remove(path)?);
        }
        self.align(&aligned)?;
        received.stayed.extend(leaving.stayed);
        received.warnings.extend(aligned.warnings);
        let missing = self.missing(scope)?;
        if !missing.is_empty() {
            self.write_all(&missing, encryption, &mut received)?;
            self.call(["update-index", "-q", "--refresh"]).finish()?;
        }
        Ok(received)
    }

    fn missing(&self, scope: Scope) -> Result<Vec<Difference>, Error> {
        let admissions = Admissions::new(&self.slug);
        let mut differences = self.unstaged(&[])?;
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
        encryption: Option<&Encryption>,
        received: &mut Incoming,
    ) -> Result<(), Error> {
        let files = LocalStore::new(&self.root);
        let receiver = Receiver { files: &files, encryption };
        let mut blobs = Blobs::start(self)?;
        let batch = files.batch()?;
        let mut outcomes = Vec::new();
        for difference in missing {
            outcomes.push(put(&receiver, &mut blobs, batch.as_ref(), difference)?);
        }
        match batch.commit() {
            Ok(()) => {}
            Err(error) if is_bad_name(&error) => {
                outcomes.clear();
                for difference in missing {
                    let put = |batch: &dyn store::Batch| put(&receiver, &mut blobs, batch, difference);
                    outcomes.push(receiver.put_alone(put)?.unwrap_or_else(|outcome| outcome));
                }
            }
            Err(error) => return Err(error.into()),
        }
        for (difference, outcome) in missing.iter().zip(outcomes) {
            match outcome.objection() {
                Some(objection) => received.warnings.push(Warning::new(&difference.path, objection)),
                None => {
                    received.written += 1;
                    self.make_executable(difference)?;
                }
            }
        }
        Ok(())
    }

    #[cfg(unix)]
    fn make_executable(&self, difference: &Difference) -> Result<(), Error> {
        use std::os::unix::fs::PermissionsExt;
        let Some(path) = native(&difference.path).filter(|_| difference.old_mode == PROGRAM) else {
            return Ok(());
        };
        let path = self.root.join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).map_err(Error::file(&path))
    }

    #[cfg(not(unix))]
    fn make_executable(&self, _: &Difference) -> Result<(), Error> {
        Ok(())
    }

    /// With the directories that it leaves empty.
    fn remove(&self, path: &Path) -> Result<bool, Error> {
        if path.to_str().is_none_or(|name| leads_through_link(&self.root, name)) {
            return Ok(false);
        }
        let full = self.root.join(path);
        crate::fault::point();
        match fs::remove_file(&full).map_err(crate::Error::write(&full)) {
            Ok(()) => {}
            Err(crate::Error::Write { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(false);
            }
            Err(error) if is_bad_name(&error) => return Ok(false),
            Err(error) => return Err(error.into()),
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

fn put(
    receiver: &Receiver<'_>,
    blobs: &mut Blobs,
    batch: &dyn store::Batch,
    difference: &Difference,
) -> Result<Received, crate::Error> {
    let Ok(name) = std::str::from_utf8(&difference.path) else {
        let name = String::from_utf8_lossy(&difference.path).into_owned();
        return Ok(Received::BadName(crate::Error::BadName { name }));
    };
    let bytes = blobs.read(&difference.old).map_err(crate::Error::read(name))?;
    receiver.put(batch, (name, Existing::Replace), &bytes, false)
}
