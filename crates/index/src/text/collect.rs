//! Passages that answer a question → for each file, how many there are and the best few of them.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use foldhash::fast::RandomState;
use jiff::Timestamp;
use rayon::prelude::*;
use tantivy::columnar::{Column, StrColumn};
use tantivy::query::{EnableScoring, Weight};
use tantivy::{DocId, DocSet, Searcher, SegmentReader, TERMINATED};

use super::ask::Asking;
use super::{FileHits, Found, Hit, Question, schema};
use crate::file::FileId;
use crate::passage::Role;

/// How many passages are taken between two looks at the clock.
const BLOCK: usize = 256;
/// After so many days, a passage has lost half of what its age can take from its score.
const HALF_LIFE: f32 = 90.0;
const SECONDS_OF_A_DAY: f32 = 86_400.0;

/// Asks each segment on a thread of its own, and puts the answers together.
pub(super) fn collect(
    question: &Question<'_>,
    asking: &Asking,
    searcher: &Searcher,
) -> tantivy::Result<Found> {
    let weight = asking.query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let terms = Terms::of(question, asking.has_words);
    let segments = searcher.segment_readers().par_iter();
    let tallies: Vec<Tally> =
        segments.map(|segment| terms.tally(segment, &*weight)).collect::<tantivy::Result<_>>()?;
    let is_partial = tallies.iter().any(|tally| tally.is_partial);
    let mut files: HashMap<FileId, FileHits, RandomState> = HashMap::default();
    for found in tallies.into_iter().flat_map(|tally| tally.files) {
        let FileHits { file, count, best } = found;
        let known = files.entry(file).or_insert_with(|| FileHits { file, count: 0, best: Vec::new() });
        known.count += count;
        known.best.extend(best);
    }
    let mut files: Vec<FileHits> = files.into_values().collect();
    for file in &mut files {
        file.best.sort_by(by_rank);
        file.best.truncate(terms.each);
    }
    let best = |file: &FileHits| file.best.first().map_or((f32::MIN, None), |hit| (hit.score, hit.time));
    files.sort_by(|one, two| {
        let ((score, time), (other, later)) = (best(one), best(two));
        other.total_cmp(&score).then(later.cmp(&time)).then(one.file.cmp(&two.file))
    });
    Ok(Found { files, is_partial })
}

/// The better one first, then the later one, then the one that comes first in its file.
fn by_rank(one: &Hit, two: &Hit) -> Ordering {
    let order = two.score.total_cmp(&one.score).then(two.time.cmp(&one.time));
    order.then(one.offset.cmp(&two.offset)).then(one.role.cmp(&two.role))
}

/// Which passages count, and how they are scored.
struct Terms<'a> {
    question: &'a Question<'a>,
    since: Option<i64>,
    until: Option<i64>,
    now: i64,
    each: usize,
    /// Without any, only their age ranks passages.
    has_words: bool,
}

/// What one segment answers.
struct Tally {
    files: Vec<FileHits>,
    /// The deadline came before the end.
    is_partial: bool,
}

/// A passage that may be among the best of its file.
struct Candidate {
    score: f32,
    second: Option<i64>,
    offset: u64,
    passage: DocId,
}

impl Candidate {
    fn is_before(&self, other: &Self) -> bool {
        let order = other.score.total_cmp(&self.score).then(other.second.cmp(&self.second));
        order.then((self.offset, self.passage).cmp(&(other.offset, other.passage))).is_lt()
    }
}

/// The candidates of one file.
#[derive(Default)]
struct Best {
    count: u64,
    candidates: Vec<Candidate>,
}

impl<'a> Terms<'a> {
    fn of(question: &'a Question<'a>, has_words: bool) -> Self {
        // A time is stored to the second: a bound inside a second includes the passages of that second.
        let until = |time: Timestamp| time.as_second() + i64::from(time.subsec_nanosecond() > 0);
        Self {
            since: question.since.map(Timestamp::as_second),
            until: question.until.map(until),
            now: question.now.as_second(),
            each: question.each.max(1),
            question,
            has_words,
        }
    }

