//! Files of a new session → under names that no client lists → all at once under their own, the transcript last.
//!
//! A killed run leaves a directory whose lock no process holds; the next run removes it, with whatever had
//! its name already: without its transcript there is no session. Once that had its name there is one, and it may have
//! been moved since: then only the directory goes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use steno_vault::private;

use super::target::Target;
use crate::error::{Error, ErrorKind};
use crate::place::{become_new, flush_directory, flush_file};

const TEMPORARY: &str = ".steno-clone-";
const LOCK: &str = "lock";
const TRANSCRIPT: &str = "transcript";
const SESSION: &str = "session";
/// Stands in the lock once files get their names: whatever has this id then, is ours.
const PLACING: &[u8] = b"placing";

/// A place among those of the new session, by the path below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spot {
    /// In the directory beside the transcript.
    Session(PathBuf),
    History(PathBuf),
    Tasks(PathBuf),
    Todos(PathBuf),
}

impl Spot {
    /// Where it will be.
    pub(super) fn place(&self, target: &Target) -> PathBuf {
        match self {
            Self::Session(below) => target.directory().join(below),
            Self::History(below) => target.root.join("file-history").join(&target.id).join(below),
            Self::Tasks(below) => target.root.join("tasks").join(&target.id).join(below),
            Self::Todos(name) => target.root.join("todos").join(name),
        }
    }

    /// Where it is until then: on the same disk.
    fn draft(&self, target: &Target) -> PathBuf {
        let temporary = temporary(&target.id);
        match self {
            Self::Session(below) => target.project.join(temporary).join(SESSION).join(below),
            Self::History(below) => target.root.join("file-history").join(temporary).join(below),
            Self::Tasks(below) => target.root.join("tasks").join(temporary).join(below),
            Self::Todos(name) => target.root.join("todos").join(temporary).join(name),
        }
    }
}

#[derive(Debug)]
pub(super) struct Stage<'a> {
    target: &'a Target,
    /// Held while the process works.
    lock: File,
    todos: Vec<PathBuf>,
    /// Files beside the transcript, under the names that they have until the end.
    drafts: Vec<PathBuf>,
    /// Directories that were made, the outer ones first.
    made: Vec<PathBuf>,
    /// Whether files of this id may be ours already.
    is_placing: bool,
    is_done: bool,
}

impl<'a> Stage<'a> {
    pub(super) fn open(target: &'a Target) -> Result<Self, Error> {
        sweep(target);
        let own = target.project.join(temporary(&target.id));
        let mut made = missing(&target.project);
        let locked = private::create_dir_all(&own).and_then(|()| {
            let lock = private::create(&own.join(LOCK))?;
            lock.try_lock().map_err(io::Error::from)?;
            Ok(lock)
        });
        let lock = locked.map_err(|error| {
            made.iter().rev().for_each(|directory| drop(fs::remove_dir(directory)));
            unwritten(&target.project)(error)
        })?;
        let tops = ["file-history", "tasks", "todos"].map(|top| target.root.join(top));
        made.extend(tops.iter().flat_map(|top| missing(top)));
        let (todos, drafts) = (Vec::new(), Vec::new());
        Ok(Self { target, lock, todos, drafts, made, is_placing: false, is_done: false })
    }

    pub(super) fn transcript(&self) -> Result<File, Error> {
        let path = self.own().join(TRANSCRIPT);
        private::create(&path).map_err(unwritten(&path))
    }

    pub(super) fn file(&mut self, spot: &Spot) -> Result<File, Error> {
        let path = spot.draft(self.target);
        let directory = path.parent().unwrap_or(Path::new("."));
        private::create_dir_all(directory).map_err(unwritten(directory))?;
        if let Spot::Todos(name) = spot {
            self.todos.push(name.clone());
        }
        let file = private::create(&path).map_err(unwritten(&path))?;
        self.drafts.push(path);
        Ok(file)
    }

    /// Gives all files their names, unless one of the names is taken.
    pub(super) fn commit(mut self) -> Result<(), Error> {
        let (moves, transcript) = (self.moves(), self.target.transcript());
        let places = moves.iter().map(|(_, to)| to).chain([&transcript]);
        if let Some(taken) = places.into_iter().find(|place| fs::symlink_metadata(place).is_ok()) {
            return Err(Error::new(ErrorKind::Exists, format!("{} exists", taken.display()))
                .hint("nothing was written; run it again for another id"));
        }
        self.flush()?;
        let placing = self.lock.write_all(PLACING).and_then(|()| self.lock.sync_all());
        placing.map_err(unwritten(&self.own()))?;
        self.is_placing = true;
        for (from, to) in &moves {
            steno_vault::rename(from, to).map_err(unwritten(to))?;
        }
        let made = self.made.iter().filter(|directory| directory.exists());
        flush_all(moves.iter().map(|(_, to)| to).chain(made).filter_map(|place| place.parent()));
        become_new(&self.own().join(TRANSCRIPT), &transcript).map_err(unwritten(&transcript))?;
        let _ = flush_directory(&self.target.project);
        self.is_done = true;
        Ok(())
    }

