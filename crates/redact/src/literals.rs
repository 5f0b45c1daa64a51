//! Bytes → the places where a secret could begin, in two passes over all rules' literals.
//!
//! Apart from the scanner because these passes are what a gigabyte costs: everything else runs at few places only.

use std::ops::Range;

use aho_corasick::packed::{self, MatchKind};
use aho_corasick::{AhoCorasick, AhoCorasickKind, Input};

/// The vector search compares as many bytes as the shortest literal has; with the short ones apart it stops half as
/// often for nothing.
const SHORT: usize = 3;

/// None of the literals begins with another one, so at most one of them stands at any place.
#[derive(Debug)]
pub(crate) struct Literals {
    /// At most [`GROUPS`].
    groups: Vec<Group>,
}

const GROUPS: usize = 2;

#[derive(Debug)]
struct Group {
    searcher: Searcher,
    /// What the searcher counts from zero, in the numbers of the caller.
    numbers: Vec<usize>,
    longest: usize,
}

/// Vector instructions where the machine has them.
#[derive(Debug)]
enum Searcher {
    Packed(packed::Searcher),
    Automaton(AhoCorasick),
}

/// A literal by its number, and where it begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) literal: usize,
    pub(crate) at: usize,
}

/// The candidates of a span from left to right.
pub(crate) struct Candidates<'a> {
    groups: &'a [Group],
    bytes: &'a [u8],
    end: usize,
    /// The first of each group that was not yet passed.
    upcoming: [Option<Candidate>; GROUPS],
}

impl Literals {
    pub(crate) fn new(literals: &[&'static str]) -> Self {
        let group = |is_short: bool| {
            let numbered = literals.iter().copied().enumerate();
            Group::new(numbered.filter(|(_, literal)| (literal.len() <= SHORT) == is_short))
        };
        Self { groups: vec![group(true), group(false)] }
    }

    /// In whatever case they stand. One pass with an automaton: vectors do not pay for hundreds of literals.
    #[expect(clippy::expect_used, reason = "a few hundred short literals never reach the automaton's limits")]
    pub(crate) fn folded(literals: &[String]) -> Self {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(aho_corasick::MatchKind::LeftmostFirst)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals)
            .expect("a small automaton");
        let longest = literals.iter().map(String::len).max().unwrap_or_default();
        let numbers = (0..literals.len()).collect();
        Self { groups: vec![Group { searcher: Searcher::Automaton(automaton), numbers, longest }] }
    }

    /// What begins inside the span.
    pub(crate) fn candidates<'a>(&'a self, bytes: &'a [u8], span: Range<usize>) -> Candidates<'a> {
        let mut upcoming = [None; GROUPS];
        for (group, upcoming) in self.groups.iter().zip(&mut upcoming) {
            *upcoming = group.first(bytes, span.clone());
        }
        Candidates { groups: &self.groups, bytes, end: span.end, upcoming }
    }
}

impl Candidates<'_> {
    /// The first one that does not begin before this place.
    pub(crate) fn next_from(&mut self, start: usize) -> Option<Candidate> {
        for (group, upcoming) in self.groups.iter().zip(&mut self.upcoming) {
            if upcoming.is_some_and(|candidate| candidate.at < start) {
                *upcoming = group.first(self.bytes, start..self.end);
            }
        }
        self.upcoming.iter().flatten().min_by_key(|candidate| candidate.at).copied()
    }
}

impl Group {
    #[expect(clippy::expect_used, reason = "a few dozen short literals never reach the automaton's limits")]
    fn new(numbered: impl Iterator<Item = (usize, &'static str)>) -> Self {
        let (numbers, literals): (Vec<usize>, Vec<&str>) = numbered.unzip();
        let longest = literals.iter().map(|literal| literal.len()).max().unwrap_or_default();
        let mut config = packed::Config::new();
        config.match_kind(MatchKind::LeftmostFirst).heuristic_pattern_limits(false);
        let searcher = match config.builder().extend(&literals).build() {
            Some(searcher) => Searcher::Packed(searcher),
            None => Searcher::Automaton(AhoCorasick::new(&literals).expect("a small automaton")),
        };
        Self { searcher, numbers, longest }
    }

    fn first(&self, bytes: &[u8], span: Range<usize>) -> Option<Candidate> {
        let reach = span.end.saturating_add(self.longest).min(bytes.len());
        if span.start >= span.end.min(reach) {
            return None;
        }
        let found = match &self.searcher {
            Searcher::Packed(searcher) => searcher.find_in(bytes, (span.start..reach).into()),
            Searcher::Automaton(automaton) => automaton.find(Input::new(bytes).range(span.start..reach)),
        }?;
        let literal = *self.numbers.get(found.pattern().as_usize())?;
        (found.start() < span.end).then_some(Candidate { literal, at: found.start() })
    }
}
