//! The words of a text, as they come by → the places that match.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use crate::query::Wanted;
use crate::token::{Token, character_end, is_dense, tokens};

/// Words that have to follow each other.
#[derive(Debug)]
struct Pattern {
    words: Vec<String>,
    /// The last word may go on.
    is_open: bool,
}

/// A pattern of which the beginning was seen.
#[derive(Debug, Clone, Copy)]
struct Progress {
    pattern: usize,
    /// How many of its words were seen.
    seen: usize,
    /// Where the next has to stand.
    position: usize,
    /// They are parts of a name, which are numbered apart.
    is_part: bool,
    start: usize,
}

#[derive(Debug)]
struct Matcher<'a> {
    text: &'a str,
    patterns: &'a [Pattern],
    /// The patterns that begin with a word.
    first: HashMap<&'a str, Vec<usize>>,
    /// The patterns that begin with a word that may go on.
    open: Vec<usize>,
    progress: Vec<Progress>,
    /// In order, without overlaps.
    found: Vec<Range<usize>>,
}

/// In order, without overlaps.
pub(super) fn places(wanted: Vec<Wanted>, text: &str) -> Vec<Range<usize>> {
    let patterns: Vec<_> = wanted.into_iter().map(Pattern::from).collect();
    if patterns.is_empty() {
        return Vec::new();
    }
    let mut matcher = Matcher::new(text, &patterns);
    tokens(text, |token| matcher.see(&token));
    matcher.found
}

impl From<Wanted> for Pattern {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Word(word) => Self { words: vec![word], is_open: false },
            Wanted::Phrase(words) => Self { words, is_open: false },
            Wanted::Prefix { before: mut words, last } => {
                words.push(last);
                Self { words, is_open: true }
            }
        }
    }
}

impl<'a> Matcher<'a> {
    fn new(text: &'a str, patterns: &'a [Pattern]) -> Self {
        let mut first: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut open = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            match pattern.words.as_slice() {
                [_] if pattern.is_open => open.push(number),
                [word, ..] => first.entry(word).or_default().push(number),
                [] => {}
            }
        }
        Self { text, patterns, first, open, progress: Vec::new(), found: Vec::new() }
    }

    fn see(&mut self, token: &Token<'_>) {
        if !self.progress.is_empty() {
            self.go_on(token);
        }
        let begin = |pattern| Progress {
            pattern,
            seen: 0,
            position: token.position,
            is_part: token.is_part(),
            start: token.place.start,
        };
        let patterns = self.patterns;
        for number in self.first.get(token.word).into_iter().flatten().chain(&self.open) {
            let step = step(self.text, patterns, begin(*number), token);
            keep(step, &mut self.progress, &mut self.found);
        }
    }

    fn go_on(&mut self, token: &Token<'_>) {
        let is_part = token.is_part();
        // Words wait while parts come by; parts are over with their word.
        self.progress.retain(|next| match next.is_part == is_part {
            true => next.position >= token.position,
            false => is_part,
        });
        let is_next = |next: &&Progress| next.is_part == is_part && next.position == token.position;
        // Progress appended meanwhile waits for the next position.
        for number in 0..self.progress.len() {
            if let Some(progress) = self.progress.get(number).filter(is_next) {
                let step = step(self.text, self.patterns, *progress, token);
                keep(step, &mut self.progress, &mut self.found);
            }
        }
    }
}

enum Step {
    Mismatch,
    Partly(Progress),
    Found(Range<usize>),
}

fn keep(step: Step, progress: &mut Vec<Progress>, found: &mut Vec<Range<usize>>) {
    match step {
        Step::Mismatch => {}
        Step::Partly(next) => progress.push(next),
        Step::Found(place) => merge(found, place),
    }
}

fn step(text: &str, patterns: &[Pattern], progress: Progress, token: &Token<'_>) -> Step {
    let Some(pattern) = patterns.get(progress.pattern) else { return Step::Mismatch };
    let seen = progress.seen + 1;
    let is_last = seen == pattern.words.len();
    let is_open = is_last && pattern.is_open;
    match pattern.words.get(progress.seen) {
        Some(word) if *word == token.word || (is_open && token.word.starts_with(word)) => {}
        _ => return Step::Mismatch,
    }
    if is_last {
        return Step::Found(progress.start..end(text, token, is_open));
    }
    Step::Partly(Progress { seen, position: token.position + 1, ..progress })
}

/// Of a pair of which only the first character was asked for, the second is no answer.
fn end(text: &str, token: &Token<'_>, is_open: bool) -> usize {
    if is_open && token.word.starts_with(is_dense) {
        return character_end(text, token.place.start);
    }
    token.place.end
}

/// Adds a place that ends with the word that came by last, so that nothing was found behind it.
fn merge(found: &mut Vec<Range<usize>>, mut place: Range<usize>) {
    while let Some(before) = found.pop_if(|before| before.end > place.start) {
        place = before.start.min(place.start)..before.end.max(place.end);
    }
    found.push(place);
}
