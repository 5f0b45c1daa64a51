//! Where a path in a text ends: what belongs to it, and what is only beside it.
//!
//! In prose a path ends before what can hardly be in one. With any spaces it is one where it is set apart: between
//! quotes, or as the whole of a string that is a path by its key. Otherwise [`space`] says.

use std::ops::Range;

use super::{border, is_separator, space};

/// How far the closing quote may be.
const LONGEST_QUOTED: usize = 400;
/// How many words there may be between the first and the last one of a path.
const MOST_WORDS: usize = 6;
/// How long the name in a pair of brackets may be, as in `[id]`.
const LONGEST_GROUP: usize = 64;

/// How the separators of a path are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// With slashes. A backslash escapes a space.
    Unix,
    /// With slashes or backslashes, so many for one: text inside a text has two.
    Windows { backslashes: usize },
}

impl Writing {
    /// Whether every backslash is one of a separator.
    fn has_only_separators(self, text: &str) -> bool {
        match self {
            Self::Unix | Self::Windows { backslashes: 0 } => !text.contains('\\'),
            Self::Windows { backslashes: 1 } => true,
            Self::Windows { backslashes } => {
                text.split(|c| c != '\\').all(|run| run.is_empty() || run.len() == backslashes)
            }
        }
    }
}

/// The end of a path of which the beginning is known.
pub(super) fn end(text: &str, known: &Range<usize>, writing: Writing, is_path: bool) -> usize {
    let Range { start, end: at } = *known;
    let apart = if start == 0 && is_path { Some(text.len()) } else { closing_quote(text, start) };
    let is_alone = |end: &usize| text.get(at..*end).is_some_and(|tail| is_name_with_spaces(tail, writing));
    apart.filter(is_alone).unwrap_or_else(|| end_in_prose(text, at, writing))
}

/// Where the quote that precedes the path is closed.
fn closing_quote(text: &str, start: usize) -> Option<usize> {
    let before = text.get(..start)?;
    let quote = before.chars().next_back().filter(|last| matches!(last, '"' | '\'' | '`'))?;
    let escape = border::backslashes_at_end(before.strip_suffix(quote)?);
    let near = text.get(start..text.floor_char_boundary(start + LONGEST_QUOTED))?;
    let inside = near.get(..near.find(quote)?)?;
    let is_closed = border::backslashes_at_end(inside) >= escape;
    is_closed.then(|| start + inside.len() - escape)
}

/// Whether what follows the beginning of a path, spaces and all, is the rest of it: no command line, no sentence.
fn is_name_with_spaces(tail: &str, writing: Writing) -> bool {
    let is_foreign =
        |c: char| c.is_control() || matches!(c, ':' | ';' | '"' | '|' | '<' | '>' | '*' | '?' | '=');
    if tail.contains(is_foreign) || !writing.has_only_separators(tail) {
        return false;
    }
    let is_broken_off = |word: &str| word.ends_with([',', '.', '/', '\\']);
    let is_begun = |word: &str| {
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '(' | '[' | '_' | '&');
        word.starts_with(is_letter) || word == "-"
    };
    let mut words = tail.split(' ');
    let last = words.next_back().unwrap_or_default();
    let Some(first) = words.next() else { return !last.ends_with([',', '.']) };
    let mut between = words.by_ref().take(MOST_WORDS);
    !is_broken_off(first)
        && between.all(|word| is_begun(word) && !is_broken_off(word))
        && words.next().is_none()
        && is_begun(last)
        && !last.ends_with([',', '.'])
}

fn end_in_prose(text: &str, from: usize, writing: Writing) -> usize {
    let mut at = from;
    while let Some(length) = text.get(at..).and_then(|rest| next(text, from..at, rest, writing)) {
        at += length;
    }
    let path = text.get(from..at).unwrap_or_default();
    from + without_punctuation(path).len()
}

/// How much of `rest` belongs to the path before the rest is asked about again; `path` is what was passed so far.
fn next(text: &str, path: Range<usize>, rest: &str, writing: Writing) -> Option<usize> {
    let at = path.end;
    let first = rest.chars().next()?;
    let behind = rest.get(first.len_utf8()..)?;
    let goes_on = |what: fn(char) -> bool| behind.starts_with(what).then_some(first.len_utf8());
    match first {
        '/' | '.' | '*' => Some(1),
        '\\' => backslashes(text, at, rest, writing),
        ' ' => space::passed(text.get(path)?, rest, writing),
        '$' => goes_on(|c| border::is_in_name(c) || c == '{'),
        '%' => goes_on(border::is_in_name),
        '#' => goes_on(is_separator),
        '(' | '[' | '{' | '<' => group(text.get(..at)?, rest, first),
        _ if border::is_in_name(first) => Some(first.len_utf8()),
        _ => None,
    }
}

/// A separator, or an escaped space.
fn backslashes(text: &str, at: usize, rest: &str, writing: Writing) -> Option<usize> {
    let count = rest.bytes().take_while(|byte| *byte == b'\\').count();
    let behind = rest.get(count..)?;
    let Writing::Windows { backslashes } = writing else {
        return (count == 1 && behind.starts_with(' ')).then_some(2);
    };
    let is_one = if backslashes <= 1 { true } else { count == backslashes };
    // After slashes, it rather is an escape in a text inside the text.
    let is_escape = backslashes == 0 && behind.starts_with(['n', 'r', 't', 'u']);
    let is_quote = match behind.chars().next() {
        Some(quote @ ('"' | '\'')) => backslashes != 1 || !is_quoted_plainly(text.get(..at)?, quote),
        _ => false,
    };
    (is_one && !is_escape && !is_quote).then_some(count)
}

/// Whether the quote that opens a path is not escaped: then a backslash before the closing one is a separator.
fn is_quoted_plainly(before: &str, quote: char) -> bool {
    let near = before.get(before.ceil_char_boundary(before.len().saturating_sub(LONGEST_QUOTED))..);
    let before = near.and_then(|near| near.get(..near.rfind(quote)?));
    before.is_some_and(|before| !before.ends_with('\\'))
}

/// A name in brackets, or with some: `[id]`, `(group)`, `${HOME}`, `copy(1).txt`, `<name>`.
fn group(before: &str, rest: &str, opening: char) -> Option<usize> {
    let closing = match opening {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => '>',
    };
    let near = rest.get(1..rest.floor_char_boundary(LONGEST_GROUP))?;
    let name = near.get(..near.find(closing)?)?;
    let behind = rest.get(1 + name.len() + 1..)?;
    let is_name =
        !name.is_empty() && name.chars().all(|c| border::is_in_name(c) || matches!(c, '.' | ',' | '$'));
    let goes_on = match opening {
        '<' => before.ends_with(is_separator) && behind.starts_with(is_separator),
        _ => behind.starts_with(border::is_in_path) && !behind.starts_with(['-', '+', '@']),
    };
    (is_name && goes_on).then_some(1 + name.len() + 1)
}

/// The path without the end of a sentence, or of an emphasis.
fn without_punctuation(path: &str) -> &str {
    let trimmed = path.trim_end_matches(['.', '*']);
    let cut = path.get(trimmed.len()..).unwrap_or_default();
    let is_name = trimmed.ends_with(is_separator) && matches!(cut, "." | ".." | "*" | "**");
    if is_name { path } else { trimmed }
}
