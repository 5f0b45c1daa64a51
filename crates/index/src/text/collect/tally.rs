//! Segments → how many passages of each file answer, how well its best one does, and which they are.

use std::collections::HashSet;
use std::time::Instant;

use jiff::Timestamp;
use tantivy::query::Weight;
use tantivy::{DocSet, SegmentReader, TERMINATED};

use super::FileAnswers;
use super::columns::Columns;
use super::score::{Bound, Recency, emphasis};
use super::words::Words;
use crate::passage::Role;
use crate::places::Places;
use crate::rows::FileId;
use crate::text::{Question, entry};

/// So many passages are looked at together; then somebody looks at the clock.
const BLOCK: usize = 256;
/// Whoever has more answers than that, or in more files, makes room for them as they come.
const MOST_ROOM: usize = 1 << 20;
const MANY_FILES: usize = 1 << 12;

/// What one thread counted.
#[derive(Default)]
pub(super) struct Tally {
    files: Files,
    /// Every passage that answers: some megabytes for each gigabyte of transcripts, where all of them do.
    scored: Vec<Scored>,
    pub(super) parts: Vec<Part>,
    pub(super) is_partial: bool,
}

/// What a passage has to be, and what else counts.
pub(super) struct Terms<'a> {
    only: Option<&'a HashSet<FileId>>,
    since: Option<i64>,
    until: Option<i64>,
    pub(super) recency: Recency,
    deadline: Option<Instant>,
    /// Without any, only recency tells passages apart.
    has_words: bool,
}

/// What is known of each file.
#[derive(Default)]
struct Files {
    bests: Vec<(FileId, Best)>,
    /// Where each of them stands.
    places: Places,
}

/// What is known of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) count: u64,
    pub(super) score: f32,
    time: Option<i64>,
    recency: Bound,
    /// Its last passage, by its place from one on.
    last: u32,
}

/// A segment that has an answer.
pub(super) struct Part {
    pub(super) segment: usize,
    pub(super) columns: Columns,
    /// The place of the first of its passages.
    first: usize,
}

/// A passage, and what it scores before its age counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub(super) passage: u32,
    pub(super) score: f32,
    /// The one of the same file that was found before, by its place from one on; else nothing.
    before: u32,
}

/// Passages that answer, and what is known of all of them.
#[derive(Default)]
struct Block {
    passages: Vec<u32>,
    scores: Vec<f32>,
    files: Vec<u64>,
    roles: Vec<u64>,
    times: Vec<u64>,
}

impl<'a> Terms<'a> {
    pub(super) fn of(question: &Question<'a>, has_words: bool) -> Self {
        // A time is kept to the second: one inside a second belongs to what begins there.
        let second = |time: Timestamp| time.as_second();
        Self {
            only: question.files,
            since: question.since.map(second),
            until: question.until.map(|until| second(until) + i64::from(until.subsec_nanosecond() > 0)),
            recency: Recency::new(second(question.now)),
            deadline: question.deadline,
            has_words,
        }
    }

    fn admit(&self, file: FileId, time: Option<i64>) -> bool {
        let is_in = |bound: Option<i64>, holds: fn(i64, i64) -> bool| {
            bound.is_none_or(|bound| time.is_some_and(|time| holds(time, bound)))
        };
        Places::admit(file)
            && is_in(self.since, |time, since| time >= since)
            && is_in(self.until, |time, until| time < until)
            && self.only.is_none_or(|only| only.contains(&file))
    }
}

impl Tally {
    /// With room for what is expected: a list that grows by megabytes is moved again and again. Room that is not used
    /// costs nothing.
    pub(super) fn expecting(answers: u64) -> Self {
        let room = usize::try_from(answers).unwrap_or_default();
        let files = Files { bests: Vec::with_capacity(room.min(MANY_FILES)), places: Places::default() };
        Self { files, scored: Vec::with_capacity(room.min(MOST_ROOM)), ..Self::default() }
    }

    pub(super) fn is_over(&mut self, terms: &Terms<'_>) -> bool {
        self.is_partial |= terms.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_partial
    }

    /// Takes all of a segment that answers, or as much as there is time for.
    pub(super) fn take(
        &mut self,
        number: usize,
        segment: &SegmentReader,
        asked: &Asked<'_>,
        terms: &Terms<'_>,
    ) -> tantivy::Result<()> {
        let alive = segment.alive_bitset();
        let mut block = Block::default();
        let mut part: Option<Part> = None;
        let mut broken = None;
        let first = self.scored.len();
        let mut flush = |block: &mut Block| {
            if block.passages.is_empty() || broken.is_some() || self.is_over(terms) {
                return;
            }
            let open = || Ok(Part { segment: number, columns: Columns::of(segment)?, first });
            match part.take().map_or_else(open, Ok) {
                Ok(open) => {
                    self.take_block(&open.columns, block, terms);
                    part = Some(open);
                }
                Err(error) => broken = Some(error),
            }
        };
        let is_all = asked.each(segment, terms.deadline, |passage, score| {
            if alive.is_none_or(|alive| alive.is_alive(passage)) {
                block.passages.push(passage);
                block.scores.push(score);
            }
            if block.passages.len() == BLOCK {
                flush(&mut block);
                block.passages.clear();
                block.scores.clear();
            }
        })?;
        flush(&mut block);
        self.is_partial |= !is_all;
        self.parts.extend(part);
        broken.map_or(Ok(()), Err)
    }