    /// Everything beside the transcript, and the directories that it lies in.
    fn flush(&self) -> Result<(), Error> {
        for draft in &self.drafts {
            flush_file(draft).map_err(unwritten(draft))?;
        }
        let top = temporary(&self.target.id);
        let is_ours = |directory: &&Path| directory.iter().any(|name| name == top.as_str());
        flush_all(self.drafts.iter().flat_map(|draft| draft.ancestors().skip(1).take_while(is_ours)));
        Ok(())
    }

    /// Whole directories, and files of one that all sessions share.
    fn moves(&self) -> Vec<(PathBuf, PathBuf)> {
        let Target { id, root, .. } = self.target;
        let temporary = temporary(id);
        let tops = ["file-history", "tasks"].map(|top| root.join(top));
        let tops = tops.iter().map(|top| (top.join(&temporary), top.join(id)));
        let todos = root.join("todos");
        let todos = self.todos.iter().map(|name| (todos.join(&temporary).join(name), todos.join(name)));
        let session = (self.own().join(SESSION), self.target.directory());
        tops.chain(todos).chain([session]).filter(|(from, _)| from.exists()).collect()
    }

    fn own(&self) -> PathBuf {
        self.target.project.join(temporary(&self.target.id))
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if self.is_placing && !self.is_done {
            remove_placed(self.target, &self.target.id);
        }
        remove_drafts(self.target, &self.target.id);
        // Only empty ones go.
        for directory in self.made.iter().rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

/// Removes what killed runs left behind. Who holds the lock is still at work.
fn sweep(target: &Target) {
    for entry in fs::read_dir(&target.project).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY)) else { continue };
        let own = entry.path();
        match File::options().read(true).write(true).open(own.join(LOCK)) {
            Ok(mut lock) if is_plain(id) && lock.try_lock().is_ok() => {
                let mut said = Vec::new();
                let is_placing = lock.read_to_end(&mut said).is_ok() && said == PLACING;
                let is_there = target.project.join(format!("{id}.jsonl")).exists();
                if is_placing && !is_there && was_never_named(&own.join(TRANSCRIPT)) {
                    remove_placed(target, id);
                }
                remove_drafts(target, id);
            }
            Ok(_) => {}
            // Killed before there was one; it is empty.
            Err(_) => drop(fs::remove_dir(own)),
        }
    }
}

/// Whether a transcript is still there, and has no second name.
#[cfg(unix)]
fn was_never_named(transcript: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(transcript).is_ok_and(|metadata| metadata.nlink() == 1)
}

/// Other systems do not tell.
#[cfg(not(unix))]
fn was_never_named(_: &Path) -> bool {
    false
}

/// The names in directories, each once. Some file systems cannot, and do without.
fn flush_all<'p>(directories: impl Iterator<Item = &'p Path>) {
    for directory in directories.collect::<BTreeSet<_>>() {
        let _ = flush_directory(directory);
    }
}

/// Ids are names of directories that are removed: none may lead elsewhere.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}

/// Everything of a session that has its name, but no transcript yet.
fn remove_placed(target: &Target, id: &str) {
    for place in ["file-history", "tasks"].map(|top| target.root.join(top)).iter().chain([&target.project]) {
        let _ = fs::remove_dir_all(place.join(id));
    }
    for entry in fs::read_dir(target.root.join("todos")).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(id.as_bytes()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The directory with the lock goes last: as long as it is there, the next run knows of the others.
fn remove_drafts(target: &Target, id: &str) {
    for top in ["file-history", "tasks", "todos"] {
        let _ = fs::remove_dir_all(target.root.join(top).join(temporary(id)));
    }
    let _ = fs::remove_dir_all(target.project.join(temporary(id)));
}

fn temporary(id: &str) -> String {
    format!("{TEMPORARY}{id}")
}

/// Directories on the way to a place that are not there, the outer ones first.
fn missing(place: &Path) -> Vec<PathBuf> {
    let missing = place.ancestors().take_while(|directory| !directory.exists());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |error| {
        Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display()))
            .hint("is there room on the disk, and may you write there? the original is as it was, and nothing of the clone is left")
    }
}
