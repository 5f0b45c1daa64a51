//! The calls that reach the remote: what it has, fetch, push.

use std::fs;
use std::path::Path;

use super::address::{is_github, local_path};
use super::call::Call;
use super::commit::ObjectId;
use super::error::Error;
use super::process::Finished;
use super::reply;
use super::repository::Repository;
use crate::private;

/// How servers say that another push came first.
const OVERTAKEN: &[&str] = &[
    "failed to update ref",
    "cannot lock ref",
    "failed to lock",
    "incorrect old value",
    "reference already exists",
    "fetch first",
];

/// The branches and tags that a remote advertises.
#[derive(Debug, Default)]
pub(super) struct Advertised {
    /// Branches and tags by their full names.
    pub(super) names: Vec<(String, ObjectId)>,
    /// The branch that a clone would check out.
    head: Option<String>,
}

impl Advertised {
    fn parse(text: &str) -> Self {
        let mut advertised = Self::default();
        for (left, name) in text.lines().filter_map(|line| line.split_once('\t')) {
            if let Some(head) = left.strip_prefix("ref: refs/heads/").filter(|_| name == "HEAD") {
                advertised.head = Some(head.to_owned());
            } else if let Some(id) = ObjectId::parse(left).filter(|_| name.starts_with("refs/")) {
                advertised.names.push((name.to_owned(), id));
            }
        }
        advertised
    }

    pub(super) fn tip(&self, branch: &str) -> Option<&ObjectId> {
        let full = format!("refs/heads/{branch}");
        self.names.iter().find(|(name, _)| *name == full).map(|(_, id)| id)
    }

    /// Ours if the remote has it, else the one its HEAD names, else the only one it has, else ours, to be made.
    pub(super) fn branch(&self, ours: String) -> String {
        if self.tip(&ours).is_some() {
            return ours;
        }
        let stands = |head: &&String| self.tip(head).is_some() || self.names.is_empty();
        if let Some(head) = self.head.as_ref().filter(stands) {
            return head.clone();
        }
        let mut branches = self.names.iter().filter_map(|(name, _)| name.strip_prefix("refs/heads/"));
        match (branches.next(), branches.next()) {
            (Some(only), None) => only.to_owned(),
            _ => ours,
        }
    }
}

impl Repository {
    pub(super) fn advertised(&self) -> Result<Advertised, Error> {
        let finished = self.reach(&["ls-remote", "--symref", "origin"])?;
        match finished.code {
            Some(0) => {
                let mut advertised = Advertised::parse(&String::from_utf8_lossy(&finished.stdout));
                if advertised.names.is_empty() {
                    advertised.head = self.unborn()?;
                }
                Ok(advertised)
            }
            _ => Err(reply::of_remote("git ls-remote", &finished)),
        }
    }

    /// The branch that HEAD of an empty repository names. git does not tell, but a directory shows it; one with a work
    /// tree takes no push to that branch.
    fn unborn(&self) -> Result<Option<String>, Error> {
        let path = self.remote()?.and_then(|url| local_path(&self.root, &url));
        let head = path.and_then(|path| fs::read_to_string(path.join("HEAD")).ok());
        let branch = head.as_deref().and_then(|head| head.trim_end().strip_prefix("ref: refs/heads/"));
        // A placeholder for programs that do not know how the repository is stored.
        Ok(branch.filter(|branch| *branch != ".invalid").map(str::to_owned))
    }

    /// Brings the remote's branch here and gives its newest commit.
    pub(super) fn fetch_tip(&self, advertised: &Advertised, branch: &str) -> Result<Option<ObjectId>, Error> {
        let Some(tip) = advertised.tip(branch) else {
            self.forget_upstream()?;
            self.forget(&self.tracked(branch))?;
            return Ok(None);
        };
        let tracked = self.tracked(branch);
        let known = self.resolve(&format!("{tracked}^{{commit}}"))?;
        if known.as_ref() == Some(tip) && self.upstream()?.as_ref() == Some(tip) {
            return Ok(known);
        }
        if known.as_ref() != Some(tip) {
            let both = format!("+refs/heads/{branch}:{tracked}");
            let finished = self.reach(&["fetch", "--progress", "--no-tags", "origin", &both])?;
            if finished.code != Some(0) {
                return Err(reply::of_remote("git fetch", &finished));
            }
        }
        self.set_upstream(branch)?;
        self.resolve(&format!("{tracked}^{{commit}}"))
    }

