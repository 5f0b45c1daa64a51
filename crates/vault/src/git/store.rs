//! A git remote as a store, without a checkout: names are the paths of its newest commit, a batch is a commit on top
//! of it.
//!
//! What [`Repository`] does for a vault that lives in its work tree, this does for a remote that is only looked at,
//! or written to by name. It works in a bare repository, which can be made again at any time.

mod blob;
mod changes;
mod name;
mod send;
mod tip;

use std::io::Read;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use self::blob::Blob;
use self::changes::GitBatch;
use self::name::check;
use self::tip::Tip;
use super::commit::ObjectId;
use super::error::Error;
use super::network::Advertised;
use super::program::Git;
use super::repository::Repository;
use crate::error::Error as VaultError;
use crate::store::{Batch, Entry, Store};

#[derive(Debug)]
pub struct GitStore {
    repository: Repository,
    now: Timestamp,
    /// What was newest when the remote was last asked.
    known: Mutex<Option<Arc<Tip>>>,
    /// Held by whoever fetches or sends: git's own locks make the second one fail.
    turn: Arc<Mutex<()>>,
    is_still: bool,
    /// Emptied once already.
    is_new: AtomicBool,
}

impl GitStore {
    /// The files of the remote at `url`, by way of a bare repository in `directory`, which is made if it is missing.
    /// One process at a time may use the directory. The remote itself is not asked yet.
    pub fn open(git: &Git, directory: &Path, url: &str) -> Result<Self, Error> {
        let repository = Repository::bare(git, directory)?;
        repository.set_remote(url)?;
        repository.maintain()?;
        let (known, turn) = (Mutex::default(), Arc::default());
        let is_new = AtomicBool::new(false);
        Ok(Self { repository, now: Timestamp::UNIX_EPOCH, known, turn, is_still: false, is_new })
    }

    /// When commits are made. They are never older than what they stand on.
    pub fn dated(self, now: Timestamp) -> Self {
        Self { now, ..self }
    }

    /// Asks the remote once; what comes back reads that commit from then on, or its own, and asks only to write. For
    /// many files one after the other.
    pub fn still(&self) -> Result<Self, VaultError> {
        let tip = self.newest()?;
        Ok(Self {
            repository: self.repository.clone(),
            now: self.now,
            known: Mutex::new(Some(tip)),
            turn: Arc::clone(&self.turn),
            is_still: true,
            is_new: AtomicBool::new(true),
        })
    }

    fn newest(&self) -> Result<Arc<Tip>, VaultError> {
        if let Some(known) = self.known().clone().filter(|_| self.is_still) {
            return Ok(known);
        }
        self.ask(|| self.turn()).map_err(|error| self.explain(error))
    }

    /// `turn` is taken only if there is something to fetch.
    fn ask<T>(&self, turn: impl FnOnce() -> T) -> Result<Arc<Tip>, Error> {
        let advertised = self.repository.advertised()?;
        let branch = advertised.branch(self.repository.branch()?);
        let is_newest = |tip: &Arc<Tip>| tip.is(&branch, advertised.tip(&branch));
        if let Some(known) = self.known().clone().filter(is_newest) {
            return Ok(known);
        }
        let _turn = turn();
        match self.fetch(&advertised, &branch) {
            // The wreck of a killed process, or of a full disk: what is here can be had again.
            Err(Error::Failed { .. } | Error::Unexpected { .. }) if !self.is_new.swap(true, Relaxed) => {
                self.repository.empty()?;
                self.fetch(&advertised, &branch)
            }
            fetched => fetched,
        }
    }

    fn fetch(&self, advertised: &Advertised, branch: &str) -> Result<Arc<Tip>, Error> {
        let commit = self.repository.fetch_tip(advertised, branch)?;
        self.stand_on(branch.to_owned(), commit)
    }

    fn stand_on(&self, branch: String, commit: Option<ObjectId>) -> Result<Arc<Tip>, Error> {
        let tip = Arc::new(Tip::read(&self.repository, branch, commit)?);
        *self.known() = Some(Arc::clone(&tip));
        Ok(tip)
    }

    fn known(&self) -> MutexGuard<'_, Option<Arc<Tip>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn explain(&self, error: Error) -> VaultError {
        match error {
            Error::Offline { reason } => VaultError::Offline { reason },
            Error::Refused { reason } => VaultError::Refused { reason },
            Error::File { path, source } => VaultError::Write { path, source },
            error => VaultError::write(&self.repository.directory)(std::io::Error::other(error)),
        }
    }
}

impl Store for GitStore {
    fn list(&self, below: &str) -> Result<Vec<Entry>, VaultError> {
        if !below.is_empty() {
            check(below)?;
        }
        Ok(self.newest()?.list(below))
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, VaultError> {
        check(name)?;
        let tip = self.newest()?;
        let Some(file) = tip.file(name) else { return Err(VaultError::Missing { name: name.to_owned() }) };
        let blob = Blob::open(&self.repository, file).map_err(|error| self.explain(error))?;
        Ok(Box::new(blob))
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, VaultError> {
        Ok(Box::new(GitBatch::new(self)))
    }
}
