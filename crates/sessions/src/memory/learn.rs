//! What was learnt of files before, and the files → what is known of them now.

use std::any::Any;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use foldhash::fast::RandomState;
use steno_conversation::Warnings;
use steno_index::{Known, Rows, Seen, Table};

use super::Memory;
use super::fact::{Fact, Lesson};
use super::stamp::{self, News, Reach, Stamp};
use crate::error::Error;
use crate::reading::Stretch;
use crate::stock::Item;

/// So few files are asked for one by one.
const FEW: usize = 32;

/// How much of a file is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Todo {
    All,
    /// What it grew by.
    Rest,
}

/// What is known of a file, unless it cannot be read.
type Answer<T> = Result<Lesson<T>, Error>;

/// A file that was read, and what is to be remembered of it.
struct Learnt<T> {
    lesson: Lesson<T>,
    known: Option<Known>,
}

/// What there is to remember, and to forget, by the files' keys.
#[derive(Debug)]
pub struct Novelties {
    table: Table,
    known: Vec<(String, Known)>,
    gone: Vec<String>,
}

impl Novelties {
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.gone.is_empty()
    }
}

/// What is remembered of a file.
struct Recollection<T> {
    stamp: Option<Stamp>,
    /// Nothing where it is not understood.
    lesson: Option<Lesson<T>>,
}

/// What is remembered of all files, by their keys.
type Recollections<T> = HashMap<String, Recollection<T>, RandomState>;

