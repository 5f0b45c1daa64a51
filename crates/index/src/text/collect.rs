//! Everything that answers → the best of each file.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use foldhash::fast::RandomState;
use jiff::Timestamp;
use tantivy::columnar::{Column, ColumnIndex, ColumnValues, StrColumn};
use tantivy::query::{EnableScoring, Weight};
use tantivy::{DocSet, Searcher, SegmentReader, TERMINATED};

use super::ask::Asking;
use super::{FileHits, Found, Hit, Pick, Question, entry, schema};
use crate::passage::Role;
use crate::rows::FileId;

/// So many passages are looked at together; then somebody looks at the clock.
const BLOCK: usize = 256;
/// After that many days, half of what recency gives is gone.
const HALF_LIFE: f64 = 90.0;
const DAY: f64 = 86_400.0;

pub(super) fn collect(
    searcher: &Searcher,
    asking: &Asking,
    question: &Question<'_>,
    pick: Option<&Pick<'_>>,
) -> tantivy::Result<Found> {
    let weight = asking.query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let segments = searcher.segment_readers();
    let columns = segments.iter().map(Columns::of).collect::<tantivy::Result<Vec<_>>>()?;
    let next = AtomicUsize::new(0);
    let next = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        Some((number, segments.get(number)?, columns.get(number)?))
    };
    let start = || Ok(Collection::of(question, asking.has_words));
    let collections =
        steno_cores::share(segments.len(), start, next, |collection, (number, segment, columns)| {
            let Ok(open) = collection else { return };
            if !open.is_over()
                && let Err(error) = open.take(number, segment, columns, &*weight)
            {
                *collection = Err(error);
            }
        });
    let mut all = Collection::of(question, asking.has_words);
    for collection in collections {
        all.join(collection?);
    }
    Ok(all.finish(&columns, pick))
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
        // Every passage has one: where that is so, nobody has to ask where it stands.
        let numbers = |name| {
            let column = columns.u64(name)?;
            Ok::<_, tantivy::TantivyError>(match column.index {
                ColumnIndex::Full => column.values,
                _ => column.first_or_default_col(u64::MAX),
            })
        };
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

    /// By a number of the segment's own.
    fn tool(&self, passage: u32) -> Option<u64> {
        self.tool.as_ref()?.ords().first(passage)
    }

    fn tool_name(&self, tool: u64) -> Option<Arc<str>> {
        let mut name = String::new();
        let is_found = self.tool.as_ref()?.ord_to_str(tool, &mut name).ok()?;
        is_found.then(|| name.into())
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
        let order = order.then(self.offset.cmp(&other.offset)).then(self.role.cmp(&other.role));
        order.then((self.segment, self.passage).cmp(&(other.segment, other.passage))).is_lt()
    }
}

#[derive(Debug, Default)]
struct Gathered {
    count: u64,
    /// The best first.
    best: Vec<Candidate>,
}

/// Passages that answer, and what is known of all of them.
#[derive(Default)]
struct Block {
    passages: Vec<u32>,
    scores: Vec<f32>,
    files: Vec<u64>,
    roles: Vec<u64>,
}

impl Gathered {
    fn take(&mut self, candidate: Candidate, each: usize) {
        let place = self.best.partition_point(|better| better.is_before(&candidate));
        self.best.insert(place, candidate);
        self.best.truncate(each);
    }
}

