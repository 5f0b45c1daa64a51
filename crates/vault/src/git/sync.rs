//! Pull what other machines sent, push what was recorded; again when another machine's push came first.

use std::thread;
use std::time::Duration;

use jiff::Timestamp;

use super::checkout::{Incoming, Scope};
use super::commit::ObjectId;
use super::error::Error;
use super::network::Advertised;
use super::repository::Repository;
use super::root_file::VAULT;
use crate::encryption::Encryption;
use crate::remote::{Outcome, Synced, backoff};

pub(super) const ROUNDS: u32 = 20;
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(3);

#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub now: Timestamp,
    /// Gets the remote's `vault.json` (empty where there is none) before anything is pulled or pushed. Returns why the
    /// remote is not for this vault.
    pub objection: &'a dyn Fn(&[u8]) -> Option<String>,
    /// Opens other machines' encrypted files, to tell whether they are whole.
    pub encryption: Option<&'a Encryption>,
}

impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Request").field("now", &self.now).finish_non_exhaustive()
    }
}

impl Repository {
    pub fn sync(&self, request: Request<'_>) -> Result<Synced, Error> {
        let mut received = Incoming::default();
        let outcome = self.pull_and_push(request, &mut received);
        self.conclude(outcome, received, request)
    }

    /// Learns what the remote has, and changes nothing else.
    pub fn fetch(&self) -> Result<(), Error> {
        self.fetch_upstream().map(drop)
    }

    /// Whether anything was ever recorded here.
    pub fn has_history(&self) -> Result<bool, Error> {
        Ok(self.head()?.is_some())
    }

    /// The remote's `vault.json`, as it is now. Nothing is written but what git keeps for itself.
    pub fn remote_vault(&self) -> Result<Option<Vec<u8>>, Error> {
        let (_, upstream) = self.fetch_upstream()?;
        self.vault_of(upstream.as_ref())
    }

    fn vault_of(&self, commit: Option<&ObjectId>) -> Result<Option<Vec<u8>>, Error> {
        let id = commit.map(|commit| self.resolve(&format!("{commit}:{VAULT}"))).transpose()?.flatten();
        id.map(|id| self.bytes_of(&id)).transpose()
    }

    /// Also when the remote is offline, the work of a killed run is finished.
    pub(super) fn conclude(
        &self,
        outcome: Result<Outcome, Error>,
        mut received: Incoming,
        request: Request<'_>,
    ) -> Result<Synced, Error> {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(Error::Offline { reason }) => Outcome::Offline { reason },
            Err(Error::Refused { reason }) => Outcome::Refused { reason },
            Err(Error::SlugTaken) => Outcome::SlugTaken,
            Err(error) => return Err(error),
        };
        let is_unfinished = matches!(outcome, Outcome::Offline { .. } | Outcome::Refused { .. });
        if let Some(head) = self.head()?.filter(|_| is_unfinished) {
            received.add(self.check_out(&head, Scope::Others, request.encryption)?);
        }
        let Incoming { written, removed, mut warnings, stayed } = received;
        warnings.extend(stayed);
        Ok(Synced { outcome, received: written, removed, warnings, ..Synced::default() })
    }

    fn pull_and_push(&self, request: Request<'_>, received: &mut Incoming) -> Result<Outcome, Error> {
        let local = self.head()?;
        for round in 0..ROUNDS {
            pause(round);
            let (branch, upstream) = self.fetch_upstream()?;
            // From where this sync began: no other machine has seen what a lost round put together.
            self.pull(local.as_ref(), upstream.as_ref(), request, received)?;
            let Some(commit) = self.head()? else { return Ok(Outcome::UpToDate) };
            if upstream.as_ref() == Some(&commit) {
                if self.sent()?.as_ref() != Some(&commit) {
                    self.set_sent(&commit, &branch)?;
                }
                return Ok(Outcome::UpToDate);
            }
            if self.push(&commit, &branch, None)? {
                self.set_sent(&commit, &branch)?;
                return Ok(Outcome::Pushed);
            }
        }
        Err(overtaken())
    }

    /// The remote's branch and its newest commit.
    fn fetch_upstream(&self) -> Result<(String, Option<ObjectId>), Error> {
        self.fetch_advertised().map(|(_, branch, upstream)| (branch, upstream))
    }

    pub(super) fn fetch_advertised(&self) -> Result<(Advertised, String, Option<ObjectId>), Error> {
        self.remember_sent()?;
        let advertised = self.advertised()?;
        let branch = advertised.branch(self.branch()?);
        let upstream = self.fetch_tip(&advertised, &branch)?;
        Ok((advertised, branch, upstream))
    }

    /// Writes the files before HEAD moves: the next [`record`](Self::record) would take files of ours that a commit names
    /// and that are not there for deleted.
    fn pull(
        &self,
        local: Option<&ObjectId>,
        upstream: Option<&ObjectId>,
        request: Request<'_>,
        received: &mut Incoming,
    ) -> Result<(), Error> {
        self.check_objection(upstream, request)?;
        let (head, scope) = match (local, upstream) {
            (Some(local), Some(upstream)) => {
                let head = self.integrate(local, upstream, request.now)?;
                // The remote has more of our own directory when this vault was restored from an older copy.
                let is_same = head == *local || self.own_tree(Some(&head))? == self.own_tree(Some(local))?;
                (head, if is_same { Scope::Others } else { Scope::Everybody })
            }
            (None, Some(upstream)) => (upstream.clone(), Scope::Everybody),
            (Some(local), None) => (local.clone(), Scope::Others),
            (None, None) => return Ok(()),
        };
        received.add(self.check_out(&head, scope, request.encryption)?);
        self.point("HEAD", &head, None)
    }

    pub(super) fn check_objection(
        &self,
        upstream: Option<&ObjectId>,
        request: Request<'_>,
    ) -> Result<(), Error> {
        let vault = self.vault_of(upstream)?;
        if let (Some(upstream), None) = (upstream, &vault) {
            self.refuse_foreign(upstream)?;
        }
        match (request.objection)(&vault.unwrap_or_default()) {
            Some(reason) => Err(Error::Refused { reason }),
            None => Ok(()),
        }
    }
}

impl Incoming {
    /// The last of several rounds has seen all that is strange. A file that stayed is on the list of the first round
    /// only.
    pub(super) fn add(&mut self, later: Self) {
        self.written += later.written;
        self.removed += later.removed;
        self.warnings = later.warnings;
        self.stayed.extend(later.stayed);
    }
}

pub(super) fn overtaken() -> Error {
    Error::Offline { reason: "other machines kept being quicker".to_owned() }
}

pub(super) fn pause(round: u32) {
    if let Some(failures) = round.checked_sub(1) {
        thread::sleep(backoff(SHORTEST, LONGEST, failures));
    }
}
