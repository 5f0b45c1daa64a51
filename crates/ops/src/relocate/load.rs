//! Claude directories → what leaves them for another project directory: sessions, each with its files, and what lies
//! beside them.
//!
//! A session belongs where the client resumes it: in the directory that its project directory is named after. One that
//! only went to work in OLD for a while, started elsewhere, stays where it is. Names of project directories are lossy,
//! so the records decide, and the name alone only where no record says anything.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use steno_edit::rewrite::Move;
use steno_source::{Discovery, Project, SessionFiles, project_directory_name};

use super::address::is_directory;
use crate::draft::TEMPORARY;
use crate::restore::movement::Directories;

/// Files that go to one other project directory.
#[derive(Debug)]
pub(super) struct Load {
    /// The session; none for what belongs to no session.
    pub(super) id: Option<String>,
    pub(super) claude_dir: PathBuf,
    /// The project directory that it leaves, and the one it goes to.
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
    /// Where the session works, and where it will.
    pub(super) home: String,
    /// A session's transcript comes first.
    pub(super) files: Vec<Carried>,
    pub(super) bytes: u64,
}

/// A file on its way.
#[derive(Debug)]
pub(super) struct Carried {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
    /// Whether directories in it move along.
    pub(super) is_records: bool,
}

/// Projects, and where each of their sessions works.
#[derive(Debug)]
pub(super) struct Map {
    projects: Vec<(Project, Vec<Option<String>>)>,
}

impl Map {
    pub(super) fn of(discovery: Discovery) -> Self {
        let sessions = discovery.projects.iter().flat_map(|project| &project.sessions);
        let sessions: Vec<&SessionFiles> = sessions.collect();
        let homes: Vec<Option<String>> = sessions.par_iter().map(|session| home_of(session)).collect();
        let mut homes = homes.into_iter();
        let projects = discovery.projects.into_iter().map(|project| {
            let homes = homes.by_ref().take(project.sessions.len()).collect();
            (project, homes)
        });
        Self { projects: projects.collect() }
    }

    /// How many sessions work in a directory or below it.
    pub(super) fn count(&self, directory: &str) -> usize {
        let itself = Move { from: directory.to_owned(), to: directory.to_owned() };
        let homes = self.projects.iter().flat_map(|(_, homes)| homes).flatten();
        homes.filter(|home| itself.of_directory(home).is_some()).count()
    }

    /// What a move takes, in the order of the projects.
    pub(super) fn loads(&self, route: &Move) -> Vec<Load> {
        self.projects.iter().flat_map(|(project, homes)| loads_of(project, homes, route)).collect()
    }
}

/// One that cannot be read says nothing; copying it is the error.
fn home_of(session: &SessionFiles) -> Option<String> {
    let project = session.project_hash.as_deref().unwrap_or_default();
    let directories = Directories::of(File::open(&session.transcript).ok()?, project);
    directories.home().map(str::to_owned)
}

/// Where a directory goes; one that is in NEW already, below OLD, has come.
fn target_of(route: &Move, home: &str) -> Option<String> {
    let arrived = Move { from: route.to.clone(), to: route.to.clone() };
    let is_inside = route.of_directory(&route.to).is_some();
    let has_come = is_inside && arrived.of_directory(home).is_some();
    if has_come { None } else { route.of_directory(home) }
}

fn loads_of(project: &Project, homes: &[Option<String>], route: &Move) -> Vec<Load> {
    let own = own_home(project, homes, route);
    let mut loads = Vec::new();
    for (session, home) in project.sessions.iter().zip(homes) {
        let home = home.as_deref().or(own.as_deref());
        loads.extend(home.and_then(|home| Departure::of(project, home, route)?.session(session)));
    }
    let others = own.and_then(|own| Departure::of(project, &own, route)?.others(project));
    loads.extend(others);
    loads
}

/// The directory that a project directory is named after, as most of its sessions say it.
fn own_home(project: &Project, homes: &[Option<String>], route: &Move) -> Option<String> {
    let is_own = |home: &str| project_directory_name(Path::new(home)) == project.project_hash;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for home in homes.iter().flatten().filter(|home| is_own(home)) {
        *counts.entry(home).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(home, count)| (*count, std::cmp::Reverse(*home)));
    let named = || is_own(&route.from).then(|| route.from.clone());
    most.map(|(home, _)| home.to_owned()).or_else(named)
}

