//! Files whose text changed → the engine, in portions that are each remembered when they are done.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use foldhash::fast::RandomState;
use steno_index::{Answers, Edition, Engine, Extractor, Feeder, FileId, Known, Rows, Seen, Table};
use steno_transcript::split;

use crate::memory::stamp::{self, Glance, Mark, News, Reach, Stamp};
use crate::progress::Progress;
use crate::reading::Stretch;
use crate::stock::{Item, Lines};

use super::beside::{self, Beside};

/// So much is read before it is committed: what is broken off is read again.
const PORTION: u64 = 512 * 1024 * 1024;

/// How far the texts of files are indexed, by their keys.
pub(in crate::memory) type Indexed = HashMap<String, Progressed, RandomState>;

/// How far the text of a file is indexed.
#[derive(Debug)]
pub(in crate::memory) struct Progressed {
    pub(super) file: FileId,
    /// Nothing where it is not understood.
    stamp: Option<Stamp>,
    pub(super) body: Vec<u8>,
}

pub(super) fn indexed(rows: &Rows) -> Result<Indexed, steno_index::Error> {
    // A map that grows with each of thousands moves them again and again.
    let mut all = Vec::new();
    rows.each(Table::Texts, |Seen { key, file, stamp, body }| {
        all.push((key.to_owned(), Progressed { file, stamp: Stamp::of(stamp), body: body.to_owned() }));
    })?;
    Ok(all.into_iter().collect())
}

/// How far everything is indexed.
#[derive(Debug, Default)]
pub(super) struct Standing {
    pub(super) known: Indexed,
    /// Of each item, as the engine knows it.
    pub(super) files: Vec<Option<FileId>>,
    /// The state of the rows that tell it, where each item looks as it did when it was indexed.
    pub(super) edition: Option<Edition>,
}

/// What is remembered of a file that could not be read to its end.
pub(super) const IN_PART: &[u8] = b"part";

/// What was found in it is found, and says nothing of the rest: what could not be read now may be read later, though the
/// file is the same. So it has no stamp, and is read again by the next process.
fn in_part() -> Known {
    Known { stamp: Vec::new(), body: IN_PART.to_vec(), state: Vec::new() }
}

fn is_in_part(known: &Known) -> bool {
    known.body == IN_PART
}

/// How it went.
#[derive(Debug)]
pub(super) enum Step {
    /// There was nothing to do.
    Current(Standing),
    Done,
    /// There is more to read.
    More,
    /// Another process is at it.
    Busy,
}

/// Brings an engine up to date with some items.
pub(super) struct Work<'w> {
    pub(super) rows: &'w mut Rows,
    pub(super) engine: &'w Engine,
    /// The engine's.
    pub(super) name: &'w str,
    /// How far it was a moment ago.
    pub(super) ahead: Option<Indexed>,
    /// The state that the rows were in then.
    pub(super) edition: Option<Edition>,
    /// What it answered then.
    pub(super) answers: Option<Answers>,
    pub(super) items: &'w [Item<'w>],
    pub(super) progress: &'w dyn Progress,
    /// Keys of files that could not be read to their end: this process does not try them again.
    pub(super) failed: HashSet<String>,
}

/// What is to be done.
#[derive(Debug, Default)]
struct Plan {
    known: Indexed,
    /// Of each item, as the engine knows it.
    files: Vec<Option<FileId>>,
    /// Places of items with new text.
    changed: Vec<usize>,
    /// Of them, those that only grew.
    grown: HashSet<usize>,
    /// Those that did not change themselves, with their keys.
    stale: Vec<(usize, String)>,
    /// Keys of files that are not there any more.
    gone: Vec<String>,
    /// Files of which nobody knows how much is indexed.
    marked: Vec<FileId>,
    are_as_found: bool,
}

/// A file, and what is known of it.
pub(super) type Asked<'a> = (&'a Item<'a>, Option<&'a Progressed>);

/// A file to read, and what is known of it.
struct Task<'t> {
    item: &'t Item<'t>,
    key: String,
    file: FileId,
    before: Option<Known>,
}

