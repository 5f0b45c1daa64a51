//! Files → the facts of each, reading only files that changed.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use foldhash::fast::RandomState;
use rayon::prelude::*;
use steno_conversation::Warnings;
use steno_source::Change;

use super::Cache;
use super::database::{CacheRow, Database, RowView};
use super::fact::{Fact, Learnt};
use super::fingerprint::{Fingerprint, Opened, changes};
use crate::error::Error;
use crate::reading::Stretch;
use crate::sessions::ListedFile;

/// A question about no more files than this forgets no others.
const FEW: usize = 32;

/// The facts of a file, unless it cannot be read.
type Answer<T> = Result<Learnt<T>, Error>;

/// What was stored of a file.
struct Stored<T> {
    fingerprint: Option<Fingerprint>,
    /// Nothing where it is not understood.
    learnt: Option<Learnt<T>>,
}

/// What was stored of all files, by their keys.
type AllStored<T> = HashMap<String, Stored<T>, RandomState>;

/// A file to read, its key, and what was stored of it if it only grew.
type Task<'a> = (&'a ListedFile<'a>, &'a str, Option<CacheRow>);

impl Cache {
    /// The facts of each file, in the order of `items`. Reads and stores files that changed.
    pub fn learn<F: Fact>(&mut self, items: &[ListedFile<'_>]) -> Vec<Answer<F::Value>> {
        let keys: Vec<String> = items.iter().map(|item| item.key().into_owned()).collect();
        let mut stored = self.stored::<F>(&keys);
        let known: Vec<Option<Stored<F::Value>>> = keys.iter().map(|key| stored.remove(key)).collect();
        let fingerprints: Vec<Option<&Fingerprint>> =
            known.iter().map(|known| known.as_ref()?.fingerprint.as_ref()).collect();
        let changes = changes(items, &fingerprints);
        let mut tasks: Vec<Task<'_>> = Vec::new();
        let mut answers: Vec<Option<Answer<F::Value>>> = Vec::with_capacity(items.len());
        for (((item, key), known), change) in items.iter().zip(&keys).zip(known).zip(changes) {
            let learnt = known.and_then(|known| known.learnt);
            let has_grown = learnt.is_some() && matches!(change, Change::Grown { .. });
            let unchanged = learnt.filter(|_| change == Change::Unchanged);
            if unchanged.is_none() {
                tasks.push((item, key, if has_grown { self.row::<F>(key) } else { None }));
            }
            answers.push(unchanged.map(Ok));
        }
        let read = |(item, _, before): &Task<'_>| read::<F>(item, before.as_ref());
        let read: Vec<_> = tasks.par_iter().with_max_len(1).map(read).collect();
        let mut rows = Vec::new();
        let mut read = tasks.iter().zip(read).map(|((_, key, _), read)| {
            let (learnt, row) = read?;
            rows.extend(row.map(|row| (*key, row)));
            Ok(learnt)
        });
        let answers = answers.into_iter().filter_map(|known| known.or_else(|| read.next())).collect();
        drop(read);
        let gone = if items.len() > FEW { gone(stored) } else { Vec::new() };
        self.store::<F>(&rows, &gone);
        answers
    }

    fn stored<F: Fact>(&mut self, keys: &[String]) -> AllStored<F::Value> {
        let Some(database) = &self.database else { return AllStored::default() };
        let found = if keys.len() > FEW {
            all_stored::<F>(database, &keys.iter().map(String::as_str).collect())
        } else {
            let each = keys.iter().map(|key| {
                let row = database.get(F::TABLE, key)?;
                Ok(row.map(|(_, row)| (key.clone(), Stored::of::<F>(&row.fingerprint, &row.body))))
            });
            each.filter_map(Result::transpose).collect()
        };
        found.unwrap_or_else(|error| {
            self.distrust(&error);
            AllStored::default()
        })
    }

    fn row<F: Fact>(&self, key: &str) -> Option<CacheRow> {
        Some(self.database.as_ref()?.get(F::TABLE, key).ok()??.1)
    }

    fn store<F: Fact>(&mut self, rows: &[(&str, CacheRow)], gone: &[String]) {
        let Some(database) = self.database.as_mut().filter(|_| !rows.is_empty() || !gone.is_empty()) else {
            return;
        };
        let rows = rows.iter().map(|(key, row)| (*key, row));
        if let Err(error) = database.put(F::TABLE, rows, gone.iter().map(String::as_str)) {
            self.distrust(&error);
        }
    }
}

impl<T> Stored<T> {
    fn of<F: Fact<Value = T>>(fingerprint: &[u8], body: &[u8]) -> Self {
        Self { fingerprint: Fingerprint::from_bytes(fingerprint), learnt: unpack::<F>(body) }
    }
}

/// There is an entry for every row; only those of the wanted files are decoded.
fn all_stored<F: Fact>(
    database: &Database,
    wanted: &HashSet<&str>,
) -> Result<AllStored<F::Value>, steno_index::Error> {
    let mut all = AllStored::default();
    database.each(F::TABLE, |RowView { key, fingerprint, body, .. }| {
        let stored = match wanted.contains(key) {
            true => Stored::of::<F>(fingerprint, body),
            false => Stored { fingerprint: None, learnt: None },
        };
        all.insert(key.to_owned(), stored);
    })?;
    Ok(all)
}

/// Of the files that were not asked for, the keys of those that do not exist any more.
fn gone<T>(others: AllStored<T>) -> Vec<String> {
    let is_gone = |key: &String| !key.starts_with('\0') && !Path::new(key).exists();
    others.into_keys().filter(is_gone).collect()
}

/// What a file says now, and the row to store of it, if any.
fn read<F: Fact>(
    item: &ListedFile<'_>,
    before: Option<&CacheRow>,
) -> Result<(Learnt<F::Value>, Option<CacheRow>), Error> {
    let opened = Opened::of(item)?;
    let (from, lines, mut learner) = before.and_then(|row| resume::<F>(item, row)).unwrap_or_default();
    let mut warnings = Warnings::new(item.place());
    let mut count = lines;
    item.read_opened(opened.file, Stretch { from, lines, to: opened.len }, |lines| {
        F::read(&mut learner, lines, &mut warnings)?;
        count = lines.lines();
        Ok(())
    })?;
    let warnings = warnings.into_list().len() as u64;
    // How many warnings there are of each kind is not stored, so a file with any is read from its beginning.
    let state = F::state(&learner).filter(|_| opened.can_go_on && warnings == 0);
    let state = state.map(|state| [&count.to_le_bytes()[..], &state].concat()).unwrap_or_default();
    let value = F::finish(learner, item);
    let row = pack::<F>(&value, warnings);
    let row = row.map(|body| CacheRow { fingerprint: opened.fingerprint, body, state });
    Ok((Learnt { value, warnings }, row))
}

/// Up to which byte and how many lines the file was read before, and the learner that goes on. The row may be newer
/// than the one that was compared: another process may have read on meanwhile.
fn resume<F: Fact>(item: &ListedFile<'_>, row: &CacheRow) -> Option<(u64, u64, F::Learner)> {
    let Change::Grown { from } = Fingerprint::from_bytes(&row.fingerprint)?.compare(item) else {
        return None;
    };
    let (lines, state) = row.state.split_first_chunk()?;
    let (_, body) = row.body.split_first_chunk::<8>()?;
    Some((from, u64::from_le_bytes(*lines), F::resume(state, body)?))
}

fn pack<F: Fact>(value: &F::Value, warnings: u64) -> Option<Vec<u8>> {
    Some([&warnings.to_le_bytes()[..], &F::encode(value)?].concat())
}

fn unpack<F: Fact>(body: &[u8]) -> Option<Learnt<F::Value>> {
    let (warnings, body) = body.split_first_chunk()?;
    Some(Learnt { value: F::decode(body)?, warnings: u64::from_le_bytes(*warnings) })
}
