//! What was learnt of files before, and the files → what is known of them now.

use std::collections::HashSet;
use std::path::Path;

use steno_conversation::Warnings;
use steno_index::{Everything, Known, Table};

use super::Memory;
use super::fact::{Fact, Lesson};
use super::stamp::{self, Glance, News};
use crate::error::Error;
use crate::parallel;
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

impl Memory {
    /// What is known of each item, in their order; what changed is read, and remembered.
    pub(crate) fn learn<F: Fact>(&mut self, items: &[Item<'_>]) -> Vec<Answer<F::Value>> {
        let keys: Vec<String> = items.iter().map(Item::key).collect();
        let remembered = self.remembered(F::TABLE, &keys);
        let asked: Vec<(&Item<'_>, Option<&Known>)> =
            items.iter().zip(keys.iter().map(|key| remembered.get(key).map(|(_, known)| known))).collect();
        let recalled = parallel::map(&asked, |_| 0, |(item, known)| recall::<F>(item, *known));
        let mut answers: Vec<Option<Answer<F::Value>>> = Vec::with_capacity(items.len());
        let mut todos = Vec::new();
        for (place, recalled) in recalled.into_iter().enumerate() {
            match recalled {
                Ok(lesson) => answers.push(Some(Ok(lesson))),
                Err(todo) => {
                    answers.push(None);
                    todos.push((place, todo));
                }
            }
        }
        let changed = self.read_all::<F>(items, &keys, &todos, &mut answers);
        self.store(F::TABLE, &keys, &changed, &remembered);
        answers.into_iter().flatten().collect()
    }

    /// Reads what has to be, and gives what is to be remembered of it.
    fn read_all<F: Fact>(
        &self,
        items: &[Item<'_>],
        keys: &[String],
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
        let read = parallel::map(
            &asked,
            |(_, item, _)| item.len(),
            |(_, item, before)| read::<F>(item, before.as_ref()),
        );
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

    fn remembered(&mut self, table: Table, keys: &[String]) -> Everything {
        let Some(rows) = &mut self.rows else { return Everything::default() };
        let found = if keys.len() > FEW {
            rows.all(table)
        } else {
            let found = keys.iter().map(|key| Ok(rows.get(table, key)?.map(|known| (key.clone(), known))));
            found.filter_map(Result::transpose).collect()
        };
        found.unwrap_or_else(|error| {
            self.distrust(&error);
            Everything::default()
        })
    }

    fn state(&self, table: Table, key: &str) -> Option<Known> {
        Some(self.rows.as_ref()?.get(table, key).ok()??.1)
    }

    fn store(&mut self, table: Table, keys: &[String], changed: &[(usize, Known)], remembered: &Everything) {
        let gone = gone(keys, remembered);
        if changed.is_empty() && gone.is_empty() {
            return;
        }
        let known = changed.iter().filter_map(|(place, known)| Some((keys.get(*place)?.as_str(), known)));
        let stored = self.rows.as_mut().map(|rows| rows.put(table, known, gone));
        if let Some(Err(error)) = stored {
            self.distrust(&error);
        }
    }
}

/// The keys of files that are nowhere any more.
fn gone<'r>(keys: &[String], remembered: &'r Everything) -> Vec<&'r str> {
    let is_known = |key: &&String| remembered.contains_key(*key);
    if keys.iter().filter(is_known).count() == remembered.len() {
        return Vec::new();
    }
    let present: HashSet<&str> = keys.iter().map(String::as_str).collect();
    let is_gone = |key: &&str| !present.contains(key) && !key.starts_with('\0') && !Path::new(key).exists();
    remembered.keys().map(String::as_str).filter(is_gone).collect()
}

/// What is remembered of a file, if that is still true of it; else what has to be read.
fn recall<F: Fact>(item: &Item<'_>, known: Option<&Known>) -> Result<Lesson<F::Value>, Todo> {
    let known = known.ok_or(Todo::All)?;
    match stamp::news(item, &known.stamp) {
        News::None => unpack::<F>(&known.body).ok_or(Todo::All),
        News::Since(_) => Err(Todo::Rest),
        News::All => Err(Todo::All),
    }
}

fn read<F: Fact>(item: &Item<'_>, before: Option<&Known>) -> Result<Learnt<F::Value>, Error> {
    let Glance { stamp, to, is_whole, file } = stamp::glance(item)?;
    let resumed = before.and_then(|known| resume::<F>(item, known));
    let (from, lines, mut learner) = resumed.unwrap_or_default();
    let mut warnings = Warnings::new(item.place());
    let mut count = lines;
    item.read_opened(file, Stretch { from, lines, to }, |lines| {
        F::read(&mut learner, lines, &mut warnings)?;
        count = lines.lines();
        Ok(())
    })?;
    let warnings = warnings.into_list().len() as u64;
    // How many warnings there are of a kind is not remembered, so that a file with any is read again.
    let state = F::state(&learner).filter(|_| is_whole && warnings == 0);
    let value = F::finish(learner, item);
    let known = pack::<F>(&value, warnings).map(|body| Known {
        stamp,
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