    fn take_block(&mut self, columns: &Columns, block: &mut Block, terms: &Terms<'_>) {
        let Block { passages, scores, files, roles, times } = block;
        for column in [&mut *files, &mut *roles, &mut *times] {
            column.resize(passages.len(), 0);
        }
        columns.files(passages, files);
        columns.roles(passages, roles);
        columns.times(passages, times);
        let found = passages.iter().zip(scores).zip(files).zip(roles).zip(times);
        for ((((passage, score), file), role), time) in found {
            let (file, time) = (FileId(*file), entry::second(*time));
            if !terms.admit(file, time) {
                continue;
            }
            let emphasis = || emphasis(entry::role(*role).unwrap_or(Role::System));
            let score = if terms.has_words { *score * emphasis() } else { 1.0 };
            let Some(best) = self.files.best(file) else { continue };
            self.scored.push(Scored { passage: *passage, score, before: best.last });
            best.last = self.scored.len() as u32;
            best.count += 1;
            best.recency.reach(time, &terms.recency);
            // Most passages of a common word need not be looked at any further.
            if score * best.recency.most >= best.score {
                best.raise(score * terms.recency.of(time), time);
            }
        }
    }

    /// The passages of a file, the last one first, with the places of their parts.
    pub(super) fn passages(&self, file: FileId) -> impl Iterator<Item = (usize, Scored)> {
        let mut next = self.files.find(file).map_or(0, |best| best.last);
        let mut part = self.parts.len();
        std::iter::from_fn(move || {
            let place = (next as usize).checked_sub(1)?;
            let scored = *self.scored.get(place)?;
            next = scored.before;
            let is_later = |part: &Part| part.first > place;
            while self.parts.get(part).is_none_or(is_later) {
                part = part.checked_sub(1)?;
            }
            Some((part, scored))
        })
    }
}

/// The file with the best passage first; of equals, the one with the later.
pub(super) fn ranked(tallies: &[Tally]) -> Vec<FileAnswers> {
    let mut all = Files::default();
    for (file, found) in tallies.iter().flat_map(|tally| &tally.files.bests) {
        let Some(best) = all.best(*file) else { continue };
        best.count += found.count;
        best.raise(found.score, found.time);
    }
    all.bests.sort_unstable_by(|(left, a), (right, b)| {
        b.score.total_cmp(&a.score).then(b.time.cmp(&a.time)).then(left.cmp(right))
    });
    let answers = all.bests.iter().map(|(file, Best { count, score, .. })| FileAnswers {
        file: *file,
        count: *count,
        score: *score,
    });
    answers.collect()
}

/// What is asked of each segment.
pub(super) struct Asked<'a> {
    pub(super) weight: &'a dyn Weight,
    /// The same, where it is no more than some words.
    pub(super) words: Option<Words>,
}

impl Asked<'_> {
    /// Every passage of a segment that answers, and what its words score; with a deadline, as many as there is time for,
    /// and whether that was all. The engine's own loop is quicker, but cannot be left.
    fn each(
        &self,
        segment: &SegmentReader,
        deadline: Option<Instant>,
        mut visit: impl FnMut(u32, f32),
    ) -> tantivy::Result<bool> {
        let by_words = self.words.as_ref().map(|words| words.each(segment, deadline, &mut visit));
        if let Some(is_all) = by_words.transpose()?.flatten() {
            return Ok(is_all);
        }
        let Some(deadline) = deadline else {
            self.weight.for_each(segment, &mut visit)?;
            return Ok(true);
        };
        let mut scorer = self.weight.scorer(segment, 1.0)?;
        let mut count: usize = 0;
        while scorer.doc() != TERMINATED && (!count.is_multiple_of(BLOCK) || Instant::now() < deadline) {
            visit(scorer.doc(), scorer.score());
            scorer.advance();
            count += 1;
        }
        Ok(scorer.doc() == TERMINATED)
    }
}

impl Files {
    fn best(&mut self, file: FileId) -> Option<&mut Best> {
        let place = self.places.get(file).unwrap_or_else(|| {
            let none = Best { count: 0, score: f32::MIN, time: None, recency: Bound::default(), last: 0 };
            self.bests.push((file, none));
            self.places.insert(file, self.bests.len() - 1);
            self.bests.len() - 1
        });
        self.bests.get_mut(place).map(|(_, best)| best)
    }

    fn find(&self, file: FileId) -> Option<&Best> {
        self.bests.get(self.places.get(file)?).map(|(_, best)| best)
    }
}

impl Best {
    fn raise(&mut self, score: f32, time: Option<i64>) {
        if score.total_cmp(&self.score).then(time.cmp(&self.time)).is_gt() {
            (self.score, self.time) = (score, time);
        }
    }
}
