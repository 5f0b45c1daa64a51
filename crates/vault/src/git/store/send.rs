//! Changes → a commit on top of the remote's newest one, there; again when somebody was quicker.

use std::sync::Arc;

use jiff::Timestamp;

use super::super::commit::ObjectId;
use super::super::error::Error;
use super::super::exchange::{ROUNDS, pause};
use super::GitStore;
use super::changes::Changes;
use super::tip::Tip;
use crate::error::Error as VaultError;

impl GitStore {
    pub(super) fn write(&self, bytes: &[u8]) -> Result<ObjectId, VaultError> {
        let call = self.repository.call(["hash-object", "-w", "--stdin"]).input(bytes);
        call.object().map_err(|error| self.explain(error))
    }

    pub(super) fn send(&self, changes: &Changes) -> Result<(), VaultError> {
        if changes.is_empty() {
            return Ok(());
        }
        let _turn = self.turn();
        for round in 0..ROUNDS {
            pause(round);
            let tip = self.ask(|| ()).map_err(|error| self.explain(error))?;
            changes.judge(&tip)?;
            if self.send_on(&tip, changes).map_err(|error| self.explain(error))? {
                return Ok(());
            }
        }
        Err(VaultError::Offline { reason: "other machines kept being quicker".to_owned() })
    }

    /// False when another machine was quicker.
    fn send_on(&self, tip: &Arc<Tip>, changes: &Changes) -> Result<bool, Error> {
        let Some(commit) = self.build(tip, changes)? else { return Ok(true) };
        let pushed = match self.repository.push(&commit, &tip.branch, None) {
            Err(error) if !self.has_arrived(&commit, &error) => return Err(error),
            Err(_) => true,
            Ok(pushed) => pushed,
        };
        // It is there, whatever can be said about it here.
        if pushed && self.stand_on(tip.branch.clone(), Some(commit)).is_err() {
            *self.known() = None;
        }
        Ok(pushed)
    }

    /// Where only the answer was lost, the remote has what we sent, and would refuse to take it a second time.
    fn has_arrived(&self, commit: &ObjectId, error: &Error) -> bool {
        let is_answer = matches!(error, Error::Refused { .. });
        let newest = || self.ask(|| ()).ok().and_then(|tip| tip.commit.clone());
        let holds = |tip: ObjectId| self.repository.is_ancestor(commit, &tip).unwrap_or(false);
        !is_answer && newest().is_some_and(holds)
    }

    /// None when there is nothing to change.
    fn build(&self, tip: &Tip, changes: &Changes) -> Result<Option<ObjectId>, Error> {
        let lines = changes.lines(tip);
        if lines.is_empty() {
            return Ok(None);
        }
        let tree = self.tree(tip, lines)?;
        let (mut now, mut unchanged) = (self.now, false);
        if let Some(commit) = &tip.commit {
            now = now.max(self.date_of(commit)?);
            unchanged = self.repository.tree_of(commit)? == tree;
        }
        let parents: Vec<&ObjectId> = tip.commit.iter().collect();
        let commit = || self.repository.commit(&tree, &parents, &changes.message(), now);
        if unchanged { Ok(None) } else { commit().map(Some) }
    }

    /// Links and other things that are no files here stay what they are.
    fn tree(&self, tip: &Tip, lines: Vec<u8>) -> Result<ObjectId, Error> {
        self.repository.drop_index()?;
        if let Some(commit) = &tip.commit {
            self.repository.call(["read-tree", commit.as_str()]).done()?;
        }
        self.repository.call(["update-index", "-z", "--index-info"]).input(lines).done()?;
        self.repository.call(["write-tree"]).object()
    }

    fn date_of(&self, commit: &ObjectId) -> Result<Timestamp, Error> {
        let what = ["show", "-s", "--no-show-signature", "--format=%ct", commit.as_str()];
        let answer = self.repository.call(what).text()?;
        let date = answer.parse().ok().and_then(|second| Timestamp::from_second(second).ok());
        Ok(date.unwrap_or(Timestamp::UNIX_EPOCH))
    }
}
