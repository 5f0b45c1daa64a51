//! A line of plain text → markdown that shows as this text. A block of text → a fence that it cannot break.

use std::borrow::Cow;

/// A clean line, with what markdown would read as a mark made harmless. Underscores inside words are none: paths and
/// names stay readable.
pub(super) fn escape(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut before = None;
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(character).len();
        let (marks, after) = rest.split_at(run);
        let next = after.chars().next();
        if is_mark(character, marks.chars().count(), before, next) {
            marks.chars().for_each(|mark| text.extend(['\\', mark]));
        } else {
            text.push_str(marks);
        }
        (before, rest) = (Some(character), after);
    }
    text
}

/// The same at the start of an item, where a text may look like the start of another list, a quote or a rule.
pub(super) fn escape_item(line: &str) -> String {
    let escaped = escape(line);
    let digits =
        escaped.len() - escaped.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let (number, rest) = escaped.split_at_checked(digits).unwrap_or_default();
    let behind = rest.strip_prefix(['.', ')']);
    let is_number = digits > 0 && behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(' '));
    let is_mark = digits == 0 && rest.starts_with(['>', '-', '+', '=']);
    if is_number || is_mark { format!("{number}\\{rest}") } else { escaped }
}

/// Whether some of the same characters mean something where they are.
fn is_mark(character: char, number: usize, before: Option<char>, next: Option<char>) -> bool {
    let is_word = |neighbour: Option<char>| neighbour.is_some_and(char::is_alphanumeric);
    match character {
        '\\' | '`' | '*' | '<' | '[' | ']' => true,
        '_' => !is_word(before) || !is_word(next),
        '~' => number > 1,
        '&' => next.is_some_and(|next| next.is_ascii_alphabetic() || next == '#'),
        // At the end of a heading they would belong to its mark; at the start of an item they would make one.
        '#' => next.is_none() || before.is_none(),
        '-' | '+' => before.is_none() && next == Some(' '),
        _ => false,
    }
}

/// A clean line as code.
pub(super) fn code_span(line: &str) -> String {
    let ticks = "`".repeat(longest_run(line, '`') + 1);
    // One space on either side is taken off again by the reader.
    let needs_room = line.starts_with(['`', ' ']) || line.ends_with(['`', ' ']);
    let line: Cow<'_, str> = if needs_room { format!(" {line} ").into() } else { line.into() };
    format!("{ticks}{line}{ticks}")
}

/// Backticks, more than there are in the text.
pub(super) fn fence(text: &str) -> String {
    "`".repeat((longest_run(text, '`') + 1).max(3))
}

fn longest_run(text: &str, mark: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests;
