//! The newest commit of a remote → the files in it, by name.

use std::collections::BTreeMap;

use super::super::commit::ObjectId;
use super::super::error::Error;
use super::super::index::{FILE, PROGRAM};
use super::super::repository::Repository;
use super::super::tree::unexpected;
use super::name::is_name;
use crate::store::Entry;

#[derive(Debug)]
pub(super) struct Tip {
    pub(super) branch: String,
    /// None where the remote has no commit yet.
    pub(super) commit: Option<ObjectId>,
    /// With the names of links and other repositories, which are no files, but take their place.
    files: BTreeMap<String, Option<File>>,
}

#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) id: ObjectId,
    pub(super) len: u64,
}

impl Tip {
    pub(super) fn read(
        repository: &Repository,
        branch: String,
        commit: Option<ObjectId>,
    ) -> Result<Self, Error> {
        let mut files = BTreeMap::new();
        if let Some(commit) = &commit {
            let arguments = ["ls-tree", "-r", "-z", "--long", "--full-tree", commit.as_str()];
            let bytes = repository.call(arguments).bytes()?;
            for line in bytes.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
                let (name, file) = entry(line).ok_or_else(|| unexpected("git ls-tree", line))?;
                // Names that are no text, or that git should not hold, are nobody's here.
                if let Some(name) = String::from_utf8(name).ok().filter(|name| is_name(name)) {
                    files.insert(name, file);
                }
            }
        }
        Ok(Self { branch, commit, files })
    }

    pub(super) fn is(&self, branch: &str, commit: Option<&ObjectId>) -> bool {
        self.branch == branch && self.commit.as_ref() == commit
    }

    pub(super) fn file(&self, name: &str) -> Option<&File> {
        self.files.get(name)?.as_ref()
    }

    /// Also of what is no file.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(super) fn list(&self, below: &str) -> Vec<Entry> {
        let start = if below.is_empty() { String::new() } else { format!("{below}/") };
        let listed = self.files.range(start.clone()..).take_while(|(name, _)| name.starts_with(&start));
        let entry = |(name, file): (&String, &Option<File>)| {
            let len = file.as_ref()?.len;
            Some(Entry { name: name.clone(), len, modified: None })
        };
        listed.filter_map(entry).collect()
    }
}

/// `100644 blob <id>    <length>\t<name>`; what is no blob has `-` for its length.
fn entry(line: &[u8]) -> Option<(Vec<u8>, Option<File>)> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, name) = line.split_at_checked(tab)?;
    let name = name.get(1..)?.to_vec();
    let mut parts = std::str::from_utf8(head).ok()?.split_ascii_whitespace();
    let (mode, id, len) = (parts.next()?, parts.nth(1)?, parts.next()?);
    if mode != FILE && mode != PROGRAM {
        return Some((name, None));
    }
    Some((name, Some(File { id: ObjectId::parse(id)?, len: len.parse().ok()? })))
}
