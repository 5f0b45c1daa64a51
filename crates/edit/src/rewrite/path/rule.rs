//! One path in a text → another one, where the text has the whole path.

use std::ops::Range;

use memchr::{memchr2_iter, memmem};

use super::extent::{self, Writing};
use super::{Context, Match, Replacement, border, is_separator};

/// One path that becomes another.
#[derive(Debug)]
pub(in crate::rewrite) struct Rule {
    /// As given.
    from: String,
    to: String,
    /// Without the separators at the end; the root is empty then.
    stem: String,
    to_stem: String,
    from_style: Style,
    to_style: Style,
    /// The longest name in the path, which a text that holds the path holds too unless it is spelled in escapes.
    name: Option<memmem::Finder<'static>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Unix,
    /// With a drive or backslashes. Either separator is meant by either one there.
    Windows,
}

/// Where a path was found.
#[derive(Debug)]
struct Found {
    range: Range<usize>,
    /// How the first separator in it is written. Text inside a text has two backslashes for one.
    separator: Option<&'static str>,
}

impl Rule {
    pub(in crate::rewrite) fn new(from: &str, to: &str) -> Self {
        let name = from
            .split(is_separator)
            .filter(|name| !name.ends_with(':') && !name.contains(|c: char| c == '"' || c.is_control()))
            .max_by_key(|name| name.len());
        Self {
            from: from.to_owned(),
            to: to.to_owned(),
            stem: from.trim_end_matches(is_separator).to_owned(),
            to_stem: to.trim_end_matches(is_separator).to_owned(),
            from_style: Style::of(from),
            to_style: Style::of(to),
            name: name.filter(|name| !name.is_empty()).map(|name| memmem::Finder::new(name).into_owned()),
        }
    }

    /// Whether a string as it is spelled can hold the path: cheaper than to look for it.
    pub(super) fn may_be_in(&self, raw: &str) -> bool {
        let is_named = self.name.as_ref().is_none_or(|name| name.find(raw.as_bytes()).is_some());
        is_named || raw.contains("\\u")
    }

