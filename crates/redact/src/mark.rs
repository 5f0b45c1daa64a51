//! `[github-token-1]`: what stands in the place of a secret, and how it is known again.
//!
//! Letters, digits, dashes and square brackets only, so that it survives inside URLs, shells, JSON and HTML.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::pattern::Pattern;
use crate::rules::{CONTEXT, TOKENS};

/// Kinds that no rule has, but a reader of notations.
const OTHERS: &[&str] = &["api-key", "email", "encoded-secret", "secret", "url-password", "user", "webhook"];

/// No mark is longer.
const LONGEST: usize = 48;

pub(crate) fn mark(kind: &str, number: u64) -> String {
    format!("[{kind}-{number}]")
}

/// Whether there is a mark in these bytes.
pub(crate) fn is_marked(value: &[u8]) -> bool {
    marks(value).next().is_some()
}

/// Whether a mark is in this range, or the range in a mark.
pub(crate) fn touches_mark(text: &[u8], range: &Range<usize>) -> bool {
    let near = range.start.saturating_sub(LONGEST);
    let end = text.len().min(range.end + LONGEST);
    let mut marks = marks(text.get(near..end).unwrap_or_default());
    marks.any(|mark| near + mark.end > range.start && near + mark.start < range.end)
}

/// What logs have between brackets may look the same, but for the kind.
fn marks(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    static MARK: Pattern = Pattern::new(r"\[([a-z][a-z0-9-]{0,40})-[0-9]+\]");
    static KINDS: LazyLock<HashSet<&[u8]>> = LazyLock::new(|| {
        let of_rules = TOKENS.iter().chain(CONTEXT).map(|rule| rule.kind);
        of_rules.chain(OTHERS.iter().copied()).map(str::as_bytes).collect()
    });
    let has_one = memchr::memchr(b'[', text).is_some();
    let text = if has_one { text } else { &[] };
    MARK.captures_iter(text).filter_map(|groups| {
        let (whole, kind) = (groups.get(0)?, groups.get(1)?);
        KINDS.contains(kind.as_bytes()).then(|| whole.range())
    })
}
