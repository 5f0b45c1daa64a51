//! A directory → the files in and below it, in the order of their paths; links are named for later.
//!
//! Most of the time goes to the system's answers, so a wide directory is shared between all cores.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::KeptFile;
use super::class::class_of;
use super::never::is_secret;
use super::place::{Place, Region};
use crate::directory::not_a_file;
use crate::layout::modified_of;
use crate::warning::{Warning, WarningKind};

/// Fewer directories are walked faster than another thread is asked.
const WIDE: usize = 32;

/// Paths are relative to the Claude directory, but for those of the warnings.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) files: Vec<KeptFile>,
    pub(super) links: Vec<PathBuf>,
    pub(super) withheld: Vec<PathBuf>,
    pub(super) warnings: Vec<Warning>,
}

enum Node {
    File(KeptFile),
    Directory(PathBuf),
}

pub(super) fn walk(root: &Path) -> Found {
    let mut found = Found::default();
    for node in found.list(root, Path::new("")) {
        match node {
            Node::File(file) => found.files.push(file),
            Node::Directory(path) => found.append(walk_tree(root, &path)),
        }
    }
    found
}

/// Everything below one directory.
pub(super) fn walk_tree(root: &Path, path: &Path) -> Found {
    let mut found = Found::default();
    let nodes = found.list(root, path);
    if nodes.iter().filter(|node| matches!(node, Node::Directory(_))).count() < WIDE {
        found.descend(root, nodes);
        return found;
    }
    let mut directories = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::File(file) => found.files.push(file),
            Node::Directory(path) => directories.push(path),
        }
    }
    found.append(share(root, &directories));
    found
}

/// The parts come in the order of the directories.
fn share(root: &Path, directories: &[PathBuf]) -> Found {
    let walk = |directory: &PathBuf| {
        let mut found = Found::default();
        let nodes = found.list(root, directory);
        found.descend(root, nodes);
        found
    };
    let parts: Vec<Found> = directories.par_iter().map(walk).collect();
    let mut found = Found::default();
    parts.into_iter().for_each(|part| found.append(part));
    found
}

impl Found {
    pub(super) fn append(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        self.links.append(&mut other.links);
        self.withheld.append(&mut other.withheld);
        self.warnings.append(&mut other.warnings);
    }

    /// The order of the paths is the order in which nodes are met, since each directory's come in order.
    fn descend(&mut self, root: &Path, mut nodes: Vec<Node>) {
        nodes.reverse();
        while let Some(node) = nodes.pop() {
            match node {
                Node::File(file) => self.files.push(file),
                Node::Directory(path) => nodes.extend(self.list(root, &path).into_iter().rev()),
            }
        }
    }

    /// A directory that is gone by now has no entries.
    fn list(&mut self, root: &Path, directory: &Path) -> Vec<Node> {
        let absolute = root.join(directory);
        let region = Region::of(directory);
        let mut nodes = Vec::new();
        match fs::read_dir(&absolute) {
            Ok(entries) => {
                for entry in entries {
                    match entry {
                        Ok(entry) => nodes.extend(self.take(directory, region, &entry)),
                        Err(error) => self.warnings.extend(Warning::of_io(&absolute, &error)),
                    }
                }
            }
            Err(error) => self.warnings.extend(Warning::of_io(&absolute, &error)),
        }
        // Up to the names they are the same bytes, and bytes are compared faster than paths.
        nodes.sort_unstable_by(|one, other| one.path().as_os_str().cmp(other.path().as_os_str()));
        nodes
    }

    fn take(&mut self, directory: &Path, region: Region, entry: &fs::DirEntry) -> Option<Node> {
        let name = entry.file_name();
        let place = region.place(&name);
        if place == Place::Nowhere {
            return None;
        }
        let path = join(directory, &name);
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                self.warnings.extend(Warning::of_io(&entry.path(), &error));
                return None;
            }
        };
        if kind.is_dir() && place != Place::File {
            return Some(Node::Directory(path));
        } else if kind.is_symlink() {
            self.links.push(path);
        } else if place == Place::Directory {
            self.warnings.push(not_a_directory(&entry.path()));
        } else if !kind.is_file() {
            self.warnings.push(not_a_file(&entry.path()));
        } else if is_secret(&name) {
            self.withheld.push(path);
        } else {
            return self.file(path, entry).map(Node::File);
        }
        None
    }

    fn file(&mut self, path: PathBuf, entry: &fs::DirEntry) -> Option<KeptFile> {
        match entry.metadata() {
            Ok(metadata) => Some(KeptFile::of(path, entry.path(), &metadata)),
            Err(error) => {
                self.warnings.extend(Warning::of_io(&entry.path(), &error));
                None
            }
        }
    }
}

impl Node {
    fn path(&self) -> &Path {
        match self {
            Self::File(file) => &file.path,
            Self::Directory(path) => path,
        }
    }
}

/// In one allocation, since there are thousands.
fn join(directory: &Path, name: &OsStr) -> PathBuf {
    let mut path = PathBuf::with_capacity(directory.as_os_str().len() + 1 + name.len());
    path.push(directory);
    path.push(name);
    path
}

impl KeptFile {
    pub(super) fn of(path: PathBuf, absolute: PathBuf, metadata: &fs::Metadata) -> Self {
        Self {
            class: class_of(&path),
            path,
            absolute,
            len: metadata.len(),
            modified: modified_of(metadata),
            inode: inode_of(metadata),
        }
    }
}

#[cfg(unix)]
fn inode_of(metadata: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

#[cfg(not(unix))]
fn inode_of(_: &fs::Metadata) -> Option<u64> {
    None
}

pub(super) fn not_a_directory(path: &Path) -> Warning {
    Warning::new(path, WarningKind::NotADirectory, "a directory is expected here")
}
