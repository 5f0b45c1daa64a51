//! The layout of a Claude directory as types: projects, sessions, subagents, and the role of a file by its name.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use steno_transcript::{AgentId, SessionId};

use crate::contents::Contents;
use crate::directory::{Entry, Kind, not_a_file};
use crate::warning::{Warning, WarningKind};

/// A directory below `projects/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub claude_dir: PathBuf,
    /// The directory's name, which encodes the working directory with loss.
    pub project_hash: String,
    pub path: PathBuf,
    pub sessions: Vec<SessionFiles>,
    /// Directories of sessions whose transcript is gone.
    pub leftovers: Vec<Leftover>,
    /// Subagents in the old layout whose session is not in this project.
    pub orphan_agents: Vec<OrphanAgent>,
    /// Files and directories that belong to no session, such as `memory/`; not walked.
    pub others: Vec<PathBuf>,
}

/// A transcript and the files that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFiles {
    /// The stem of the transcript's file name, which need not be a UUID.
    pub id: SessionId,
    /// `None` for a transcript outside any `projects/` directory.
    pub claude_dir: Option<PathBuf>,
    /// `None` for a transcript outside any `projects/` directory.
    pub project_hash: Option<String>,
    pub transcript: PathBuf,
    pub len: u64,
    pub modified: SystemTime,
    /// The directory named like the session, if there is one.
    pub directory: Option<PathBuf>,
    pub agents: Vec<AgentFile>,
    pub tool_results: Vec<PathBuf>,
    pub custom_title: Option<String>,
    /// The session that it was cloned from.
    pub cloned_from: Option<SessionId>,
    /// Every other file in the session's directory, the ones read for titles and agents included.
    pub sidecars: Vec<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    pub id: AgentId,
    pub path: PathBuf,
    pub len: u64,
    pub modified: SystemTime,
    /// The path of `agent-<id>.meta.json`, from newer clients only. It is not read here.
    pub meta: Option<PathBuf>,
    /// Beside the transcripts instead of below the session's `subagents/`.
    pub old_layout: bool,
}

/// The content of `agent-<id>.meta.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentMeta {
    pub agent_type: Option<String>,
    pub description: Option<String>,
    pub tool_use_id: Option<String>,
    pub spawn_depth: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    pub id: SessionId,
    pub directory: PathBuf,
    pub contents: Contents,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrphanAgent {
    pub agent: AgentFile,
    /// The session that its records name, which may be in another project.
    pub session: Option<SessionId>,
}

impl SessionFiles {
    /// Every file of the session: transcript, subagents, tool results, the rest.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self.transcript.as_path())
            .chain(self.agents.iter().map(|agent| agent.path.as_path()))
            .chain(self.tool_results.iter().map(PathBuf::as_path))
            .chain(self.sidecars.iter().map(PathBuf::as_path))
    }

    /// Whether a warning is about its files. An old-layout subagent that cannot be read may belong to any session beside
    /// it.
    pub fn is_concerned_by(&self, warning: &Warning) -> bool {
        let is_old_agent = |path: &Path| {
            path.parent() == self.transcript.parent()
                && path.file_name().is_some_and(|name| role_of(name) == Role::Agent)
        };
        warning.path == self.transcript
            || self.directory.as_ref().is_some_and(|directory| warning.path.starts_with(directory))
            || warning.kind == WarningKind::Unreadable && is_old_agent(&warning.path)
    }
}

impl AgentFile {
    /// Its metadata; none if the file cannot be parsed, which is a warning.
    pub fn read_meta(&self, warnings: &mut Vec<Warning>) -> Option<AgentMeta> {
        AgentMeta::read(self.meta.as_ref()?, warnings)
    }

    pub(crate) fn id_of(path: &Path, warnings: &mut Vec<Warning>) -> AgentId {
        let stem = stem_text(path, warnings);
        AgentId::new(stem.strip_prefix("agent-").unwrap_or(&stem))
    }

    /// `None` if the file is gone by now, or is not a plain file; the latter is a warning.
    pub(crate) fn of(entry: Entry, warnings: &mut Vec<Warning>) -> Option<Self> {
        let (len, modified) = size_and_time(&entry, warnings)?;
        let id = Self::id_of(&entry.path, warnings);
        Some(Self { id, path: entry.path, len, modified, meta: None, old_layout: false })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Transcript,
    Agent,
    Other,
}

pub(crate) fn role_of(name: &OsStr) -> Role {
    let name = name.as_encoded_bytes();
    if name.strip_suffix(b".jsonl").is_none_or(<[u8]>::is_empty) {
        Role::Other
    } else if name.starts_with(b"agent-") {
        Role::Agent
    } else {
        Role::Transcript
    }
}

/// The name without its extension as text; a name that is not UTF-8 is approximated, with a warning.
pub(crate) fn stem_text(path: &Path, warnings: &mut Vec<Warning>) -> String {
    text(path.file_stem().unwrap_or_default(), path, warnings)
}

pub(crate) fn text(name: &OsStr, path: &Path, warnings: &mut Vec<Warning>) -> String {
    if let Some(text) = name.to_str() {
        return text.to_owned();
    }
    warnings.push(Warning::new(path, WarningKind::NameNotText, "the name is not UTF-8"));
    name.to_string_lossy().into_owned()
}

pub(crate) fn size_and_time(entry: &Entry, warnings: &mut Vec<Warning>) -> Option<(u64, SystemTime)> {
    if entry.kind != Kind::File {
        warnings.push(not_a_file(&entry.path));
        return None;
    }
    if entry.measured.is_some() {
        return entry.measured;
    }
    match fs::metadata(&entry.path) {
        Ok(metadata) => Some((metadata.len(), modified_of(&metadata))),
        Err(error) => {
            warnings.extend(Warning::of_io(&entry.path, &error));
            None
        }
    }
}

/// Systems that keep no modification time get the epoch.
pub(crate) fn modified_of(metadata: &fs::Metadata) -> SystemTime {
    metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// 8-4-4-4-12 hexadecimal digits.
pub(crate) fn is_uuid(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_file_is() {
        assert_eq!(role_of(OsStr::new("notes.jsonl")), Role::Transcript);
        assert_eq!(role_of(OsStr::new("agent-1f.jsonl")), Role::Agent);
        for other in [".jsonl", "agent-1f.meta.json", "a.jsonl.bak", "memory"] {
            assert_eq!(role_of(OsStr::new(other)), Role::Other, "{other}");
        }
    }

    #[test]
    fn only_the_usual_shape_is_a_uuid() {
        assert!(is_uuid(OsStr::new("0b5f8a52-1c1e-4a6e-9a52-0123456789ab")));
        assert!(!is_uuid(OsStr::new("0b5f8a52-1c1e-4a6e-9a52-0123456789aq")));
        assert!(!is_uuid(OsStr::new("memory")));
    }
}