    /// False when another machine was quicker. With `instead_of` that commit is replaced, if the branch is still there.
    pub(super) fn push(
        &self,
        commit: &ObjectId,
        branch: &str,
        instead_of: Option<&ObjectId>,
    ) -> Result<bool, Error> {
        let lease = instead_of.map(|old| format!("--force-with-lease=refs/heads/{branch}:{old}"));
        let both = format!("{commit}:refs/heads/{branch}");
        let mut arguments = vec!["push", "--porcelain", "--progress", "--no-verify"];
        arguments.extend(lease.as_deref());
        arguments.extend(["origin", &both]);
        // A remote in a directory may be shared with other users: new files there get the user's umask.
        let finished = self.reaching(&arguments)?.by_users_umask().finish()?;
        for name in ["refs", "logs"] {
            let path = self.directory.join(name);
            private::make_all_private(&path).map_err(Error::file(&path))?;
        }
        match finished.code {
            Some(0) => Ok(true),
            _ if is_overtaken(&finished) => Ok(false),
            _ => Err(reply::of_remote("git push", &finished)),
        }
    }

    fn reach(&self, arguments: &[&str]) -> Result<Finished, Error> {
        self.reaching(arguments)?.finish()
    }

    fn reaching(&self, arguments: &[&str]) -> Result<Call, Error> {
        let url = self.remote()?.ok_or(Error::NoRemote)?;
        if let Some(reason) = local_path(&self.root, &url).and_then(|path| absence(&path)) {
            return Err(Error::Offline { reason });
        }
        let settings = self.credentials(&url);
        Ok(self.call_with(&settings, arguments.iter().copied()).timeout(self.git.timeout))
    }

    /// The empty helper takes the user's own out of the way, which may be another account's.
    fn credentials(&self, url: &str) -> Vec<String> {
        let Some(gh) = self.git.gh.as_ref().filter(|_| is_github(url)) else { return Vec::new() };
        let program = gh.to_string_lossy().replace('\'', r"'\''");
        let helper = "credential.https://github.com.helper";
        vec![format!("{helper}="), format!("{helper}=!'{program}' auth git-credential")]
    }
}

/// A disk that is not mounted leaves nothing, or an empty directory.
fn absence(path: &Path) -> Option<String> {
    if !path.exists() {
        return Some(format!("{} is not there", path.display()));
    }
    let empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    empty.then(|| format!("{} is empty, as if it were not mounted", path.display()))
}

fn is_overtaken(finished: &Finished) -> bool {
    let said = String::from_utf8_lossy(&finished.stdout);
    let mut rejected = said.lines().filter(|line| line.starts_with("!\t"));
    rejected.any(|line| line.contains("\t[rejected]") || OVERTAKEN.iter().any(|words| line.contains(words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(lines: &str) -> String {
        Advertised::parse(lines).branch("main".to_owned())
    }

    #[test]
    fn the_branch_is_ours_or_the_one_the_remote_stands_on() {
        let id = "0123456789012345678901234567890123456789";
        assert_eq!(branch(""), "main");
        assert_eq!(
            branch(&format!("ref: refs/heads/master\tHEAD\n{id}\tHEAD\n{id}\trefs/heads/master\n")),
            "master"
        );
        assert_eq!(branch(&format!("{id}\trefs/heads/main\n{id}\trefs/heads/trunk\n")), "main");
        assert_eq!(branch(&format!("{id}\trefs/heads/trunk\n")), "trunk");
        assert_eq!(branch(&format!("{id}\trefs/heads/a\n{id}\trefs/heads/b\n")), "main");
    }
}
