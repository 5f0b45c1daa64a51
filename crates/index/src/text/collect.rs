//! Everything that answers → the best of each file.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use jiff::Timestamp;
use tantivy::columnar::{Column, ColumnValues, StrColumn};
use tantivy::query::{EnableScoring, Weight};
use tantivy::{DocSet, Searcher, SegmentReader, TERMINATED};

use super::ask::Asking;
use super::{FileHits, Found, Hit, Question, entry, schema};
use crate::passage::Role;
use crate::rows::FileId;

/// How many passages are looked at between two looks at the clock.
const STRIDE: u32 = 1024;
/// After that many days, half of what recency gives is gone.
const HALF_LIFE: f64 = 90.0;
const DAY: f64 = 86_400.0;

pub(super) fn collect(
    searcher: &Searcher,
    asking: &Asking,
    question: &Question<'_>,
) -> tantivy::Result<Found> {
    let weight = asking.query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let mut collection = Collection::of(question, asking.has_words);
    let mut columns = Vec::new();
    for segment in searcher.segment_readers() {
        if collection.is_over() {
            break;
        }
        let own = Columns::of(segment)?;
        collection.take(columns.len(), segment, &own, &*weight)?;
        columns.push(own);
    }
    collection.finish(&columns)
}

/// What there is to know of each passage of a segment.
struct Columns {
    file: Arc<dyn ColumnValues<u64>>,
    line: Arc<dyn ColumnValues<u64>>,
    offset: Arc<dyn ColumnValues<u64>>,
    role: Arc<dyn ColumnValues<u64>>,
    time: Option<Column<i64>>,
    tool: Option<StrColumn>,
}

impl Columns {
    fn of(segment: &SegmentReader) -> tantivy::Result<Self> {
        let columns = segment.fast_fields();
        let numbers =
            |name| Ok::<_, tantivy::TantivyError>(columns.u64(name)?.first_or_default_col(u64::MAX));
        Ok(Self {
            file: numbers(schema::FILE)?,
            line: numbers(schema::LINE)?,
            offset: numbers(schema::OFFSET)?,
            role: numbers(schema::ROLE)?,
            time: columns.column_opt(schema::TIME)?,
            tool: columns.str(schema::TOOL)?,
        })
    }

    fn time(&self, passage: u32) -> Option<i64> {
        self.time.as_ref()?.first(passage)
    }

    fn tool(&self, passage: u32) -> Option<String> {
        let column = self.tool.as_ref()?;
        let mut name = String::new();
        let is_found = column.ord_to_str(column.ords().first(passage)?, &mut name).ok()?;
        is_found.then_some(name)
    }
}

/// A passage that may be shown.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f32,
    time: Option<i64>,
    offset: u64,
    role: Role,
    segment: usize,
    passage: u32,
}

impl Candidate {
    /// The better one, then the later one, then the one that stands first: equal questions get equal answers.
    fn is_before(&self, other: &Self) -> bool {
        let order = other.score.total_cmp(&self.score).then(other.time.cmp(&self.time));
        order.then(self.offset.cmp(&other.offset)).then(self.role.cmp(&other.role)).is_lt()
    }
}

#[derive(Debug, Default)]
struct Gathered {
    count: u64,
    /// The best first.
    best: Vec<Candidate>,
}

struct Collection<'a> {
    files: HashMap<u64, Gathered, foldhash::fast::RandomState>,
    only: Option<&'a HashSet<FileId>>,
    since: Option<i64>,
    until: Option<i64>,
    each: usize,
    now: i64,
    deadline: Option<Instant>,
    /// Without any, only recency tells passages apart.
    has_words: bool,
    is_partial: bool,
}

impl<'a> Collection<'a> {
    fn of(question: &Question<'a>, has_words: bool) -> Self {
        // A time is kept to the second: one inside a second belongs to what begins there.
        let second = |time: Timestamp| time.as_second();
        Self {
            files: HashMap::default(),
            only: question.files,
            since: question.since.map(second),
            until: question.until.map(|until| second(until) + i64::from(until.subsec_nanosecond() > 0)),
            each: question.each.max(1),
            now: second(question.now),
            deadline: question.deadline,
            has_words,
            is_partial: false,
        }
    }

