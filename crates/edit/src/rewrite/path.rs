//! Paths in a text → other paths, by whatever rules there are.

mod border;
mod extent;
mod rule;
mod space;
mod strip;
mod system;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use steno_transcript::patch::Literal;

use super::option::Rewrite;
pub(super) use rule::Rule;
use system::System;

type Replacement = (Range<usize>, String);

/// What finds paths, and says what becomes of them.
#[derive(Debug)]
pub(super) enum Finder {
    Rule(Box<Rule>),
    System(System),
}

/// What is known of a string besides its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    /// Whether its key says that it is a path.
    pub(super) is_path: bool,
    /// The directory that the session works in.
    pub(super) home: Option<&'a str>,
}

/// A path that was found.
#[derive(Debug)]
struct Match {
    /// What the rule is about; the longest one counts.
    rule: Range<usize>,
    /// The whole path.
    path: Range<usize>,
    /// What changes in it.
    replacements: Vec<Replacement>,
}

/// A path as it was, and as it is now.
pub(super) type Note = (String, String);

impl Finder {
    pub(super) fn new(rewrite: &Rewrite) -> Self {
        match rewrite {
            Rewrite::Path(paths) => Self::Rule(Box::new(Rule::new(&paths.from, &paths.to))),
            Rewrite::WslToWin => Self::System(System::WslToWin),
            Rewrite::WinToWsl => Self::System(System::WinToWsl),
            Rewrite::Strip => Self::System(System::Strip),
        }
    }

    /// Whether a string as it is spelled can hold a path of this kind: cheaper than to look for it.
    fn may_be_in(&self, raw: &str) -> bool {
        match self {
            Self::Rule(rule) => rule.may_be_in(raw),
            Self::System(system) => system.may_be_in(raw),
        }
    }

    fn matches(&self, text: &str, context: Context<'_>, found: &mut Vec<Match>) {
        match self {
            Self::Rule(rule) => found.extend(rule.matches(text, context)),
            Self::System(system) => found.extend(system.matches(text, context)),
        }
    }
}

/// A directory, spelled for JSON, after the move: that of the rule, or one below it.
pub(super) fn moved(raw: &str, rule: &Rule) -> Option<String> {
    let literal = Literal::new(raw);
    changed(raw, literal.with(&rule.moved(&literal.text)?))
}

/// The same for a directory as it is.
pub(super) fn moved_text(text: &str, rule: &Rule) -> Option<String> {
    Some(spliced(text, 0..text.len(), &rule.moved(text)?))
}

/// Whether a directory, spelled for JSON, is the one that the rule moves, and really moves.
pub(super) fn is_left(raw: &str, rule: &Rule) -> bool {
    rule.is_whole(&Literal::new(raw).text) && moved(raw, rule).is_some()
}

/// A text, spelled for JSON, with its paths replaced; nothing if there are none.
pub(super) fn replaced(
    raw: &str,
    finders: &[Finder],
    context: Context<'_>,
    note: &mut dyn FnMut(Note),
) -> Option<String> {
    if !finders.iter().any(|finder| finder.may_be_in(raw)) {
        return None;
    }
    let literal = Literal::new(raw);
    changed(raw, literal.with(&replacements(&literal.text, finders, context, note)))
}

/// The same for a text as it is.
pub(super) fn replaced_in_text<'a>(
    text: &'a str,
    finders: &[Finder],
    context: Context<'_>,
    note: &mut dyn FnMut(Note),
) -> Cow<'a, str> {
    let replacements = replacements(text, finders, context, note);
    if replacements.is_empty() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(spliced(text, 0..text.len(), &replacements))
    }
}

fn replacements(
    text: &str,
    finders: &[Finder],
    context: Context<'_>,
    note: &mut dyn FnMut(Note),
) -> Vec<Replacement> {
    let mut found = Vec::new();
    finders.iter().for_each(|finder| finder.matches(text, context, &mut found));
    found.sort_by_key(|found| (found.rule.start, Reverse(found.rule.end)));
    let (mut replacements, mut end) = (Vec::new(), 0);
    for found in found {
        if found.rule.start >= end {
            let old = text.get(found.path.clone()).unwrap_or_default();
            let new = spliced(text, found.path.clone(), &found.replacements);
            if old != new {
                note((old.to_owned(), new));
            }
            replacements.extend(found.replacements);
            end = replacements.last().map_or(end, |(range, _): &Replacement| range.end);
        }
    }
    replacements
}

/// A part of a text, with what is replaced in it.
fn spliced(text: &str, part: Range<usize>, replacements: &[Replacement]) -> String {
    let (mut new, mut copied) = (String::with_capacity(part.len()), part.start);
    for (range, replacement) in replacements.iter().filter(|(range, _)| range.end <= part.end) {
        new.push_str(text.get(copied..range.start).unwrap_or_default());
        new.push_str(replacement);
        copied = range.end;
    }
    new.push_str(text.get(copied..part.end).unwrap_or_default());
    new
}

fn changed(old: &str, new: String) -> Option<String> {
    (old != new).then_some(new)
}

fn is_separator(character: char) -> bool {
    matches!(character, '/' | '\\')
}
