//! One transcript by its path, in any directory → its files.
//!
//! Costs a listing of the folder's names and the head of each old-layout subagent in it; no other file is touched.

use std::fs;
use std::path::{Path, PathBuf};

use steno_transcript::SessionId;

use crate::contents::Contents;
use crate::directory::{Entry, Kind};
use crate::error::Error;
use crate::layout::{AgentFile, Role, SessionFiles, modified_of, role_of, stem_text};
use crate::parent::parent_of;
use crate::warning::Warning;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    pub session: SessionFiles,
    pub warnings: Vec<Warning>,
}

/// A subagent's file is a transcript like any other here, with its whole stem as id.
pub fn locate(path: &Path) -> Result<Located, Error> {
    let metadata = fs::metadata(path).map_err(|error| Error::file(path, error))?;
    if !metadata.is_file() {
        return Err(Error::NotAFile { path: path.to_owned() });
    }
    let mut warnings = Vec::new();
    let id = SessionId::new(stem_text(path, &mut warnings));
    let directory = Some(path.with_extension("")).filter(|directory| directory != path && directory.is_dir());
    let contents = directory.as_ref().map(|path| Contents::read(path, &mut warnings));
    let contents = contents.unwrap_or_default();
    let mut agents = contents.agents;
    agents.extend(old_agents(path, &id, &mut warnings));
    let (claude_dir, project_hash) = home_of(path).unzip();
    let session = SessionFiles {
        id,
        claude_dir,
        project_hash,
        transcript: path.to_owned(),
        len: metadata.len(),
        modified: modified_of(&metadata),
        directory,
        agents,
        tool_results: contents.tool_results,
        custom_title: contents.custom_title,
        cloned_from: contents.cloned_from,
        sidecars: contents.sidecars,
    };
    Ok(Located { session, warnings })
}

pub(crate) fn folder_of(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

/// Claude directory and project name of a transcript in `<claude dir>/projects/<name>/`.
fn home_of(path: &Path) -> Option<(PathBuf, String)> {
    let project = fs::canonicalize(folder_of(path)?).ok()?;
    let projects = project.parent()?;
    let name = project.file_name()?.to_string_lossy().into_owned();
    (projects.file_name()? == "projects").then_some((projects.parent()?.to_owned(), name))
}

fn old_agents(path: &Path, id: &SessionId, warnings: &mut Vec<Warning>) -> Vec<AgentFile> {
    let Some(folder) = folder_of(path) else {
        return Vec::new();
    };
    let found = match fs::read_dir(folder) {
        Ok(found) => found,
        Err(error) => {
            warnings.extend(Warning::of_io(folder, &error));
            return Vec::new();
        }
    };
    let mut names: Vec<_> = found
        .filter_map(|entry| Some(entry.ok()?.file_name()))
        .filter(|name| role_of(name) == Role::Agent && path.file_name() != Some(name))
        .collect();
    names.sort();
    names.into_iter().filter_map(|name| old_agent(&folder.join(name), id, warnings)).collect()
}

/// Only the agents of this session are of interest: what cannot be read is said, the rest passed over.
fn old_agent(path: &Path, id: &SessionId, warnings: &mut Vec<Warning>) -> Option<AgentFile> {
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    match parent_of(path) {
        Ok(parent) if parent.as_ref() == Some(id) => {
            let entry = Entry { path: path.to_owned(), kind: Kind::File, linked: false, measured: None };
            AgentFile::of(entry, warnings).map(|agent| AgentFile { old_layout: true, ..agent })
        }
        Ok(_) => None,
        Err(error) => {
            warnings.extend(Warning::of_io(path, &error));
            None
        }
    }
}