struct Collection<'a> {
    files: Vec<(u64, Gathered)>,
    /// Where each of them stands.
    places: HashMap<u64, usize, RandomState>,
    /// Where the last one stands that something was found in: mostly the next find is in it, too.
    last: usize,
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
            files: Vec::new(),
            places: HashMap::default(),
            last: 0,
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
        let mut block = Block::default();
        while scorer.doc() != TERMINATED && !self.is_over() {
            block.passages.clear();
            block.scores.clear();
            while scorer.doc() != TERMINATED && block.passages.len() < BLOCK {
                let passage = scorer.doc();
                if alive.is_none_or(|alive| alive.is_alive(passage)) {
                    block.passages.push(passage);
                    block.scores.push(if self.has_words { scorer.score() } else { 1.0 });
                }
                scorer.advance();
            }
            self.take_block(number, columns, &mut block);
        }
        Ok(())
    }

    fn take_block(&mut self, segment: usize, columns: &Columns, block: &mut Block) {
        let Block { passages, scores, files, roles } = block;
        files.resize(passages.len(), 0);
        roles.resize(passages.len(), 0);
        columns.file.get_vals(passages, files);
        columns.role.get_vals(passages, roles);
        for (((passage, score), file), role) in passages.iter().zip(scores).zip(files).zip(roles) {
            if self.wants(*file, *passage, columns) {
                let role = entry::role(*role).unwrap_or(Role::System);
                let score = if self.has_words { *score * emphasis(role) } else { *score };
                let candidate = Candidate { score, time: None, offset: 0, role, segment, passage: *passage };
                self.gather(*file, candidate, columns);
            }
        }
    }

    fn wants(&self, file: u64, passage: u32, columns: &Columns) -> bool {
        let is_timed = self.since.is_some() || self.until.is_some();
        let time = if is_timed { columns.time(passage) } else { None };
        let is_in = |bound: Option<i64>, holds: fn(i64, i64) -> bool| {
            bound.is_none_or(|bound| time.is_some_and(|time| holds(time, bound)))
        };
        is_in(self.since, |time, since| time >= since)
            && is_in(self.until, |time, until| time < until)
            && self.only.is_none_or(|only| only.contains(&FileId(file)))
    }

    /// A candidate comes with what its words score, and gets all else here if it has to.
    fn gather(&mut self, file: u64, mut candidate: Candidate, columns: &Columns) {
        let each = self.each;
        let place = self.place(file);
        let Some((_, gathered)) = self.files.get_mut(place) else { return };
        gathered.count += 1;
        let worst = gathered.best.last().filter(|_| gathered.best.len() >= each).map(|worst| worst.score);
        // Recency only takes away: most passages of a common word need not be looked at any further.
        if worst.is_some_and(|worst| worst > candidate.score) {
            return;
        }
        candidate.time = columns.time(candidate.passage);
        candidate.score *= recency(self.now, candidate.time);
        if worst.is_some_and(|worst| worst > candidate.score) {
            return;
        }
        candidate.offset = columns.offset.get_val(candidate.passage);
        gathered.take(candidate, each);
    }

    fn place(&mut self, file: u64) -> usize {
        if self.files.get(self.last).is_none_or(|(last, _)| *last != file) {
            let next = self.files.len();
            self.last = *self.places.entry(file).or_insert(next);
            if self.last == next {
                self.files.push((file, Gathered::default()));
            }
        }
        self.last
    }

    /// Takes over what was found elsewhere.
    fn join(&mut self, other: Self) {
        self.is_partial |= other.is_partial;
        let each = self.each;
        for (file, found) in other.files {
            let place = self.place(file);
            let Some((_, gathered)) = self.files.get_mut(place) else { continue };
            gathered.count += found.count;
            if gathered.best.is_empty() {
                gathered.best = found.best;
            } else {
                found.best.into_iter().for_each(|candidate| gathered.take(candidate, each));
            }
        }
    }

    fn finish(self, columns: &[Columns], pick: Option<&Pick<'_>>) -> Found {
        let mut files = self.files;
        files.sort_by(|(left, a), (right, b)| {
            let best = |gathered: &Gathered| gathered.best.first().map(|best| (best.score, best.time));
            let (a, b) = (best(a).unwrap_or_default(), best(b).unwrap_or_default());
            b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(left.cmp(right))
        });
        let scores = |(file, gathered): &(u64, Gathered)| {
            (FileId(*file), gathered.best.first().map_or(0.0, |best| best.score))
        };
        let picked = pick.map(|pick| pick(&files.iter().map(scores).collect::<Vec<_>>()));
        let mut tools = Tools::default();
        let files = files.into_iter().map(|(file, Gathered { count, best })| {
            let file = FileId(file);
            let is_picked = picked.as_ref().is_none_or(|picked| picked.contains(&file));
            let best = best.iter().filter(|_| is_picked);
            FileHits { file, count, best: best.filter_map(|best| hit(best, columns, &mut tools)).collect() }
        });
        Found { files: files.collect(), is_partial: self.is_partial }
    }
}

/// From one half, for what is old or of no time, to one.
fn recency(now: i64, time: Option<i64>) -> f32 {
    let Some(time) = time else { return 0.5 };
    let days = (now.saturating_sub(time)).max(0) as f64 / DAY;
    (0.5 + 0.5 * (-days / HALF_LIFE).exp2()) as f32
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

/// Names of tools, by segment and number: there are few, and each takes a while to find.
type Tools = HashMap<(usize, u64), Option<Arc<str>>, RandomState>;

fn hit(candidate: &Candidate, columns: &[Columns], tools: &mut Tools) -> Option<Hit> {
    let columns = columns.get(candidate.segment)?;
    let tool = columns.tool(candidate.passage).and_then(|tool| {
        let known = tools.entry((candidate.segment, tool)).or_insert_with(|| columns.tool_name(tool));
        known.clone()
    });
    Some(Hit {
        line: columns.line.get_val(candidate.passage),
        offset: candidate.offset,
        role: candidate.role,
        time: candidate.time.and_then(|time| Timestamp::from_second(time).ok()),
        tool,
        score: candidate.score,
    })
}
