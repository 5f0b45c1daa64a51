//! The two upper levels of a vault's tree: read, put together by name, written.
//!
//! Below `machines/` each machine has a directory of its own, so a tree of several is put together from whole
//! directories and there is nothing to conflict.

use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;
use super::root_file::{self, ATTRIBUTES, IGNORE, VAULT};

const MACHINES: &[u8] = b"machines";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeEntry {
    /// Mode and type, as git writes them.
    pub(super) kind: String,
    pub(super) id: ObjectId,
    pub(super) name: Vec<u8>,
}

/// The entries at the root, and those below `machines/`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Contents {
    pub(super) root: Vec<TreeEntry>,
    pub(super) machines: Vec<TreeEntry>,
}

/// How much of ours goes into the tree of the remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// This machine's directory, and the few files a vault has at its root.
    Own,
    /// Everything the remote has no other version of.
    Everything,
}

impl Contents {
    pub(super) fn machine(&self, slug: &str) -> Option<&TreeEntry> {
        find(&self.machines, slug.as_bytes())
    }

    pub(super) fn set_machine(&mut self, slug: &str, tree: Option<ObjectId>) {
        self.machines.retain(|entry| entry.name != slug.as_bytes());
        let kind = "040000 tree".to_owned();
        self.machines.extend(tree.map(|id| TreeEntry { kind, id, name: slug.as_bytes().to_vec() }));
    }

    /// Drops directories that were ours.
    pub(super) fn leave(&mut self, left: &[String]) {
        self.machines.retain(|entry| !left.iter().any(|left| left.as_bytes() == entry.name));
    }

    pub(super) fn set_root(&mut self, entry: TreeEntry) {
        self.root.retain(|other| other.name != entry.name);
        self.root.push(entry);
    }
}

impl Repository {
    pub(super) fn contents(&self, commit: Option<&ObjectId>) -> Result<Contents, Error> {
        let Some(commit) = commit else { return Ok(Contents::default()) };
        let mut root = self.entries(commit.as_str())?;
        let machines = match find(&root, MACHINES) {
            Some(entry) if entry.kind.ends_with("tree") => self.entries(entry.id.as_str())?,
            _ => Vec::new(),
        };
        root.retain(|entry| entry.name != MACHINES);
        Ok(Contents { root, machines })
    }

    fn entries(&self, tree: &str) -> Result<Vec<TreeEntry>, Error> {
        let bytes = self.call(["ls-tree", "-z", "--full-tree", tree]).bytes()?;
        let entries = bytes.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        entries.map(|line| entry(line).ok_or_else(|| unexpected("git ls-tree", line))).collect()
    }

    pub(super) fn write_contents(&self, contents: &Contents) -> Result<ObjectId, Error> {
        let mut root = contents.root.clone();
        if !contents.machines.is_empty() {
            let id = self.write_entries(&contents.machines)?;
            root.push(TreeEntry { kind: "040000 tree".to_owned(), id, name: MACHINES.to_vec() });
        }
        self.write_entries(&root)
    }

    fn write_entries(&self, entries: &[TreeEntry]) -> Result<ObjectId, Error> {
        let mut lines = Vec::new();
        for TreeEntry { kind, id, name } in entries {
            lines.extend(format!("{kind} {id}\t").into_bytes());
            lines.extend(name);
            lines.push(0);
        }
        self.call(["mktree", "-z"]).input(lines).object()
    }

    /// The remote's tree with our share in it.
    pub(super) fn put_together(
        &self,
        theirs: &Contents,
        ours: &Contents,
        share: Share,
    ) -> Result<Contents, Error> {
        let mut all = theirs.clone();
        let own = ours.machine(&self.slug);
        if own.is_some() || share == Share::Own {
            all.set_machine(&self.slug, own.map(|entry| entry.id.clone()));
        }
        if share == Share::Everything {
            let lacking = |entry: &&TreeEntry| find(&theirs.machines, &entry.name).is_none();
            all.machines
                .extend(ours.machines.iter().filter(|entry| own != Some(entry)).filter(lacking).cloned());
        }
        all.leave(&self.left);
        for entry in &ours.root {
            let known = [VAULT, IGNORE, ATTRIBUTES].iter().any(|name| name.as_bytes() == entry.name);
            match find(&theirs.root, &entry.name) {
                None if known || share == Share::Everything => all.root.push(entry.clone()),
                Some(other) if known && entry.name != VAULT.as_bytes() => {
                    let both = self.union(other, entry)?;
                    all.set_root(both);
                }
                _ => {}
            }
        }
        Ok(all)
    }

    fn union(&self, one: &TreeEntry, other: &TreeEntry) -> Result<TreeEntry, Error> {
        if one.id == other.id || !is_file(one) || !is_file(other) {
            return Ok(one.clone());
        }
        let text = |entry: &TreeEntry| self.call(["cat-file", "blob", entry.id.as_str()]).bytes();
        let lines = root_file::union(&text(one)?, &text(other)?);
        let id = self.call(["hash-object", "-w", "--stdin"]).input(lines).object()?;
        Ok(TreeEntry { id, ..one.clone() })
    }
}

fn is_file(entry: &TreeEntry) -> bool {
    entry.kind == "100644 blob"
}

pub(super) fn find<'a>(entries: &'a [TreeEntry], name: &[u8]) -> Option<&'a TreeEntry> {
    entries.iter().find(|entry| entry.name == name)
}

pub(super) fn unexpected(what: &str, answer: &[u8]) -> Error {
    Error::Unexpected { what: what.to_owned(), answer: String::from_utf8_lossy(answer).into_owned() }
}

/// `100644 blob <id>\t<name>`
fn entry(line: &[u8]) -> Option<TreeEntry> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, name) = line.split_at_checked(tab)?;
    let (kind, id) = std::str::from_utf8(head).ok()?.rsplit_once(' ')?;
    Some(TreeEntry { kind: kind.to_owned(), id: ObjectId::parse(id)?, name: name.get(1..)?.to_vec() })
}
