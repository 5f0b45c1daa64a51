//! Words → every passage of a segment that has one of them, and what they score there.
//!
//! The engine's own way through several words asks for each passage which of them it has. Where nothing else is asked and
//! the words are common, it is quicker to go through the postings of one word after the other, and to add up what each
//! gives a passage.

use std::time::Instant;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;
use tantivy::query::Bm25Weight;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, SegmentReader, Term as Key};

/// So many passages are added up together: their scores stay in a core's nearest memory.
const WINDOW: usize = 1 << 13;
/// So many of them are looked at together.
const SOME: usize = 128;
/// Where fewer than one of so many passages has a word, the engine passes over the others faster than they are looked at.
const RARE: u64 = 32;

/// Words of which one is enough, and what each counts.
pub(super) struct Words {
    place: Field,
    weighed: Vec<(Key, Bm25Weight)>,
    /// In how many passages they stand, all together.
    pub(super) count: u64,
}

/// Where somebody is in a word's postings.
struct Cursor<'w> {
    weight: &'w Bm25Weight,
    postings: BlockSegmentPostings,
    /// Of the block that it stands at.
    taken: usize,
}

impl Words {
    /// Nothing where there are none.
    pub(super) fn of(keys: &[Key], searcher: &Searcher) -> tantivy::Result<Option<Self>> {
        let Some(place) = keys.first().map(Key::field) else { return Ok(None) };
        let mut count = 0;
        let weighed = keys.iter().map(|key| {
            count += searcher.doc_freq(key)?;
            let weight = Bm25Weight::for_terms(searcher, std::slice::from_ref(key))?;
            Ok((key.clone(), weight))
        });
        let weighed = weighed.collect::<tantivy::Result<_>>()?;
        Ok(Some(Self { place, weighed, count }))
    }

    /// Every passage that answers, in their order; with a deadline, as many as there is time for, and whether that was
    /// all. Nothing where the words are rare: then it is the engine's turn. `scores` is room that may be used again.
    pub(super) fn each(
        &self,
        segment: &SegmentReader,
        deadline: Option<Instant>,
        scores: &mut Vec<f32>,
        mut visit: impl FnMut(u32, f32),
    ) -> tantivy::Result<Option<bool>> {
        let mut cursors = self.cursors(segment)?;
        let count: u64 = cursors.iter().map(|cursor| u64::from(cursor.postings.doc_freq())).sum();
        if count * RARE < u64::from(segment.max_doc()) {
            return Ok(None);
        }
        let lengths = segment.get_fieldnorms_reader(self.place)?;
        scores.clear();
        scores.resize(WINDOW.min(segment.max_doc() as usize), 0.0);
        for start in (0..segment.max_doc()).step_by(WINDOW) {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(Some(false));
            }
            cursors.iter_mut().for_each(|cursor| cursor.add_to(scores, start, &lengths));
            for (place, some) in scores.chunks_mut(SOME).enumerate() {
                show(start + (place * SOME) as u32, some, &mut visit);
                some.fill(0.0);
            }
        }
        Ok(Some(true))
    }

    fn cursors(&self, segment: &SegmentReader) -> tantivy::Result<Vec<Cursor<'_>>> {
        let inverted = segment.inverted_index(self.place)?;
        let mut cursors = Vec::with_capacity(self.weighed.len());
        for (key, weight) in &self.weighed {
            let postings = inverted.read_block_postings(key, IndexRecordOption::WithFreqs)?;
            cursors.extend(postings.map(|postings| Cursor { weight, postings, taken: 0 }));
        }
        Ok(cursors)
    }
}

/// Shows those of some passages that score anything, from a first one on. Whether the next one does cannot be guessed, and
/// a core that guesses wrong takes longer than to note all of them.
fn show(first: u32, scores: &[f32], mut visit: impl FnMut(u32, f32)) {
    let mut found = [(0, 0.0); SOME];
    let mut count = 0;
    for (passage, score) in (first..).zip(scores) {
        if let Some(slot) = found.get_mut(count) {
            *slot = (passage, *score);
        }
        // However common a word is, it gives more than nothing.
        count += usize::from(*score > 0.0);
    }
    found.iter().take(count).for_each(|(passage, score)| visit(*passage, *score));
}

