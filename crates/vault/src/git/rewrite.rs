//! All history → one commit of what stands now, here and at the remote, so that what was purged is gone.

use super::checkout::{Received, Scope};
use super::commit::ObjectId;
use super::error::Error;
use super::exchange::{Exchange, Outcome, ROUNDS, Request, pause};
use super::network::Advertised;
use super::repository::Repository;
use super::tree::Share;
use super::warning::Warning;

impl Repository {
    /// The remote first: when it cannot be reached, or does not allow it, nothing has changed here either.
    pub fn rewrite_history(&self, message: &str, request: Request<'_>) -> Result<Exchange, Error> {
        let mut received = Received::default();
        let outcome = match (self.head()?, self.remote()?) {
            (None, _) => Ok(Outcome::NothingToPush),
            (Some(head), None) => self.rewrite_here(&head, message, request),
            (Some(head), Some(_)) => self.rewrite_there(&head, message, request, &mut received),
        };
        self.conclude(outcome, received, request)
    }

    /// For a vault whose remote was never met: only what is recorded here has a history.
    pub fn rewrite_local_history(&self, message: &str, request: Request<'_>) -> Result<Exchange, Error> {
        let outcome = match self.head()? {
            None => Ok(Outcome::NothingToPush),
            Some(head) => self.rewrite_here(&head, message, request),
        };
        self.conclude(outcome, Received::default(), request)
    }

    fn rewrite_here(&self, head: &ObjectId, message: &str, request: Request<'_>) -> Result<Outcome, Error> {
        let commit = self.commit(&self.tree_of(head)?, &[], message, request.now)?;
        self.stand_on(&commit, None)?;
        Ok(Outcome::NothingToPush)
    }

    fn rewrite_there(
        &self,
        head: &ObjectId,
        message: &str,
        request: Request<'_>,
        received: &mut Received,
    ) -> Result<Outcome, Error> {
        for round in 0..ROUNDS {
            pause(round);
            let (advertised, branch, upstream) = self.meet_all()?;
            self.hear_objection(upstream.as_ref(), request)?;
            let commit =
                self.commit(&self.newest_tree(head, upstream.as_ref())?, &[], message, request.now)?;
            if self.push(&commit, &branch, upstream.as_ref())? {
                self.set_sent(&commit, &branch)?;
                received.add(self.check_out(&commit, Scope::Others, request.seal)?);
                received.warnings.extend(others(&advertised, &branch));
                self.stand_on(&commit, Some(&branch))?;
                return Ok(Outcome::Pushed { commit });
            }
        }
        Err(Error::Offline { reason: "other machines kept being quicker".to_owned() })
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
