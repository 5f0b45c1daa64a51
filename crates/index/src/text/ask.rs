//! A question → the engine's query. Words decide the score; filters only let through.

use std::ops::Bound;

use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, InvertedIndexRangeQuery, Occur,
    PhrasePrefixQuery, PhraseQuery, Query as Asked, TermQuery,
};
use tantivy::schema::{Field as Place, IndexRecordOption};
use tantivy::{Searcher, Term as Key};

use super::schema::Fields;
use crate::passage::Role;
use crate::query::{Field, Filter, Query, Term, Wanted};

/// What a word counts of which only the beginning is known: about as much as a common one.
const PREFIX: f32 = 2.0;
/// How far apart words may stand, for each of them, to be near each other.
const NEAR: u32 = 4;
/// More words than that are near each other by chance, or a pasted text.
const MOST_NEAR: usize = 6;

type Part = (Occur, Box<dyn Asked>);

/// A query, and whether it has words to score by.
pub(super) struct Asking {
    pub(super) query: Box<dyn Asked>,
    pub(super) has_words: bool,
}

pub(super) fn asking(query: &Query, fields: &Fields, searcher: &Searcher) -> tantivy::Result<Asking> {
    let ask = Ask { fields, searcher };
    let mut parts: Vec<Part> = Vec::new();
    let mut nearby = Vec::new();
    let mut has_wordless = false;
    for clause in &query.clauses {
        let wanted: Vec<Wanted> = clause.any.iter().flat_map(Term::wanted).collect();
        if wanted.is_empty() {
            has_wordless |= !clause.is_negated;
            continue;
        }
        if !clause.is_negated {
            nearby.push(wanted.first().cloned());
        }
        parts.push((occur(clause.is_negated), ask.any(fields.words, &wanted)?));
    }
    let has_words = parts.iter().any(|(occur, _)| *occur == Occur::Must);
    // Signs alone are looked for in vain; beside words they say nothing.
    if has_wordless && !has_words {
        return Ok(Asking { query: Box::new(EmptyQuery), has_words });
    }
    parts.extend(ask.filters(&query.filters)?);
    if !has_words {
        parts.push((Occur::Must, Box::new(AllQuery)));
    }
    parts.extend(ask.near(&nearby).map(|near| (Occur::Should, near)));
    Ok(Asking { query: together(parts), has_words })
}

/// One part alone is asked as it is: the engine knows shorter ways for it.
fn together(mut parts: Vec<Part>) -> Box<dyn Asked> {
    match &parts[..] {
        [(Occur::Must, _)] => parts.pop().map_or_else(|| Box::new(EmptyQuery) as _, |(_, only)| only),
        _ => Box::new(BooleanQuery::new(parts)),
    }
}

fn occur(is_negated: bool) -> Occur {
    if is_negated { Occur::MustNot } else { Occur::Must }
}

struct Ask<'a> {
    fields: &'a Fields,
    searcher: &'a Searcher,
}

