//! Files whose text changed → the engine, in portions that are each stored when they are done.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use foldhash::fast::RandomState;
use rayon::prelude::*;
use steno_index::{Engine, Extractor, Feeder, FileId};
use steno_source::Change;
use steno_transcript::split;

use crate::cache::database::{CacheRow, Database, RowView, Table};
use crate::cache::fingerprint::{Fingerprint, Opened, changes};
use crate::file::Lines;
use crate::progress::Progress;
use crate::reading::Stretch;
use crate::sessions::ListedFile;

use super::beside::{self, Beside};

/// How many bytes are read before they are committed. An interrupted portion is read again.
const PORTION: u64 = 512 * 1024 * 1024;

/// How far the texts of files are indexed, by their keys.
pub(super) type Indexed = HashMap<String, Progressed, RandomState>;

/// How far the text of a file is indexed.
#[derive(Debug)]
pub(super) struct Progressed {
    pub(super) file: FileId,
    /// Nothing where it is not understood.
    fingerprint: Option<Fingerprint>,
    pub(super) body: Vec<u8>,
}

fn indexed(database: &Database) -> Result<Indexed, steno_index::Error> {
    let mut all = Indexed::default();
    database.each(Table::Texts, |RowView { key, file, fingerprint, body }| {
        let fingerprint = Fingerprint::from_bytes(fingerprint);
        all.insert(key.to_owned(), Progressed { file, fingerprint, body: body.to_owned() });
    })?;
    Ok(all)
}

/// Stored for a file that could not be read to its end.
pub(super) const IN_PART: &[u8] = b"part";

/// The beginning of the file can be found. The rest may become readable though the file stays the same, so the row has
/// no fingerprint, and the next process reads the file again.
fn in_part() -> CacheRow {
    CacheRow { fingerprint: Vec::new(), body: IN_PART.to_vec(), state: Vec::new() }
}

fn is_in_part(row: &CacheRow) -> bool {
    row.body == IN_PART
}

/// How it went.
#[derive(Debug)]
pub(super) enum Step {
    /// There was nothing to do.
    Current(Indexed),
    Done,
    /// There is more to read.
    More,
    /// Another process is at it.
    Busy,
}

/// Brings an engine up to date with some items.
pub(super) struct Work<'w> {
    pub(super) database: &'w mut Database,
    pub(super) engine: &'w Engine,
    /// The engine's.
    pub(super) name: &'w str,
    pub(super) items: &'w [ListedFile<'w>],
    pub(super) progress: &'w dyn Progress,
    /// Keys of files that could not be read to their end: this process does not try them again.
    pub(super) failed: HashSet<String>,
}

/// What is to be done.
#[derive(Debug, Default)]
struct Plan {
    known: Indexed,
    /// Places of files with new text.
    changed: Vec<usize>,
    /// Of them, those that only grew.
    grown: HashSet<usize>,
    /// Those that did not change themselves, with their keys.
    stale: Vec<(usize, String)>,
    /// Keys of files that are not there any more.
    gone: Vec<String>,
    /// Files whose indexing was interrupted: how much of them is indexed is unknown.
    pending: Vec<FileId>,
}

/// A file, and its stored progress.
pub(super) type Asked<'a> = (&'a ListedFile<'a>, Option<&'a Progressed>);

/// A file to read, and its stored row.
struct Task<'t> {
    item: &'t ListedFile<'t>,
    key: String,
    file: FileId,
    before: Option<CacheRow>,
}

