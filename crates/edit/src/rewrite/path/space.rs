//! Where a path in prose goes on behind a space: only where the words behind it clearly belong to it.
//!
//! With backslashes, a word that goes on with one does: little else is written so. Slashes are in prose, too, so there
//! every word must start as names do and prose rarely does. Behind a file nothing goes on.

use super::extent::Writing;
use super::{border, is_separator};

/// How many words further the next separator may be.
const MOST_WORDS: usize = 3;
/// In bytes, as file systems have it.
const LONGEST_NAME: usize = 255;
const LONGEST_EXTENSION: usize = 8;
/// Names with spaces that every Windows has.
const KNOWN: [&str; 3] = ["Program Files (x86)", "Program Files", "Documents and Settings"];

/// Words of a sentence. In a name they precede a capital letter, if at all.
const LINKS: [&str; 26] = [
    "a", "and", "are", "as", "at", "but", "by", "for", "from", "has", "if", "in", "into", "is", "not", "of",
    "on", "or", "than", "that", "the", "then", "to", "via", "was", "with",
];

/// How much of `rest`, which starts with a space, belongs to the path of which `path` is the end so far.
pub(super) fn passed(path: &str, rest: &str, writing: Writing) -> Option<usize> {
    if let Some(length) = known(path, rest) {
        return Some(length);
    }
    let name = path.rsplit(is_separator).next()?;
    let is_whole = path.ends_with(['.', '*', '/', '\\']) || has_extension(name);
    match writing {
        _ if is_whole => None,
        Writing::Windows { backslashes } if backslashes > 0 => before_backslash(rest, backslashes),
        // What only says that it is a path has no name that could go on.
        _ if path.is_empty() => None,
        _ => before_slash(rest),
    }
}

/// Whether a name ends as those of files do.
pub(super) fn has_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.len() <= LONGEST_EXTENSION
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn known(path: &str, rest: &str) -> Option<usize> {
    KNOWN.iter().find_map(|name| {
        let (first, others) = name.split_at_checked(name.find(' ')?)?;
        let is_here = path.strip_suffix(first)?.ends_with(is_separator);
        let behind = rest.strip_prefix(others)?;
        (is_here && !behind.starts_with(border::is_in_name)).then_some(others.len())
    })
}

fn before_backslash(rest: &str, backslashes: usize) -> Option<usize> {
    let words = words(rest, '\\')?;
    let count = words.behind.bytes().take_while(|byte| *byte == b'\\').count();
    let is_separator = backslashes == 1 || count == backslashes;
    // Otherwise it is escaped.
    let is_open = words.behind.get(count..).is_some_and(|behind| !behind.starts_with(['"', '\'', '`', ' ']));
    let is_name = words.last.starts_with(starts_name) || !words.between().any(|word| LINKS.contains(&word));
    (is_separator && is_open && is_name).then_some(words.length)
}

fn before_slash(rest: &str) -> Option<usize> {
    let words = words(rest, '/')?;
    let is_named = words.last.starts_with(starts_name)
        && words.between().all(|word| word == "-" || word.starts_with(starts_name));
    let behind = words.behind.strip_prefix('/')?;
    (is_named && behind.starts_with(border::is_in_name) && !is_term(words.last, behind))
        .then_some(words.length)
}

/// Words that may be those of a name, the last one of which ends before a separator.
struct Words<'a> {
    passed: &'a str,
    last: &'a str,
    behind: &'a str,
    length: usize,
}

impl<'a> Words<'a> {
    fn between(&self) -> impl Iterator<Item = &'a str> {
        self.passed.split(' ').filter(|word| !word.is_empty())
    }
}

fn words(rest: &str, separator: char) -> Option<Words<'_>> {
    let mut passed = 0;
    for _ in 0..MOST_WORDS {
        let word = rest.get(passed..)?.strip_prefix(' ')?;
        let near = word.get(..word.floor_char_boundary(LONGEST_NAME))?;
        let (word, behind) = word.split_at_checked(near.find(|c| !is_in_word(c))?)?;
        let is_name =
            word == "-" || word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '('));
        let length = passed + 1 + word.len();
        if behind.starts_with(separator) {
            let is_whole = is_name && is_balanced(rest.get(..length)?);
            return is_whole.then_some(Words { passed: rest.get(..passed)?, last: word, behind, length });
        }
        if !is_name || word.ends_with('.') || has_extension(word) {
            return None;
        }
        passed = length;
    }
    None
}

fn is_in_word(character: char) -> bool {
    border::is_in_name(character) || matches!(character, '.' | '(' | ')')
}

fn starts_name(character: char) -> bool {
    character.is_uppercase() || character.is_numeric()
}

/// Whether every bracket is closed: one that is not, has a remark in it.
fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

/// Whether a word with a slash is one for itself: `HTTP/1.1`, `Mozilla/5.0`, `I/O`, `3/5`, a date.
fn is_term(word: &str, behind: &str) -> bool {
    let near = behind.get(..behind.floor_char_boundary(LONGEST_NAME)).unwrap_or_default();
    let behind = near.split(char::is_whitespace).next().unwrap_or_default();
    let is_version = behind.contains('.') && behind.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_version || !(word.contains(char::is_lowercase) || behind.contains(char::is_lowercase))
}
