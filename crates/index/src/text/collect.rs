//! Everything that answers → the best of each file.
//!
//! In two rounds, because a common word answers in tens of thousands of places, of which a few dozen are shown: the first
//! counts them and finds the best of each file (`tally`), the second looks closer at the files that were picked.

mod columns;
mod score;
mod tally;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::fast::RandomState;
use jiff::Timestamp;
use tantivy::query::{EnableScoring, Weight};
use tantivy::{Searcher, SegmentReader};

use super::ask::Asking;
use super::{FileHits, Found, Hit, Pick, Question};
use crate::passage::Role;
use crate::rows::FileId;
use columns::Details;
use tally::{Best, Part, Tally};

pub(super) fn collect(
    searcher: &Searcher,
    asking: &Asking,
    question: &Question<'_>,
    pick: Option<&Pick<'_>>,
) -> tantivy::Result<Found> {
    let weight = asking.query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let segments = searcher.segment_readers();
    let tally = tally_all(segments, &*weight, &|| Tally::of(question, asking.has_words))?;
    let files = tally.files();
    let scores = |(file, best): &(FileId, Best)| (*file, best.score);
    let picked = pick.map(|pick| pick(&files.iter().map(scores).collect::<Vec<_>>()));
    let mut best = closer(segments, &tally, picked.as_ref(), question.each.max(1))?;
    let files = files.into_iter().map(|(file, Best { count, .. })| {
        let best = best.remove(&file).unwrap_or_default();
        FileHits { file, count, best: best.into_iter().map(Hit::from).collect() }
    });
    Ok(Found { files: files.collect(), is_partial: tally.is_partial })
}

/// The first round, on all cores, each segment on one.
fn tally_all<'q>(
    segments: &[SegmentReader],
    weight: &dyn Weight,
    start: &(impl Fn() -> Tally<'q> + Sync),
) -> tantivy::Result<Tally<'q>> {
    let next = AtomicUsize::new(0);
    let next = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        Some((number, segments.get(number)?))
    };
    let tallies = steno_cores::share(
        segments.len(),
        || Ok(start()),
        next,
        |tally: &mut tantivy::Result<Tally<'q>>, (number, segment)| {
            let Ok(open) = tally else { return };
            if !open.is_over()
                && let Err(error) = open.take(number, segment, weight)
            {
                *tally = Err(error);
            }
        },
    );
    let mut all: Option<Tally<'q>> = None;
    for tally in tallies {
        let tally = tally?;
        match &mut all {
            Some(all) => all.join(tally),
            None => all = Some(tally),
        }
    }
    Ok(all.unwrap_or_else(start))
}

/// A passage that may be shown.
#[derive(Debug, Clone)]
struct Candidate {
    score: f32,
    time: Option<i64>,
    line: u64,
    offset: u64,
    role: Role,
    tool: Option<Arc<str>>,
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

impl From<Candidate> for Hit {
    fn from(candidate: Candidate) -> Self {
        let Candidate { score, time, line, offset, role, tool, .. } = candidate;
        let time = time.and_then(|time| Timestamp::from_second(time).ok());
        Self { line, offset, role, time, tool, score }
    }
}

type Closer = HashMap<FileId, Vec<Candidate>, RandomState>;

/// The second round: the best passages of some files, the best first.
fn closer(
    segments: &[SegmentReader],
    tally: &Tally<'_>,
    picked: Option<&HashSet<FileId>>,
    each: usize,
) -> tantivy::Result<Closer> {
    let mut best = Closer::default();
    let is_picked = picked.map(|picked| tally.marked(picked));
    for Part { segment: number, columns, scored } in &tally.parts {
        let Some(segment) = segments.get(*number) else { continue };
        let mut details: Option<Details> = None;
        for scored in scored {
            if is_picked.as_ref().is_some_and(|picked| picked.get(scored.file as usize) != Some(&true)) {
                continue;
            }
            let known = best.entry(FileId(u64::from(scored.file))).or_default();
            let worst = known.last().filter(|_| known.len() >= each).map(|worst| worst.score);
            let time = columns.time(scored.passage);
            let score = scored.score * tally.recency.of(time);
            if worst.is_some_and(|worst| worst > score) {
                continue;
            }
            let details = match &mut details {
                Some(details) => details,
                None => details.insert(Details::of(segment)?),
            };
            let passage = scored.passage;
            let candidate = Candidate {
                score,
                time,
                line: details.line(passage),
                offset: details.offset(passage),
                role: columns.role(passage),
                tool: details.tool(passage),
                segment: *number,
                passage,
            };
            let place = known.partition_point(|better| better.is_before(&candidate));
            known.insert(place, candidate);
            known.truncate(each);
        }
    }
    Ok(best)
}
