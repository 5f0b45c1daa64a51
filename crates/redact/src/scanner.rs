//! Bytes → findings, left to right, none over another.
//!
//! What is found at a place depends on a bounded piece around it only, so that a [`Feed`](crate::Feed) of pieces
//! finds what one look at the whole finds.

use std::ops::Range;

use crate::form::Form;
use crate::hit::Hit;
use crate::literals::Candidate;
use crate::rule::RULES;
use crate::sieve::Sieve;

/// How far after a literal its secret may reach: the longest private keys, escaped, have ten thousand bytes.
pub(crate) const REACH: usize = 16 * 1024;

/// How much is looked through at once: both passes over it find it in the processor's cache.
pub(crate) const BLOCK: usize = 256 * 1024;

/// What was found and where, but not the thing itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    pub kind: &'static str,
    /// The bytes to hide.
    pub range: Range<usize>,
}

/// All rules, compiled; costs milliseconds to make, so make one.
#[derive(Debug)]
pub struct Scanner {
    sieve: Sieve,
    /// The most certain first.
    forms: Vec<Form>,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    pub fn new() -> Self {
        let literals: Vec<_> = RULES.iter().map(|rule| rule.literals).collect();
        Self { sieve: Sieve::new(&literals), forms: RULES.iter().map(Form::new).collect() }
    }

    /// The kinds there are, in the order of the table.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        let rows = RULES.chunk_by(|one, other| one.kind == other.kind);
        rows.filter_map(|rows| rows.first()).map(|rule| rule.kind)
    }

    pub fn scan(&self, bytes: &[u8], mut found: impl FnMut(Finding)) {
        let mut next = 0;
        while next < bytes.len() {
            next = self.sweep(bytes, next..bytes.len().min(next + BLOCK), &mut found);
        }
    }

    /// Finds what begins inside the span; tells where to go on, which is behind the span when a secret reaches out.
    pub(crate) fn sweep(&self, bytes: &[u8], span: Range<usize>, mut found: impl FnMut(Finding)) -> usize {
        let mut next = span.start;
        let mut candidates = self.sieve.candidates(bytes, span.clone());
        while let Some(candidate) = candidates.next_from(next) {
            next = candidate.at + 1;
            if let Some(finding) = self.finding(bytes, &candidate) {
                next = finding.range.end;
                found(finding);
            }
        }
        next.max(span.end)
    }

    fn finding(&self, bytes: &[u8], candidate: &Candidate) -> Option<Finding> {
        let window = bytes.get(..bytes.len().min(candidate.at + REACH))?;
        self.starting_at(candidate).find_map(|form| {
            let range = form.secret(window, candidate.at, is_real)?;
            let yields = form.rule.is_vague && self.has_certain(window, range.clone());
            (!yields).then_some(Finding { kind: form.rule.kind, range })
        })
    }

    fn starting_at(&self, candidate: &Candidate) -> impl Iterator<Item = &Form> {
        self.sieve.wanted_by(candidate).iter().filter_map(|&number| self.forms.get(number))
    }

    /// Whether a rule that knows the token's own form finds it inside: `token = "ghp_…"` is a GitHub token.
    fn has_certain(&self, window: &[u8], span: Range<usize>) -> bool {
        let mut next = span.start;
        let mut candidates = self.sieve.candidates(window, span);
        while let Some(candidate) = candidates.next_from(next) {
            next = candidate.at + 1;
            let mut certain = self.starting_at(&candidate).filter(|form| !form.rule.is_vague);
            if certain.any(|form| form.secret(window, candidate.at, is_real).is_some()) {
                return true;
            }
        }
        false
    }
}

fn is_real(form: &Form, hit: &Hit) -> bool {
    (form.rule.fits)(hit) && !(form.rule.is_made_up)(hit)
}
