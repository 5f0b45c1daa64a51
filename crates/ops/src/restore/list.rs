//! The sessions that the vault holds, by last activity.

use std::collections::HashSet;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_source::Class;
use steno_vault::Generation;

use super::Filter;
use super::filter::Chosen;
use crate::custody::Custody;
use crate::error::Error;
use crate::shelf::{Index, Shelf};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub sessions: Vec<Session>,
    /// How many there are without `--last`.
    pub total: u64,
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

pub fn run(custody: &Custody, filter: &Filter) -> Result<Report, Error> {
    let shelf = Shelf::open(custody)?;
    let index = shelf.index();
    let (chosen, total) = filter.choose(custody, &shelf, &index)?;
    let live = live(custody);
    let sessions = chosen.iter().map(|chosen| session(chosen, &index, &live)).collect();
    Ok(Report { sessions, total })
}

fn session(chosen: &Chosen<'_>, index: &Index<'_>, live: &HashSet<String>) -> Session {
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
        live: live.contains(&kept.id),
        last_activity: chosen.last_activity(),
        generations: kept.stream.generations.len() as u64,
        uncompressed_bytes: latest.map_or(0, Generation::len),
        files: (1 + index.parts(kept).len() + plans.len()) as u64,
    }
}

/// A session is its id, wherever its file lies by now. A directory that cannot be read holds nothing.
fn live(custody: &Custody) -> HashSet<String> {
    let inventories =
        custody.library.claude_dirs.iter().filter_map(|directory| steno_source::inventory(directory).ok());
    let files = inventories.flat_map(|inventory| inventory.files);
    let id = |class: Class| match class {
        Class::Transcript(id) => Some(id.to_string()),
        _ => None,
    };
    files.filter_map(|file| id(file.class)).collect()
}
