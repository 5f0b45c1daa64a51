//! The entries of one project directory → sessions with their subagents, and entries left without a session.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::SystemTime;

use rayon::prelude::*;
use steno_transcript::SessionId;

use super::{Listing, in_order};
use crate::contents::{Contents, is_session_directory};
use crate::directory::{Entry, Kind};
use crate::layout::{
    AgentFile, Leftover, OrphanAgent, Project, Role, SessionFiles, is_uuid, role_of, size_and_time, text,
};
use crate::parent::parent_of;
use crate::warning::{Warning, WarningKind};

/// A file that may be a transcript.
struct Found {
    entry: Entry,
    /// Length and time; nothing where it is none.
    measured: Option<(u64, SystemTime)>,
    directory: Option<Entry>,
    warnings: Vec<Warning>,
}

pub(super) fn assemble(listing: Listing, warnings: &mut Vec<Warning>) -> Project {
    let mut project = Project {
        project_hash: text(&listing.name, &listing.path, warnings),
        claude_dir: listing.claude_dir,
        path: listing.path,
        sessions: Vec::new(),
        leftovers: Vec::new(),
        orphan_agents: Vec::new(),
        others: Vec::new(),
    };
    let mut transcripts = Vec::new();
    let mut agents = Vec::new();
    let mut rest = BTreeMap::new();
    for entry in listing.entries {
        match role_of(entry.name()) {
            Role::Transcript => transcripts.push(entry),
            Role::Agent => agents.push(entry),
            Role::Other => drop(rest.insert(entry.name().to_owned(), entry)),
        }
    }
    project.sessions = sessions(transcripts, &project, &mut rest, warnings);
    adopt(&mut project, agents, warnings);
    sort_rest(&mut project, rest, warnings);
    project
}

/// Those of which there is a directory take it from the rest.
fn sessions(
    transcripts: Vec<Entry>,
    project: &Project,
    rest: &mut BTreeMap<OsString, Entry>,
    warnings: &mut Vec<Warning>,
) -> Vec<SessionFiles> {
    let found = transcripts.into_iter().map(|entry| {
        let mut warnings = Vec::new();
        let measured = size_and_time(&entry, &mut warnings);
        let directory = measured.and_then(|_| directory_of(&entry, rest, &mut warnings));
        Found { entry, measured, directory, warnings }
    });
    let found: Vec<Found> = found.collect();
    let done = found.into_par_iter().map(|found| session(project, found)).collect();
    in_order(done, warnings).into_iter().flatten().collect()
}

/// `None` if it is no session; and warnings about it.
fn session(project: &Project, found: Found) -> (Option<SessionFiles>, Vec<Warning>) {
    let Found { entry, measured, directory, mut warnings } = found;
    let Some((len, modified)) = measured else { return (None, warnings) };
    let contents = directory.as_ref().map(|entry| Contents::read(&entry.path, &mut warnings));
    let contents = contents.unwrap_or_default();
    let session = SessionFiles {
        id: SessionId::new(text(entry.stem(), &entry.path, &mut warnings)),
        claude_dir: Some(project.claude_dir.clone()),
        project_hash: Some(project.project_hash.clone()),
        transcript: entry.path,
        len,
        modified,
        directory: directory.map(|entry| entry.path),
        agents: contents.agents,
        tool_results: contents.tool_results,
        custom_title: contents.custom_title,
        cloned_from: contents.cloned_from,
        sidecars: contents.sidecars,
    };
    (Some(session), warnings)
}

fn directory_of(
    transcript: &Entry,
    rest: &mut BTreeMap<OsString, Entry>,
    warnings: &mut Vec<Warning>,
) -> Option<Entry> {
    let stem = transcript.stem();
    let found = rest.get(stem)?;
    if found.kind == Kind::Directory {
        return rest.remove(stem);
    }
    let message = "the session's directory is expected here";
    warnings.push(Warning::new(&found.path, WarningKind::NotADirectory, message));
    None
}

/// Gives every old-layout subagent to the session its records name.
fn adopt(project: &mut Project, agents: Vec<Entry>, warnings: &mut Vec<Warning>) {
    if agents.is_empty() {
        return;
    }
    let places: BTreeMap<SessionId, usize> =
        project.sessions.iter().enumerate().map(|(place, session)| (session.id.clone(), place)).collect();
    for entry in agents {
        let Some(agent) = AgentFile::of(entry, warnings) else {
            continue;
        };
        let agent = AgentFile { old_layout: true, ..agent };
        let session = match parent_of(&agent.path) {
            Ok(session) => session,
            Err(error) => {
                warnings.extend(Warning::of_io(&agent.path, &error));
                continue;
            }
        };
        let place = session.as_ref().and_then(|id| places.get(id));
        match place.and_then(|place| project.sessions.get_mut(*place)) {
            Some(parent) => parent.agents.push(agent),
            None => project.orphan_agents.push(OrphanAgent { agent, session }),
        }
    }
}

fn sort_rest(project: &mut Project, rest: BTreeMap<OsString, Entry>, warnings: &mut Vec<Warning>) {
    for (name, entry) in rest {
        let is_leftover =
            entry.kind == Kind::Directory && (is_uuid(&name) || is_session_directory(&entry.path));
        if is_leftover {
            project.leftovers.push(Leftover {
                id: SessionId::new(text(&name, &entry.path, warnings)),
                contents: Contents::read(&entry.path, warnings),
                directory: entry.path,
            });
        } else {
            project.others.push(entry.path);
        }
    }
}
