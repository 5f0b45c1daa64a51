//! The sessions that the vault holds, by last activity.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_source::Class;
use steno_vault::{Generation, text_of};

use super::Filter;
use super::filter::Chosen;
use super::name::KeptName;
use crate::error::Error;
use crate::kept::{Index, KeptSession, KeptSessions};
use crate::names;
use crate::workspace::Workspace;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub sessions: Vec<Session>,
    /// How many there are without `--last`.
    pub total: u64,
    /// What was perhaps meant, where no project has the name that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// The first of them.
    #[serde(skip)]
    pub first: Option<KeptName>,
}

/// A session as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub uuid: String,
    /// The name of the project's directory.
    pub project_hash: String,
    /// Of the transcript's latest generation, as it is packed.
    pub size_bytes: u64,
    /// When bytes of the transcript were last kept.
    pub backed_up_at: Option<Timestamp>,
    pub title: Option<String>,
    pub cwd: Option<String>,
    pub machine: String,
    /// Whether the client still has it.
    pub live: bool,
    pub last_activity: Option<Timestamp>,
    pub generations: u64,
    pub uncompressed_bytes: u64,
    /// With everything that is restored along with the transcript.
    pub files: u64,
}

pub fn run(workspace: &Workspace, filter: &Filter) -> Result<Report, Error> {
    let kept_sessions = KeptSessions::open(workspace)?;
    let index = kept_sessions.index();
    let (chosen, total) = filter.choose(workspace, &kept_sessions, &index)?;
    let live = live(workspace);
    let sessions = chosen.iter().map(|chosen| session(chosen, &index, &live)).collect();
    let first = chosen.first().map(|first| KeptName::of(&first.kept, &index));
    let hints = filter.project.as_deref().map(|part| names::projects_meant(&kept_sessions, &index, part));
    let hints = hints.unwrap_or_default();
    Ok(Report { sessions, total, hints, first })
}

fn session<'a>(chosen: &Chosen<'a>, index: &Index<'a>, live: &Live) -> Session {
    let Chosen { kept, sketch } = chosen;
    let latest = kept.stream.latest();
    let plans = index.plans(kept.machine, &sketch.slugs);
    Session {
        uuid: kept.id.clone(),
        project_hash: kept.project.clone(),
        size_bytes: latest.map_or(0, Generation::packed),
        backed_up_at: latest.and_then(Generation::taken),
        title: sketch.title.clone(),
        cwd: sketch.cwd.clone(),
        machine: kept.machine.to_owned(),
        live: is_live(kept, index, live),
        last_activity: chosen.last_activity(),
        generations: kept.stream.generations.len() as u64,
        uncompressed_bytes: latest.map_or(0, Generation::len),
        files: (1 + index.parts(kept).len() + plans.len()) as u64,
    }
}

/// The paths of live transcripts, by their sessions.
type Live = HashMap<String, HashSet<String>>;

/// A directory that cannot be read holds nothing.
fn live(workspace: &Workspace) -> Live {
    let inventories =
        workspace.dirs.paths.iter().filter_map(|directory| steno_source::inventory(directory).ok());
    let mut live = Live::new();
    for file in inventories.flat_map(|inventory| inventory.files) {
        if let (Class::Transcript(id), Some(path)) = (&file.class, text_of(&file.path)) {
            live.entry(id.to_string()).or_default().insert(path);
        }
    }
    live
}

/// A session is its id, wherever its file lies by now; unless that file is another one that is kept, too.
fn is_live<'a>(kept: &KeptSession<'a>, index: &Index<'a>, live: &Live) -> bool {
    let is_own =
        |path: &String| *path == kept.stream.path || index.twins(kept).all(|twin| twin.stream.path != *path);
    live.get(&kept.id).is_some_and(|paths| paths.iter().any(is_own))
}
