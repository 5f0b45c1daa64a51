//! Everything that answers → the best of each file.
//!
//! In two rounds, because a common word answers in tens of thousands of places, of which a few dozen are shown: the first
//! counts them and keeps what may be the best of each file (`tally`), the second looks closer at the files that are shown.

mod columns;
mod score;
mod tally;
mod words;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use tantivy::query::EnableScoring;
use tantivy::{Searcher, SegmentReader};

use super::ask::Asking;
use super::mark::Moment;
use super::{Hit, Question};
use crate::passage::Role;
use crate::rows::FileId;
use columns::Details;
use score::Recency;
use tally::{Asked, Scored, Tally, Terms, ranked};
use words::Words;

/// Everything that answers a question, before it is known what of it is shown.
pub struct Answers {
    searcher: Searcher,
    recency: Recency,
    each: usize,
    tallies: Vec<Tally>,
    files: Vec<FileAnswers>,
    /// The list of segments that were asked.
    pub(super) list: u64,
}

/// How a file answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileAnswers {
    pub file: FileId,
    /// How many passages of it do.
    pub count: u64,
    /// Of the best one.
    pub score: f32,
}

impl Answers {
    /// Every file with an answer, the one with the best first.
    pub fn files(&self) -> &[FileAnswers] {
        &self.files
    }

    /// Whether the deadline came before the end.
    pub fn is_partial(&self) -> bool {
        self.tallies.iter().any(|tally| tally.is_partial)
    }

    /// The first round, on all cores, each segment on one.
    pub(super) fn to(
        question: &Question<'_>,
        asking: &Asking,
        searcher: Searcher,
        list: u64,
    ) -> tantivy::Result<Self> {
        let weight = asking.query.weight(EnableScoring::enabled_from_searcher(&searcher))?;
        let asked = Asked { weight: &*weight, words: Words::of(&asking.words, &searcher)? };
        let terms = Terms::of(question, asking.has_words);
        let tallies = tally_all(searcher.segment_readers(), &asked, &terms)?;
        let files = ranked(&tallies);
        Ok(Self { recency: terms.recency, each: terms.each, files, tallies, searcher, list })
    }

    /// The second round: the best passages of each of these files, as many as were asked for, the best first.
    pub(super) fn hits(&self, files: &[FileId]) -> tantivy::Result<Vec<Vec<Hit>>> {
        let mut best = Vec::new();
        best.resize_with(files.len(), Vec::new);
        for tally in &self.tallies {
            let mut desk = Desk { answers: self, tally, details: Vec::new() };
            desk.details.resize_with(tally.parts.len(), || None);
            for (file, best) in files.iter().zip(&mut best) {
                desk.take(tally.passages(*file), best)?;
            }
        }
        Ok(best.into_iter().map(|best| best.into_iter().map(Hit::from).collect()).collect())
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Answers").field("list", &self.list).finish_non_exhaustive()
    }
}

fn tally_all(
    segments: &[SegmentReader],
    asked: &Asked<'_>,
    terms: &Terms<'_>,
) -> tantivy::Result<Vec<Tally>> {
    let next = AtomicUsize::new(0);
    let next = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        Some((number, segments.get(number)?))
    };
    let tallies = steno_cores::share(
        segments.len(),
        || Ok(Tally::expecting(asked.words.as_ref().map_or(0, |words| words.count))),
        next,
        |tally: &mut tantivy::Result<Tally>, (number, segment)| {
            let Ok(open) = tally else { return };
            if !open.is_over(terms)
                && let Err(error) = open.take(number, segment, asked, terms)
            {
                *tally = Err(error);
            }
        },
    );
    tallies.into_iter().collect()
}

/// A passage that may be shown.
#[derive(Debug, Clone)]
struct Candidate {
    score: f32,
    moment: Moment,
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
        let order = other.score.total_cmp(&self.score).then(other.moment.cmp(&self.moment));
        let order = order.then(self.offset.cmp(&other.offset)).then(self.role.cmp(&other.role));
        order.then((self.segment, self.passage).cmp(&(other.segment, other.passage))).is_lt()
    }
}

impl From<Candidate> for Hit {
    fn from(candidate: Candidate) -> Self {
        let Candidate { score, moment, line, offset, role, tool, .. } = candidate;
        let time = moment.second().and_then(|second| Timestamp::from_second(second).ok());
        Self { line, offset, role, time, tool, score }
    }
}

/// Where passages are looked at.
struct Desk<'a> {
    answers: &'a Answers,
    tally: &'a Tally,
    /// Of each part, once somebody asked.
    details: Vec<Option<Details>>,
}

impl Desk<'_> {
    /// Adds passages of a file to the best that are known.
    fn take(
        &mut self,
        passages: impl Iterator<Item = (usize, Scored)>,
        known: &mut Vec<Candidate>,
    ) -> tantivy::Result<()> {
        let each = self.answers.each;
        for (place, Scored { passage, score, .. }) in passages {
            let Some(part) = self.tally.parts.get(place) else { continue };
            let worst = known.last().filter(|_| known.len() >= each).map(|worst| worst.score);
            let mark = part.marks.get(passage);
            let moment = mark.moment();
            let score = score * self.answers.recency.of(moment);
            if worst.is_some_and(|worst| worst > score) {
                continue;
            }
            let Some(details) = self.details(place, part.segment)? else { continue };
            let candidate = Candidate {
                score,
                moment,
                line: details.line(passage),
                offset: details.offset(passage),
                role: mark.role(),
                tool: details.tool(passage),
                segment: part.segment,
                passage,
            };
            let place = known.partition_point(|better| better.is_before(&candidate));
            known.insert(place, candidate);
            known.truncate(each);
        }
        Ok(())
    }

    fn details(&mut self, part: usize, segment: usize) -> tantivy::Result<Option<&mut Details>> {
        let segments = self.answers.searcher.segment_readers();
        let (Some(slot), Some(segment)) = (self.details.get_mut(part), segments.get(segment)) else {
            return Ok(None);
        };
        if slot.is_none() {
            *slot = Some(Details::of(segment)?);
        }
        Ok(slot.as_mut())
    }
}