impl<'w> Work<'w> {
    /// One portion of what is new.
    pub(super) fn step(&mut self) -> Result<Step, steno_index::Error> {
        let plan = self.plan()?;
        if plan.is_empty() {
            return Ok(Step::Current(plan.standing(self.edition)));
        }
        // They take room, and are not true any more.
        self.answers = None;
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
        let fed = steno_cores::map(
            &tasks,
            |task| task.item.size(),
            |task| {
                let fed = task.feed(&feeder, &beside);
                progress.advance(task.item.size());
                fed
            },
        );
        progress.end();
        let fed = fed.into_iter().collect::<Result<Vec<_>, _>>()?;
        feeder.commit()?;
        let unread = tasks.iter().zip(&fed).filter(|(_, known)| known.is_none()).map(|(task, _)| &task.key);
        let in_part = tasks.iter().zip(&fed).filter(|(_, known)| known.as_ref().is_some_and(is_in_part));
        self.failed.extend(unread.clone().chain(in_part.map(|(task, _)| &task.key)).cloned());
        // What makes them stale is settled now: later, nobody would know.
        let later = plan.stale.iter().filter(|(place, _)| !portion.contains(place)).map(|(_, key)| key);
        let gone: Vec<&str> = forgotten.iter().chain(unread).chain(later).map(String::as_str).collect();
        let known = tasks.iter().zip(&fed);
        let known = known.filter_map(|(task, known)| Some((task.key.as_str(), known.as_ref()?)));
        self.rows.settle((self.name, &self.engine.identity()?), known, gone)?;
        Ok(if is_last { Step::Done } else { Step::More })
    }

    /// As it is now, whatever else there is to do.
    pub(super) fn standing(&mut self) -> Result<Standing, steno_index::Error> {
        // First of all: whatever changes meanwhile makes it another one.
        let (edition, _) = self.rows.roll()?;
        let plan = self.plan()?;
        let edition = plan.is_empty().then_some(edition);
        Ok(plan.standing(edition))
    }

    fn plan(&mut self) -> Result<Plan, steno_index::Error> {
        let known = self.ahead.take().map_or_else(|| indexed(self.rows), Ok)?;
        let marked = self.rows.marked()?;
        let keys: Vec<Cow<'_, str>> = self.items.iter().map(Item::key).collect();
        let asked: Vec<Asked<'_>> =
            self.items.iter().zip(keys.iter().map(|key| known.get(key.as_ref()))).collect();
        let stamps = asked.iter().map(|(_, known)| {
            let known = known.filter(|known| !marked.contains(&known.file))?;
            known.stamp.as_ref()
        });
        let (news, are_as_found) = stamp::news_of_all(self.items.iter().zip(stamps));
        let of = |wanted: fn(&News) -> bool| {
            let places = news.iter().enumerate().filter(move |(_, news)| wanted(news));
            places.map(|(place, _)| place)
        };
        let can_be_read =
            |place: &usize| keys.get(*place).is_none_or(|key| !self.failed.contains(key.as_ref()));
        let grown = of(|news| matches!(news, News::Since(_))).collect();
        let gone = gone(&asked, &known);
        let stale = beside::stale(&asked, &news, &gone);
        let changed = of(|news| *news != News::None).chain(stale.iter().copied()).filter(can_be_read);
        let stale = stale.iter().filter_map(|place| Some((*place, keys.get(*place)?.to_string())));
        let files = asked.iter().map(|(_, known)| known.map(|known| known.file)).collect();
        Ok(Plan {
            changed: changed.collect(),
            stale: stale.collect(),
            grown,
            gone,
            marked,
            files,
            known,
            are_as_found,
        })
    }

    fn bytes(&self, places: &[usize]) -> u64 {
        places.iter().filter_map(|place| self.items.get(*place)).map(Item::size).sum()
    }

    /// As many as fit, one at least.
    fn portion(&self, changed: &[usize]) -> Vec<usize> {
        let mut bytes = 0;
        let fits = changed.iter().copied().take_while(|place| {
            let is_first = bytes == 0;
            bytes += self.items.get(*place).map_or(0, Item::size).max(1);
            is_first || bytes <= PORTION
        });
        fits.collect()
    }

