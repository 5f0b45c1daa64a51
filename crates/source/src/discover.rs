//! Claude directories → projects and their sessions, each once, in the order of their names.
//!
//! A walk and a stat for every file, so that two thousand sessions cost milliseconds: no transcript is opened.
//! Old-layout subagents are the exception, since only their records name the session.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::directory::{Entry, Kind, list};
use crate::error::Error;
use crate::layout::{Project, Role, role_of};
use crate::warning::{Warning, WarningKind};

mod project;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    pub projects: Vec<Project>,
    pub warnings: Vec<Warning>,
}

/// A project directory, its path without links, and its entries.
struct Listing {
    claude_dir: PathBuf,
    name: OsString,
    path: PathBuf,
    real_path: PathBuf,
    linked: bool,
    entries: Vec<Entry>,
}

/// Fails only when directories were given and none of them can be used.
pub fn discover(claude_dirs: &[PathBuf]) -> Result<Discovery, Error> {
    let mut warnings = Vec::new();
    let mut listings = Vec::new();
    for claude_dir in usable(claude_dirs, &mut warnings)? {
        listings.extend(project_directories(&claude_dir, &mut warnings));
    }
    keep_once(&mut listings);
    let directories: HashSet<PathBuf> = listings.iter().map(|listing| listing.real_path.clone()).collect();
    let outcomes = warned(&mut warnings, listings, |mut listing, warnings| {
        listing.entries = list(&listing.path, warnings);
        if listing.entries.iter().any(is_linked) {
            Err(Box::new(listing))
        } else {
            Ok(project::assemble(listing, warnings))
        }
    });
    let (mut projects, mut linked) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        outcome.map_or_else(|listing| linked.push(*listing), |project| projects.push(project));
    }
    let mut twins = Twins { directories, listed: HashMap::new(), seen: HashSet::new() };
    for listing in &mut linked {
        listing.entries.retain(|entry| !twins.contains(entry));
    }
    let assembled = warned(&mut warnings, linked, project::assemble);
    projects.extend(assembled);
    projects.sort_by(|one, other| (&one.project_hash, &one.path).cmp(&(&other.project_hash, &other.path)));
    Ok(Discovery { projects, warnings })
}

/// What `work` makes of each listing, with the warnings in the order of the listings.
fn warned<T: Send>(
    warnings: &mut Vec<Warning>,
    listings: Vec<Listing>,
    work: impl Fn(Listing, &mut Vec<Warning>) -> T + Sync,
) -> Vec<T> {
    let each = listings.into_par_iter().with_max_len(1).map(|listing| {
        let mut warnings = Vec::new();
        (work(listing, &mut warnings), warnings)
    });
    in_order(each.collect(), warnings)
}

/// Puts together what was warned of beside each outcome.
fn in_order<T>(done: Vec<(T, Vec<Warning>)>, warnings: &mut Vec<Warning>) -> Vec<T> {
    let outcomes = done.into_iter().map(|(outcome, strange)| {
        warnings.extend(strange);
        outcome
    });
    outcomes.collect()
}

/// The readable directories, each once; the error of the first one if none is readable.
fn usable(claude_dirs: &[PathBuf], warnings: &mut Vec<Warning>) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut refused = Vec::new();
    for claude_dir in claude_dirs {
        match real_directory(claude_dir) {
            Ok(real) => found.extend(seen.insert(real).then(|| claude_dir.clone())),
            Err(error) => refused.push(error),
        }
    }
    if found.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0));
    }
    warnings.extend(refused.iter().filter_map(refusal));
    Ok(found)
}

/// One without `projects/` is a client that has not run yet; one whose `projects/` may not be seen tells nothing.
fn real_directory(claude_dir: &Path) -> Result<PathBuf, Error> {
    let path = claude_dir.to_owned();
    let real = match fs::canonicalize(claude_dir) {
        Ok(real) if real.is_dir() => real,
        Ok(_) => return Err(Error::NotADirectory { path }),
        Err(error) => {
            return Err(match error.kind() {
                io::ErrorKind::NotFound => Error::MissingDirectory { path },
                io::ErrorKind::NotADirectory => Error::NotADirectory { path },
                _ => Error::Unreadable { path, source: error },
            });
        }
    };
    let projects = claude_dir.join("projects");
    match fs::read_dir(&projects) {
        Err(source) if source.kind() == io::ErrorKind::PermissionDenied => {
            Err(Error::Unreadable { path: projects, source })
        }
        _ => Ok(real),
    }
}