/// From one project directory to another.
struct Departure<'a> {
    project: &'a Project,
    home: &'a str,
    to: PathBuf,
}

impl<'a> Departure<'a> {
    fn of(project: &'a Project, home: &'a str, route: &Move) -> Option<Self> {
        let name = project_directory_name(Path::new(&target_of(route, home)?));
        Some(Self { project, home, to: project.claude_dir.join("projects").join(name) })
    }

    fn session(&self, session: &SessionFiles) -> Option<Load> {
        let files: Vec<Carried> = session.paths().filter_map(|path| self.carried(path, true)).collect();
        (!files.is_empty()).then(|| self.load(Some(session.id.to_string()), files))
    }

    /// What belongs to no session that is here.
    fn others(&self, project: &Project) -> Option<Load> {
        let mut files = Vec::new();
        for path in &project.others {
            files.extend(files_below(path).iter().filter_map(|path| self.carried(path, false)));
        }
        let leftovers = project.leftovers.iter().flat_map(|leftover| files_below(&leftover.directory));
        let agents = project.orphan_agents.iter().map(|orphan| orphan.agent.path.clone());
        files.extend(leftovers.chain(agents).filter_map(|path| self.carried(&path, true)));
        (!files.is_empty()).then(|| self.load(None, files))
    }

    fn load(&self, id: Option<String>, files: Vec<Carried>) -> Load {
        let bytes = files.iter().map(|file| file.from.metadata().map_or(0, |metadata| metadata.len())).sum();
        let (claude_dir, from) = (self.project.claude_dir.clone(), self.project.path.clone());
        Load { id, claude_dir, from, to: self.to.clone(), home: self.home.to_owned(), files, bytes }
    }

    /// Nothing where it is a draft, or what a killed process of ours left.
    fn carried(&self, path: &Path, may_be_records: bool) -> Option<Carried> {
        let inside = path.strip_prefix(&self.project.path).ok()?;
        let is_draft = |name: &OsStr| name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        if inside.iter().any(is_draft) {
            return None;
        }
        let is_records = may_be_records && path.extension().is_some_and(|ending| ending == "jsonl");
        Some(Carried { from: path.to_owned(), to: self.to.join(inside), is_records })
    }
}

/// A file, or all files below a directory; links are not followed.
fn files_below(path: &Path) -> Vec<PathBuf> {
    let (mut open, mut files) = (vec![path.to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {
                let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
                open.extend(entries.map(|entry| entry.path()));
            }
            Ok(metadata) if metadata.is_file() => files.push(path),
            _ => {}
        }
    }
    files.sort();
    files
}

impl Load {
    /// Whether both project directories are the same one, be it by a link.
    pub(super) fn stays(&self) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        self.from == self.to || real(&self.to).is_some_and(|to| real(&self.from) == Some(to))
    }

    /// Whether it is where the client looks for it.
    fn is_at_home(&self) -> bool {
        let name = project_directory_name(Path::new(&self.home));
        self.from.file_name().is_some_and(|own| *own == *name)
    }

    /// Where a session goes.
    fn place(&self) -> Option<(&str, &Path)> {
        Some((self.id.as_deref()?, &self.to))
    }

    /// What it is called in a report.
    pub(super) fn name(&self) -> String {
        self.id.clone().unwrap_or_default()
    }
}

/// Loads, each with another of the same session that goes to its place, if there is one: that which lies where the
/// client looks for it, else the first.
pub(super) fn one_per_place(loads: &[Load]) -> Vec<(&Load, Option<&Load>)> {
    let mut firsts: HashMap<(&str, &Path), &Load> = HashMap::new();
    for load in loads {
        let Some(place) = load.place() else { continue };
        let first = firsts.entry(place).or_insert(load);
        if load.is_at_home() && !first.is_at_home() {
            *first = load;
        }
    }
    let first = |load: &Load| firsts.get(&load.place()?).copied();
    loads.iter().map(|load| (load, first(load).filter(|first| !std::ptr::eq(*first, load)))).collect()
}

/// Whether the project is still where it was, and nowhere else.
pub(super) fn is_not_moved_yet(route: &Move) -> bool {
    is_directory(&route.from) && !is_directory(&route.to)
}