    /// Marks the files, too: from here on nobody knows what is indexed of them.
    fn tasks(&mut self, plan: &Plan, portion: &[usize]) -> Result<Vec<Task<'w>>, steno_index::Error> {
        let items: Vec<&'w Item<'w>> = portion.iter().filter_map(|place| self.items.get(*place)).collect();
        let keys: Vec<String> = items.iter().map(|item| item.key().into_owned()).collect();
        let files = self.rows.ids(keys.iter().map(String::as_str))?;
        self.rows.mark(&files)?;
        let mut tasks = Vec::with_capacity(items.len());
        for (((place, item), key), file) in portion.iter().zip(items).zip(keys).zip(files) {
            let before = if plan.grown.contains(place) { self.rows.get(Table::Texts, &key)? } else { None };
            tasks.push(Task { item, key, file, before: before.map(|(_, known)| known) });
        }
        Ok(tasks)
    }

    /// Drops what is not there any more, and what nobody knows; gives the keys of files that are not read now.
    fn forget(&self, feeder: &Feeder, plan: &Plan, tasks: &[Task<'_>]) -> Vec<String> {
        plan.marked.iter().for_each(|file| feeder.forget(*file));
        let gone = plan.gone.iter().filter_map(|key| plan.known.get(key));
        gone.for_each(|known| feeder.forget(known.file));
        let now: HashSet<&str> = tasks.iter().map(|task| task.key.as_str()).collect();
        let lost = plan.known.iter().filter(|(_, known)| plan.marked.contains(&known.file));
        let lost = lost.map(|(key, _)| key).filter(|key| !now.contains(key.as_str()));
        lost.chain(&plan.gone).cloned().collect()
    }
}

/// Keys of files that are not there any more.
fn gone(asked: &[Asked<'_>], known: &Indexed) -> Vec<String> {
    let present: HashSet<FileId, RandomState> =
        asked.iter().filter_map(|(_, known)| known.map(|known| known.file)).collect();
    if present.len() == known.len() {
        return Vec::new();
    }
    known.iter().filter(|(_, known)| !present.contains(&known.file)).map(|(key, _)| key.clone()).collect()
}

impl Plan {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty() && self.marked.is_empty()
    }

    fn standing(self, edition: Option<Edition>) -> Standing {
        let Self { known, files, are_as_found, .. } = self;
        Standing { known, files, edition: edition.filter(|_| are_as_found) }
    }
}

impl Task<'_> {
    /// What is to be remembered; nothing where the file cannot be read.
    fn feed(&self, feeder: &Feeder, beside: &Beside) -> Result<Option<Known>, steno_index::Error> {
        let Ok(glance) = stamp::glance(self.item, Reach::Part) else {
            feeder.forget(self.file);
            return Ok(None);
        };
        if self.item.is_transcript() {
            return self.feed_records(feeder, glance);
        }
        feeder.forget(self.file);
        let body = beside.feed(self.item, self.file, feeder)?;
        Ok(glance.mark().map(|mark| match body {
            Some(body) => Known { stamp: mark.stamp, body, state: Vec::new() },
            None => in_part(),
        }))
    }

    fn feed_records(&self, feeder: &Feeder, mut glance: Glance) -> Result<Option<Known>, steno_index::Error> {
        let (file, to) = (glance.file.take(), glance.to);
        let (from, lines, mut extractor) = self.resume().unwrap_or_default();
        if from == 0 {
            feeder.forget(self.file);
        } else {
            feeder.forget_from(self.file, from)?;
        }
        let mut refused = None;
        let mut count = lines;
        let read = self.item.read_opened(file, None, Stretch { from, lines, to }, |lines| {
            refused = take(self.file, lines, &mut extractor, feeder)?.err();
            count = lines.lines();
            Ok(())
        });
        if let Some(error) = refused {
            return Err(error);
        }
        let Some(Mark { stamp, is_whole }) = glance.mark() else { return Ok(None) };
        if read.is_err() {
            return Ok(Some(in_part()));
        }
        let state = is_whole.then(|| postcard::to_stdvec(&(count, &extractor)).ok()).flatten();
        Ok(Some(Known { stamp, body: Vec::new(), state: state.unwrap_or_default() }))
    }

    /// Where to read on, after how many lines, and what was remembered of what stands before.
    fn resume(&self) -> Option<(u64, u64, Extractor)> {
        let known = self.before.as_ref()?;
        let News::Since(from) = stamp::news(self.item, &known.stamp) else { return None };
        let (lines, extractor) = postcard::from_bytes(&known.state).ok()?;
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
