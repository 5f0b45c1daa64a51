//! The vault's remote: its address, its branch as last fetched, and the commit that was last sent there.

use std::path::Path;

use super::address;
use super::commit::ObjectId;
use super::error::Error;
use super::program::Git;
use super::repository::Repository;

const TRACKED: &str = "refs/remotes/origin/";
const UPSTREAM: &str = "refs/remotes/origin/HEAD";

/// The `vault.json` of the remote at `url`, fetched into a new bare repository in `directory`, so that nothing of it
/// comes into the vault's own history. The caller removes the directory.
pub fn remote_vault(git: &Git, directory: &Path, url: &str) -> Result<Option<Vec<u8>>, Error> {
    let repository = Repository::bare(git, directory)?;
    repository.set_remote(url)?;
    repository.remote_vault()
}

/// Whether the remote at `url` answers, and lets us in. The caller removes the directory.
pub fn answers(git: &Git, directory: &Path, url: &str) -> Result<(), Error> {
    let repository = Repository::bare(git, directory)?;
    repository.set_remote(url)?;
    repository.advertised().map(drop)
}

impl Repository {
    /// As given, credentials and all; show [`super::display_url`] of it.
    pub fn remote(&self) -> Result<Option<String>, Error> {
        self.call(["config", "--get", "remote.origin.url"]).answer()
    }

    /// Forgets another remote, except the commit that was last sent there.
    pub fn set_remote(&self, url: &str) -> Result<(), Error> {
        address::check(url)?;
        if self.remote()?.as_deref() == Some(url) {
            return Ok(());
        }
        self.remove_remote()?;
        self.call(["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"]).done()?;
        self.call(["config", "remote.origin.url", url]).done()
    }

    pub fn remove_remote(&self) -> Result<(), Error> {
        if self.remote()?.is_some() {
            self.remember_sent()?;
            self.call(["config", "--remove-section", "remote.origin"]).done()?;
        }
        self.forget_upstream()?;
        let known = self.call(["for-each-ref", "--format=%(refname)", TRACKED]).text()?;
        known.lines().try_for_each(|name| self.forget(name))
    }

    /// The remote's newest commit as of the last time it was asked.
    pub(super) fn upstream(&self) -> Result<Option<ObjectId>, Error> {
        match self.resolve(&format!("{UPSTREAM}^{{commit}}"))? {
            Some(commit) => Ok(Some(commit)),
            None => self.resolve(&format!("{TRACKED}{}^{{commit}}", self.branch()?)),
        }
    }

    pub(super) fn tracked(&self, branch: &str) -> String {
        format!("{TRACKED}{branch}")
    }

    pub(super) fn set_upstream(&self, branch: &str) -> Result<(), Error> {
        self.call(["symbolic-ref", UPSTREAM, &self.tracked(branch)]).done()
    }

    pub(super) fn forget_upstream(&self) -> Result<(), Error> {
        // Its status says that there was none.
        self.call(["symbolic-ref", "--delete", "--quiet", UPSTREAM]).finish().map(drop)
    }

    /// The commit that this vault and its remote last had in common. A remote whose history does not hold it any
    /// more has been rewritten.
    pub(super) fn sent(&self) -> Result<Option<ObjectId>, Error> {
        match self.sent_name()? {
            Some(name) => self.resolve(&format!("{name}^{{commit}}")),
            None => Ok(None),
        }
    }

    /// Whether the remote was met before, and so may hold what this vault held.
    pub fn has_met_remote(&self) -> Result<bool, Error> {
        Ok(self.sent()?.is_some() || self.upstream()?.is_some())
    }

    pub(super) fn set_sent(&self, commit: &ObjectId, branch: &str) -> Result<(), Error> {
        self.point(&self.tracked(branch), commit, None)?;
        self.set_upstream(branch)?;
        match self.sent_name()? {
            Some(name) => self.point(&name, commit, None),
            None => Ok(()),
        }
    }

    /// For a repository that another tool pushed from: what it knew of the remote and built on.
    pub(super) fn remember_sent(&self) -> Result<(), Error> {
        if self.sent()?.is_some() {
            return Ok(());
        }
        if let (Some(name), Some(upstream), Some(head)) = (self.sent_name()?, self.upstream()?, self.head()?)
            && self.is_ancestor(&upstream, &head)?
        {
            self.point(&name, &upstream, None)?;
        }
        Ok(())
    }

    /// One for each address, so that coming back to a remote is no first meeting.
    pub(super) fn sent_name(&self) -> Result<Option<String>, Error> {
        let url = self.remote()?;
        Ok(url.map(|url| format!("refs/steno/sent/{}", blake3::hash(url.as_bytes()).to_hex())))
    }
}
