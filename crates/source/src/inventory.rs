//! A Claude directory → every file of it that is kept, with what it is and whose.
//!
//! Separate from `discover`, which finds sessions: here no file is opened, and none is left out for being strange, because
//! a backup also keeps files of unknown kinds. One walk and one stat for each file, because it runs at every sync.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use steno_transcript::SessionId;

use crate::error::Error;
use crate::parent::parent_of;
use crate::warning::{Warning, WarningKind};

mod class;
mod link;
mod never;
mod place;
mod walk;

use walk::Found;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// In the order of their paths.
    pub files: Vec<KeptFile>,
    /// Paths of files that are not kept because their names are those of secrets; relative, in order.
    pub withheld: Vec<PathBuf>,
    pub warnings: Vec<Warning>,
}

/// Size, time and inode are those of the target where the file is reached through links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFile {
    /// Relative to the Claude directory.
    pub path: PathBuf,
    pub absolute: PathBuf,
    pub len: u64,
    pub modified: SystemTime,
    pub inode: Option<u64>,
    pub class: Class,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Class {
    Transcript(SessionId),
    /// In the session's directory, or the session's in `file-history/`, `tasks/` or `todos/`.
    Part(SessionId),
    /// A subagent beside the transcripts: only its records name its session, see [`session_of_old_agent`].
    OldAgent,
    Plan {
        slug: String,
    },
    /// The history of all prompts.
    History,
    /// Belongs to no session: memory, aliases, and other files in the directories of sessions.
    Project,
    Config,
}

impl KeptFile {
    /// The session that its path names.
    pub fn session(&self) -> Option<&SessionId> {
        match &self.class {
            Class::Transcript(session) | Class::Part(session) => Some(session),
            Class::OldAgent | Class::Plan { .. } | Class::History | Class::Project | Class::Config => None,
        }
    }
}

/// Fails only if the directory itself cannot be used. A directory without files to keep is no error: the client has not
/// run yet.
pub fn inventory(claude_dir: &Path) -> Result<Inventory, Error> {
    let real = real_directory(claude_dir)?;
    let mut found = walk::walk(claude_dir);
    link::follow(claude_dir, &real, &mut found);
    let Found { mut files, mut withheld, mut warnings, .. } = found;
    if !files.is_sorted_by(|one, other| one.path <= other.path) {
        files.sort_by(|one, other| one.path.cmp(&other.path));
    }
    class::adopt(&mut files);
    warnings.extend(files.iter().filter_map(odd_name));
    warnings.sort_by(|one, other| one.path.cmp(&other.path));
    withheld.sort();
    Ok(Inventory { files, withheld, warnings })
}

/// The session that an old-layout subagent belongs to; reads the first records of the file. `None` also for a file that
/// cannot be read: keeping it will report that.
pub fn session_of_old_agent(path: &Path) -> Option<SessionId> {
    parent_of(path).ok().flatten()
}

fn real_directory(claude_dir: &Path) -> Result<PathBuf, Error> {
    let path = claude_dir.to_owned();
    match fs::canonicalize(claude_dir) {
        Ok(real) if real.is_dir() => Ok(real),
        Ok(_) => Err(Error::NotADirectory { path }),
        Err(source) => Err(match source.kind() {
            io::ErrorKind::NotFound => Error::MissingDirectory { path },
            io::ErrorKind::NotADirectory => Error::NotADirectory { path },
            _ => Error::Unreadable { path, source },
        }),
    }
}

/// Only for a transcript: its name is the id of the session.
fn odd_name(file: &KeptFile) -> Option<Warning> {
    let is_odd = file.path.to_str().is_none()
        && matches!(file.class, Class::Transcript(_))
        && file.path.file_name()?.to_str().is_none();
    is_odd.then(|| Warning::new(&file.absolute, WarningKind::NameNotText, "the name is not UTF-8"))
}
