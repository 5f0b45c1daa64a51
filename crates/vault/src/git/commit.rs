//! Trees → commits, and the questions about commits that everything else asks.

use std::fmt;

use jiff::Timestamp;

use super::error::Error;
use super::repository::Repository;

/// The name of a commit, tree or blob, in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let valid = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Author and message of a commit: kept when it is made again on top of another one.
struct Authorship {
    name: String,
    email: String,
    date: String,
    message: String,
}

impl Repository {
    /// The commit of HEAD; none in a new repository.
    pub fn head(&self) -> Result<Option<ObjectId>, Error> {
        self.resolve("HEAD^{commit}")
    }

    pub(super) fn resolve(&self, name: &str) -> Result<Option<ObjectId>, Error> {
        let answer = self.call(["rev-parse", "--verify", "--quiet", "--end-of-options", name]).answer()?;
        Ok(answer.as_deref().and_then(ObjectId::parse))
    }

    /// Also false when one of them is not here any more.
    pub(super) fn is_ancestor(&self, older: &ObjectId, newer: &ObjectId) -> Result<bool, Error> {
        if older == newer {
            return Ok(true);
        }
        let finished = self.call(["merge-base", "--is-ancestor", older.as_str(), newer.as_str()]).finish()?;
        Ok(finished.code == Some(0))
    }

    /// The last commit that both have; none when they never met.
    pub(super) fn common(&self, one: &ObjectId, other: &ObjectId) -> Result<Option<ObjectId>, Error> {
        let answer = self.call(["merge-base", one.as_str(), other.as_str()]).answer()?;
        Ok(answer.as_deref().and_then(ObjectId::parse))
    }

    pub(super) fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId, Error> {
        self.call(["rev-parse", "--verify", &format!("{commit}^{{tree}}")]).object()
    }

    pub(super) fn commit(
        &self,
        tree: &ObjectId,
        parents: &[&ObjectId],
        message: &str,
        now: Timestamp,
    ) -> Result<ObjectId, Error> {
        let date = format!("@{} +0000", now.as_second().max(0));
        let mut call = self.call(["commit-tree", "-F", "-"]).variable("GIT_COMMITTER_DATE", &date);
        for parent in parents {
            call = call.argument("-p").argument(parent.as_str());
        }
        call.variable("GIT_AUTHOR_DATE", &date).argument(tree.as_str()).input(message).object()
    }

    /// `original` again, with another tree and another parent.
    pub(super) fn commit_again(
        &self,
        original: &ObjectId,
        tree: &ObjectId,
        parent: &ObjectId,
        now: Timestamp,
    ) -> Result<ObjectId, Error> {
        let by = self.authorship(original)?;
        self.call(["commit-tree", "-F", "-", "-p", parent.as_str(), tree.as_str()])
            .variable("GIT_COMMITTER_DATE", format!("@{} +0000", now.as_second().max(0)))
            .variable("GIT_AUTHOR_NAME", by.name)
            .variable("GIT_AUTHOR_EMAIL", by.email)
            .variable("GIT_AUTHOR_DATE", by.date)
            .input(by.message)
            .object()
    }

    pub(super) fn message_of(&self, commit: &ObjectId) -> Result<String, Error> {
        Ok(self.authorship(commit)?.message)
    }

    fn authorship(&self, commit: &ObjectId) -> Result<Authorship, Error> {
        let format = "--format=%an%x00%ae%x00@%ad%x00%B";
        let text =
            self.call(["show", "-s", "--date=raw", "--no-show-signature", format, commit.as_str()]).text()?;
        let mut parts = text.splitn(4, '\0').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        let by = Authorship { name: next(), email: next(), date: next(), message: next() };
        // git reads commits without an author, and makes none.
        let nobody = by.name.trim().is_empty();
        Ok(if nobody { Authorship { name: "steno".to_owned(), ..by } } else { by })
    }

    /// Fails when the name no longer points to `old`: another process moved it.
    pub(super) fn point(&self, name: &str, new: &ObjectId, old: Option<&ObjectId>) -> Result<(), Error> {
        let mut arguments = vec!["update-ref", "-m", "steno", name, new.as_str()];
        arguments.extend(old.map(ObjectId::as_str));
        self.call(arguments).done()
    }

    pub(super) fn forget(&self, name: &str) -> Result<(), Error> {
        self.call(["update-ref", "-d", name]).done()
    }
}