impl Cursor<'_> {
    /// Adds what the word gives to each passage from a first one on, as many as there are scores.
    fn add_to(&mut self, scores: &mut [f32], start: u32, lengths: &FieldNormReader) {
        while !self.postings.docs().is_empty() {
            let found = self.postings.docs().iter().zip(self.postings.freqs()).skip(self.taken);
            for (passage, times) in found {
                let place = passage.wrapping_sub(start) as usize;
                let Some(score) = scores.get_mut(place) else { return };
                *score += self.weight.score(lengths.fieldnorm_id(*passage), *times);
                self.taken += 1;
            }
            self.postings.advance();
            self.taken = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use tantivy::Index;
    use tantivy::query::{BooleanQuery, EnableScoring, Query, TermQuery};
    use tantivy::schema::{STORED, Schema, TEXT};

    use super::*;

    const WORD: [&str; 3] = ["one", "two", "three"];

    /// Two segments: what is deleted from one of them is still visited.
    fn searcher(texts: &[Vec<usize>]) -> (Field, Searcher) {
        let mut schema = Schema::builder();
        let place = schema.add_text_field("text", TEXT | STORED);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for half in texts.chunks(texts.len().div_ceil(2).max(1)) {
            for words in half {
                let words: Vec<&str> =
                    words.iter().map(|word| WORD.get(*word).copied().unwrap_or("x")).collect();
                writer.add_document(tantivy::doc!(place => words.join(" "))).unwrap();
            }
            writer.commit().unwrap();
        }
        (place, index.reader().unwrap().searcher())
    }

    fn check(texts: &[Vec<usize>]) {
        let (place, searcher) = searcher(texts);
        for words in [&WORD[..1], &WORD[..2], &WORD[..], &["nowhere", "two"]] {
            let keys: Vec<Key> = words.iter().map(|word| Key::from_field_text(place, word)).collect();
            let each = |key: &Key| -> Box<dyn Query> {
                Box::new(TermQuery::new(key.clone(), IndexRecordOption::WithFreqs))
            };
            let query = BooleanQuery::union(keys.iter().map(each).collect());
            let weight = query.weight(EnableScoring::enabled_from_searcher(&searcher)).unwrap();
            let ours = Words::of(&keys, &searcher).unwrap().unwrap();
            let mut scores = vec![1.0; 7];
            for segment in searcher.segment_readers() {
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                weight.for_each(segment, &mut |passage, score| expected.push((passage, score))).unwrap();
                let visit = |passage, score| found.push((passage, score));
                match ours.each(segment, None, &mut scores, visit).unwrap() {
                    Some(is_all) => assert!(is_all && found == expected, "{words:?}"),
                    None => assert!(found.is_empty() && expected.len() * 32 < segment.max_doc() as usize),
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn it_finds_and_scores_what_the_engine_does(texts in vec(vec(0..40_usize, 0..30), 0..400)) {
            check(&texts);
        }
    }

    #[test]
    fn it_goes_on_from_window_to_window() {
        let text = |number: usize| vec![number % 3, number % 7, number % 11];
        check(&(0..3 * WINDOW).map(text).collect::<Vec<_>>());
    }

    #[test]
    fn there_may_be_no_time() {
        let (place, searcher) = searcher(&[vec![0], vec![0]]);
        let words = Words::of(&[Key::from_field_text(place, "one")], &searcher).unwrap().unwrap();
        let segment = searcher.segment_reader(0);
        let visit = |_, _| panic!("there is no time");
        let outcome = words.each(segment, Some(Instant::now()), &mut Vec::new(), visit).unwrap();
        assert_eq!(outcome, Some(false));
        assert!(Words::of(&[], &searcher).unwrap().is_none());
    }
}
