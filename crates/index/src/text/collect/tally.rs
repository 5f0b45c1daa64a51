//! Segments → how many passages of each file answer, and how well its best one does.

use std::collections::HashSet;
use std::time::Instant;

use jiff::Timestamp;
use tantivy::query::Weight;
use tantivy::{DocSet, SegmentReader, TERMINATED};

use super::columns::Columns;
use super::score::{Recency, emphasis};
use crate::passage::Role;
use crate::rows::FileId;
use crate::text::{Question, entry};

/// So many passages are looked at together; then somebody looks at the clock.
const BLOCK: usize = 256;
/// Files are numbered one after the other: a number like this is none of ours.
const FILES: u64 = 1 << 24;

/// What is counted, of one thread or of all.
pub(super) struct Tally<'a> {
    files: Files,
    /// Every passage that answers: some megabytes for each gigabyte of transcripts, where all of them do.
    pub(super) parts: Vec<Part>,
    only: Option<&'a HashSet<FileId>>,
    since: Option<i64>,
    until: Option<i64>,
    pub(super) recency: Recency,
    deadline: Option<Instant>,
    /// Without any, only recency tells passages apart.
    has_words: bool,
    pub(super) is_partial: bool,
}

/// What is known of each file.
#[derive(Default)]
struct Files {
    bests: Vec<(u32, Best)>,
    /// Where each of them stands, from one on, by the file's number.
    places: Vec<u32>,
}

/// What is known of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) count: u64,
    pub(super) score: f32,
    time: Option<i64>,
}

/// What a segment has.
pub(super) struct Part {
    pub(super) segment: usize,
    pub(super) columns: Columns,
    pub(super) scored: Vec<Scored>,
}

/// A passage, and what it scores before its age counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub(super) file: u32,
    pub(super) passage: u32,
    pub(super) score: f32,
}

/// Passages that answer, and what is known of all of them.
#[derive(Default)]
struct Block {
    passages: Vec<u32>,
    scores: Vec<f32>,
    files: Vec<u64>,
    roles: Vec<u64>,
}

impl<'a> Tally<'a> {
    pub(super) fn of(question: &Question<'a>, has_words: bool) -> Self {
        // A time is kept to the second: one inside a second belongs to what begins there.
        let second = |time: Timestamp| time.as_second();
        Self {
            files: Files::default(),
            parts: Vec::new(),
            only: question.files,
            since: question.since.map(second),
            until: question.until.map(|until| second(until) + i64::from(until.subsec_nanosecond() > 0)),
            recency: Recency::new(second(question.now)),
            deadline: question.deadline,
            has_words,
            is_partial: false,
        }
    }

    pub(super) fn is_over(&mut self) -> bool {
        self.is_partial |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_partial
    }