impl<'w> Work<'w> {
    /// Feeds a portion of new text.
    pub(super) fn step(&mut self) -> Result<Step, steno_index::Error> {
        let plan = self.plan()?;
        if plan.is_empty() {
            return Ok(Step::Current(plan.known));
        }
        let Some(feeder) = self.engine.feeder(self.bytes(&plan.changed))? else { return Ok(Step::Busy) };
        // Another process may have done it while this one waited for its turn.
        let plan = self.plan()?;
        let portion = self.portion(&plan.changed);
        let is_last = portion.len() == plan.changed.len();
        let tasks = self.tasks(&plan, &portion)?;
        let forgotten = self.forget(&feeder, &plan, &tasks);
        let beside = Beside::of(self.items, tasks.iter().map(|task| task.item));
        let progress = self.progress;
        progress.begin("Indexing", self.bytes(&portion));
        let feed = |task: &Task<'_>| {
            let fed = task.feed(&feeder, &beside);
            progress.advance(task.item.size());
            fed
        };
        let fed: Result<Vec<_>, _> = tasks.par_iter().with_max_len(1).map(feed).collect();
        progress.end();
        let fed = fed?;
        feeder.commit()?;
        let unread = tasks.iter().zip(&fed).filter(|(_, known)| known.is_none()).map(|(task, _)| &task.key);
        let in_part = tasks.iter().zip(&fed).filter(|(_, known)| known.as_ref().is_some_and(is_in_part));
        self.failed.extend(unread.clone().chain(in_part.map(|(task, _)| &task.key)).cloned());
        // Drop their rows now: a later run could not see they are stale.
        let later = plan.stale.iter().filter(|(place, _)| !portion.contains(place)).map(|(_, key)| key);
        let gone: Vec<&str> = forgotten.iter().chain(unread).chain(later).map(String::as_str).collect();
        let known = tasks.iter().zip(&fed);
        let known = known.filter_map(|(task, known)| Some((task.key.as_str(), known.as_ref()?)));
        self.database.put_texts((self.name, &self.engine.identity()?), known, gone)?;
        Ok(if is_last { Step::Done } else { Step::More })
    }

    /// As it is now, whatever else there is to do.
    pub(super) fn indexed(&self) -> Result<Indexed, steno_index::Error> {
        indexed(self.database)
    }

    fn plan(&self) -> Result<Plan, steno_index::Error> {
        let known = self.indexed()?;
        let pending = self.database.pending()?;
        let keys: Vec<String> = self.items.iter().map(|item| item.key().into_owned()).collect();
        let asked: Vec<Asked<'_>> = self.items.iter().zip(keys.iter().map(|key| known.get(key))).collect();
        let fingerprints = asked.iter().map(|(_, known)| {
            let known = known.filter(|known| !pending.contains(&known.file))?;
            known.fingerprint.as_ref()
        });
        let changes = changes(self.items, &fingerprints.collect::<Vec<_>>());
        let of = |wanted: fn(&Change) -> bool| {
            let places = changes.iter().enumerate().filter(move |(_, change)| wanted(change));
            places.map(|(place, _)| place)
        };
        let can_be_read = |place: &usize| keys.get(*place).is_none_or(|key| !self.failed.contains(key));
        let grown = of(|change| matches!(change, Change::Grown { .. })).collect();
        let gone = gone(&keys, &known);
        let stale = beside::stale(&asked, &changes, &gone);
        let changed = of(|change| *change != Change::Unchanged).chain(stale.iter().copied());
        let changed = changed.filter(can_be_read).collect();
        let stale = stale.iter().filter_map(|place| Some((*place, keys.get(*place)?.clone()))).collect();
        Ok(Plan { changed, stale, grown, gone, pending, known })
    }

    fn bytes(&self, places: &[usize]) -> u64 {
        places.iter().filter_map(|place| self.items.get(*place)).map(|item| item.size()).sum()
    }

    /// As many as fit, one at least.
    fn portion(&self, changed: &[usize]) -> Vec<usize> {
        let mut bytes = 0;
        let fits = changed.iter().copied().take_while(|place| {
            let is_first = bytes == 0;
            bytes += self.items.get(*place).map_or(0, |item| item.size()).max(1);
            is_first || bytes <= PORTION
        });
        fits.collect()
    }

    /// Notes the files as pending, too.
    fn tasks(&mut self, plan: &Plan, portion: &[usize]) -> Result<Vec<Task<'w>>, steno_index::Error> {
        let items: Vec<&'w ListedFile<'w>> =
            portion.iter().filter_map(|place| self.items.get(*place)).collect();
        let keys: Vec<String> = items.iter().map(|item| item.key().into_owned()).collect();
        let files = self.database.ids(keys.iter().map(String::as_str))?;
        self.database.mark_pending(&files)?;
        let mut tasks = Vec::with_capacity(items.len());
        for (((place, item), key), file) in portion.iter().zip(items).zip(keys).zip(files) {
            let before =
                if plan.grown.contains(place) { self.database.get(Table::Texts, &key)? } else { None };
            tasks.push(Task { item, key, file, before: before.map(|(_, known)| known) });
        }
        Ok(tasks)
    }

    /// Removes files that are gone or pending from the engine; gives the keys of those that are not read now.
    fn forget(&self, feeder: &Feeder, plan: &Plan, tasks: &[Task<'_>]) -> Vec<String> {
        plan.pending.iter().for_each(|file| feeder.forget(*file));
        let gone = plan.gone.iter().filter_map(|key| plan.known.get(key));
        gone.for_each(|known| feeder.forget(known.file));
        let now: HashSet<&str> = tasks.iter().map(|task| task.key.as_str()).collect();
        let lost = plan.known.iter().filter(|(_, known)| plan.pending.contains(&known.file));
        let lost = lost.map(|(key, _)| key).filter(|key| !now.contains(key.as_str()));
        lost.chain(&plan.gone).cloned().collect()
    }
}

