//! Files of this machine → a commit that changes them and nothing else.

use std::path::{Component, Path};

use jiff::Timestamp;

use super::commit::ObjectId;
use super::error::Error;
use super::index::REPOSITORY;
use super::repository::Repository;
use super::root_file::{ATTRIBUTES, IGNORE, VAULT};
use super::tree;

impl Repository {
    /// Commits the given files and directories, and what vanished below them; false when nothing had changed.
    /// Paths are relative to the vault: this machine's directory, files below it, or `vault.json`.
    pub fn record(&self, paths: &[impl AsRef<Path>], message: &str, now: Timestamp) -> Result<bool, Error> {
        let mut ours = vec![IGNORE.to_owned(), ATTRIBUTES.to_owned()];
        for path in paths {
            ours.push(self.ours(path.as_ref())?);
        }
        match self.record_once(&ours, message, now) {
            // A killed git may have left a broken index.
            Err(Error::Failed { .. } | Error::Unexpected { .. }) => {
                self.drop_index()?;
                self.record_once(&ours, message, now)
            }
            done => done,
        }
    }

    fn record_once(&self, paths: &[String], message: &str, now: Timestamp) -> Result<bool, Error> {
        let own = self.own();
        let base = self.head_or_empty()?;
        self.align(&self.alignment(base.as_str(), &[&own])?)?;
        self.stage(paths)?;
        let changes = self.staged(base.as_str(), &[&own, VAULT, IGNORE, ATTRIBUTES])?;
        if changes.is_empty() && !self.has_left(base.as_str())? {
            return Ok(false);
        }
        for change in changes.iter().filter(|change| change.new_mode == REPOSITORY) {
            self.unfold(change)?;
        }
        let head = self.head()?;
        let tree = self.staged_tree(head.as_ref(), paths)?;
        if let Some(head) = &head
            && self.tree_of(head)? == tree
        {
            return Ok(false);
        }
        let commit =
            self.commit(&tree, head.as_slice().iter().collect::<Vec<_>>().as_slice(), message, now)?;
        self.point("HEAD", &commit, head.as_ref())?;
        Ok(true)
    }

    /// Whether a directory is still recorded that was ours.
    fn has_left(&self, tree: &str) -> Result<bool, Error> {
        let paths: Vec<String> = self.left.iter().map(|left| format!("machines/{left}")).collect();
        if paths.is_empty() {
            return Ok(false);
        }
        let call = ["ls-tree", "--name-only", tree, "--"].into_iter().chain(paths.iter().map(String::as_str));
        Ok(!self.call(call).bytes()?.is_empty())
    }

    /// The user may have told git to ignore anything, hence `-f`.
    fn stage(&self, paths: &[String]) -> Result<(), Error> {
        let mut list = Vec::new();
        for path in paths {
            let stands = self.root.join(path).symlink_metadata().is_ok();
            if stands || !self.call(["ls-files", "-z", "--", path]).bytes()?.is_empty() {
                list.extend(path.as_bytes());
                list.push(0);
            }
        }
        self.call(["add", "-f", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"]).input(list).done()
    }

    /// The tree of `head` with this machine's directory, and the root files among `paths`, as staged.
    fn staged_tree(&self, head: Option<&ObjectId>, paths: &[String]) -> Result<ObjectId, Error> {
        let staged = self.call(["write-tree"]).object()?;
        let staged = self.contents(Some(&staged))?;
        let mut contents = self.contents(head)?;
        contents.set_machine(&self.slug, staged.machine(&self.slug).map(|entry| entry.id.clone()));
        contents.leave(&self.left);
        for path in paths.iter().filter(|path| !path.contains('/')) {
            if let Some(entry) = tree::find(&staged.root, path.as_bytes()) {
                contents.set_root(entry.clone());
            }
        }
        self.write_contents(&contents)
    }

    /// The path as git writes it, if it is this machine's.
    fn ours(&self, path: &Path) -> Result<String, Error> {
        let foreign = || Error::NotOurs { path: path.to_owned() };
        let mut parts = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => parts.push(name.to_str().ok_or_else(foreign)?),
                _ => return Err(foreign()),
            }
        }
        let ours = match parts[..] {
            [name] => [VAULT, IGNORE, ATTRIBUTES].contains(&name),
            ["machines", slug, ..] => slug == self.slug,
            _ => false,
        };
        if ours { Ok(parts.join("/")) } else { Err(foreign()) }
    }
}
