//! Transcripts, and what lies beside them → an index of their text that is up to date.

mod beside;
mod feed;
mod roll;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steno_index::{Answers, Edition, Engine, Origin, Places, Question, Rows, Table};

use super::{Memory, note};
use crate::error::{Error, ErrorKind};
use crate::progress::Progress;
use crate::reference::Spot;
use crate::stock::{Form, Item};

pub use beside::MOST_INDEXED;
use feed::{IN_PART, Indexed, Standing, Step, Work, indexed};
use roll::Roll;

/// Each engine's directory begins with this.
const PREFIX: &str = "text-";
/// How often to look whether another process is done.
const PAUSE: Duration = Duration::from_millis(25);
/// How often an engine that breaks is made anew.
const ATTEMPTS: usize = 3;

/// An engine, its name, and where it comes from.
type Opened = (Engine, String, Origin);

/// An engine that was opened before anybody asked, and how far it is.
#[derive(Debug)]
pub(super) struct Ahead {
    opened: Opened,
    /// The state of the rows that tell it.
    edition: Option<Edition>,
    /// If nothing has changed since it was last looked at, this says so.
    roll: Option<Roll>,
    /// Else these are asked.
    indexed: Option<Indexed>,
}

/// An index of all texts.
#[derive(Debug)]
pub struct Texts {
    pub engine: Engine,
    /// The places of the items that its files are.
    pub items: Places,
    /// False where another process is at work on it, and what is newest may be missing.
    pub is_current: bool,
    /// What it answered to the first question before anybody asked, if that is still true.
    pub answers: Option<Answers>,
    /// How many files could not be read, or not to their end.
    pub unread: usize,
}

