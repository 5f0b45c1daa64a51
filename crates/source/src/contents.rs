//! A session's directory → its subagents, tool results, title and the rest.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use steno_transcript::SessionId;

use crate::directory::{Entry, Kind, files_below, leads_up, list, not_a_file, refuse_link};
use crate::document::{Document, bad};
use crate::layout::{AgentFile, AgentMeta, Role, role_of};
use crate::warning::{Warning, WarningKind};

pub(crate) const SUBAGENTS: &str = "subagents";
pub(crate) const TOOL_RESULTS: &str = "tool-results";
const CUSTOM_TITLE: &str = "custom-title.json";
/// Where a clone remembers what it came from. Of ours: the client passes over it.
pub const LINEAGE: &str = "steno-lineage.json";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    pub agents: Vec<AgentFile>,
    pub tool_results: Vec<PathBuf>,
    pub custom_title: Option<String>,
    /// The session that it was cloned from.
    pub cloned_from: Option<SessionId>,
    /// Every other file, the ones read for titles and agents included.
    pub sidecars: Vec<PathBuf>,
}

impl Contents {
    pub(crate) fn read(directory: &Path, warnings: &mut Vec<Warning>) -> Self {
        let mut contents = Self::default();
        for entry in list(directory, warnings) {
            contents.take(entry, warnings);
        }
        contents.sidecars.sort();
        contents
    }

    fn take(&mut self, entry: Entry, warnings: &mut Vec<Warning>) {
        let name = entry.name();
        if name == SUBAGENTS {
            self.take_agents(&entry, warnings);
        } else if name == TOOL_RESULTS {
            let files = self.files_of_role(&entry, warnings);
            self.tool_results.extend(files.into_iter().map(|file| file.path));
        } else {
            if name == CUSTOM_TITLE && entry.kind == Kind::File {
                self.custom_title = custom_title(&entry.path, warnings);
            }
            if name == LINEAGE && entry.kind == Kind::File {
                let lineage = Document::read(&entry.path, warnings);
                self.cloned_from = lineage.and_then(|lineage| lineage.text("from")).map(SessionId::new);
            }
            self.take_other(entry, warnings);
        }
    }

    fn take_other(&mut self, entry: Entry, warnings: &mut Vec<Warning>) {
        match entry.kind {
            Kind::File => self.sidecars.push(entry.path),
            Kind::Special => warnings.push(not_a_file(&entry.path)),
            Kind::Directory if entry.linked => warnings.push(refuse_link(&entry.path)),
            Kind::Directory => {
                let files = files_below(&entry.path, warnings);
                self.sidecars.extend(files.into_iter().map(|file| file.path));
            }
        }
    }

    /// Agents lie at any depth below `subagents/`, since they nest and newer clients group them.
    fn take_agents(&mut self, subagents: &Entry, warnings: &mut Vec<Warning>) {
        let (agents, others): (Vec<_>, Vec<_>) = self
            .files_of_role(subagents, warnings)
            .into_iter()
            .partition(|file| role_of(file.name()) == Role::Agent);
        // They are in order, and so are these.
        let others: Vec<PathBuf> = others.into_iter().map(|file| file.path).collect();
        let has =
            |meta: &PathBuf| others.binary_search_by(|other| other.as_os_str().cmp(meta.as_os_str())).is_ok();
        for entry in agents {
            if let Some(mut agent) = AgentFile::of(entry, warnings) {
                let meta = (!others.is_empty()).then(|| agent.path.with_extension("meta.json"));
                agent.meta = meta.filter(has);
                self.agents.push(agent);
            }
        }
        self.sidecars.extend(others);
    }

    /// The files of a directory that has a meaning by its name; here, and only here, a link is followed: people
    /// move these to another disk.
    fn files_of_role(&mut self, entry: &Entry, warnings: &mut Vec<Warning>) -> Vec<Entry> {
        match entry.kind {
            Kind::Directory if entry.linked && leads_up(&entry.path) => {
                warnings.push(refuse_link(&entry.path))
            }
            Kind::Directory => return files_below(&entry.path, warnings),
            Kind::File | Kind::Special => {
                let message = "a directory is expected here";
                warnings.push(Warning::new(&entry.path, WarningKind::NotADirectory, message));
                self.sidecars.extend((entry.kind == Kind::File).then(|| entry.path.clone()));
            }
        }
        Vec::new()
    }
}

/// Whether a directory without a transcript holds what only sessions have.
pub(crate) fn is_session_directory(directory: &Path) -> bool {
    [SUBAGENTS, TOOL_RESULTS, CUSTOM_TITLE].iter().any(|name| directory.join(OsStr::new(name)).exists())
}

fn custom_title(path: &Path, warnings: &mut Vec<Warning>) -> Option<String> {
    let title = Document::read(path, warnings)?.text("customTitle");
    if title.is_none() {
        warnings.push(bad(path, "holds no customTitle"));
    }
    title.filter(|title| !title.trim().is_empty())
}

impl AgentMeta {
    pub(crate) fn read(path: &Path, warnings: &mut Vec<Warning>) -> Option<Self> {
        let document = Document::read(path, warnings)?;
        Some(Self {
            agent_type: document.text("agentType"),
            description: document.text("description"),
            tool_use_id: document.text("toolUseId"),
            spawn_depth: document.integer("spawnDepth"),
        })
    }
}
