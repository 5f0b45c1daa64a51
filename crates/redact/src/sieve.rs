//! Bytes → places, and who wants to look there: one search for the literals of everybody.
//!
//! Apart from the literals because several rules begin alike, and a place belongs to all of them.

use std::ops::Range;

use crate::literals::{Candidate, Candidates, Literals};

#[derive(Debug)]
pub(crate) struct Sieve {
    literals: Literals,
    /// For each literal the numbers of those that can begin with it, in their order.
    starting: Vec<Vec<usize>>,
}

impl Sieve {
    /// Each has its literals, which count in whatever case they stand; they are called by their place in the list.
    pub(crate) fn new(wanted: &[&[&'static str]]) -> Self {
        let all = wanted.iter().copied().flatten();
        let mut literals: Vec<String> = all.map(|literal| literal.to_ascii_lowercase()).collect();
        literals.sort_unstable();
        literals.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
        let starting = literals.iter().map(|literal| {
            starting_with(wanted, |own| {
                own.get(..literal.len()).is_some_and(|start| start.eq_ignore_ascii_case(literal))
            })
        });
        Self { starting: starting.collect(), literals: Literals::new(&literals) }
    }

    pub(crate) fn candidates<'a>(&'a self, bytes: &'a [u8], span: Range<usize>) -> Candidates<'a> {
        self.literals.candidates(bytes, span)
    }

    pub(crate) fn wanted_by(&self, candidate: &Candidate) -> &[usize] {
        self.starting.get(candidate.literal).map(Vec::as_slice).unwrap_or_default()
    }
}

fn starting_with(wanted: &[&[&'static str]], begins: impl Fn(&str) -> bool) -> Vec<usize> {
    let wants = |literals: &[&str]| literals.iter().any(|own| begins(own));
    let numbered = wanted.iter().enumerate().filter(|(_, literals)| wants(literals));
    numbered.map(|(number, _)| number).collect()
}