    fn tally(&self, segment: &SegmentReader, weight: &dyn Weight) -> tantivy::Result<Tally> {
        let columns = Columns::of(segment)?;
        let alive = segment.alive_bitset();
        let mut files: HashMap<FileId, Best, RandomState> = HashMap::default();
        let mut scorer = weight.scorer(segment, 1.0)?;
        let mut seen: usize = 0;
        while scorer.doc() != TERMINATED && !(seen.is_multiple_of(BLOCK) && self.is_late()) {
            let passage = scorer.doc();
            if alive.is_none_or(|alive| alive.is_alive(passage)) {
                let score = if self.has_words { scorer.score() } else { 1.0 };
                self.take(&columns, passage, score, &mut files);
            }
            scorer.advance();
            seen += 1;
        }
        let is_partial = scorer.doc() != TERMINATED;
        let mut tools = HashMap::default();
        let hits = |(file, best): (FileId, Best)| FileHits {
            file,
            count: best.count,
            best: best.candidates.iter().map(|candidate| columns.hit(candidate, &mut tools)).collect(),
        };
        Ok(Tally { files: files.into_iter().map(hits).collect(), is_partial })
    }

    fn is_late(&self) -> bool {
        self.question.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn take(
        &self,
        columns: &Columns,
        passage: DocId,
        score: f32,
        files: &mut HashMap<FileId, Best, RandomState>,
    ) {
        let file = FileId(columns.file.first(passage).unwrap_or(u64::MAX));
        let second = columns.second.first(passage);
        if !self.admits(file, second) {
            return;
        }
        let emphasis = if self.has_words { emphasis(columns.role(passage)) } else { 1.0 };
        let score = score * emphasis * self.recency(second);
        let Best { count, candidates } = files.entry(file).or_default();
        *count += 1;
        let is_full = candidates.len() >= self.each;
        if is_full && candidates.last().is_some_and(|worst| worst.score > score) {
            return;
        }
        let offset = columns.offset.first(passage).unwrap_or_default();
        let candidate = Candidate { score, second, offset, passage };
        let place = candidates.partition_point(|better| better.is_before(&candidate));
        candidates.insert(place, candidate);
        candidates.truncate(self.each);
    }

    fn admits(&self, file: FileId, second: Option<i64>) -> bool {
        self.since.is_none_or(|since| second.is_some_and(|second| second >= since))
            && self.until.is_none_or(|until| second.is_some_and(|second| second < until))
            && self.question.files.is_none_or(|files| files.contains(&file))
    }

    /// From one for a new passage down to one half for an old one, or for one without a time.
    fn recency(&self, second: Option<i64>) -> f32 {
        let Some(second) = second else { return 0.5 };
        let days = self.now.saturating_sub(second).max(0) as f32 / SECONDS_OF_A_DAY;
        0.5 + 0.5 * (-days / HALF_LIFE).exp2()
    }
}

/// How much a role counts.
fn emphasis(role: Role) -> f32 {
    match role {
        Role::Title => 2.0,
        Role::User | Role::Summary | Role::Plan => 1.2,
        Role::Assistant | Role::Tool => 1.0,
        Role::Result => 0.9,
        Role::Thinking | Role::System | Role::Record => 0.7,
    }
}

/// What a segment stores of each passage.
struct Columns {
    file: Column<u64>,
    role: Column<u64>,
    second: Column<i64>,
    line: Column<u64>,
    offset: Column<u64>,
    tool: Option<StrColumn>,
}

/// The names of tools by their number in a segment.
type Tools = HashMap<u64, Option<Arc<str>>, RandomState>;

impl Columns {
    fn of(segment: &SegmentReader) -> tantivy::Result<Self> {
        let columns = segment.fast_fields();
        Ok(Self {
            file: columns.u64(schema::FILE)?,
            role: columns.u64(schema::ROLE)?,
            second: columns.i64(schema::SECOND)?,
            line: columns.u64(schema::LINE)?,
            offset: columns.u64(schema::OFFSET)?,
            tool: columns.str(schema::TOOL)?,
        })
    }

    fn role(&self, passage: DocId) -> Role {
        let number = self.role.first(passage).and_then(|number| usize::try_from(number).ok());
        number.and_then(|number| Role::SPOKEN.get(number)).copied().unwrap_or(Role::System)
    }

    fn hit(&self, candidate: &Candidate, tools: &mut Tools) -> Hit {
        let Candidate { score, second, offset, passage } = *candidate;
        Hit {
            line: self.line.first(passage).unwrap_or_default(),
            offset,
            role: self.role(passage),
            time: second.and_then(|second| Timestamp::from_second(second).ok()),
            tool: self.tool(passage, tools),
            score,
        }
    }

    fn tool(&self, passage: DocId, tools: &mut Tools) -> Option<Arc<str>> {
        let column = self.tool.as_ref()?;
        let number = column.ords().first(passage)?;
        let name = || {
            let mut name = String::new();
            let is_found = column.ord_to_str(number, &mut name).ok()?;
            is_found.then(|| name.into())
        };
        tools.entry(number).or_insert_with(name).clone()
    }
}