    /// Takes all of a segment that answers, or as much as there is time for.
    pub(super) fn take(
        &mut self,
        number: usize,
        segment: &SegmentReader,
        weight: &dyn Weight,
    ) -> tantivy::Result<()> {
        let alive = segment.alive_bitset();
        let mut block = Block::default();
        let mut part: Option<Part> = None;
        let mut broken = None;
        let deadline = self.deadline;
        let mut flush = |block: &mut Block| {
            if block.passages.is_empty() || broken.is_some() || self.is_over() {
                return;
            }
            let open = || Ok(Part { segment: number, columns: Columns::of(segment)?, scored: Vec::new() });
            match part.take().map_or_else(open, Ok) {
                Ok(mut open) => {
                    self.take_block(&mut open, block);
                    part = Some(open);
                }
                Err(error) => broken = Some(error),
            }
        };
        let is_all = each(weight, segment, deadline, |passage, score| {
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

    fn take_block(&mut self, part: &mut Part, block: &mut Block) {
        let Block { passages, scores, files, roles } = block;
        files.resize(passages.len(), 0);
        roles.resize(passages.len(), 0);
        part.columns.files(passages, files);
        part.columns.roles(passages, roles);
        for (((passage, score), file), role) in passages.iter().zip(scores).zip(files).zip(roles) {
            if !self.wants(*file, *passage, &part.columns) {
                continue;
            }
            let role = entry::role(*role).unwrap_or(Role::System);
            let score = if self.has_words { *score * emphasis(role) } else { 1.0 };
            let scored = Scored { file: *file as u32, passage: *passage, score };
            part.scored.push(scored);
            self.count(scored, &part.columns);
        }
    }

    fn wants(&self, file: u64, passage: u32, columns: &Columns) -> bool {
        let is_timed = self.since.is_some() || self.until.is_some();
        let time = if is_timed { columns.time(passage) } else { None };
        let is_in = |bound: Option<i64>, holds: fn(i64, i64) -> bool| {
            bound.is_none_or(|bound| time.is_some_and(|time| holds(time, bound)))
        };
        file < FILES
            && is_in(self.since, |time, since| time >= since)
            && is_in(self.until, |time, until| time < until)
            && self.only.is_none_or(|only| only.contains(&FileId(file)))
    }

    fn count(&mut self, scored: Scored, columns: &Columns) {
        let Some(best) = self.files.best(scored.file) else { return };
        best.count += 1;
        // Recency only takes away: most passages of a common word need not be looked at any further.
        if best.score > scored.score {
            return;
        }
        let time = columns.time(scored.passage);
        best.raise(scored.score * self.recency.of(time), time);
    }

    /// Takes over what was found elsewhere.
    pub(super) fn join(&mut self, other: Self) {
        self.is_partial |= other.is_partial;
        self.parts.extend(other.parts);
        for (file, found) in other.files.bests {
            let Some(best) = self.files.best(file) else { continue };
            best.count += found.count;
            best.raise(found.score, found.time);
        }
    }

    /// Whether each file is among these, by its number: asked for every passage.
    pub(super) fn marked(&self, files: &HashSet<FileId>) -> Vec<bool> {
        let mut marked = vec![false; self.files.places.len()];
        for file in files {
            let place = usize::try_from(file.0).ok().and_then(|number| marked.get_mut(number));
            place.into_iter().for_each(|place| *place = true);
        }
        marked
    }

    /// The file with the best passage first.
    pub(super) fn files(&self) -> Vec<(FileId, Best)> {
        let files = self.files.bests.iter().map(|(file, best)| (FileId(u64::from(*file)), *best));
        let mut files: Vec<(FileId, Best)> = files.collect();
        files.sort_unstable_by(|(left, a), (right, b)| {
            b.score.total_cmp(&a.score).then(b.time.cmp(&a.time)).then(left.cmp(right))
        });
        files
    }
}

/// Every passage of a segment that answers, and what its words score; with a deadline, as many as there is time for, and
/// whether that was all. The engine's own loop is quicker, but cannot be left.
fn each(
    weight: &dyn Weight,
    segment: &SegmentReader,
    deadline: Option<Instant>,
    mut visit: impl FnMut(u32, f32),
) -> tantivy::Result<bool> {
    let Some(deadline) = deadline else {
        weight.for_each(segment, &mut visit)?;
        return Ok(true);
    };
    let mut scorer = weight.scorer(segment, 1.0)?;
    let mut count: usize = 0;
    while scorer.doc() != TERMINATED && (!count.is_multiple_of(BLOCK) || Instant::now() < deadline) {
        visit(scorer.doc(), scorer.score());
        scorer.advance();
        count += 1;
    }
    Ok(scorer.doc() == TERMINATED)
}

impl Files {
    fn best(&mut self, file: u32) -> Option<&mut Best> {
        let number = file as usize;
        if self.places.len() <= number {
            self.places.resize((number + 1).next_power_of_two(), 0);
        }
        let place = self.places.get_mut(number)?;
        if *place == 0 {
            self.bests.push((file, Best { count: 0, score: f32::MIN, time: None }));
            *place = self.bests.len() as u32;
        }
        self.bests.get_mut(*place as usize - 1).map(|(_, best)| best)
    }
}

impl Best {
    fn raise(&mut self, score: f32, time: Option<i64>) {
        if score.total_cmp(&self.score).then(time.cmp(&self.time)).is_gt() {
            (self.score, self.time) = (score, time);
        }
    }
}
