//! A session → the client's files of it, and their deletion.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;
use steno_conversation::Warning;
use steno_source::{Class, KeptFile};
use steno_vault::text_of;

use super::Remaining;
use super::belonging::{Belongings, is_plan};
use super::history;
use crate::aside::Unfinished;
use crate::error::{Error, ErrorKind};
use crate::kept::Slugs;
use crate::warning;
use crate::workspace::Workspace;

const HISTORY: &str = "history.jsonl";
/// What the client writes of a session where nothing is kept: directories, and files.
const ELSEWHERE: [(&str, &str); 2] = [("session-env", ""), ("debug", ".txt")];

#[derive(Debug, Default)]
pub(super) struct Live {
    /// Files, and directories that hold nothing else.
    pub(super) files: Vec<PathBuf>,
    homes: Vec<PathBuf>,
    /// All that there are, of whichever session.
    plans: Vec<KeptFile>,
    /// Transcripts of other sessions.
    others: Vec<PathBuf>,
    /// Of its plans.
    pub(super) slugs: BTreeSet<String>,
    /// Lines of the lists of prompts that are the session's.
    pub(super) prompts: u64,
    pub(super) warnings: Vec<Warning>,
}

pub(super) fn look(workspace: &Workspace, id: &str) -> Result<Live, Error> {
    let mut live = Live::default();
    for claude_dir in &workspace.dirs.paths {
        let inventory = match steno_source::inventory(claude_dir) {
            Err(steno_source::Error::MissingDirectory { .. }) => continue,
            inventory => inventory?,
        };
        for file in inventory.files {
            match &file.class {
                Class::Plan { .. } => live.plans.push(file),
                Class::History => live.count_prompts(&file.absolute, id),
                _ if is_of(&file, id) => live.files.push(file.absolute),
                Class::Transcript(_) => live.others.push(file.absolute),
                _ => {}
            }
        }
        let elsewhere =
            ELSEWHERE.iter().map(|(place, ending)| claude_dir.join(place).join(format!("{id}{ending}")));
        live.files.extend(elsewhere.filter(|path| is_plain(id) && path.exists()));
        live.homes.push(claude_dir.clone());
    }
    let transcripts =
        live.files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    live.slugs = transcripts.flat_map(|path| slugs_of(path)).collect();
    Ok(live)
}

impl Live {
    /// Whether the client still has the conversation.
    pub(super) fn has_transcript(&self, id: &str) -> bool {
        let name = format!("{id}.jsonl");
        self.files.iter().any(|file| file.file_name().is_some_and(|own| *own == *name))
    }

    pub(super) fn has_plan(&self, slug: &str) -> bool {
        self.plans.iter().any(|plan| text_of(&plan.path).is_some_and(|path| is_plan(&path, slug)))
    }

    /// With the plans that are its own.
    pub(super) fn all(&self, belongings: &Belongings) -> Vec<&Path> {
        let is_own = |plan: &&KeptFile| {
            text_of(&plan.path).is_some_and(|path| belongings.slugs.iter().any(|slug| is_plan(&path, slug)))
        };
        let plans = self.plans.iter().filter(is_own).map(|plan| &plan.absolute);
        self.files.iter().chain(plans).map(PathBuf::as_path).collect()
    }

    /// The slugs of all other sessions.
    pub(super) fn named_by_others(&self) -> BTreeSet<String> {
        let slugs: Vec<BTreeSet<String>> = self.others.par_iter().map(|path| slugs_of(path)).collect();
        slugs.into_iter().flatten().collect()
    }

    fn count_prompts(&mut self, path: &Path, id: &str) {
        match fs::read(path) {
            Ok(bytes) => self.prompts += history::count(&bytes, id),
            Err(error) => self.warnings.push(warning::at(path, "unreadable", error.to_string())),
        }
    }
}

/// What cannot be read names nothing.
fn slugs_of(path: &Path) -> BTreeSet<String> {
    let mut slugs = Slugs::default();
    let _ = fs::File::open(path).and_then(|file| io::copy(&mut slugs.reading(file), &mut io::sink()));
    slugs.found()
}

fn is_of(file: &KeptFile, id: &str) -> bool {
    match &file.class {
        Class::OldAgent => {
            steno_source::session_of_old_agent(&file.absolute).is_some_and(|session| session.as_str() == id)
        }
        _ => file.session().is_some_and(|session| session.as_str() == id),
    }
}

fn is_plain(id: &str) -> bool {
    !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\\'])
}

/// A client that still writes would bring it back, or lose what it is about to say.
pub(super) fn refuse_running(workspace: &Workspace, id: &str) -> Result<(), Error> {
    let now = SystemTime::from(workspace.dirs.now);
    let directories = workspace.dirs.paths.iter();
    let mut entries = directories.flat_map(|directory| steno_source::live(directory).entries);
    match entries.find(|entry| entry.session_id.as_str() == id && steno_source::is_alive(entry, now)) {
        Some(entry) => {
            Err(Error::new(ErrorKind::Running, format!("session {id} is running (process {})", entry.pid))
                .hint("end it first; without --live it is erased from the vault alone"))
        }
        None => Ok(()),
    }
}

/// Gives the number of files that are gone, and those that are not.
pub(super) fn delete(live: &Live, belongings: &Belongings, id: &str) -> (u64, Vec<Remaining>) {
    let mut deleted = 0;
    let mut remaining = Vec::new();
    for path in live.all(belongings) {
        match remove(path) {
            Ok(()) => deleted += 1,
            Err(error) => remaining.push(Remaining::new("live", format!("{}: {error}", path.display()))),
        }
    }
    for claude_dir in &live.homes {
        remove_empty(claude_dir, &live.files);
        // Where that cannot be written, neither can the list.
        let _unfinished = Unfinished::begin(claude_dir);
        if let Err(error) = history::filter_live(&claude_dir.join(HISTORY), id) {
            let detail = format!("{}: {error}", claude_dir.join(HISTORY).display());
            remaining.push(Remaining::new("history.jsonl", detail));
        }
    }
    (deleted, remaining)
}

fn remove(path: &Path) -> io::Result<()> {
    steno_vault::fault::point();
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// The session's own directories. A project's stays, since the client knows the project.
fn remove_empty(claude_dir: &Path, files: &[PathBuf]) {
    for file in files.iter().filter_map(|file| file.strip_prefix(claude_dir).ok()) {
        let least = if file.starts_with("projects") { 3 } else { 2 };
        let parents = file.ancestors().skip(1).take_while(|parent| parent.components().count() >= least);
        for parent in parents {
            if fs::remove_dir(claude_dir.join(parent)).is_err() {
                break;
            }
        }
    }
}
