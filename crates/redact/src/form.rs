//! A rule of the table, compiled → the secret that begins at a place.
//!
//! Apart from the scanner because who holds back a push and who masks a text take the same forms, and judge them
//! differently.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::hit::{BEFORE, Hit};
use crate::rule::Rule;

#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) rule: &'static Rule,
    /// Made where one of the rule's literals stands for the first time: most texts need few.
    pattern: OnceLock<Regex>,
}

impl Form {
    pub(crate) fn new(rule: &'static Rule) -> Self {
        Self { rule, pattern: OnceLock::new() }
    }

    /// The first group of the pattern, or else all of it, where it is accepted.
    pub(crate) fn secret(
        &self,
        window: &[u8],
        at: usize,
        accept: fn(&Self, &Hit) -> bool,
    ) -> Option<Range<usize>> {
        let rest = window.get(at..)?;
        let (text, secret) = self.matched(rest)?;
        let hit = Hit {
            before: window.get(at.saturating_sub(BEFORE)..at)?,
            text: rest.get(text.clone())?,
            secret: rest.get(secret.clone())?,
            after: rest.get(text.end).copied(),
        };
        accept(self, &hit).then_some(at + secret.start..at + secret.end)
    }

    fn matched(&self, rest: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
        // Most candidates are none, and finding that out without groups is several times faster.
        let text = self.pattern().find(rest)?.range();
        if self.pattern().captures_len() == 1 {
            return Some((text.clone(), text));
        }
        let group = self.pattern().captures(rest)?.get(1)?.range();
        Some((text, group))
    }

    #[expect(clippy::expect_used, reason = "the tables are fixed, and a test compiles every pattern")]
    fn pattern(&self) -> &Regex {
        self.pattern.get_or_init(|| {
            let pattern = format!(r"\A(?:{})", self.rule.pattern);
            RegexBuilder::new(&pattern).unicode(false).build().expect("a pattern of the table")
        })
    }
}
