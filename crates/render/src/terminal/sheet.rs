//! Lines of text on a page: wrapped, indented, and behind a mark that says who speaks.

use anstyle::Style;

use super::markdown::Styled;
use super::measure::{self, Room, cut, wrap};
use super::style::{WEAK, paint};
use crate::clean::clean;
use crate::words::many;

/// Levels of indentation that are shown; what is deeper stays there.
const DEEPEST: usize = 16;
/// However narrow the page is.
const LEAST_ROOM: usize = 10;
/// Between facts on one line.
pub(super) const SEPARATOR: &str = " · ";
/// Lines of a long text that an excerpt has.
const EXCERPT_LINES: usize = 4;
/// Columns of each, where the page cuts nothing: a tool may give megabytes on one line.
const LONGEST_LINE: usize = 200;

/// A text that grows line by line.
pub(super) struct TextWriter {
    pub(super) text: String,
    width: usize,
    is_styled: bool,
    /// What comes next belongs to the text of this length.
    joined: usize,
}

/// What precedes a text.
pub(super) struct Mark<'a> {
    text: &'a str,
    style: Style,
    /// It precedes every line, not only the first.
    is_rule: bool,
}

impl<'a> Mark<'a> {
    pub(super) fn new(style: Style, text: &'a str) -> Self {
        Self { text, style, is_rule: false }
    }

    pub(super) fn rule(style: Style, text: &'a str) -> Self {
        Self { text, style, is_rule: true }
    }
}

impl TextWriter {
    pub(super) fn new(width: usize, is_styled: bool) -> Self {
        Self { text: String::new(), width, is_styled, joined: usize::MAX }
    }

    /// An empty line, never two.
    pub(super) fn gap(&mut self) {
        if !self.text.ends_with("\n\n") && self.text.len() != self.joined {
            self.text.push('\n');
        }
    }

    /// No empty line before what comes next.
    pub(super) fn join(&mut self) {
        self.joined = self.text.len();
    }

    /// One line, as it is.
    pub(super) fn line(&mut self, depth: usize, line: &str) {
        self.indent(depth);
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Facts beside each other, from the left edge; a line ends between two of them where that is possible.
    pub(super) fn facts(&mut self, facts: &[String], style: Style) {
        let room = Room { from: 0, width: self.width.max(LEAST_ROOM) };
        let mut lines: Vec<String> = Vec::new();
        for fact in facts {
            let needed = SEPARATOR.chars().count() + measure::width(fact, 0);
            match lines.last_mut() {
                Some(line) if measure::width(line, 0) + needed <= room.width => {
                    line.push_str(SEPARATOR);
                    line.push_str(fact);
                }
                _ => lines.push(fact.clone()),
            }
        }
        for (_, part) in lines.iter().flat_map(|line| wrap(line, room)) {
            self.line(0, &paint(style, part));
        }
    }

    /// Text behind a mark, wrapped and indented so that it stays behind it.
    pub(super) fn block(&mut self, depth: usize, mark: &Mark<'_>, text: &str, style: Style) {
        let (on, off) = (style.render().to_string(), style.render_reset().to_string());
        self.wrapped(depth, mark, &clean(text), |page, _, part| {
            for piece in [on.as_str(), part, off.as_str()] {
                page.push_str(piece);
            }
        });
    }

    /// The same of markdown, where the page shows styles.
    pub(super) fn prose(&mut self, depth: usize, mark: &Mark<'_>, text: &str) {
        let styled = Styled::of(&clean(text), self.is_styled);
        self.wrapped(depth, mark, &styled.text, |page, from, part| page.push_str(&styled.paint(from, part)));
    }

    /// `push` writes a part of the text that begins there.
    fn wrapped(
        &mut self,
        depth: usize,
        mark: &Mark<'_>,
        text: &str,
        push: impl Fn(&mut String, usize, &str),
    ) {
        let room = self.room(depth, mark);
        let later =
            if mark.is_rule { mark.text.to_owned() } else { " ".repeat(measure::width(mark.text, 0)) };
        // A prompt may have a million lines: their common prefix is made once.
        let (first, later) = (lead(mark.text, mark.style), lead(&later, mark.style));
        let mut lead = &first;
        for line in text.lines().chain(text.is_empty().then_some("")) {
            for (indent, part) in wrap(line, room) {
                self.indent(depth);
                self.text.push_str(lead);
                if part.is_empty() {
                    self.text.truncate(self.text.trim_end_matches(' ').len());
                } else {
                    self.text.push(' ');
                    self.text.push_str(indent);
                    push(&mut self.text, part.as_ptr().addr() - text.as_ptr().addr(), part);
                }
                self.text.push('\n');
                lead = &later;
            }
        }
    }

    /// The first lines, each cut to the page, and how many more there are.
    pub(super) fn excerpt(&mut self, depth: usize, mark: &Mark<'_>, text: &str) {
        let Room { from, width } = self.room(depth, mark);
        let room = Room { from, width: width.min(LONGEST_LINE) };
        let text = text.trim_end().trim_start_matches('\n');
        let first: Vec<_> = text.lines().take(EXCERPT_LINES).map(clean).collect();
        // Numbered lines stay aligned: all lose the same indentation.
        let indent = first.iter().filter(|line| !line.trim().is_empty()).map(|line| indentation(line)).min();
        let dedented = |line: &str| line.get(indent.unwrap_or(0)..).unwrap_or_default().to_owned();
        let mut lines: Vec<String> = first.iter().map(|line| cut(&dedented(line), room)).collect();
        let more = text.lines().skip(EXCERPT_LINES).count();
        if more > 0 {
            lines.push(format!("… {}", many(more as u64, "more line")));
        }
        self.block(depth, mark, &lines.join("\n"), WEAK);
    }

    /// What is left of a line behind an indentation and a mark.
    pub(super) fn room(&self, depth: usize, mark: &Mark<'_>) -> Room {
        let from = self.columns(depth) + measure::width(mark.text, 0) + 1;
        Room { from, width: self.width.saturating_sub(from).max(LEAST_ROOM) }
    }

    /// The columns of an indentation. Below the deepest level, neighbours still differ by one.
    pub(super) fn columns(&self, depth: usize) -> usize {
        let deepest = DEEPEST.min(self.width / 12 * 2);
        2 * if depth > deepest { deepest + depth % 2 } else { depth }
    }

    fn indent(&mut self, depth: usize) {
        let columns = self.columns(depth);
        self.text.extend(std::iter::repeat_n(' ', columns));
    }
}

/// A mark in its style; spaces need none, and would stay at the end of an empty line.
fn lead(mark: &str, style: Style) -> String {
    if mark.trim().is_empty() { mark.to_owned() } else { paint(style, mark) }
}

/// The bytes of spaces, or of tabs, that a line starts with.
fn indentation(line: &str) -> usize {
    let kind = if line.starts_with('\t') { '\t' } else { ' ' };
    line.len() - line.trim_start_matches(kind).len()
}

#[cfg(test)]
mod tests;