/// Keys of files that are not there any more.
fn gone(keys: &[String], known: &Indexed) -> Vec<String> {
    let present: HashSet<&String> = keys.iter().collect();
    known.keys().filter(|key| !present.contains(key)).cloned().collect()
}

impl Plan {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty() && self.pending.is_empty()
    }
}

impl Task<'_> {
    /// The row to store; nothing where the file cannot be read.
    fn feed(&self, feeder: &Feeder, beside: &Beside) -> Result<Option<CacheRow>, steno_index::Error> {
        let Ok(opened) = Opened::of(self.item) else {
            feeder.forget(self.file);
            return Ok(None);
        };
        if self.item.is_transcript() {
            return self.feed_records(feeder, opened).map(Some);
        }
        feeder.forget(self.file);
        let body = beside.feed(self.item, self.file, feeder)?;
        let row = |body| CacheRow { fingerprint: opened.fingerprint, body, state: Vec::new() };
        Ok(Some(body.map_or_else(in_part, row)))
    }

    fn feed_records(&self, feeder: &Feeder, opened: Opened) -> Result<CacheRow, steno_index::Error> {
        let Opened { file, len, fingerprint, can_go_on } = opened;
        let (from, lines, mut extractor) = self.resume().unwrap_or_default();
        if from == 0 {
            feeder.forget(self.file);
        } else {
            feeder.forget_from(self.file, from)?;
        }
        let mut refused = None;
        let mut count = lines;
        let read = self.item.read_opened(file, Stretch { from, lines, to: len }, |lines| {
            refused = take(self.file, lines, &mut extractor, feeder)?.err();
            count = lines.lines();
            Ok(())
        });
        if let Some(error) = refused {
            return Err(error);
        }
        if read.is_err() {
            return Ok(in_part());
        }
        let state = can_go_on.then(|| postcard::to_stdvec(&(count, &extractor)).ok()).flatten();
        Ok(CacheRow { fingerprint, body: Vec::new(), state: state.unwrap_or_default() })
    }

    /// Where to read on, after how many lines, and the extractor's state at that point.
    fn resume(&self) -> Option<(u64, u64, Extractor)> {
        let row = self.before.as_ref()?;
        let change = Fingerprint::from_bytes(&row.fingerprint)?.compare(self.item);
        let Change::Grown { from } = change else { return None };
        let (lines, extractor) = postcard::from_bytes(&row.state).ok()?;
        Some((from, lines, extractor))
    }
}

/// Passages of all lines that say something.
fn take(
    file: FileId,
    lines: &mut Lines<'_>,
    extractor: &mut Extractor,
    feeder: &Feeder,
) -> std::io::Result<Result<(), steno_index::Error>> {
    let mut outcome = Ok(());
    while let Some(line) = lines.next_line()? {
        if !Extractor::may_speak(line.bytes) {
            continue;
        }
        let _ = split(line, &mut |piece| {
            extractor.observe(&piece, |passage| {
                if outcome.is_ok() {
                    outcome = feeder.add(file, passage);
                }
            });
            ControlFlow::Continue(())
        });
        if outcome.is_err() {
            break;
        }
    }
    Ok(outcome)
}