/// The warning about a directory when others are fine.
fn refusal(error: &Error) -> Option<Warning> {
    match error {
        Error::MissingDirectory { path } => {
            Some(Warning::new(path, WarningKind::MissingDirectory, "no such directory"))
        }
        Error::NotADirectory { path } => {
            Some(Warning::new(path, WarningKind::NotADirectory, "a Claude directory is expected here"))
        }
        Error::Unreadable { path, source } => Warning::of_io(path, source),
        Error::MissingFile { .. } | Error::NotAFile { .. } => None,
    }
}

fn project_directories(claude_dir: &Path, warnings: &mut Vec<Warning>) -> Vec<Listing> {
    let projects = claude_dir.join("projects");
    let entries = list(&projects, warnings);
    let real = fs::canonicalize(&projects).unwrap_or(projects);
    entries.into_iter().filter_map(|entry| listing(claude_dir, &real, entry, warnings)).collect()
}

/// Not yet listed: the same directory may be found a second time.
fn listing(claude_dir: &Path, projects: &Path, entry: Entry, warnings: &mut Vec<Warning>) -> Option<Listing> {
    let name = entry.name().to_owned();
    let Entry { path, kind, linked, .. } = entry;
    if kind != Kind::Directory {
        // Desktops and the client itself put hidden files everywhere.
        if !name.as_encoded_bytes().starts_with(b".") {
            let message = "a project directory is expected here";
            warnings.push(Warning::new(&path, WarningKind::NotADirectory, message));
        }
        return None;
    }
    let real_path = if linked { fs::canonicalize(&path) } else { Ok(projects.join(&name)) };
    match real_path {
        Ok(real_path) => Some(Listing {
            claude_dir: claude_dir.to_owned(),
            name,
            path,
            real_path,
            linked,
            entries: Vec::new(),
        }),
        Err(error) => {
            warnings.extend(Warning::of_io(&path, &error));
            None
        }
    }
}

/// Of several ways to one directory the real one stays, links go.
fn keep_once(listings: &mut Vec<Listing>) {
    listings.sort_by_key(|listing| listing.linked);
    let mut seen = HashSet::new();
    listings.retain(|listing| seen.insert(listing.real_path.clone()));
}

/// A transcript that is a link.
fn is_linked(entry: &Entry) -> bool {
    entry.linked && role_of(entry.name()) == Role::Transcript
}

/// Tells whether a transcript is a link to one that is listed anyway: it is the same session a second time.
struct Twins {
    /// Those that are listed.
    directories: HashSet<PathBuf>,
    /// The names in those of them that a caller asked for.
    listed: HashMap<PathBuf, HashSet<OsString>>,
    /// What links lead to elsewhere.
    seen: HashSet<PathBuf>,
}

impl Twins {
    fn contains(&mut self, entry: &Entry) -> bool {
        let real = is_linked(entry).then(|| fs::canonicalize(&entry.path).ok()).flatten();
        real.is_some_and(|real| self.lists(&real) || !self.seen.insert(real))
    }

    /// Whether a transcript is really listed: a directory that cannot be read has none.
    fn lists(&mut self, real: &Path) -> bool {
        let Some((parent, name)) = real.parent().zip(real.file_name()) else { return false };
        if !self.directories.contains(parent) || role_of(name) == Role::Other {
            return false;
        }
        let listed = self.listed.entry(parent.to_owned()).or_insert_with(|| {
            let entries = list(parent, &mut Vec::new()).into_iter();
            entries.filter(|entry| !entry.linked).map(|entry| entry.name().to_owned()).collect()
        });
        listed.contains(name)
    }
}
