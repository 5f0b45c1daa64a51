//! Passages from several threads → a commit.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tantivy::directory::DirectoryLock;
use tantivy::index::SegmentId;
use tantivy::indexer::{IndexWriterOptions, NoMergePolicy};
use tantivy::query::{BooleanQuery, Occur, Query, RangeQuery, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, IndexWriter, Term};

use super::budget::Budget;
use super::entry::Entry;
use super::schema::Fields;
use super::seal::{Look, Seal, names};
use super::{guard, merging, open_index};
use crate::error::Error;
use crate::file::FileId;
use crate::passage::Passage;

/// Below this, a second thread would only make a second segment.
const LITTLE: u64 = 16 * 1024 * 1024;
/// What a thread gathers before it writes a segment: mostly all that it gets of half a gigabyte. Then there is nothing to
/// merge after a gigabyte, which takes a fifth of the time.
const ARENA: usize = 48 * 1024 * 1024;
const SMALL_ARENA: usize = 16 * 1024 * 1024;

/// Takes passages from several threads. What it took can be found after `commit`, and never without it.
pub struct Feeder {
    writer: IndexWriter<Entry>,
    index: Index,
    path: PathBuf,
    fields: Fields,
    budget: Budget,
    has_changed: AtomicBool,
    _feeding: DirectoryLock,
}

impl Feeder {
    pub(super) fn open(path: &Path, fields: Fields, expected: u64) -> Result<Option<Self>, Error> {
        let Some(feeding) = open_index::feeding(path)? else { return Ok(None) };
        let (threads, arena) = if expected <= LITTLE { (1, SMALL_ARENA) } else { (2, ARENA) };
        // Opened anew under the lock: it remembers which files there are, to clear away unneeded ones.
        let (index, writer) = guard::writing(path, || {
            let index = open_index::index(path)?;
            let options = IndexWriterOptions::builder()
                .num_worker_threads(threads)
                .memory_budget_per_thread(arena)
                .num_merge_threads(1)
                .build();
            let writer = index.writer_with_options(options)?;
            writer.set_merge_policy(Box::new(NoMergePolicy));
            // What a process left that was killed would stand in the way of files of the same name.
            writer.garbage_collect_files().wait()?;
            Ok((index, writer))
        })?;
        Ok(Some(Self {
            writer,
            index,
            path: path.to_owned(),
            fields,
            budget: Budget::default(),
            has_changed: AtomicBool::new(false),
            _feeding: feeding,
        }))
    }

    /// Drops all passages of a file that were taken before.
    pub fn forget(&self, file: FileId) {
        self.has_changed.store(true, Ordering::Relaxed);
        self.writer.delete_term(Term::from_field_u64(self.fields.file, file.0));
    }

    /// Drops the passages of a file that stand at a byte or behind it. Before a file that grew is read on from there,
    /// this makes sure that nothing is there twice, whatever became of the last time.
    pub fn forget_from(&self, file: FileId, offset: u64) -> Result<(), Error> {
        self.has_changed.store(true, Ordering::Relaxed);
        let own = TermQuery::new(Term::from_field_u64(self.fields.file, file.0), IndexRecordOption::Basic);
        let behind = RangeQuery::new(
            Bound::Included(Term::from_field_u64(self.fields.offset, offset)),
            Bound::Unbounded,
        );
        let both: Vec<(Occur, Box<dyn Query>)> =
            vec![(Occur::Must, Box::new(own)), (Occur::Must, Box::new(behind))];
        guard::writing(&self.path, || self.writer.delete_query(Box::new(BooleanQuery::new(both))).map(drop))
    }

    /// Drops everything.
    pub fn forget_all(&self) -> Result<(), Error> {
        self.has_changed.store(true, Ordering::Relaxed);
        guard::writing(&self.path, || self.writer.delete_all_documents().map(drop))
    }

