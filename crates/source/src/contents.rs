//! A session's directory → its subagents, tool results, title and the rest.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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

    /// The same of a session that is not on disk: its files are known by their paths, each beside or below `directory`,
    /// and `read` gives the bytes of the small ones. An old-layout subagent is one of these files, too.
    pub fn of_paths(
        directory: &Path,
        files: &[(PathBuf, u64, SystemTime)],
        read: &dyn Fn(&Path) -> Vec<u8>,
        warnings: &mut Vec<Warning>,
    ) -> Self {
        let mut contents = Self::default();
        let known: HashSet<&Path> = files.iter().map(|(path, ..)| path.as_path()).collect();
        let (below, old): (Vec<_>, Vec<_>) = files.iter().partition(|(path, ..)| path.starts_with(directory));
        for (path, len, modified) in below.into_iter().chain(old) {
            let kind = path.strip_prefix(directory).ok().and_then(|below| below.iter().next());
            let is_agent = path.file_name().is_some_and(|name| role_of(name) == Role::Agent);
            if is_agent && kind.is_none_or(|kind| kind == SUBAGENTS) {
                let id = AgentFile::id_of(path, warnings);
                let meta =
                    Some(path.with_extension("meta.json")).filter(|meta| known.contains(meta.as_path()));
                let (path, len, modified) = (path.clone(), *len, *modified);
                let agent = AgentFile { id, path, len, modified, meta, old_layout: kind.is_none() };
                // Of two files of one subagent, that of the newer layout counts.
                if kind.is_some() || contents.agents.iter().all(|known| known.id != agent.id) {
                    contents.agents.push(agent);
                }
            } else if kind.is_some_and(|kind| kind == TOOL_RESULTS) {
                contents.tool_results.push(path.clone());
            } else if kind.is_some() {
                if [CUSTOM_TITLE, LINEAGE].iter().any(|name| *path == directory.join(name)) {
                    let document = Document::parse(path, &read(path), warnings);
                    contents.take_document(path, document, warnings);
                }
                contents.sidecars.push(path.clone());
            }
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
            if (name == CUSTOM_TITLE || name == LINEAGE) && entry.kind == Kind::File {
                let document = Document::read(&entry.path, warnings);
                self.take_document(&entry.path, document, warnings);
            }
            self.take_other(entry, warnings);
        }
    }

    /// Title or lineage, where it could be parsed.
    fn take_document(&mut self, path: &Path, document: Option<Document>, warnings: &mut Vec<Warning>) {
        let Some(document) = document else { return };
        if path.ends_with(LINEAGE) {
            self.cloned_from = document.text("from").map(SessionId::new);
            return;
        }
        let title = document.text("customTitle");
        if title.is_none() {
            warnings.push(bad(path, "holds no customTitle"));
        }
        self.custom_title = title.filter(|title| !title.trim().is_empty());
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

impl AgentMeta {
    /// From the bytes of its file; none if they cannot be parsed, which is a warning.
    pub fn parse(path: &Path, bytes: &[u8], warnings: &mut Vec<Warning>) -> Option<Self> {
        Document::parse(path, bytes, warnings).map(|document| Self::of(&document))
    }

    pub(crate) fn read(path: &Path, warnings: &mut Vec<Warning>) -> Option<Self> {
        Document::read(path, warnings).map(|document| Self::of(&document))
    }

    fn of(document: &Document) -> Self {
        Self {
            agent_type: document.text("agentType"),
            description: document.text("description"),
            tool_use_id: document.text("toolUseId"),
            spawn_depth: document.integer("spawnDepth"),
        }
    }
}