    fn is_over(&mut self) -> bool {
        self.is_partial |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_partial
    }

    /// Takes all of a segment that answers, or as much as there is time for.
    fn take(
        &mut self,
        number: usize,
        segment: &SegmentReader,
        columns: &Columns,
        weight: &dyn Weight,
    ) -> tantivy::Result<()> {
        let mut scorer = weight.scorer(segment, 1.0)?;
        let alive = segment.alive_bitset();
        let mut passage = scorer.doc();
        let mut looked_at = 0;
        while passage != TERMINATED {
            looked_at += 1;
            if looked_at % STRIDE == 0 && self.is_over() {
                break;
            }
            let time = columns.time(passage);
            let file = columns.file.get_val(passage);
            if alive.is_none_or(|alive| alive.is_alive(passage)) && self.wants(file, time) {
                let role = entry::role(columns.role.get_val(passage)).unwrap_or(Role::System);
                let words = if self.has_words { scorer.score() * emphasis(role) } else { 1.0 };
                let score = words * self.recency(time);
                let candidate = Candidate { score, time, offset: 0, role, segment: number, passage };
                self.gather(file, candidate, columns);
            }
            passage = scorer.advance();
        }
        Ok(())
    }

    fn wants(&self, file: u64, time: Option<i64>) -> bool {
        let is_in = |bound: Option<i64>, holds: fn(i64, i64) -> bool| {
            bound.is_none_or(|bound| time.is_some_and(|time| holds(time, bound)))
        };
        is_in(self.since, |time, since| time >= since)
            && is_in(self.until, |time, until| time < until)
            && self.only.is_none_or(|only| only.contains(&FileId(file)))
    }

    /// From one half, for what is old or of no time, to one.
    fn recency(&self, time: Option<i64>) -> f32 {
        let Some(time) = time else { return 0.5 };
        let days = (self.now.saturating_sub(time)).max(0) as f64 / DAY;
        (0.5 + 0.5 * (-days / HALF_LIFE).exp2()) as f32
    }

    fn gather(&mut self, file: u64, mut candidate: Candidate, columns: &Columns) {
        let gathered = self.files.entry(file).or_default();
        gathered.count += 1;
        let is_full = gathered.best.len() >= self.each;
        if is_full && gathered.best.last().is_some_and(|worst| worst.score > candidate.score) {
            return;
        }
        candidate.offset = columns.offset.get_val(candidate.passage);
        let place = gathered.best.partition_point(|better| better.is_before(&candidate));
        gathered.best.insert(place, candidate);
        gathered.best.truncate(self.each);
    }

    fn finish(self, columns: &[Columns]) -> tantivy::Result<Found> {
        let mut files: Vec<(u64, Gathered)> = self.files.into_iter().collect();
        files.sort_by(|(left, a), (right, b)| {
            let best = |gathered: &Gathered| gathered.best.first().map(|best| (best.score, best.time));
            let (a, b) = (best(a).unwrap_or_default(), best(b).unwrap_or_default());
            b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(left.cmp(right))
        });
        let files = files.into_iter().map(|(file, gathered)| FileHits {
            file: FileId(file),
            count: gathered.count,
            best: gathered.best.iter().filter_map(|candidate| hit(candidate, columns)).collect(),
        });
        Ok(Found { files: files.collect(), is_partial: self.is_partial })
    }
}

/// What is said in a role counts more than in another.
fn emphasis(role: Role) -> f32 {
    match role {
        Role::Title => 2.0,
        Role::User | Role::Summary | Role::Plan => 1.2,
        Role::Assistant | Role::Tool => 1.0,
        Role::Result => 0.9,
        Role::Thinking | Role::System => 0.7,
    }
}

fn hit(candidate: &Candidate, columns: &[Columns]) -> Option<Hit> {
    let columns = columns.get(candidate.segment)?;
    Some(Hit {
        line: columns.line.get_val(candidate.passage),
        offset: candidate.offset,
        role: candidate.role,
        time: candidate.time.and_then(|time| Timestamp::from_second(time).ok()),
        tool: columns.tool(candidate.passage),
        score: candidate.score,
    })
}