    pub(super) fn matches<'a>(
        &'a self,
        text: &'a str,
        context: Context<'a>,
    ) -> impl Iterator<Item = Match> + 'a {
        let mut passed = 0;
        self.found_in(text).filter_map(move |found| {
            let is_inside = found.range.start < passed;
            if is_inside && self.from_style != self.to_style {
                // The separators of both would change.
                return None;
            }
            let end = if is_inside { found.range.end } else { found.end_of_path(text, context) };
            passed = passed.max(end);
            let replacements = self.replace(text, &found, end);
            Some(Match { rule: found.range.clone(), path: found.range.start..end, replacements })
        })
    }

    /// A directory after the move: that of the rule, or one below it.
    pub(super) fn moved(&self, text: &str) -> Option<Vec<Replacement>> {
        if text == self.from {
            return Some(vec![(0..text.len(), self.to_alone().to_owned())]);
        }
        let found = self.at(text, 0)?;
        let after = text.get(found.range.end..)?;
        let is_below = after.is_empty() || after.starts_with(is_separator);
        is_below.then(|| self.replace(text, &found, text.len()))
    }

    /// Whether a directory is the one that the rule moves.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        self.at(text, 0).is_some_and(|found| found.range.end == text.len())
    }

    /// Whether it is about `path`.
    pub(in crate::rewrite) fn is_of(&self, path: &str) -> bool {
        self.is_whole(path.trim_end_matches(is_separator))
    }

    pub(in crate::rewrite) fn is_of_root(&self) -> bool {
        self.stem.is_empty()
    }

    fn found_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Found> + 'a {
        self.candidates(text.as_bytes()).filter_map(move |start| {
            let found = self.at(text, start)?;
            let (before, after) = (text.get(..start)?, text.get(found.range.end..)?);
            // A drive alone is a path only with its separator: `c:` is the end of many a word.
            let is_ended =
                border::ends_before(after) && (!self.is_drive() || after.starts_with(is_separator));
            (is_ended && border::may_start_named_after(before)).then_some(found)
        })
    }

    fn candidates<'a>(&'a self, text: &'a [u8]) -> Box<dyn Iterator<Item = usize> + 'a> {
        match (self.from_style, self.stem.bytes().next()) {
            (_, None) => Box::new(std::iter::empty()),
            (Style::Unix, _) => Box::new(memmem::find_iter(text, &self.stem)),
            (Style::Windows, Some(b'/' | b'\\')) => Box::new(memchr2_iter(b'/', b'\\', text)),
            (Style::Windows, Some(first)) => {
                Box::new(memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text))
            }
        }
    }

    fn at(&self, text: &str, start: usize) -> Option<Found> {
        match self.from_style {
            Style::Unix => {
                let is_here = !self.stem.is_empty() && text.get(start..)?.starts_with(&self.stem);
                is_here.then(|| Found { range: start..start + self.stem.len(), separator: Some("/") })
            }
            Style::Windows => {
                [r"\\", r"\"].iter().find_map(|backslash| self.windows_at(text, start, backslash))
            }
        }
    }

    fn windows_at(&self, text: &str, start: usize, backslash: &'static str) -> Option<Found> {
        let (mut rest, mut separator) = (text.get(start..)?, None);
        for (index, character) in self.stem.chars().enumerate() {
            if is_separator(character) {
                let written = [backslash, "/"].into_iter().find(|written| rest.starts_with(written))?;
                rest = rest.strip_prefix(written)?;
                separator = separator.or(Some(written));
            } else {
                let next = rest.chars().next()?;
                // The letter of a drive.
                let is_same = next == character
                    || (index == 0 && has_drive(&self.stem) && next.eq_ignore_ascii_case(&character));
                rest = is_same.then(|| rest.get(next.len_utf8()..))??;
            }
        }
        Some(Found { range: start..text.len() - rest.len(), separator })
    }

    /// What the path becomes, and the separators up to its end when the two systems write them differently.
    fn replace(&self, text: &str, found: &Found, end: usize) -> Vec<Replacement> {
        let after = text.get(found.range.end..).unwrap_or_default();
        let to = if after.starts_with(is_separator) { &self.to_stem } else { self.to_alone() };
        let to = match found.separator {
            Some(separator) if (self.from_style, self.to_style) == (Style::Windows, Style::Windows) => {
                to.split(is_separator).collect::<Vec<_>>().join(separator)
            }
            _ => to.to_owned(),
        };
        let mut replacements = vec![(found.range.clone(), to)];
        if self.from_style != self.to_style {
            let separator = if self.to.contains('\\') { r"\" } else { "/" };
            let tail = separators(text, found, end).map(|range| (range, separator.to_owned()));
            replacements.extend(tail);
        }
        replacements
    }

    fn is_drive(&self) -> bool {
        self.stem.ends_with(':')
    }

    /// The root keeps its separator.
    fn to_alone(&self) -> &str {
        if self.to_stem.is_empty() || self.to_stem.ends_with(':') { &self.to } else { &self.to_stem }
    }
}

impl Style {
    fn of(path: &str) -> Self {
        let is_windows = has_drive(path) || (path.contains('\\') && !path.starts_with('/'));
        if is_windows { Self::Windows } else { Self::Unix }
    }
}

fn has_drive(path: &str) -> bool {
    let letter = path.strip_prefix(|first: char| first.is_ascii_alphabetic());
    let behind = letter.and_then(|rest| rest.strip_prefix(':'));
    behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(is_separator))
}

impl Found {
    fn end_of_path(&self, text: &str, context: Context<'_>) -> usize {
        extent::end(text, &self.range, self.writing(text), context.is_path)
    }

    fn writing(&self, text: &str) -> Writing {
        let behind = text.get(self.range.end..).unwrap_or_default();
        match self.separator {
            // Behind a path with slashes, a backslash is an escape in a text inside the text.
            Some("/") => Writing::Unix,
            Some(backslashes) => Writing::Windows { backslashes: backslashes.len() },
            None => Writing::Windows { backslashes: behind.len() - behind.trim_start_matches('\\').len() },
        }
    }
}

/// The separators in what follows a path.
fn separators(text: &str, found: &Found, end: usize) -> impl Iterator<Item = Range<usize>> {
    let written = found.separator.unwrap_or(r"\");
    let tail = text.get(found.range.end..end).unwrap_or_default();
    tail.match_indices(written).map(move |(at, _)| {
        let start = found.range.end + at;
        start..start + written.len()
    })
}