    /// Waits while too much text is under way.
    pub fn add(&self, file: FileId, passage: Passage<'_>) -> Result<(), Error> {
        self.has_changed.store(true, Ordering::Relaxed);
        let entry = Entry::new(file, passage, &self.fields, &self.budget);
        guard::writing(&self.path, || self.writer.add_document(entry).map(drop))
    }

    /// Makes what was taken findable; where nothing was, nothing is written.
    pub fn commit(mut self) -> Result<(), Error> {
        if !self.has_changed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let path = self.path.clone();
        let known = guard::writing(&path, || self.segments())?;
        guard::writing(&path, || self.writer.commit().map(drop))?;
        self.seal(&known)?;
        if guard::writing(&path, || self.merge())? {
            self.seal(&known)?;
        }
        Ok(())
    }

    /// Makes few segments of many; whether there was anything to do.
    fn merge(&mut self) -> tantivy::Result<bool> {
        let plan = merging::plan(&self.index.searchable_segment_metas()?);
        for group in &plan {
            self.writer.merge(group).wait()?;
        }
        Ok(!plan.is_empty())
    }

    fn segments(&self) -> tantivy::Result<HashSet<SegmentId>> {
        Ok(self.index.searchable_segment_ids()?.into_iter().collect())
    }

    /// Notes what the files look like: the new ones, and the others if they still look as they did.
    fn seal(&self, known: &HashSet<SegmentId>) -> Result<(), Error> {
        let old = Seal::present(&self.path)?;
        let segments = guard::writing(&self.path, || self.index.searchable_segment_metas())?;
        let looks = segments.iter().flat_map(|segment| {
            let is_new = !known.contains(&segment.id());
            names(segment.id(), segment.delete_opstamp()).map(move |name| (name, is_new))
        });
        let looks: BTreeMap<String, Look> = looks
            .filter_map(|(name, is_new)| {
                let look = Look::of(&self.path.join(&name))?;
                (is_new || old.knows(&name, look)).then_some((name, look))
            })
            .collect();
        old.with(looks).write(&self.path)
    }
}

impl fmt::Debug for Feeder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Feeder").field("path", &self.path).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use steno_transcript::Place;

    use super::super::budget::MOST;
    use super::super::{Engine, Question};
    use super::*;
    use crate::passage::Role;
    use crate::query::Query as Typed;

    fn passage(offset: u64, text: &str) -> Passage<'_> {
        Passage {
            place: Place { line: 1, offset },
            role: Role::Result,
            time: None,
            tools: Vec::new(),
            model: None,
            branch: None,
            files: Vec::new(),
            text: text.into(),
        }
    }

    #[test]
    fn however_fast_it_is_fed_little_text_is_under_way() {
        let directory = tempfile::tempdir().unwrap();
        let (engine, _) = Engine::open(directory.path()).unwrap();
        let feeder = engine.feeder(u64::MAX).unwrap().unwrap();
        let text = format!("begin {} end", " ".repeat(1024 * 1024));
        thread::scope(|scope| {
            for number in 0..8 {
                let (feeder, text) = (&feeder, &text);
                scope.spawn(move || {
                    for offset in 0..10 {
                        feeder.add(FileId(number), passage(offset, text)).unwrap();
                    }
                });
            }
        });
        feeder.add(FileId(9), passage(0, &text.repeat(MOST / text.len() + 1))).unwrap();
        let budget = feeder.budget.clone();
        feeder.commit().unwrap();
        let (highest, lent) = budget.highest_and_lent();
        assert!(highest < MOST + 2 * text.len() && lent == 0, "{highest} {lent}");
        let found = engine.search(&question(&Typed::parse("begin end"))).unwrap();
        assert_eq!(found.files.iter().map(|file| file.count).sum::<u64>(), 8 * 10 + 1);
    }

    fn question(query: &Typed) -> Question<'_> {
        let now = jiff::Timestamp::UNIX_EPOCH;
        Question { query, files: None, since: None, until: None, each: 1, now, deadline: None }
    }
}
