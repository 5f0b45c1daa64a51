//! Which remote the vault has, what is known of it, and what was last sent there.

use std::path::Path;

use super::address::{display_url, is_usable};
use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;

const TRACKED: &str = "refs/remotes/origin/";
const UPSTREAM: &str = "refs/remotes/origin/HEAD";

impl Repository {
    /// As given, credentials and all; show [`display_url`] of it.
    pub fn remote(&self) -> Result<Option<String>, Error> {
        self.call(["config", "--get", "remote.origin.url"]).answer()
    }

    /// What was known of another remote is forgotten, except how far it had come.
    pub fn set_remote(&self, url: &str) -> Result<(), Error> {
        if !is_usable(url) {
            return Err(Error::BadAddress { url: display_url(url) });
        }
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
    pub fn upstream(&self) -> Result<Option<ObjectId>, Error> {
        match self.resolve(&format!("{UPSTREAM}^{{commit}}"))? {
            Some(commit) => Ok(Some(commit)),
            None => self.resolve(&format!("{TRACKED}{}^{{commit}}", self.branch()?)),
        }
    }

    /// The machines that the remote holds, as of the last time it was asked.
    pub fn remote_slugs(&self) -> Result<Vec<String>, Error> {
        let contents = self.contents(self.upstream()?.as_ref())?;
        let names = contents.machines.into_iter().filter_map(|entry| String::from_utf8(entry.name).ok());
        Ok(names.collect())
    }

    /// A file as committed here, or else as the remote has it.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Option<Vec<u8>>, Error> {
        let path = path.as_ref();
        let Some(path) = path.to_str() else { return Err(Error::NotOurs { path: path.to_owned() }) };
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        for commit in [self.head()?, self.upstream()?].into_iter().flatten() {
            if let Some(id) = self.resolve(&format!("{commit}:{path}"))? {
                return self.call(["cat-file", "blob", id.as_str()]).bytes().map(Some);
            }
        }
        Ok(None)
    }

    /// Files of this machine that were recorded and are not there any more.
    pub fn lost(&self) -> Result<Vec<String>, Error> {
        let Some(head) = self.head()? else { return Ok(Vec::new()) };
        let own = format!("machines/{}/", self.slug);
        let listed = self.call(["ls-tree", "-r", "-z", "--name-only", head.as_str(), "--", &own]).bytes()?;
        let names = listed.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
        let lost = names.filter(|name| !name.is_empty() && !self.root.join(name).exists());
        Ok(lost.map(str::to_owned).collect())
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
