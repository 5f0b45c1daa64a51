//! `name = "value"` → whether the name says secret and the value was drawn at random.
//!
//! The weakest of the rules, and so the strictest: name, sign and value must all fit.

use crate::hit::{Hit, is_word};
use crate::random::{has_word, is_random};

/// Names before `token` and the like whose values are handed out freely or live for a moment.
const HARMLESS: &str = "next page cancel continu cursor sync public csrf xsrf etag";

pub(crate) fn holds_secret(hit: &Hit) -> bool {
    let ends = hit.after.is_none_or(|byte| byte.is_ascii_whitespace() || br#""'`\,;)}]|&<"#.contains(&byte));
    ends && !is_harmless(hit.before) && is_random(hit.secret)
}

fn is_harmless(before: &[u8]) -> bool {
    let is_name = |byte: &&u8| is_word(**byte) || **byte == b'-';
    let length = before.iter().rev().take_while(is_name).count();
    has_word(before.get(before.len() - length..).unwrap_or_default(), HARMLESS)
}
