//! Files of sessions → an index of their text that is up to date.

mod beside;
mod feed;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steno_index::{Engine, FileId, Origin};

use super::database::{Database, Table};
use super::{Cache, note};
use crate::error::{Error, ErrorKind};
use crate::progress::Progress;
use crate::reference::Spot;
use crate::sessions::{Form, ListedFile};

pub use beside::MOST_INDEXED;
use feed::{IN_PART, Indexed, Progressed, Step, Work};

/// Each engine's directory begins with this.
const PREFIX: &str = "text-";
/// Between two looks whether another process is done.
const PAUSE: Duration = Duration::from_millis(25);
/// How often a damaged engine is made anew.
const ATTEMPTS: usize = 3;

/// An engine, the name of its directory, and where it comes from.
type Opened = (Engine, String, Origin);

/// An index of all texts.
#[derive(Debug)]
pub struct Texts {
    pub engine: Engine,
    /// Which of the given files each file of the engine is.
    pub items: HashMap<FileId, usize>,
    /// False while another process works on it: the newest text may be missing.
    pub is_current: bool,
    /// How many files could not be read, or not to their end.
    pub unread: usize,
}

impl Cache {
    /// The index, brought up to date with exactly these files. Waits so long for another process that does the same.
    pub fn texts(
        &mut self,
        items: &[ListedFile<'_>],
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Texts, Error> {
        let directory = self.directory.clone().ok_or_else(|| no_index("there is no place for an index"))?;
        let mut last = None;
        for _ in 0..ATTEMPTS {
            match self.try_texts(&directory, items, patience, progress) {
                Ok(texts) => return Ok(texts),
                Err(steno_index::Error::Damaged { path, message }) => {
                    self.give_up(&path);
                    last = Some(format!("the index at {} is damaged: {message}", path.display()));
                }
                Err(error) => return Err(no_index(&error.to_string())),
            }
        }
        Err(no_index(&last.unwrap_or_default()))
    }

    fn try_texts(
        &mut self,
        directory: &Path,
        items: &[ListedFile<'_>],
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Texts, steno_index::Error> {
        if self.database.is_none() {
            self.database = Some(Database::open(directory)?.0);
        }
        let (engine, name, origin) = self.engine(directory)?;
        self.note = self.note.take().or_else(|| note(origin));
        let Some(database) = self.database.as_mut() else { return Err(missing(directory)) };
        let failed = HashSet::new();
        let mut work = Work { database, engine: &engine, name: &name, items, progress, failed };
        let (is_current, known) = bring_up_to_date(&mut work, patience)?;
        let is_in_part =
            |key: &String, known: &Progressed| known.body == IN_PART && !work.failed.contains(key);
        let in_part = known.iter().filter(|(key, known)| is_in_part(key, known)).count();
        let unread = work.failed.len() + in_part;
        let files = items.iter().enumerate();
        let files = files.filter_map(|(place, item)| Some((known.get(item.key().as_ref())?.file, place)));
        Ok(Texts { items: files.collect(), is_current, unread, engine })
    }

    /// Where the record is that refers to a file, if it is known.
    pub fn spot(&self, item: &ListedFile<'_>) -> Option<Spot> {
        let database = self.database.as_ref().filter(|_| item.form == Form::Persisted)?;
        beside::spot(&database.get(Table::Texts, &item.key()).ok()??.1.body)
    }

    /// Whether the engine can be opened, if there is one.
    pub(super) fn examine_texts(&mut self, directory: &Path) -> Result<(), steno_index::Error> {
        let is_used =
            self.database.as_ref().is_some_and(|database| matches!(database.engine_identity(), Ok(Some(_))));
        if is_used {
            let (_, _, origin) = self.engine(directory)?;
            self.note = self.note.take().or_else(|| note(origin));
        }
        Ok(())
    }

    /// The engine that the rows speak of. One that is not there any more has nothing of what they say.
    fn engine(&mut self, directory: &Path) -> Result<Opened, steno_index::Error> {
        let Some(rows) = self.database.as_mut() else { return Err(missing(directory)) };
        let name = rows.engine()?;
        let (engine, origin) = Engine::open(&place(directory, &name))?;
        let known = rows.engine_identity()?;
        let identity = engine.identity()?;
        if known.is_none() {
            remove_others(directory, &name);
        }
        if known.as_ref().is_none_or(|known| *known == identity) {
            return Ok((engine, name, if known.is_none() { Origin::New } else { origin }));
        }
        drop(engine);
        let origin = if origin == Origin::OtherVersion { origin } else { Origin::Damaged };
        let name = rows.renew_engine(&name)?;
        remove_others(directory, &name);
        let (engine, _) = Engine::open(&place(directory, &name))?;
        Ok((engine, name, origin))
    }

    /// Removes the damaged part: the engine or the database.
    pub fn give_up(&mut self, damaged: &Path) {
        let Some(directory) = self.directory.clone() else { return };
        self.note = note(Origin::Damaged);
        let is_engine = damaged.ancestors().any(|path| path.parent() == Some(&directory) && is_engine(path));
        match &mut self.database {
            Some(rows) if is_engine => {
                let renewed = rows.engine().and_then(|name| rows.renew_engine(&name));
                remove_others(&directory, &renewed.unwrap_or_default());
            }
            _ => {
                self.database = None;
                let _ = Database::remove(&directory);
                remove_others(&directory, "");
            }
        }
    }
}

/// How far each file is indexed, and whether that is all: another process may be at work on it.
fn bring_up_to_date(work: &mut Work<'_>, patience: Duration) -> Result<(bool, Indexed), steno_index::Error> {
    let waits_until = Instant::now().checked_add(patience);
    loop {
        match work.step()? {
            Step::Current(known) => return Ok((true, known)),
            Step::Done => return Ok((true, work.indexed()?)),
            Step::More => {}
            Step::Busy if waits_until.is_some_and(|until| Instant::now() >= until) => {
                return Ok((false, work.indexed()?));
            }
            Step::Busy => std::thread::sleep(PAUSE),
        }
    }
}

fn place(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{PREFIX}{name}"))
}

fn is_engine(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}

/// Removes the directories of engines that were replaced.
fn remove_others(directory: &Path, name: &str) {
    let own = place(directory, name);
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if is_engine(&entry.path()) && entry.path() != own {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn missing(directory: &Path) -> steno_index::Error {
    steno_index::Error::Damaged { path: directory.to_owned(), message: "it is gone".to_owned() }
}

fn no_index(message: &str) -> Error {
    Error::new(ErrorKind::Io, message)
        .hint("`steno search --literal` needs no index")
        .hint("STENO_CACHE names another directory for it")
}
