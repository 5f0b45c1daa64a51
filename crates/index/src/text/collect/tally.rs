//! Segments → how many passages of each file answer, how well its best one does, and which may be shown.

use std::collections::HashSet;
use std::time::Instant;

use jiff::Timestamp;
use tantivy::query::Weight;
use tantivy::{DocSet, SegmentReader, TERMINATED};

use super::FileAnswers;
use super::columns::Marks;
use super::score::{Bound, Recency, emphasis};
use super::words::Words;
use crate::places::Places;
use crate::rows::FileId;
use crate::text::Question;
use crate::text::mark::{Mark, Moment};

/// So many passages are looked at together; then somebody looks at the clock.
const BLOCK: usize = 256;
/// Whoever has more answers than that, or in more files, makes room for them as they come.
const MOST_ROOM: usize = 1 << 20;
const MANY_FILES: usize = 1 << 12;
/// Where more of each file are wanted, all of them are kept.
const TOPS: usize = 8;

/// What one thread counted.
#[derive(Default)]
pub(super) struct Tally {
    files: Files,
    /// Passages that may be among the best of their files: of a common word, a quarter or so.
    scored: Vec<Scored>,
    pub(super) parts: Vec<Part>,
    pub(super) is_partial: bool,
    room: Room,
}

/// What a passage has to be, and what else counts.
pub(super) struct Terms<'a> {
    only: Option<&'a HashSet<FileId>>,
    since: Option<i64>,
    until: Option<i64>,
    pub(super) recency: Recency,
    /// How many of a file may be shown.
    pub(super) each: usize,
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
    moment: Moment,
    recency: Bound,
    /// The last passage of it that may be shown, by its place from one on.
    last: u32,
    tops: Tops,
}

/// What the best passages of a file score, the best first.
#[derive(Debug, Clone, Copy)]
struct Tops([f32; TOPS]);

/// A segment that has an answer.
pub(super) struct Part {
    pub(super) segment: usize,
    pub(super) marks: Marks,
    /// The place of the first of its passages.
    first: usize,
}

/// A passage, and what it scores before its age counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub(super) passage: u32,
    pub(super) score: f32,
    /// The one of the same file that was kept before, by its place from one on; else nothing.
    before: u32,
}

/// Passages that answer, and what is known of all of them.
#[derive(Default)]
struct Block {
    passages: Vec<u32>,
    scores: Vec<f32>,
    marks: Vec<u64>,
}

