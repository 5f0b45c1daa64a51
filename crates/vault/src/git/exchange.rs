//! What other machines sent → the work tree; what we recorded → the remote; again when somebody was quicker.

use std::hash::{BuildHasher, RandomState};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;

use super::checkout::{Received, Scope};
use super::commit::ObjectId;
use super::error::Error;
use super::network::Advertised;
use super::repository::Repository;
use super::root_file::VAULT;
use super::warning::Warning;
use crate::encryption::Encryption;

pub(super) const ROUNDS: u32 = 20;
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(3);

#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub now: Timestamp,
    /// Looks at the remote's `vault.json`, empty where none is there, before anything is taken or sent; says why it is
    /// not for us.
    pub objection: &'a dyn Fn(&[u8]) -> Option<String>,
    /// What other machines' files are judged with, where they are sealed.
    pub seal: Option<&'a Encryption>,
}

impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Request").field("now", &self.now).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub struct Exchange {
    pub outcome: Outcome,
    /// Files of other machines that were written, and that were removed because they are gone there.
    pub received: usize,
    pub removed: usize,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Pushed {
        commit: ObjectId,
    },
    NothingToPush,
    /// Not reached; what was recorded goes with the next exchange.
    Offline {
        reason: String,
    },
    /// Reached, and it does not want us or what we send.
    Refused {
        reason: String,
    },
}

impl Repository {
    pub fn exchange(&self, request: Request<'_>) -> Result<Exchange, Error> {
        let mut received = Received::default();
        let outcome = self.send_and_take(request, &mut received);
        self.conclude(outcome, received, request)
    }

    /// Learns what the remote has, and changes nothing else.
    pub fn fetch(&self) -> Result<(), Error> {
        self.meet().map(drop)
    }

    /// Whether anything was ever recorded here.
    pub fn has_history(&self) -> Result<bool, Error> {
        Ok(self.head()?.is_some())
    }

    /// The remote's `vault.json`, as it is now. Nothing is written but what git keeps for itself.
    pub fn remote_vault(&self) -> Result<Option<Vec<u8>>, Error> {
        let (_, upstream) = self.meet()?;
        let name = upstream.map(|upstream| format!("{upstream}:{VAULT}"));
        let id = name.map(|name| self.resolve(&name)).transpose()?.flatten();
        id.map(|id| self.call(["cat-file", "blob", id.as_str()]).bytes()).transpose()
    }

    /// Being offline is no reason to leave unfinished what a killed run had begun.
    pub(super) fn conclude(
        &self,
        outcome: Result<Outcome, Error>,
        mut received: Received,
        request: Request<'_>,
    ) -> Result<Exchange, Error> {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(Error::Offline { reason }) => Outcome::Offline { reason },
            Err(Error::Refused { reason }) => Outcome::Refused { reason },
            Err(error) => return Err(error),
        };
        let unfinished = matches!(outcome, Outcome::Offline { .. } | Outcome::Refused { .. });
        if let Some(head) = self.head()?.filter(|_| unfinished) {
            received.add(self.check_out(&head, Scope::Others, request.seal)?);
        }
        let Received { written, removed, mut warnings, stayed } = received;
        warnings.extend(stayed);
        Ok(Exchange { outcome, received: written, removed, warnings })
    }

    fn send_and_take(&self, request: Request<'_>, received: &mut Received) -> Result<Outcome, Error> {
        let local = self.head()?;
        for round in 0..ROUNDS {
            pause(round);
            let (branch, upstream) = self.meet()?;
            // Always from where we started: what a lost round put together was seen by nobody.
            self.take_in(local.as_ref(), upstream.as_ref(), request, received)?;
            let Some(commit) = self.head()? else { return Ok(Outcome::NothingToPush) };
            if upstream.as_ref() == Some(&commit) {
                if self.sent()?.as_ref() != Some(&commit) {
                    self.set_sent(&commit, &branch)?;
                }
                return Ok(Outcome::NothingToPush);
            }
            if self.push(&commit, &branch, None)? {
                self.set_sent(&commit, &branch)?;
                return Ok(Outcome::Pushed { commit });
            }
        }
        Err(Error::Offline { reason: "other machines kept being quicker".to_owned() })
    }

    /// The remote's branch and its newest commit.
    fn meet(&self) -> Result<(String, Option<ObjectId>), Error> {
        self.meet_all().map(|(_, branch, upstream)| (branch, upstream))
    }

    pub(super) fn meet_all(&self) -> Result<(Advertised, String, Option<ObjectId>), Error> {
        self.remember_sent()?;
        let advertised = self.advertised()?;
        let branch = advertised.branch(self.branch()?);
        let upstream = self.fetch_tip(&advertised, &branch)?;
        Ok((advertised, branch, upstream))
    }

    /// The files come first: a commit that names files of ours which are not there would have the next
    /// [`record`](Self::record) take them for deleted.
    fn take_in(
        &self,
        local: Option<&ObjectId>,
        upstream: Option<&ObjectId>,
        request: Request<'_>,
        received: &mut Received,
    ) -> Result<(), Error> {
        self.hear_objection(upstream, request)?;
        let Some((local, upstream)) = local.zip(upstream) else {
            return self.take_first(upstream, request, received);
        };
        let head = self.integrate(local, upstream, request.now)?;
        // The remote is ahead of us in our own directory when this vault was put back from an older copy.
        let same = head == *local || self.own_tree(Some(&head))? == self.own_tree(Some(local))?;
        let scope = if same { Scope::Others } else { Scope::Everybody };
        received.add(self.check_out(&head, scope, request.seal)?);
        self.point("HEAD", &head, None)
    }

    /// One of the two has nothing yet.
    fn take_first(
        &self,
        upstream: Option<&ObjectId>,
        request: Request<'_>,
        received: &mut Received,
    ) -> Result<(), Error> {
        match (self.head()?, upstream) {
            (None, Some(upstream)) => {
                received.add(self.check_out(upstream, Scope::Everybody, request.seal)?);
                self.point("HEAD", upstream, None)
            }
            (Some(head), None) => {
                received.add(self.check_out(&head, Scope::Others, request.seal)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn hear_objection(
        &self,
        upstream: Option<&ObjectId>,
        request: Request<'_>,
    ) -> Result<(), Error> {
        let id = upstream.map(|upstream| self.resolve(&format!("{upstream}:{VAULT}"))).transpose()?.flatten();
        if let (Some(upstream), None) = (upstream, &id) {
            self.refuse_foreign(upstream)?;
        }
        let vault = id.map(|id| self.call(["cat-file", "blob", id.as_str()]).bytes()).transpose()?;
        match (request.objection)(&vault.unwrap_or_default()) {
            Some(reason) => Err(Error::Refused { reason }),
            None => Ok(()),
        }
    }
}

impl Received {
    /// Of several rounds the last one has seen all that is strange; what stays is on no list after the first.
    pub(super) fn add(&mut self, later: Self) {
        self.written += later.written;
        self.removed += later.removed;
        self.warnings = later.warnings;
        self.stayed.extend(later.stayed);
    }
}

/// Longer with every round, and never the same on two machines.
pub(super) fn pause(round: u32) {
    let Some(doublings) = round.checked_sub(1) else { return };
    let whole = SHORTEST.saturating_mul(1 << doublings.min(10)).min(LONGEST);
    let random = RandomState::new().hash_one(round) % 1000;
    thread::sleep(whole.mul_f64(0.5 + random as f64 / 1000.0));
}
