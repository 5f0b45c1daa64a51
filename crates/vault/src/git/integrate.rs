//! Our commits and the remote's → one commit for HEAD, which fast-forwards the remote.

use jiff::Timestamp;

use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;
use super::root_file::VAULT;
use super::tree::{self, Contents, Share};

/// More commits than this are sent as one.
const REPLAYED: usize = 50;

impl Repository {
    /// Changes no branch: the caller points HEAD to the result.
    pub(super) fn integrate(
        &self,
        local: &ObjectId,
        upstream: &ObjectId,
        now: Timestamp,
    ) -> Result<ObjectId, Error> {
        if self.is_ancestor(upstream, local)? {
            return Ok(local.clone());
        }
        if let Some(sent) = &self.sent()?
            && !self.is_ancestor(sent, upstream)?
        {
            // The remote's history was rewritten. Our old commits still hold what was erased, and must not bring it back.
            return self.replay(std::slice::from_ref(local), sent, upstream, now);
        }
        if self.is_ancestor(local, upstream)? {
            return Ok(upstream.clone());
        }
        let base = self.common(local, upstream)?;
        // From the last commit that both have: of others git finds out by their dates, and clocks differ.
        let between = format!("{}..{local}", base.as_ref().unwrap_or(upstream));
        let commits = self.commits(&["--first-parent", "--reverse", &between])?;
        let merged = !self.commits(&["--merges", &between])?.is_empty();
        match base {
            Some(base) if !merged => {
                self.check_name(Some(&base), local, upstream)?;
                let one = std::slice::from_ref(local);
                let sent_as = if commits.len() > REPLAYED { one } else { &commits };
                self.replay(sent_as, &base, upstream, now)
            }
            // Histories that never met, or a first meeting that was never sent.
            base => {
                self.check_name(base.as_ref(), local, upstream)?;
                self.unite(local, upstream, now)
            }
        }
    }

    fn commits(&self, arguments: &[&str]) -> Result<Vec<ObjectId>, Error> {
        let list = self.call(["rev-list"].iter().chain(arguments).copied()).text()?;
        Ok(list.lines().filter_map(ObjectId::parse).collect())
    }

    /// Each commit again, on top of the remote's: this machine's directory as it was, the others as they are. The
    /// vault's own description is ours only if no other machine has changed it since `base`.
    fn replay(
        &self,
        commits: &[ObjectId],
        base: &ObjectId,
        upstream: &ObjectId,
        now: Timestamp,
    ) -> Result<ObjectId, Error> {
        let (before, theirs) = (self.contents(Some(base))?, self.contents(Some(upstream))?);
        let described = |contents: &Contents| tree::find(&contents.root, VAULT.as_bytes()).cloned();
        let unchanged = described(&before) == described(&theirs);
        let (mut parent, mut tree) = (upstream.clone(), self.tree_of(upstream)?);
        for commit in commits {
            let ours = self.contents(Some(commit))?;
            let mut all = self.put_together(&theirs, &ours, Share::Own)?;
            if let Some(vault) = described(&ours).filter(|_| unchanged) {
                all.set_root(vault);
            }
            let next = self.write_contents(&all)?;
            if next != tree {
                parent = self.commit_again(commit, &next, &parent, now)?;
                tree = next;
            }
        }
        Ok(parent)
    }

    /// Two histories that never met: both go on, and nothing that only we have is lost.
    fn unite(&self, local: &ObjectId, upstream: &ObjectId, now: Timestamp) -> Result<ObjectId, Error> {
        let (theirs, ours) = (self.contents(Some(upstream))?, self.contents(Some(local))?);
        let tree = self.write_contents(&self.put_together(&theirs, &ours, Share::Everything)?)?;
        let message = format!("{} joins\n\n{}", self.slug, self.message_of(local)?);
        self.commit(&tree, &[upstream, local], &message, now)
    }

    /// Only we write below our name. If something came in there since `base` that we do not have, then another
    /// machine goes by the same name (a copy of this one, perhaps), and replacing it would lose its sessions.
    fn check_name(
        &self,
        base: Option<&ObjectId>,
        local: &ObjectId,
        upstream: &ObjectId,
    ) -> Result<(), Error> {
        let (before, theirs) = (self.own_tree(base)?, self.own_tree(Some(upstream))?);
        let (Some(theirs), Some(ours)) = (&theirs, self.own_tree(Some(local))?) else { return Ok(()) };
        if before.as_ref() == Some(theirs) || *theirs == ours {
            return Ok(());
        }
        let arguments = ["diff-tree", "-r", "--no-renames", "--name-only", "--diff-filter=D"];
        let lacking = self.call(arguments).argument(theirs.as_str()).argument(ours.as_str()).text()?;
        if lacking.is_empty() { Ok(()) } else { Err(Error::SlugTaken) }
    }

    /// This machine's directory as that commit has it.
    pub(super) fn own_tree(&self, commit: Option<&ObjectId>) -> Result<Option<ObjectId>, Error> {
        match commit {
            Some(commit) => self.resolve(&format!("{commit}:{}", self.own())),
            None => Ok(None),
        }
    }
}