impl Memory {
    /// What is known of each item, in their order; what changed is read, and remembered.
    pub fn learn<F: Fact>(&mut self, items: &[Item<'_>]) -> Vec<Answer<F::Value>> {
        let (answers, news) = self.find_out::<F>(items);
        self.remember(&news);
        answers
    }

    /// The same, but it is remembered while something else is read. Whoever reads last settles what is left.
    pub fn learn_first<F: Fact>(&mut self, items: &[Item<'_>]) -> Vec<Answer<F::Value>> {
        let (answers, news) = self.find_out::<F>(items);
        self.later.push(news);
        answers
    }

    /// Remembers what has not been yet, while something else is done.
    pub fn settle_beside<T: Send>(&mut self, work: impl FnOnce() -> T + Send) -> T {
        let later = std::mem::take(&mut self.later);
        if later.iter().all(Novelties::is_empty) {
            return work();
        }
        steno_cores::beside(work, || later.iter().for_each(|news| self.remember(news))).0
    }

    /// What is known of each item, in their order; what there is to remember is left to the caller.
    pub fn find_out<F: Fact>(&mut self, items: &[Item<'_>]) -> (Vec<Answer<F::Value>>, Novelties) {
        let keys: Vec<Cow<'_, str>> = items.iter().map(Item::key).collect();
        let mut remembered = self.remembered::<F>(&keys);
        let known: Vec<Option<Recollection<F::Value>>> =
            keys.iter().map(|key| remembered.remove(key.as_ref())).collect();
        let stamps = known.iter().map(|known| known.as_ref()?.stamp.as_ref());
        let (news, _) = stamp::news_of_all(items.iter().zip(stamps));
        let mut answers: Vec<Option<Answer<F::Value>>> = Vec::with_capacity(items.len());
        let mut todos = Vec::new();
        for (place, (known, news)) in known.into_iter().zip(news).enumerate() {
            match (news, known.and_then(|known| known.lesson)) {
                (News::None, Some(lesson)) => {
                    answers.push(Some(Ok(lesson)));
                    continue;
                }
                (News::Since(_), Some(_)) => todos.push((place, Todo::Rest)),
                _ => todos.push((place, Todo::All)),
            }
            answers.push(None);
        }
        let changed = self.read_all::<F>(items, &keys, &todos, &mut answers);
        let known =
            changed.into_iter().filter_map(|(place, known)| Some((keys.get(place)?.to_string(), known)));
        // Who asks for a few looks at no others.
        let gone = if items.len() > FEW { gone(remembered) } else { Vec::new() };
        let news = Novelties { table: F::TABLE, known: known.collect(), gone };
        (answers.into_iter().flatten().collect(), news)
    }

    /// Reads what has to be, and gives what is to be remembered of it. Meanwhile, what was found out before is.
    fn read_all<F: Fact>(
        &mut self,
        items: &[Item<'_>],
        keys: &[Cow<'_, str>],
        todos: &[(usize, Todo)],
        answers: &mut [Option<Answer<F::Value>>],
    ) -> Vec<(usize, Known)> {
        let before = |place: usize, todo: Todo| {
            let key = keys.get(place).filter(|_| todo == Todo::Rest)?;
            self.state(F::TABLE, key)
        };
        let asked = todos.iter().filter_map(|(place, todo)| {
            let item = items.get(*place)?;
            Some((*place, item, before(*place, *todo)))
        });
        let asked: Vec<(usize, &Item<'_>, Option<Known>)> = asked.collect();
        let read = self.settle_beside(|| {
            steno_cores::map(
                &asked,
                |(_, item, _)| item.size(),
                |(_, item, before)| read::<F>(item, before.as_ref()),
            )
        });
        let mut changed = Vec::new();
        for ((place, ..), read) in asked.iter().zip(read) {
            let answer = read.map(|learnt| {
                changed.extend(learnt.known.map(|known| (*place, known)));
                learnt.lesson
            });
            if let Some(slot) = answers.get_mut(*place) {
                *slot = Some(answer);
            }
        }
        changed
    }

    /// Recalls what will be asked for, while there is time. Whatever goes wrong is told to whoever asks.
    pub fn read_ahead<F: Fact>(&mut self) {
        let ahead = self.rows.as_ref().and_then(|rows| recollections::<F>(rows, |_| true).ok());
        self.ahead = ahead.map(|ahead| Box::new(ahead) as Box<dyn Any + Send>);
    }

    fn remembered<F: Fact>(&mut self, keys: &[Cow<'_, str>]) -> Recollections<F::Value> {
        let Some(rows) = &self.rows else { return Recollections::default() };
        let ahead = self.ahead.take().and_then(|ahead| ahead.downcast::<Recollections<F::Value>>().ok());
        if let Some(ahead) = ahead {
            return *ahead;
        }
        let found = if keys.len() > FEW {
            let asked: HashSet<&str> = keys.iter().map(Cow::as_ref).collect();
            recollections::<F>(rows, |key| asked.contains(key))
        } else {
            let mut found = Recollections::default();
            let seen = keys.iter().try_for_each(|key| {
                rows.see(F::TABLE, key, |Seen { key, stamp, body, .. }| {
                    found.insert(key.to_owned(), Recollection::of::<F>(stamp, body));
                })
            });
            seen.map(|()| found)
        };
        found.unwrap_or_else(|error| {
            self.distrust(&error);
            Recollections::default()
        })
    }

    fn state(&self, table: Table, key: &str) -> Option<Known> {
        Some(self.rows.as_ref()?.get(table, key).ok()??.1)
    }

    pub fn remember(&mut self, news: &Novelties) {
        if news.is_empty() {
            return;
        }
        let known = news.known.iter().map(|(key, known)| (key.as_str(), known));
        let gone = news.gone.iter().map(String::as_str);
        let stored = self.rows.as_mut().map(|rows| rows.put(news.table, known, gone));
        if let Some(Err(error)) = stored {
            self.distrust(&error);
        }
    }
}

impl<T> Recollection<T> {
    fn of<F: Fact<Value = T>>(stamp: &[u8], body: &[u8]) -> Self {
        Self { stamp: Stamp::of(stamp), lesson: unpack::<F>(body) }
    }
}

/// Of every file there is one; what it says is read where somebody wants it.
fn recollections<F: Fact>(
    rows: &Rows,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Recollections<F::Value>, steno_index::Error> {
    // A map that grows with each of thousands moves them again and again.
    let mut all = Vec::new();
    rows.each(F::TABLE, |Seen { key, stamp, body, .. }| {
        let unread = Recollection { stamp: None, lesson: None };
        let read = if is_wanted(key) { Recollection::of::<F>(stamp, body) } else { unread };
        all.push((key.to_owned(), read));
    })?;
    Ok(all.into_iter().collect())
}

/// Of files that were not asked for, the keys of those that are nowhere any more.
fn gone<T>(others: Recollections<T>) -> Vec<String> {
    let is_gone = |key: &String| !key.starts_with('\0') && !Path::new(key).exists();
    others.into_keys().filter(is_gone).collect()
}

fn read<F: Fact>(item: &Item<'_>, before: Option<&Known>) -> Result<Learnt<F::Value>, Error> {
    let reach = if F::READS_ALL && before.is_none() { Reach::All } else { Reach::Part };
    let mut glance = stamp::glance(item, reach)?;
    let resumed = before.and_then(|known| resume::<F>(item, known));
    let (from, lines, mut learner) = resumed.unwrap_or_default();
    let mut warnings = Warnings::new(item.place());
    let mut count = lines;
    let (file, to) = (glance.file.take(), glance.to);
    item.read_opened(file, glance.witness(), Stretch { from, lines, to }, |lines| {
        F::read(&mut learner, lines, &mut warnings)?;
        count = lines.lines();
        Ok(())
    })?;
    let warnings = warnings.into_list().len() as u64;
    let mark = glance.mark();
    let is_whole = mark.as_ref().is_some_and(|mark| mark.is_whole);
    // How many warnings there are of a kind is not remembered, so that a file with any is read again.
    let state = F::state(&learner).filter(|_| is_whole && warnings == 0);
    let value = F::finish(learner, item);
    let known = mark.zip(pack::<F>(&value, warnings)).map(|(mark, body)| Known {
        stamp: mark.stamp,
        body,
        state: state.map(|state| [&count.to_le_bytes()[..], &state].concat()).unwrap_or_default(),
    });
    Ok(Learnt { lesson: Lesson { value, warnings }, known })
}

/// Up to which byte and how many lines the file was read before, and who read them. By the stamp of what is known
/// now: another process may have read on meanwhile.
fn resume<F: Fact>(item: &Item<'_>, known: &Known) -> Option<(u64, u64, F::Learner)> {
    let News::Since(from) = stamp::news(item, &known.stamp) else { return None };
    let (lines, state) = known.state.split_first_chunk()?;
    let (_, body) = known.body.split_first_chunk::<8>()?;
    Some((from, u64::from_le_bytes(*lines), F::resume(state, body)?))
}

fn pack<F: Fact>(value: &F::Value, warnings: u64) -> Option<Vec<u8>> {
    Some([&warnings.to_le_bytes()[..], &F::encode(value)?].concat())
}

fn unpack<F: Fact>(body: &[u8]) -> Option<Lesson<F::Value>> {
    let (warnings, body) = body.split_first_chunk()?;
    Some(Lesson { value: F::decode(body)?, warnings: u64::from_le_bytes(*warnings) })
}
