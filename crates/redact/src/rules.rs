//! The table of what is a secret by its form or by the words around it: one row per kind, and nothing else to change for
//! a new one.
//!
//! [`tokens`] has the tokens whose form a service fixed, [`context`] the values that a command, a header, an address or a
//! sentence gives away. Values that a name gives away (`password = …`) are too many notations for rows: see `assigned`.

mod context;
mod tokens;

use std::ops::Range;

use crate::find::Rank;

pub(crate) use context::{CONTEXT, PARTS};
pub(crate) use tokens::TOKENS;

pub(crate) struct Rule {
    /// The name in reports, in kebab-case; several rows may share one.
    pub(crate) kind: &'static str,
    /// Between bars; one of them occurs in every match, in whatever case. The pattern is tried nowhere else.
    pub(crate) keywords: &'static str,
    /// Bytes, not Unicode. The first group that takes part, or else all of it, is the secret.
    pub(crate) pattern: &'static str,
    /// How far before its keyword a match may begin.
    pub(crate) before: usize,
    /// What the pattern cannot say.
    pub(crate) accepts: fn(&Match) -> bool,
    pub(crate) rank: Rank,
}

/// A match of a rule's pattern, with the text around it.
pub(crate) struct Match<'a> {
    pub(crate) rule: &'static Rule,
    pub(crate) text: &'a [u8],
    pub(crate) whole: Range<usize>,
    pub(crate) secret: Range<usize>,
}

/// How many bytes before a match may speak about it.
const BEFORE: usize = 64;

impl<'a> Match<'a> {
    pub(crate) fn secret(&self) -> &'a [u8] {
        self.text.get(self.secret.clone()).unwrap_or_default()
    }

    pub(crate) fn before(&self) -> &'a [u8] {
        self.text.get(self.whole.start.saturating_sub(BEFORE)..self.whole.start).unwrap_or_default()
    }

    pub(crate) fn after(&self) -> &'a [u8] {
        self.text.get(self.whole.end..).unwrap_or_default()
    }
}