/// What every segment needs while it is asked: memory that is touched for the first time takes longer than the question.
#[derive(Default)]
struct Room {
    block: Block,
    sums: Vec<f32>,
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
            each: question.each.max(1),
            deadline: question.deadline,
            has_words,
        }
    }

    fn admit(&self, file: FileId, moment: Moment) -> bool {
        let is_in = |bound: Option<i64>, holds: fn(i64, i64) -> bool| {
            bound.is_none_or(|bound| moment.second().is_some_and(|second| holds(second, bound)))
        };
        Places::admit(file)
            && is_in(self.since, |second, since| second >= since)
            && is_in(self.until, |second, until| second < until)
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
        let Room { mut block, mut sums } = std::mem::take(&mut self.room);
        let mut part: Option<Part> = None;
        let mut broken = None;
        let first = self.scored.len();
        let mut flush = |block: &mut Block| {
            if block.passages.is_empty() || broken.is_some() || self.is_over(terms) {
                return;
            }
            let open = || Ok(Part { segment: number, marks: Marks::of(segment)?, first });
            match part.take().map_or_else(open, Ok) {
                Ok(open) => {
                    self.take_block(&open.marks, block, terms);
                    part = Some(open);
                }
                Err(error) => broken = Some(error),
            }
        };
        let is_all = asked.each(segment, terms.deadline, &mut sums, |passage, score| {
            if alive.is_none_or(|alive| alive.is_alive(passage)) {
                block.passages.push(passage);
                block.scores.push(score);
            }
            if block.passages.len() == BLOCK {
                flush(&mut block);
                block.clear();
            }
        })?;
        flush(&mut block);
        block.clear();
        self.room = Room { block, sums };
        self.is_partial |= !is_all;
        self.parts.extend(part);
        broken.map_or(Ok(()), Err)
    }

    fn take_block(&mut self, marks: &Marks, block: &mut Block, terms: &Terms<'_>) {
        let Block { passages, scores, marks: numbers } = block;
        numbers.resize(passages.len(), 0);
        marks.numbers(passages, numbers);
        for ((passage, score), number) in passages.iter().zip(scores).zip(numbers) {
            let mark = Mark(*number);
            let (file, moment) = (mark.file(), mark.moment());
            if !terms.admit(file, moment) {
                continue;
            }
            let score = if terms.has_words { *score * emphasis(mark.role()) } else { 1.0 };
            let Some(best) = self.files.best(file) else { continue };
            best.count += 1;
            best.recency.reach(moment, &terms.recency);
            // Most passages of a common word need not be looked at any further.
            let least = best.tops.least(terms.each);
            if score * best.recency.most < least {
                continue;
            }
            let exact = score * terms.recency.of(moment);
            if exact >= least {
                self.scored.push(Scored { passage: *passage, score, before: best.last });
                best.last = self.scored.len() as u32;
                best.tops.take(exact, terms.each);
                best.raise(exact, moment);
            }
        }
    }

    /// The passages of a file that may be shown, the last one first, with the places of their parts.
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
    // Without what else is known of them, which takes longer to move than to compare.
    let each = tallies.iter().flat_map(|tally| &tally.files.bests);
    let mut all: Vec<(FileAnswers, Moment)> = Vec::with_capacity(each.clone().count());
    all.extend(each.map(|(file, Best { count, score, moment, .. })| {
        (FileAnswers { file: *file, count: *count, score: *score }, *moment)
    }));
    if tallies.len() > 1 {
        all.sort_unstable_by_key(|(answers, _)| answers.file);
        all.dedup_by(|(more, later), (known, moment)| {
            let is_same = more.file == known.file;
            if is_same {
                known.count += more.count;
                if is_better((more.score, *later), (known.score, *moment)) {
                    (known.score, *moment) = (more.score, *later);
                }
            }
            is_same
        });
    }
    all.sort_unstable_by(|(one, earlier), (two, later)| {
        two.score.total_cmp(&one.score).then(later.cmp(earlier)).then(one.file.cmp(&two.file))
    });
    all.into_iter().map(|(answers, _)| answers).collect()
}

/// The one that scores more, then the later one.
fn is_better(one: (f32, Moment), other: (f32, Moment)) -> bool {
    one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)).is_gt()
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
        sums: &mut Vec<f32>,
        mut visit: impl FnMut(u32, f32),
    ) -> tantivy::Result<bool> {
        let by_words = self.words.as_ref().map(|words| words.each(segment, deadline, sums, &mut visit));
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
            self.bests.push((file, Best::none()));
            self.places.insert(file, self.bests.len() - 1);
            self.bests.len() - 1
        });
        self.bests.get_mut(place).map(|(_, best)| best)
    }

    fn find(&self, file: FileId) -> Option<&Best> {
        self.bests.get(self.places.get(file)?).map(|(_, best)| best)
    }
}

impl Block {
    fn clear(&mut self) {
        self.passages.clear();
        self.scores.clear();
    }
}

impl Best {
    fn none() -> Self {
        Self {
            count: 0,
            score: f32::MIN,
            moment: Moment::default(),
            recency: Bound::default(),
            last: 0,
            tops: Tops([f32::MIN; TOPS]),
        }
    }

    fn raise(&mut self, score: f32, moment: Moment) {
        if is_better((score, moment), (self.score, self.moment)) {
            (self.score, self.moment) = (score, moment);
        }
    }
}

impl Tops {
    /// Whatever scores less is none of so many best.
    fn least(&self, each: usize) -> f32 {
        self.0.get(each - 1).copied().unwrap_or(f32::MIN)
    }

    fn take(&mut self, mut score: f32, each: usize) {
        for slot in self.0.iter_mut().take(each) {
            if score > *slot {
                std::mem::swap(slot, &mut score);
            }
        }
    }
}
