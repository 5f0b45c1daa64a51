//! `[github-token-1]`: what stands in the place of a secret, and how it is known again.
//!
//! Letters, digits, dashes and square brackets only, so that it survives inside URLs, shells, JSON and HTML.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::rule::RULES;

use super::services::SERVICES;

/// Kinds that no form gives away.
const VAGUE: &[&str] = &[
    "api-key",
    "authorization",
    "aws-secret-key",
    "azure-client-secret",
    "azure-signature",
    "cookie",
    "discord-token",
    "email",
    "encoded-secret",
    "mailchimp-key",
    "password",
    "private-key",
    "secret",
    "seed-phrase",
    "terraform-token",
    "token",
    "url-password",
    "url-signature",
    "user",
    "webhook",
];

/// No mark is longer.
const LONGEST: usize = 48;

pub(crate) fn mark(kind: &str, number: u64) -> String {
    format!("[{kind}-{number}]")
}

/// Whether there is a mark in these bytes.
pub(crate) fn is_marked(value: &[u8]) -> bool {
    memchr::memchr_iter(b'[', value).any(|at| value.get(at..).is_some_and(|rest| length(rest).is_some()))
}

/// Whether a mark lies in this range, or the range in a mark.
pub(crate) fn touches_mark(text: &[u8], range: &Range<usize>) -> bool {
    let start = range.start.saturating_sub(LONGEST);
    let near = text.get(start..range.end).unwrap_or_default();
    memchr::memchr_iter(b'[', near)
        .map(|at| start + at)
        .any(|at| text.get(at..).and_then(length).is_some_and(|length| at + length > range.start))
}

/// What logs have between brackets may look the same.
fn is_one_of_ours(kind: &[u8]) -> bool {
    static KINDS: LazyLock<HashSet<&[u8]>> = LazyLock::new(|| {
        let forms = RULES.iter().chain(SERVICES).map(|rule| rule.kind);
        forms.chain(VAGUE.iter().copied()).map(str::as_bytes).collect()
    });
    KINDS.contains(kind)
}

/// How long the mark is that begins here.
fn length(rest: &[u8]) -> Option<usize> {
    let end = rest.iter().take(LONGEST).position(|byte| *byte == b']')?;
    let inner = rest.get(1..end)?;
    let (kind, number) = inner.split_at_checked(inner.iter().rposition(|byte| *byte == b'-')?)?;
    let number = number.get(1..)?;
    let is_kind = kind.first().is_some_and(u8::is_ascii_lowercase)
        && kind.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-');
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    (is_kind && is_number && is_one_of_ours(kind)).then_some(end + 1)
}
