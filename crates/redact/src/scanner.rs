//! Bytes → findings, left to right, none over another.
//!
//! What is found at a place depends on a bounded piece around it only, so that a [`Feed`](crate::Feed) of pieces
//! finds what one look at the whole finds.

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

use crate::hit::{BEFORE, Hit};
use crate::literals::{Candidate, Literals};
use crate::rule::{RULES, Rule};

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
    literals: Literals,
    /// For each literal the rules that can begin with it, the most certain first.
    starting: Vec<Vec<Compiled>>,
}

#[derive(Debug, Clone)]
struct Compiled {
    rule: &'static Rule,
    pattern: Regex,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    pub fn new() -> Self {
        let rules: Vec<Compiled> = RULES.iter().map(Compiled::new).collect();
        let mut literals: Vec<&'static str> = RULES.iter().flat_map(|rule| rule.literals).copied().collect();
        literals.sort_unstable();
        literals.dedup_by(|longer, shorter| longer.starts_with(*shorter));
        let starting_with = |literal: &&str| {
            let starts =
                |compiled: &&Compiled| compiled.rule.literals.iter().any(|own| own.starts_with(*literal));
            rules.iter().filter(starts).cloned().collect()
        };
        Self { starting: literals.iter().map(starting_with).collect(), literals: Literals::new(&literals) }
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
        let mut candidates = self.literals.candidates(bytes, span.clone());
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
        let rules = self.starting.get(candidate.literal)?;
        rules.iter().find_map(|compiled| {
            let range = compiled.secret(window, candidate.at)?;
            let yields = compiled.rule.is_vague && self.has_certain(window, range.clone());
            (!yields).then_some(Finding { kind: compiled.rule.kind, range })
        })
    }

    /// Whether a rule that knows the token's own form finds it inside: `token = "ghp_…"` is a GitHub token.
    fn has_certain(&self, window: &[u8], span: Range<usize>) -> bool {
        let mut next = span.start;
        let mut candidates = self.literals.candidates(window, span);
        while let Some(candidate) = candidates.next_from(next) {
            next = candidate.at + 1;
            let rules = self.starting.get(candidate.literal).into_iter().flatten();
            let mut certain = rules.filter(|compiled| !compiled.rule.is_vague);
            if certain.any(|compiled| compiled.secret(window, candidate.at).is_some()) {
                return true;
            }
        }
        false
    }
}

impl Compiled {
    #[expect(clippy::expect_used, reason = "the table is fixed, and every test compiles it")]
    fn new(rule: &'static Rule) -> Self {
        let pattern = format!(r"\A(?:{})", rule.pattern);
        let pattern = RegexBuilder::new(&pattern).unicode(false).build().expect("a pattern of the table");
        Self { rule, pattern }
    }

    /// The first group of the pattern, or else all of it, where the rule accepts it.
    fn secret(&self, window: &[u8], at: usize) -> Option<Range<usize>> {
        let rest = window.get(at..)?;
        let (text, secret) = self.matched(rest)?;
        let hit = Hit {
            before: window.get(at.saturating_sub(BEFORE)..at)?,
            text: rest.get(text.clone())?,
            secret: rest.get(secret.clone())?,
            after: rest.get(text.end).copied(),
        };
        (self.rule.accept)(&hit).then_some(at + secret.start..at + secret.end)
    }

    fn matched(&self, rest: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
        // Most candidates are none, and finding that out without groups is several times faster.
        let text = self.pattern.find(rest)?.range();
        if self.pattern.captures_len() == 1 {
            return Some((text.clone(), text));
        }
        let group = self.pattern.captures(rest)?.get(1)?.range();
        Some((text, group))
    }
}