impl Ask<'_> {
    /// One of them is enough.
    fn any(&self, place: Place, wanted: &[Wanted]) -> tantivy::Result<Box<dyn Asked>> {
        let mut each =
            wanted.iter().map(|wanted| self.one(place, wanted)).collect::<tantivy::Result<Vec<_>>>()?;
        if each.len() == 1
            && let Some(only) = each.pop()
        {
            return Ok(only);
        }
        Ok(Box::new(BooleanQuery::union(each)))
    }

    fn one(&self, place: Place, wanted: &Wanted) -> tantivy::Result<Box<dyn Asked>> {
        let key = |word: &String| Key::from_field_text(place, word);
        Ok(match wanted {
            Wanted::Word(word) => Box::new(TermQuery::new(key(word), IndexRecordOption::WithFreqs)),
            Wanted::Phrase(words) => match &words[..] {
                [] => Box::new(EmptyQuery),
                [word] => Box::new(TermQuery::new(key(word), IndexRecordOption::WithFreqs)),
                words => Box::new(PhraseQuery::new(words.iter().map(key).collect())),
            },
            Wanted::Prefix { before, last } if before.is_empty() => beginning(place, last),
            Wanted::Prefix { before, last } => {
                let keys = before.iter().chain([last]).map(key).collect();
                let mut phrase = PhrasePrefixQuery::new(keys);
                phrase.set_max_expansions(self.endings(place, last)?);
                Box::new(phrase)
            }
        })
    }

    /// How many words begin so, in the segment that has most of them. The engine makes room for that many.
    fn endings(&self, place: Place, beginning: &str) -> tantivy::Result<u32> {
        let mut most = 1;
        for segment in self.searcher.segment_readers() {
            let inverted = segment.inverted_index(place)?;
            let mut words = inverted.terms().range().ge(beginning.as_bytes());
            if let Some(end) = end(beginning) {
                words = words.lt(&end);
            }
            let mut words = words.into_stream()?;
            let mut count = 0;
            while words.advance() {
                count += 1;
            }
            most = most.max(count);
        }
        Ok(most)
    }

    /// Of several filters on one field, one is enough; of those that are turned round, none may fit.
    fn filters(&self, filters: &[Filter]) -> tantivy::Result<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::new();
        let mut wanted: Vec<(Field, Vec<Box<dyn Asked>>)> = Vec::new();
        for filter in filters {
            let Some(passing) = self.passing(filter)? else { continue };
            if filter.is_negated {
                parts.push((Occur::MustNot, passing));
                continue;
            }
            match wanted.iter_mut().find(|(field, _)| *field == filter.field) {
                Some((_, any)) => any.push(passing),
                None => wanted.push((filter.field, vec![passing])),
            }
        }
        for (_, any) in wanted {
            let any = Box::new(BooleanQuery::union(any));
            parts.push((Occur::Must, Box::new(ConstScoreQuery::new(any, 0.0))));
        }
        Ok(parts)
    }

    /// What passes a filter; nothing for those that are the asker's own.
    fn passing(&self, filter: &Filter) -> tantivy::Result<Option<Box<dyn Asked>>> {
        let value = filter.value.trim();
        let place = match filter.field {
            Field::Role => return Ok(Some(self.role(value))),
            Field::Tool => return Ok(Some(self.tool(value))),
            Field::File => self.fields.files,
            Field::Branch => self.fields.branch,
            Field::Model => self.fields.model,
            Field::Project | Field::Session | Field::Since | Field::Until => return Ok(None),
        };
        let term = match value.strip_suffix('*') {
            Some(beginning) => Term::Prefix(beginning.to_owned()),
            None => Term::Word(value.to_owned()),
        };
        let wanted = term.wanted();
        Ok(Some(if wanted.is_empty() { Box::new(EmptyQuery) } else { self.any(place, &wanted)? }))
    }

    fn role(&self, name: &str) -> Box<dyn Asked> {
        let Some(role) = Role::from_name(name) else { return Box::new(EmptyQuery) };
        let key = Key::from_field_u64(self.fields.role, role as u64);
        Box::new(TermQuery::new(key, IndexRecordOption::Basic))
    }

    fn tool(&self, name: &str) -> Box<dyn Asked> {
        let name = name.to_lowercase();
        match name.strip_suffix('*') {
            Some(begins) => beginning(self.fields.tools, begins),
            None => Box::new(TermQuery::new(
                Key::from_field_text(self.fields.tools, &name),
                IndexRecordOption::Basic,
            )),
        }
    }

    /// What several words score more for standing near each other.
    fn near(&self, clauses: &[Option<Wanted>]) -> Option<Box<dyn Asked>> {
        if clauses.len() < 2 {
            return None;
        }
        let mut keys = Vec::new();
        for wanted in clauses.iter().flatten() {
            let words = match wanted {
                Wanted::Word(word) => std::slice::from_ref(word),
                Wanted::Phrase(words) => words,
                Wanted::Prefix { .. } => &[],
            };
            keys.extend(words.iter().map(|word| Key::from_field_text(self.fields.words, word)));
        }
        if !(2..=MOST_NEAR).contains(&keys.len()) {
            return None;
        }
        let slop = NEAR * u32::try_from(keys.len()).ok()?;
        let mut near = PhraseQuery::new(keys);
        near.set_slop(slop);
        Some(Box::new(near))
    }
}

/// Every word that begins so.
fn beginning(place: Place, text: &str) -> Box<dyn Asked> {
    let start = Bound::Included(Key::from_field_text(place, text));
    let end = match end(text) {
        Some(end) => {
            let mut key = Key::from_field_text(place, "");
            key.append_bytes(&end);
            Bound::Excluded(key)
        }
        None => Bound::Unbounded,
    };
    Box::new(BoostQuery::new(Box::new(InvertedIndexRangeQuery::new(start, end)), PREFIX))
}

/// What comes right behind everything that begins so.
fn end(beginning: &str) -> Option<Vec<u8>> {
    let mut bytes = beginning.as_bytes().to_vec();
    while let Some(last) = bytes.pop() {
        if last < u8::MAX {
            bytes.push(last + 1);
            return Some(bytes);
        }
    }
    None
}