impl Memory {
    /// The index, brought up to date with these items and nothing else; waits so long for another process that is doing
    /// the same.
    pub fn texts(
        &mut self,
        items: &[Item<'_>],
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
        items: &[Item<'_>],
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Texts, steno_index::Error> {
        if self.rows.is_none() {
            self.rows = Some(Rows::open(directory)?.0);
        }
        let ahead = match self.opened.take() {
            Some(ahead) => ahead,
            None => Ahead { opened: self.engine(directory)?, edition: None, roll: None, indexed: None },
        };
        let Ahead { opened: (engine, name, origin), edition, roll, indexed } = ahead;
        self.note = self.note.take().or_else(|| note(origin));
        if let Some((places, unread)) = roll.and_then(|roll| roll.call(items)) {
            let answers = self.answers.take().filter(|answers| engine.is_current(answers));
            return Ok(Texts { engine, items: places, is_current: true, answers, unread });
        }
        let Some(rows) = self.rows.as_mut() else { return Err(missing(directory)) };
        let failed = HashSet::new();
        let (ahead, answers) = (indexed, self.answers.take());
        let mut work =
            Work { rows, engine: &engine, name: &name, ahead, edition, answers, items, progress, failed };
        let (is_current, Standing { known, files, edition }) = bring_up_to_date(&mut work, patience)?;
        let is_other = |key: &String| !work.failed.contains(key);
        let in_part = known.iter().filter(|(key, known)| known.body == IN_PART && is_other(key)).count();
        let unread = work.failed.len() + in_part;
        let answers = work.answers.filter(|answers| engine.is_current(answers));
        if let Some(edition) = edition {
            // Without it, rows are read again.
            let _ = roll::written(items, &files, unread).map(|roll| rows.note_roll(edition, &roll));
        }
        let known_files = files.iter().enumerate().filter_map(|(place, file)| Some(((*file)?, place)));
        let items = known_files.collect();
        let texts = Texts { items, is_current, answers, unread, engine };
        steno_cores::discard(known);
        Ok(texts)
    }

    /// Where the record stands that refers to a file, as far as is known.
    pub fn spot(&self, item: &Item<'_>) -> Option<Spot> {
        let rows = self.rows.as_ref().filter(|_| item.form == Form::Persisted)?;
        beside::spot(&rows.get(Table::Texts, &item.key()).ok()??.1.body)
    }

    /// Whether the engine can be opened, if there is one.
    pub(super) fn examine_texts(&mut self, directory: &Path) -> Result<(), steno_index::Error> {
        let is_used = self.rows.as_ref().is_some_and(|rows| matches!(rows.engine_identity(), Ok(Some(_))));
        if is_used {
            let (_, _, origin) = self.engine(directory)?;
            self.note = self.note.take().or_else(|| note(origin));
        }
        Ok(())
    }

    /// Opens the engine that will be asked, and reads how far it is. Whatever goes wrong is told to whoever asks.
    pub fn open_texts(&mut self) {
        let opened = self.directory.clone().and_then(|directory| self.engine(&directory).ok());
        let Some((opened, rows)) = opened.zip(self.rows.as_ref()) else { return };
        // Afterwards: of an engine that was lost nothing counts any more. And first of all the state, so that whatever
        // changes meanwhile makes it another one.
        let (edition, roll) = rows.roll().ok().unzip();
        let roll = roll.flatten().and_then(|roll| Roll::read(&roll));
        let indexed = if roll.is_none() { indexed(rows).ok() } else { None };
        self.opened = Some(Ahead { opened, edition, roll, indexed });
    }

    /// Asks the engine that was opened, if nothing goes wrong: mostly it is up to date, and what it says is the answer.
    pub fn ask_ahead(&mut self, question: &Question<'_>) {
        self.answers = self.opened.as_ref().and_then(|ahead| ahead.opened.0.ask(question).ok());
    }

    /// The engine that the rows speak of. One that is not there any more has nothing of what they say.
    fn engine(&mut self, directory: &Path) -> Result<Opened, steno_index::Error> {
        let Some(rows) = self.rows.as_mut() else { return Err(missing(directory)) };
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

    /// Whatever is damaged is dropped.
    pub fn give_up(&mut self, damaged: &Path) {
        self.opened = None;
        self.answers = None;
        let Some(directory) = self.directory.clone() else { return };
        self.note = note(Origin::Damaged);
        let is_engine = damaged.ancestors().any(|path| path.parent() == Some(&directory) && is_engine(path));
        match &mut self.rows {
            Some(rows) if is_engine => {
                let renewed = rows.engine().and_then(|name| rows.renew_engine(&name));
                remove_others(&directory, &renewed.unwrap_or_default());
            }
            _ => {
                self.rows = None;
                let _ = Rows::remove(&directory);
                remove_others(&directory, "");
            }
        }
    }
}

/// Whether it is: another process may not let it.
fn bring_up_to_date(work: &mut Work<'_>, patience: Duration) -> Result<(bool, Standing), steno_index::Error> {
    let waits_until = Instant::now().checked_add(patience);
    loop {
        match work.step()? {
            Step::Current(standing) => return Ok((true, standing)),
            Step::Done => return Ok((true, work.standing()?)),
            Step::More => {}
            Step::Busy if waits_until.is_some_and(|until| Instant::now() >= until) => {
                return Ok((false, work.standing()?));
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

/// Engines that nobody speaks of any more.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_opened_ahead_does_not_outlive_the_rows_that_speak_of_it() {
        let place = steno_testkit::Home::new();
        let directory = place.root().join("index");
        let rows = Some(Rows::open(&directory).unwrap().0);
        let mut memory = Memory { directory: Some(directory.clone()), rows, ..Memory::default() };
        memory.open_texts();
        assert!(memory.opened.is_some());
        memory.distrust(&steno_index::Error::Damaged { path: directory, message: String::new() });
        assert!(memory.opened.is_none() && memory.rows.is_some());
    }

    #[test]
    fn what_was_brought_up_to_date_is_noted_as_it_was_found() {
        let home = steno_testkit::Home::new();
        let directory = home.root().join("index");
        let path = home.root().join("session.jsonl");
        let line = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"needle\"}}\n";
        let texts = |len: u64| {
            let rows = Some(Rows::open(&directory).unwrap().0);
            let mut memory = Memory { directory: Some(directory.clone()), rows, ..Memory::default() };
            memory.open_texts();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            let source = crate::stock::Source::Live { path: &path, len, modified };
            let item = Item { session: None, is_agent: false, form: Form::Records, source };
            let items = [item];
            let texts = memory.texts(&items, Duration::ZERO, &crate::progress::Silent).unwrap();
            assert!(texts.is_current);
            let (_, roll) = memory.rows.unwrap().roll().unwrap();
            roll.and_then(|roll| Roll::read(&roll)).is_some_and(|roll| roll.call(&items).is_some())
        };
        for count in 1..=3 {
            fs::write(&path, line.repeat(count)).unwrap();
            let len = (line.len() * count) as u64;
            // It had grown when it was read.
            assert!(!texts(len - line.len() as u64), "{count}");
            assert!(texts(len), "{count}");
            fs::write(&path, line.repeat(count + 5)).unwrap();
            assert!(texts((line.len() * (count + 5)) as u64), "indexed and noted at once");
        }
    }
}
