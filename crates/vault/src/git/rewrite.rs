//! All history → one commit of the present files, here and at the remote, so that purged bytes are gone.

use super::checkout::{Incoming, Scope};
use super::commit::ObjectId;
use super::error::Error;
use super::network::Advertised;
use super::repository::Repository;
use super::sync::{ROUNDS, Request, overtaken, pause};
use super::tree::Share;
use crate::remote::{Outcome, Synced, Warning};

impl Repository {
    /// The remote first: when it cannot be reached, or does not allow it, nothing has changed here either.
    pub fn rewrite_history(&self, message: &str, request: Request<'_>) -> Result<Synced, Error> {
        let mut received = Incoming::default();
        let outcome = match (self.head()?, self.remote()?) {
            (None, _) => Ok(Outcome::UpToDate),
            (Some(head), None) => self.rewrite_here(&head, message, request),
            (Some(head), Some(_)) => self.rewrite_there(&head, message, request, &mut received),
        };
        self.conclude(outcome, received, request)
    }

    /// For a vault that was never sent: only the local history is rewritten.
    pub fn rewrite_local_history(&self, message: &str, request: Request<'_>) -> Result<Synced, Error> {
        let outcome = match self.head()? {
            None => Ok(Outcome::UpToDate),
            Some(head) => self.rewrite_here(&head, message, request),
        };
        self.conclude(outcome, Incoming::default(), request)
    }

    fn rewrite_here(&self, head: &ObjectId, message: &str, request: Request<'_>) -> Result<Outcome, Error> {
        let commit = self.commit(&self.tree_of(head)?, &[], message, request.now)?;
        self.stand_on(&commit, None)?;
        Ok(Outcome::UpToDate)
    }

    fn rewrite_there(
        &self,
        head: &ObjectId,
        message: &str,
        request: Request<'_>,
        received: &mut Incoming,
    ) -> Result<Outcome, Error> {
        for round in 0..ROUNDS {
            pause(round);
            let (advertised, branch, upstream) = self.fetch_advertised()?;
            self.check_objection(upstream.as_ref(), request)?;
            let commit =
                self.commit(&self.newest_tree(head, upstream.as_ref())?, &[], message, request.now)?;
            if self.push(&commit, &branch, upstream.as_ref())? {
                self.set_sent(&commit, &branch)?;
                received.add(self.check_out(&commit, Scope::Others, request.encryption)?);
                received.warnings.extend(others(&advertised, &branch));
                self.stand_on(&commit, Some(&branch))?;
                return Ok(Outcome::Pushed);
            }
        }
        Err(overtaken())
    }

    fn newest_tree(&self, head: &ObjectId, upstream: Option<&ObjectId>) -> Result<ObjectId, Error> {
        let Some(upstream) = upstream else { return self.tree_of(head) };
        let (theirs, ours) = (self.contents(Some(upstream))?, self.contents(Some(head))?);
        let met = self.sent()?.is_some() || self.common(head, upstream)?.is_some();
        let share = if met { Share::Own } else { Share::Everything };
        self.write_contents(&self.put_together(&theirs, &ours, share)?)
    }

    fn stand_on(&self, commit: &ObjectId, branch: Option<&str>) -> Result<(), Error> {
        let own = format!("refs/heads/{}", self.branch()?);
        self.point(&own, commit, None)?;
        self.call(["symbolic-ref", "HEAD", &own]).done()?;
        self.align(&self.alignment(commit.as_str(), &[])?)?;
        let mut kept = vec![own];
        kept.extend(branch.map(|branch| self.tracked(branch)));
        kept.extend(branch.map(|_| "refs/remotes/origin/HEAD".to_owned()));
        kept.extend(self.sent_name()?);
        self.erase_all_but(&kept)
    }
}

/// Other branches and tags of the remote, which may lead to the old history still.
fn others(advertised: &Advertised, branch: &str) -> Vec<Warning> {
    let own = format!("refs/heads/{branch}");
    let names =
        advertised.names.iter().map(|(name, _)| name).filter(|name| **name != own && !name.ends_with("^{}"));
    names
        .map(|name| Warning::new(name.as_bytes(), "the remote has this too, and it may hold the old history"))
        .collect()
}
