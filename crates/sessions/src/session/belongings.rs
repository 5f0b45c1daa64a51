//! Files of a session outside its project's directory: backups of files that it edited, tasks and to-do lists.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_source::belongings;

use super::{Bytes, OpenSession};
use crate::warning;

/// Below which directory of the Claude directory a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    Todos,
    Tasks,
    FileHistory,
}

#[derive(Debug)]
pub struct Belonging {
    pub tree: Tree,
    /// As [`OpenSession::file`] reads it.
    pub path: PathBuf,
}

impl Belonging {
    /// To-do lists are side by side, others in a directory of the session.
    fn of(path: PathBuf, root: &Path) -> Option<Self> {
        let parts: Vec<&OsStr> = path.strip_prefix(root).ok()?.iter().collect();
        let tree = match (parts.first()?.to_str()?, parts.len()) {
            ("todos", 2) => Tree::Todos,
            ("tasks", 3) => Tree::Tasks,
            ("file-history", 3) => Tree::FileHistory,
            _ => return None,
        };
        Some(Self { tree, path })
    }
}

impl OpenSession {
    /// A directory that cannot be listed is a warning. Lock files are left out.
    pub fn belongings(&self, warnings: &mut Vec<Warning>) -> Vec<Belonging> {
        let paths: Vec<PathBuf> = match &self.bytes {
            Bytes::Kept(kept) => kept.paths().map(Path::to_owned).collect(),
            Bytes::Live { .. } => self.live_belongings(warnings),
        };
        let root = self.files.claude_dir.as_deref().unwrap_or(Path::new(""));
        let paths = paths.into_iter().filter(|path| !is_lock(path));
        paths.filter_map(|path| Belonging::of(path, root)).collect()
    }

    fn live_belongings(&self, warnings: &mut Vec<Warning>) -> Vec<PathBuf> {
        let Some(root) = &self.files.claude_dir else { return Vec::new() };
        match belongings(root, self.id(), &[]) {
            Ok(found) => {
                let files = |path: PathBuf| match path.parent() {
                    Some(todos) if todos.ends_with("todos") => vec![path],
                    _ => files_in(&path, warnings),
                };
                found.into_iter().flat_map(files).collect()
            }
            Err(error) => {
                warnings.push(warning::at(root, "unreadable", error.to_string()));
                Vec::new()
            }
        }
    }

    /// A backup of a file that the session edited, if it is text of at most so many bytes.
    pub fn backup(&self, name: &str, most: u64) -> Option<String> {
        // A name from a transcript leads nowhere else.
        let name = Path::new(name).file_name().filter(|last| *last == name)?;
        let below = Path::new("file-history").join(self.files.id.as_str()).join(name);
        let path = match &self.bytes {
            Bytes::Kept(_) => below,
            Bytes::Live { .. } => self.claude_dir()?.join(below),
        };
        let file = self.file(&path).ok()?;
        let bytes = (file.size() <= most).then(|| file.beginning(most).ok()).flatten()?;
        String::from_utf8(bytes).ok()
    }

    fn claude_dir(&self) -> Option<&Path> {
        // projects/PROJECT/SESSION.jsonl
        self.files.claude_dir.as_deref().or_else(|| self.files.transcript.ancestors().nth(3))
    }

    /// Results in the directories of other sessions, whose records are in the same transcript. With a kept session, only
    /// files of its own id are kept.
    pub fn results_of(&self, others: &[&str], warnings: &mut Vec<Warning>) -> Vec<PathBuf> {
        let Some(project) = self.files.transcript.parent().filter(|_| !self.is_kept()) else {
            return Vec::new();
        };
        let is_plain = |name: &&&str| Path::new(name).file_name().is_some_and(|last| last == **name);
        let directories = others.iter().filter(is_plain).map(|name| project.join(name).join("tool-results"));
        directories.filter(|path| path.is_dir()).flat_map(|path| files_in(&path, warnings)).collect()
    }
}

/// The plain files of a directory, without lock files.
fn files_in(directory: &Path, warnings: &mut Vec<Warning>) -> Vec<PathBuf> {
    let mut unlisted = |error: io::Error| {
        let message = format!("cannot be listed, and does not come along: {error}");
        warnings.push(warning::at(directory, "unreadable", message));
    };
    let entries = fs::read_dir(directory).map_err(&mut unlisted).into_iter().flatten();
    let entries = entries.filter_map(|entry| entry.map_err(&mut unlisted).ok());
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.path()).filter(|path| !is_lock(path)).collect();
    paths.sort();
    paths
}

fn is_lock(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "lock") || path.ends_with(".lock")
}
