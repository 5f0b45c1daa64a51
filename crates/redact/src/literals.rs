//! Bytes → the places where a secret could begin, in one pass over all rules' literals, in whatever case they stand.
//!
//! Apart from the rules because this pass is what a gigabyte costs: everything else runs at few places only.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input};

/// None of the literals begins with another one, so at most one of them stands at any place.
#[derive(Debug)]
pub(crate) struct Literals {
    automaton: AhoCorasick,
    longest: usize,
}

/// A place where one of the literals stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// The literal's place in the list.
    pub(crate) literal: usize,
    pub(crate) at: usize,
}

pub(crate) struct Candidates<'a> {
    literals: &'a Literals,
    bytes: &'a [u8],
    end: usize,
}

impl Literals {
    /// One pass with an automaton: vectors do not pay for hundreds of literals.
    #[expect(clippy::expect_used, reason = "a few hundred short literals never reach the automaton's limits")]
    pub(crate) fn new(literals: &[String]) -> Self {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(aho_corasick::MatchKind::LeftmostFirst)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals)
            .expect("a small automaton");
        Self { automaton, longest: literals.iter().map(String::len).max().unwrap_or_default() }
    }

    /// What begins inside the span.
    pub(crate) fn candidates<'a>(&'a self, bytes: &'a [u8], span: Range<usize>) -> Candidates<'a> {
        Candidates { literals: self, bytes, end: span.end }
    }
}

impl Candidates<'_> {
    /// The first one that does not begin before this place.
    pub(crate) fn next_from(&mut self, start: usize) -> Option<Candidate> {
        let reach = self.end.saturating_add(self.literals.longest).min(self.bytes.len());
        if start >= self.end.min(reach) {
            return None;
        }
        let found = self.literals.automaton.find(Input::new(self.bytes).range(start..reach))?;
        (found.start() < self.end)
            .then_some(Candidate { literal: found.pattern().as_usize(), at: found.start() })
    }
}
