//! A token that touches the letters before it or behind it → whether it is one all the same.
//!
//! Apart from the forms because they want a word of their own: `task-…` is no `sk-…`. Only a beginning that no word has,
//! and a rest that only a machine draws, may do without.

use crate::hit::Hit;
use crate::rule::Rule;

use super::blob::{is_base64, is_inside_blob};
use super::value::{is_jumbled, is_machine_drawn};

/// More letters before it are a blob's.
const LONGEST_BEFORE: usize = 32;
/// So much that is drawn needs no beginning.
const LONG: usize = 24;

pub(crate) fn fits(rule: &Rule, hit: &Hit) -> bool {
    let begins =
        |literal: &&&str| hit.text.get(..literal.len()).is_some_and(|start| start == literal.as_bytes());
    let literal = rule.literals.iter().find(begins).copied().unwrap_or_default();
    let before = hit.before.iter().rev().take_while(|byte| is_base64(**byte)).count();
    let letters = hit.before.get(hit.before.len() - before..).unwrap_or_default();
    let is_wordy = before <= LONGEST_BEFORE && !is_machine_drawn(letters);
    let body = body(hit.secret);
    let rest = hit.secret.get(literal.len()..).unwrap_or_default();
    let is_drawn = is_unmistakable(literal, rule.kind)
        && (is_jumbled(body) && has_digits(body) || is_constant(literal))
        || rest.len() >= LONG && is_machine_drawn(rest);
    is_wordy && is_drawn && !is_inside_blob(hit.before)
}

fn is_unmistakable(literal: &str, kind: &str) -> bool {
    let last = literal.bytes().next_back().unwrap_or_default();
    match last {
        b'_' | b'$' => literal.len() >= 4,
        b'-' | b'.' => literal.len() >= 5,
        _ => is_constant(literal) || literal == "AIza" || literal.len() > 5 || kind == "json-web-token",
    }
}

/// `AKIA`
fn is_constant(literal: &str) -> bool {
    literal.len() == 4 && literal.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Names may have one at their end.
fn has_digits(body: &[u8]) -> bool {
    body.iter().rev().skip(1).any(u8::is_ascii_digit)
}

/// The longest run of letters and digits.
fn body(secret: &[u8]) -> &[u8] {
    secret.split(|byte| !byte.is_ascii_alphanumeric()).max_by_key(|part| part.len()).unwrap_or_default()
}
